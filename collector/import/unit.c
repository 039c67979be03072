/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/import/unit.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"

struct spelling {
	const char *written;
	const char *name;
	double factor;
	const char *metric;
	enum better better;
};

/* Amounts: less of them for the same work is better. */
static const struct spelling amounts[] = {
	{"ns", "ns", 1, "time", BETTER_LOWER},
	{"nsec", "ns", 1, "time", BETTER_LOWER},
	{"nsecs", "ns", 1, "time", BETTER_LOWER},
	{"nanoseconds", "ns", 1, "time", BETTER_LOWER},
	{"us", "us", 1, "time", BETTER_LOWER},
	{"\xc2\xb5s", "us", 1, "time", BETTER_LOWER}, /* micro sign */
	{"\xce\xbcs", "us", 1, "time", BETTER_LOWER}, /* Greek mu */
	{"usec", "us", 1, "time", BETTER_LOWER},
	{"usecs", "us", 1, "time", BETTER_LOWER},
	{"microseconds", "us", 1, "time", BETTER_LOWER},
	{"ms", "ms", 1, "time", BETTER_LOWER},
	{"msec", "ms", 1, "time", BETTER_LOWER},
	{"msecs", "ms", 1, "time", BETTER_LOWER},
	{"milliseconds", "ms", 1, "time", BETTER_LOWER},
	{"s", "s", 1, "time", BETTER_LOWER},
	{"sec", "s", 1, "time", BETTER_LOWER},
	{"secs", "s", 1, "time", BETTER_LOWER},
	{"second", "s", 1, "time", BETTER_LOWER},
	{"seconds", "s", 1, "time", BETTER_LOWER},
	{"m", "s", 60, "time", BETTER_LOWER},
	{"min", "s", 60, "time", BETTER_LOWER},
	{"h", "s", 3600, "time", BETTER_LOWER},
	{"cycle", "cycles", 1, "cycles", BETTER_LOWER},
	{"cycles", "cycles", 1, "cycles", BETTER_LOWER},
	{"insn", "insn", 1, "insn", BETTER_LOWER},
	{"insns", "insn", 1, "insn", BETTER_LOWER},
	{"instructions", "insn", 1, "insn", BETTER_LOWER},
};

/* Rates that have a word of their own. */
static const struct spelling rates[] = {
	{"iops", "IO/s", 1, "rate", BETTER_HIGHER},   {"rps", "req/s", 1, "rate", BETTER_HIGHER},
	{"qps", "req/s", 1, "rate", BETTER_HIGHER},   {"tps", "tx/s", 1, "rate", BETTER_HIGHER},
	{"pps", "pkt/s", 1, "rate", BETTER_HIGHER},   {"Mbps", "Mbit/s", 1, "rate", BETTER_HIGHER},
	{"Gbps", "Gbit/s", 1, "rate", BETTER_HIGHER},
};

static const struct {
	const char *word;
	enum better better;
} suggestions[] = {
	{"tbench", BETTER_HIGHER},     {"dbench", BETTER_HIGHER},    {"vmark", BETTER_HIGHER},
	{"throughput", BETTER_HIGHER}, {"bandwidth", BETTER_HIGHER}, {"rate", BETTER_HIGHER},
	{"iops", BETTER_HIGHER},       {"hackbench", BETTER_LOWER},  {"kbuild", BETTER_LOWER},
	{"time", BETTER_LOWER},	       {"latency", BETTER_LOWER},    {"fork", BETTER_LOWER},
	{"mmap", BETTER_LOWER},	       {"cyclictest", BETTER_LOWER},
};

static const struct spelling *find_spelling(const struct spelling *list, size_t count,
					    const char *text, size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(list[i].written) == length &&
		    !strncasecmp(list[i].written, text, length))
			return &list[i];
	return NULL;
}

/* An amount, in the case in which it is written: "MS" is not "ms". */
static const struct spelling *find_amount(const char *text, size_t length)
{
	const struct spelling *found = find_spelling(amounts, ARRAY_SIZE(amounts), text, length);

	return found && !strncmp(found->written, text, length) ? found : NULL;
}

static void unit_set(struct unit *unit, const struct spelling *spelling, const char *per)
{
	snprintf(unit->name, sizeof(unit->name), "%s%s", spelling->name, per);
	unit->factor = spelling->factor;
	unit->metric = spelling->metric;
	unit->better = spelling->better;
	unit->known = true;
}

/* Units without a slash. */
static void parse_plain(const char *text, size_t length, struct unit *unit)
{
	const struct spelling *found = find_amount(text, length);

	if (!found)
		found = find_spelling(rates, ARRAY_SIZE(rates), text, length);
	if (found)
		unit_set(unit, found, "");
}

/* "AMOUNT/op", or anything per time; `slash` points into `text`. */
static void parse_quotient(const char *text, const char *slash, struct unit *unit)
{
	size_t length = (size_t)(slash - text);
	const struct spelling *above = find_amount(text, length);
	const struct spelling *below = find_amount(slash + 1, strlen(slash + 1));
	bool per_time = below && !strcmp(below->metric, "time") && below->factor == 1;

	if (above && !per_time) {
		const char *per = !strcmp(slash, "/ops") ? "/op" : slash;

		unit_set(unit, above, per);
	} else if (per_time && (!above || strcmp(above->metric, "time")) && length) {
		snprintf(unit->name, sizeof(unit->name), "%.*s/%s", (int)length, text, below->name);
		unit->metric = "rate";
		unit->better = BETTER_HIGHER;
		unit->known = true;
	}
}

/* Letters, '%', '/' and other marks without digits; "1/s" is the exception. */
static bool can_be_unit(const char *text)
{
	size_t length = strlen(text);

	if (!strncmp(text, "1/", 2))
		return can_be_unit(text + 2);
	if (!length || length + 12 > UNIT_SIZE || strpbrk(text, "0123456789 \t,;:()[]=|@"))
		return false;
	return isalpha((unsigned char)*text) || *text == '%' || (unsigned char)*text >= 0x80;
}

bool unit_parse(const char *text, struct unit *unit)
{
	const char *slash = strchr(text, '/');

	if (!can_be_unit(text))
		return false;
	*unit = (struct unit){.factor = 1, .metric = "value"};
	snprintf(unit->name, sizeof(unit->name), "%s", text);
	if (slash)
		parse_quotient(text, slash, unit);
	else
		parse_plain(text, strlen(text), unit);
	return true;
}

/* Votes of the words in `text`: bit 0 lower, bit 1 higher. */
static unsigned int count_votes(const char *text)
{
	unsigned int votes = 0;

	while (*text) {
		size_t length = 0;

		while (isalnum((unsigned char)text[length]))
			length++;
		for (size_t i = 0; i < ARRAY_SIZE(suggestions); i++)
			if (strlen(suggestions[i].word) == length &&
			    !strncasecmp(suggestions[i].word, text, length))
				votes |= suggestions[i].better == BETTER_HIGHER ? 2U : 1U;
		text += length ? length : 1;
	}
	return votes;
}

bool direction_suggested(const char *name, const char *params, enum better *better)
{
	unsigned int votes = count_votes(name) | count_votes(params);

	if (votes != 1 && votes != 2)
		return false;
	*better = votes == 2 ? BETTER_HIGHER : BETTER_LOWER;
	return true;
}
