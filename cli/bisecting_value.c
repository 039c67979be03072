/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bisecting_value.h"

#include <string.h>

#include "analyzer/comparison.h"
#include "collector/host.h"
#include "collector/import/importer.h"
#include "common/strbuf.h"

static bool is_wanted(const struct bisecting_value *wanted, const struct series *series)
{
	_cleanup_free_ char *label = series_label(series->benchmark, series->params);

	if (wanted->metric && strcmp(wanted->metric, series->metric) != 0)
		return false;
	return !wanted->bench || !strcmp(wanted->bench, label) ||
	       !strcmp(wanted->bench, series->benchmark);
}

static int refuse(const char *name, size_t found, const struct run_set_list *sets,
		  struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf known = STRBUF_INIT;

	array_for_each (set, sets) {
		array_for_each (series, &(*set)->series) {
			_cleanup_free_ char *label =
				series_label(series->benchmark, series->params);

			strbuf_printf(&known, "%s%s %s", known.length ? ", " : "", label,
				      series->metric);
		}
	}
	error_set(err, ERROR_DATA, "%s: %s series that is asked for", name,
		  found ? "more than one" : "no");
	return error_hint(err, "choose one by --bench and --metric; there are: %s",
			  strbuf_text(&known));
}

static double location(const struct series *series)
{
	size_t count = series->samples.count;
	_cleanup_free_ double *values = xcalloc(count, sizeof(*values));
	_cleanup_free_ double *scratch = xcalloc(count, sizeof(*scratch));
	const struct metric *metric = metric_find(series->metric);

	for (size_t i = 0; i < count; i++)
		values[i] = series->samples.items[i].value;
	return boot_location(values, count, metric && metric->deterministic, scratch);
}

int bisecting_value_import(void *context, const char *name, const char *text, size_t length,
			   double *value, struct error *err)
{
	const struct bisecting_value *wanted = context;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_free_ char *now = host_utc_now();
	struct import_input input = {
		.name = name,
		.text = text,
		.length = length,
		.level = LEVEL_ITERATION,
		.has_better = true,
		.better = wanted->better,
		.created_at = now,
	};
	size_t found = 0;

	if (importer_read(wanted->format, &input, &sets, err) < 0)
		return -1;
	array_for_each (set, &sets) {
		array_for_each (series, &(*set)->series) {
			if (!series->samples.count || !is_wanted(wanted, series))
				continue;
			*value = location(series);
			found++;
		}
	}
	return found == 1 ? 0 : refuse(name, found, &sets, err);
}
