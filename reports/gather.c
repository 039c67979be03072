/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/build.h"

#include "common/text.h"

/* The benchmark whose loop is empty: what the harness itself costs. */
#define CONTEXT_BENCHMARK "loop.empty"

static const char *text_or_empty(const char *text)
{
	return text ? text : "";
}

/* Numbers within names count as numbers: size=64 comes before size=256. */
static int compare_series(const void *left, const void *right)
{
	const struct report_series *a = left, *b = right;
	int order = strverscmp(a->benchmark, b->benchmark);

	if (!order)
		order = strverscmp(a->params, b->params);
	return order ? order : strcmp(a->metric, b->metric);
}

/* `metric` NULL: any. */
static bool report_holds(const struct report *report, const char *benchmark, const char *params,
			 const char *metric)
{
	array_for_each (series, &report->series)
		if (!strcmp(series->benchmark, benchmark) && !strcmp(series->params, params) &&
		    (!metric || !strcmp(series->metric, metric)))
			return true;
	return false;
}

static void add_series(struct report *report, const char *benchmark, const char *params,
		       const char *metric, const char *unit, enum better better)
{
	struct report_series *series = array_append(&report->series);

	series->benchmark = xstrdup(benchmark);
	series->params = xstrdup(params);
	series->metric = xstrdup(metric);
	series->unit = xstrdup(unit);
	series->better = better;
	series->context = !strcmp(benchmark, CONTEXT_BENCHMARK);
}

/* The base comes first, so that its unit and direction are the ones to compare with. */
static void add_series_of(struct report *report, const struct run_set *set)
{
	array_for_each (series, &set->series) {
		const char *params = text_or_empty(series->params);

		if (series->samples.count &&
		    !report_holds(report, series->benchmark, params, series->metric))
			add_series(report, series->benchmark, params, series->metric,
				   text_or_empty(series->unit), series->better);
	}
}

/* Benchmarks that failed and gave samples nowhere. */
static void add_failed_of(struct report *report, const struct run_set *set)
{
	array_for_each (boot, &set->boots) {
		array_for_each (failure, &boot->failures) {
			const char *params = text_or_empty(failure->params);

			if (!failure->unavailable &&
			    !report_holds(report, failure->benchmark, params, NULL))
				add_series(report, failure->benchmark, params, REPORT_METRIC_RUN,
					   "", BETTER_LOWER);
		}
	}
}

void report_gather_series(struct report *report, const struct report_input *input)
{
	add_series_of(report, input->base);
	for (size_t i = 0; i < input->count; i++)
		add_series_of(report, input->variants[i]);
	add_failed_of(report, input->base);
	for (size_t i = 0; i < input->count; i++)
		add_failed_of(report, input->variants[i]);
	if (report->series.count)
		qsort(report->series.items, report->series.count, sizeof(*report->series.items),
		      compare_series);
	array_for_each (series, &report->series)
		for (size_t i = 0; i < input->count; i++)
			array_append(&series->findings)->variant = i;
}

/* The pattern with its brackets taken literally, as in "mm.kmalloc[size=256]". */
static char *escape_brackets(const char *pattern)
{
	struct strbuf escaped = STRBUF_INIT;

	for (; *pattern; pattern++) {
		if (*pattern == '[' || *pattern == ']')
			strbuf_append_char(&escaped, '\\');
		strbuf_append_char(&escaped, *pattern);
	}
	return strbuf_take(&escaped);
}

static bool limit_matches(const char *pattern, const char *benchmark, const char *params)
{
	_cleanup_free_ char *literal = escape_brackets(pattern);
	_cleanup_free_ char *spaced = xasprintf("%s [%s]", benchmark, params);
	_cleanup_free_ char *joined = xasprintf("%s[%s]", benchmark, params);
	const char *const patterns[] = {pattern, literal};

	if (text_matches(pattern, benchmark))
		return true;
	for (size_t i = 0; *params && i < ARRAY_SIZE(patterns); i++)
		if (text_matches(patterns[i], spaced) || text_matches(patterns[i], joined))
			return true;
	return false;
}

double report_limit_for(const struct report_options *options, const char *benchmark,
			const char *params)
{
	for (size_t i = options->limit_count; i > 0; i--)
		if (limit_matches(options->limits[i - 1].pattern, benchmark, params))
			return options->limits[i - 1].change_frac;
	return options->limit_frac;
}

/* Offsets at which each boot's samples start when they are sorted by boot; the last is the end. */
static size_t *boot_offsets(const struct run_set *set, const struct series *series)
{
	size_t *offsets = xcalloc(set->boots.count + 1, sizeof(*offsets));

	array_for_each (sample, &series->samples)
		if (sample->boot < set->boots.count)
			offsets[sample->boot + 1]++;
	for (size_t i = 1; i <= set->boots.count; i++)
		offsets[i] += offsets[i - 1];
	return offsets;
}

/* The samples' values, those of a boot side by side. */
static double *values_by_boot(const struct run_set *set, const struct series *series,
			      const size_t *offsets)
{
	double *sorted = xcalloc(series->samples.count + 1, sizeof(*sorted));
	_cleanup_free_ size_t *next = xcalloc(set->boots.count + 1, sizeof(*next));

	memcpy(next, offsets, (set->boots.count + 1) * sizeof(*next));
	array_for_each (sample, &series->samples)
		if (sample->boot < set->boots.count)
			sorted[next[sample->boot]++] = sample->value;
	return sorted;
}

size_t report_boot_values(const struct run_set *set, const struct series *series,
			  struct value_list *values)
{
	_cleanup_free_ size_t *offsets = NULL;
	_cleanup_free_ double *sorted = NULL, *scratch = NULL;
	const struct metric *metric;

	if (!series || !series->samples.count)
		return 0;
	metric = metric_find(series->metric);
	offsets = boot_offsets(set, series);
	sorted = values_by_boot(set, series, offsets);
	scratch = xcalloc(series->samples.count, sizeof(*scratch));
	for (size_t i = 0; i < set->boots.count; i++) {
		size_t n = offsets[i + 1] - offsets[i];

		if (n)
			*array_append(values) = boot_location(
				sorted + offsets[i], n, metric && metric->deterministic, scratch);
	}
	return offsets[set->boots.count];
}
