// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "bench.h"
#include "request.h"
#include "results.h"

static const struct number_word {
	const char *name;
	size_t offset;
	u64 low, high, value;
} number_words[] = {
	{"reps", offsetof(struct request, reps), 1, 10000, 10},
	{"warmup", offsetof(struct request, warmup), 0, 100, 1},
	{"loops", offsetof(struct request, loops), 0, REQUEST_LOOPS_MAX, 0},
	{"time_ns", offsetof(struct request, time_ns), 1, 1000000000, 1000000},
	{"cpus", offsetof(struct request, cpus), 1, UINT_MAX, 1},
};

static u64 *request_number(struct request *request, const struct number_word *word)
{
	return (u64 *)((char *)request + word->offset);
}

static int parse_bench(const char *name, struct request *request, struct results *results)
{
	const char *reason;

	if (request->bench)
		return results_fail(results, -EINVAL, "bench= is given twice");
	request->bench = bench_find(name);
	if (!request->bench) {
		results->names_known = true;
		return results_fail(results, -ENOENT, "no benchmark %*pE", (int)strlen(name), name);
	}
	bench_name(request->bench, results->bench);
	reason = bench_unavailable(request->bench);
	if (reason)
		return results_fail(results, -EOPNOTSUPP, "%s: %s", results->bench, reason);
	return 0;
}

static int parse_number(const struct number_word *word, const char *text, struct request *request,
			struct results *results)
{
	u64 value;

	if (kstrtou64(text, 10, &value) || value < word->low || value > word->high)
		return results_fail(results, -EINVAL, "%s=%*pE: want a number from %llu to %llu",
				    word->name, (int)strlen(text), text, word->low, word->high);
	*request_number(request, word) = value;
	return 0;
}

static int parse_word(char *word, struct request *request, unsigned long *seen,
		      struct results *results)
{
	char *value = strchr(word, '=');
	size_t i;

	if (!value)
		return results_fail(results, -EINVAL, "%*pE: want NAME=VALUE", (int)strlen(word),
				    word);
	*value++ = '\0';
	if (!strcmp(word, "bench"))
		return parse_bench(value, request, results);
	for (i = 0; i < ARRAY_SIZE(number_words); i++) {
		if (strcmp(word, number_words[i].name))
			continue;
		if (*seen & BIT(i))
			return results_fail(results, -EINVAL, "%s= is given twice", word);
		*seen |= BIT(i);
		return parse_number(&number_words[i], value, request, results);
	}
	return results_fail(results, -EINVAL,
			    "unknown word %*pE=; known: bench reps warmup loops time_ns cpus",
			    (int)strlen(word), word);
}

int request_parse(char *text, struct request *request, struct results *results)
{
	unsigned long seen = 0;
	char *word;
	size_t i;
	int err;

	*request = (struct request){0};
	for (i = 0; i < ARRAY_SIZE(number_words); i++)
		*request_number(request, &number_words[i]) = number_words[i].value;
	while ((word = strsep(&text, " \t\n"))) {
		if (!*word)
			continue;
		err = parse_word(word, request, &seen, results);
		if (err)
			return err;
	}
	if (!request->bench)
		return results_fail(results, -EINVAL, "bench= is missing");
	if (!request->loops)
		request->loops = request->bench->loops;
	return 0;
}
