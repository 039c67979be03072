/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/import/stress_ng.h"

#include <string.h>

/* Where a description holds `phrase`, the unit; what is left of it names the metric. */
static const struct {
	const char *phrase;
	const char *unit;
	enum better better;
} phrases[] = {
	{"mb-per-sec", "MB/s", BETTER_HIGHER}, {"mb/sec", "MB/s", BETTER_HIGHER},
	{"per-second", "1/s", BETTER_HIGHER},  {"per-sec", "1/s", BETTER_HIGHER},
	{"nanoseconds", "ns", BETTER_LOWER},   {"nanosecs", "ns", BETTER_LOWER},
	{"microseconds", "us", BETTER_LOWER},  {"microsecs", "us", BETTER_LOWER},
	{"milliseconds", "ms", BETTER_LOWER},  {"millisecs", "ms", BETTER_LOWER},
};

static char *stressor_benchmark(const char *stressor)
{
	return xasprintf("stress-ng.%s", stressor);
}

int stress_ng_add_rates(struct tool_reader *reader, const char *stressor, double real, double cpu,
			struct error *err)
{
	_cleanup_free_ char *benchmark = stressor_benchmark(stressor);
	const struct tool_series rate = {benchmark, NULL, "rate", "bogo-ops/s", BETTER_HIGHER};
	const struct tool_series cpu_rate = {benchmark, NULL, "cpu-rate", "bogo-ops/s",
					     BETTER_HIGHER};

	if (tool_add(reader, &rate, real, err) < 0)
		return -1;
	return tool_add(reader, &cpu_rate, cpu, err);
}

/* In lower case, with dashes between the words and no parentheses, as the YAML has it. */
static char *joined(const char *what)
{
	struct strbuf text = STRBUF_INIT;

	for (; *what; what++) {
		if (*what == ' ')
			strbuf_append_char(&text, '-');
		else if (*what >= 'A' && *what <= 'Z')
			strbuf_append_char(&text, (char)(*what + 'a' - 'A'));
		else if (*what != '(' && *what != ')')
			strbuf_append_char(&text, *what);
	}
	return strbuf_take(&text);
}

static char *without_phrase(const char *text, const char *at, size_t length)
{
	_cleanup_free_ char *rest = xasprintf("%.*s%s", (int)(at - text), text, at + length);
	size_t skip = strspn(rest, "-");
	size_t end = strlen(rest);

	while (end > skip && rest[end - 1] == '-')
		end--;
	return xstrndup(rest + skip, end - skip);
}

int stress_ng_add_other(struct tool_reader *reader, const char *stressor, const char *what,
			double value, struct error *err)
{
	_cleanup_free_ char *text = joined(what);
	_cleanup_free_ char *benchmark = stressor_benchmark(stressor);

	for (size_t i = 0; i < ARRAY_SIZE(phrases); i++) {
		const char *at = strstr(text, phrases[i].phrase);
		_cleanup_free_ char *metric = NULL;
		struct tool_series series = {benchmark, NULL, NULL, phrases[i].unit,
					     phrases[i].better};

		if (!at)
			continue;
		metric = without_phrase(text, at, strlen(phrases[i].phrase));
		series.metric = *metric ? metric : "value";
		return tool_add(reader, &series, value, err);
	}
	return 0;
}
