/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/check/formats.h"

#include <ctype.h>
#include <string.h>

#include "common/number.h"
#include "common/string_index.h"
#include "common/text.h"

#define NAME_BYTES  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
#define DIGIT_BYTES "0123456789"

/* What has been seen of a document of lines. */
struct lines {
	struct check_result *result;
	struct string_index known; /* series, units or metrics */
	struct string_index types;
	char *metric; /* Prometheus: that of the sample before */
	size_t samples;
	size_t ignored;
};

typedef void (*line_fn)(struct lines *lines, const char *line, long number);

static void each_line(struct lines *lines, const char *document, line_fn handle)
{
	long number = 1;

	for (const char *at = document; *at; number++) {
		size_t length = strcspn(at, "\n");
		_cleanup_free_ char *line = xstrndup(at, length);

		handle(lines, line, number);
		at += length + (at[length] == '\n');
	}
}

static void lines_release(struct lines *lines)
{
	string_index_release(&lines->known);
	string_index_release(&lines->types);
	free(lines->metric);
}

static void check_encoding(struct check_result *result, const char *document)
{
	size_t length = strlen(document);

	if (text_utf8_error(document, length) < length)
		check_remark(result, REMARK_ERROR, NULL, 0, "byte %zu is not UTF-8",
			     text_utf8_error(document, length) + 1);
	if (length && document[length - 1] != '\n')
		check_remark(result, REMARK_ERROR, NULL, 0, "the last line has no line feed");
}

/* Behind `name="value"` pairs and the closing brace; NULL when they are malformed. */
static const char *skip_labels(const char *at)
{
	while (*at != '}') {
		size_t name = strspn(at, NAME_BYTES);

		if (!name || isdigit((unsigned char)*at) || at[name] != '=' || at[name + 1] != '"')
			return NULL;
		for (at += name + 2; *at && *at != '"'; at++)
			if (*at == '\\' && !strchr("\\\"n", *++at))
				return NULL;
		if (*at++ != '"')
			return NULL;
		if (*at == ',')
			at++;
		else if (*at != '}')
			return NULL;
	}
	return at + 1;
}

static bool is_sample_value(const char *text)
{
	_cleanup_(error_clear) struct error ignored = {0};
	_cleanup_free_ char *value = xstrndup(text, strcspn(text, " "));
	double number;

	return !strcmp(value, "NaN") || !strcmp(value, "+Inf") || !strcmp(value, "-Inf") ||
	       number_parse(value, &number, &ignored) == 0;
}

/* Samples of one metric stand together. */
static void check_group(struct lines *lines, const char *metric, long number)
{
	if (lines->metric && !strcmp(lines->metric, metric))
		return;
	replace_string(&lines->metric, metric);
	if (!string_index_add(&lines->known, metric, 0))
		check_remark(lines->result, REMARK_ERROR, NULL, number,
			     "samples of %s do not stand together", metric);
}

static void prometheus_sample(struct lines *lines, const char *line, long number)
{
	size_t name = isdigit((unsigned char)*line) ? 0 : strspn(line, NAME_BYTES ":");
	_cleanup_free_ char *metric = xstrndup(line, name);
	const char *rest = line[name] == '{' ? skip_labels(line + name + 1) : line + name;
	_cleanup_free_ char *series = NULL;

	if (!name || !rest || *rest != ' ' || !is_sample_value(rest + 1)) {
		check_remark(lines->result, REMARK_ERROR, NULL, number,
			     "no sample: METRIC{LABEL=\"TEXT\",...} NUMBER is expected");
		return;
	}
	lines->samples++;
	check_group(lines, metric, number);
	series = xstrndup(line, (size_t)(rest - line));
	if (strchr(series, '{') && !string_index_add(&lines->known, series, 0))
		check_remark(lines->result, REMARK_ERROR, NULL, number,
			     "the same labels have two samples: the file is refused");
	if (!string_index_find(&lines->types, metric, &(size_t){0}))
		check_remark(lines->result, REMARK_WARNING, NULL, number, "%s has no TYPE line",
			     metric);
}

static void prometheus_line(struct lines *lines, const char *line, long number)
{
	const char *name = line + strlen("# TYPE ");
	_cleanup_free_ char *metric = NULL;

	if (!*line)
		return;
	if (*line != '#') {
		prometheus_sample(lines, line, number);
		return;
	}
	if (strncmp(line, "# TYPE ", 7) != 0)
		return;
	metric = xstrndup(name, strcspn(name, " "));
	if (!string_index_add(&lines->types, metric, 0))
		check_remark(lines->result, REMARK_ERROR, NULL, number, "%s has two TYPE lines",
			     metric);
}

void check_prometheus(struct check_result *result, const char *document)
{
	struct lines lines = {.result = result};

	result->format = "prometheus";
	check_encoding(result, document);
	each_line(&lines, document, prometheus_line);
	result->summary = xasprintf("Prometheus text: %zu samples", lines.samples);
	lines_release(&lines);
}

/* Name, iterations, then pairs of value and unit. */
static bool is_result(const struct string_list *words)
{
	_cleanup_(error_clear) struct error ignored = {0};
	const char *rest = words->items[0] + strlen("Benchmark");
	double value;

	if (words->count < 4 || words->count % 2 || islower((unsigned char)*rest))
		return false;
	if (words->items[1][strspn(words->items[1], DIGIT_BYTES)] || !strcmp(words->items[1], "0"))
		return false;
	for (size_t i = 2; i < words->count; i += 2)
		if (number_parse(words->items[i], &value, &ignored) < 0)
			return false;
	return true;
}

static void benchfmt_line(struct lines *lines, const char *line, long number)
{
	struct string_list words = {0};

	string_list_split(&words, line, " \t");
	if (words.count && !strncmp(words.items[0], "Benchmark", 9)) {
		if (is_result(&words))
			lines->samples++;
		else
			check_remark(lines->result, REMARK_ERROR, NULL, number,
				     "no result: BenchmarkNAME ITERATIONS VALUE UNIT is expected");
	} else if (words.count == 2 && !strcmp(words.items[0], "Unit")) {
		check_remark(lines->result, REMARK_WARNING, NULL, number,
			     "a Unit line says nothing of the unit");
	} else if (words.count && strcmp(words.items[0], "Unit") != 0 &&
		   !(islower((unsigned char)*line) && strchr(line, ':'))) {
		lines->ignored++;
	}
	string_list_release(&words);
}

void check_benchfmt(struct check_result *result, const char *document)
{
	struct lines lines = {.result = result};

	result->format = "benchfmt";
	check_encoding(result, document);
	each_line(&lines, document, benchfmt_line);
	result->summary = xasprintf("Go benchmark results: %zu values; %zu lines are comments",
				    lines.samples, lines.ignored);
	lines_release(&lines);
}
