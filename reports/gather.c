/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/build.h"

#include "analyzer/steady_state.h"
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

/* Remembers a name; false when it was there before. `metric` "": the benchmark as such. */
static bool remember(struct string_index *names, const char *benchmark, const char *params,
		     const char *metric)
{
	_cleanup_free_ char *key = xasprintf("%s\x1f%s\x1f%s", benchmark, params, metric);

	return string_index_add(names, key, 0);
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
static void add_series_of(struct report *report, const struct run_set *set,
			  struct string_index *names)
{
	array_for_each (series, &set->series) {
		const char *params = text_or_empty(series->params);

		if (!series->samples.count ||
		    !remember(names, series->benchmark, params, series->metric))
			continue;
		remember(names, series->benchmark, params, "");
		add_series(report, series->benchmark, params, series->metric,
			   text_or_empty(series->unit), series->better);
	}
}

/* Benchmarks that failed and gave samples nowhere. */
static void add_failed_of(struct report *report, const struct run_set *set,
			  struct string_index *names)
{
	array_for_each (boot, &set->boots) {
		array_for_each (failure, &boot->failures) {
			const char *params = text_or_empty(failure->params);

			if (!failure->unavailable &&
			    remember(names, failure->benchmark, params, ""))
				add_series(report, failure->benchmark, params, REPORT_METRIC_RUN,
					   "", BETTER_LOWER);
		}
	}
}

/* One per variant; there are never more, and findings are large. */
static void add_findings(struct report_series *series, size_t count)
{
	series->findings.items = xcalloc(count, sizeof(*series->findings.items));
	series->findings.count = count;
	series->findings.capacity = count;
	for (size_t i = 0; i < count; i++)
		series->findings.items[i].variant = i;
}

void report_gather_series(struct report *report, const struct report_input *input)
{
	_cleanup_(string_index_release) struct string_index names = {0};

	add_series_of(report, input->base, &names);
	for (size_t i = 0; i < input->count; i++)
		add_series_of(report, input->variants[i], &names);
	add_failed_of(report, input->base, &names);
	for (size_t i = 0; i < input->count; i++)
		add_failed_of(report, input->variants[i], &names);
	if (report->series.count)
		qsort(report->series.items, report->series.count, sizeof(*report->series.items),
		      compare_series);
	array_for_each (series, &report->series)
		add_findings(series, input->count);
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

/* How many samples from `first` on belong to the same invocation. */
static size_t invocation_length(const struct series *series, size_t first)
{
	const struct sample *start = &series->samples.items[first];
	size_t n = 1;

	while (first + n < series->samples.count && start[n].boot == start->boot &&
	       start[n].invocation == start->invocation)
		n++;
	return n;
}

/*
 * Appends an invocation's values to `kept`, without those before its steady state where the metric
 * is one that warms up. Returns how many were left out.
 */
static size_t keep_steady(const struct sample *samples, size_t n, bool deterministic, double *kept,
			  size_t *n_kept)
{
	size_t warm_up;

	for (size_t i = 0; i < n; i++)
		kept[*n_kept + i] = samples[i].value;
	warm_up = deterministic ? 0 : steady_state_of(kept + *n_kept, n).warm_up;
	memmove(kept + *n_kept, kept + *n_kept + warm_up, (n - warm_up) * sizeof(*kept));
	*n_kept += n - warm_up;
	return warm_up;
}

size_t report_boot_values(const struct run_set *set, const struct series *series,
			  struct value_list *values, struct block_list *blocks, size_t *warm_up)
{
	_cleanup_free_ double *kept = NULL, *scratch = NULL;
	const struct metric *metric = series ? metric_find(series->metric) : NULL;
	bool deterministic = metric && metric->deterministic;
	size_t at = 0;

	if (!series || !series->samples.count)
		return 0;
	kept = xcalloc(series->samples.count, sizeof(*kept));
	scratch = xcalloc(series->samples.count, sizeof(*scratch));
	while (at < series->samples.count) {
		uint32_t boot = series->samples.items[at].boot;
		size_t n_kept = 0;

		while (at < series->samples.count && series->samples.items[at].boot == boot) {
			size_t n = invocation_length(series, at);

			*warm_up += keep_steady(&series->samples.items[at], n, deterministic, kept,
						&n_kept);
			at += n;
		}
		*array_append(values) = boot_location(kept, n_kept, deterministic, scratch);
		*array_append(blocks) = set->boots.items[boot].block;
	}
	return series->samples.count;
}
