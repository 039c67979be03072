/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/tool_output.h"

#include <string.h>

#include "collector/import/importer.h"
#include "collector/tools.h"
#include "common/strbuf.h"

static void append_param(struct strbuf *out, const char *key, const char *value)
{
	if (!*value)
		return;
	strbuf_printf(out, "%s%s%s", out->length ? "," : "", key, value);
}

static bool has_several_benchmarks(const struct run_set *imported)
{
	array_for_each (series, &imported->series)
		if (strcmp(series->benchmark, imported->series.items[0].benchmark) != 0)
			return true;
	return false;
}

/* True when "KEY=..." of the item's key is among the parameters. */
static bool is_stated(const struct string_list *params, const char *item)
{
	size_t key = strcspn(item, "=");

	array_for_each (param, params)
		if (!strncmp(*param, item, key) && (*param)[key] == '=')
			return true;
	return false;
}

/* Of the importer's parameters those that the row does not state in its own words. */
static void append_new_params(struct strbuf *out, const char *known, const char *params)
{
	_cleanup_(string_list_release) struct string_list known_items = {0}, items = {0};

	string_list_split(&known_items, known, ",");
	string_list_split(&items, params, ",");
	array_for_each (item, &items)
		if (!is_stated(&known_items, *item))
			append_param(out, "", *item);
}

static char *series_params(const struct tool_output *output, const struct series *series,
			   bool several)
{
	struct strbuf params = STRBUF_INIT;

	append_param(&params, "", output->params);
	if (several)
		append_param(&params, "part=", series->benchmark);
	append_new_params(&params, output->params, series->params);
	return strbuf_take(&params);
}

static int add_series(struct run_set *set, const struct tool_output *output,
		      const struct series *from, bool several, struct error *err)
{
	_cleanup_free_ char *params = series_params(output, from, several);
	struct series *series = run_set_series(set, output->benchmark, params, from->metric,
					       from->unit, from->better);
	uint32_t iteration = 0;

	if (!series)
		return error_set(err, ERROR_DATA, "%s changes its unit or direction", from->metric);
	array_for_each (sample, &from->samples)
		series_add_sample(series, output->boot, output->invocation, iteration++,
				  sample->value);
	return 0;
}

static int add_all(struct run_set *set, const struct tool_output *output,
		   const struct run_set_list *imported, struct error *err)
{
	const struct run_set *only;

	if (imported->count != 1 || !imported->items[0]->series.count)
		return error_set(err, ERROR_DATA, "the output holds no result");
	only = imported->items[0];
	array_for_each (series, &only->series)
		if (add_series(set, output, series, has_several_benchmarks(only), err) < 0)
			return -1;
	return 0;
}

int tool_output_add(struct run_set *set, const struct tool_output *output, struct error *err)
{
	const struct tool *tool = tool_find(output->benchmark, NULL);
	_cleanup_(run_set_list_release) struct run_set_list imported = {0};
	struct import_input input = {
		.name = output->benchmark,
		.text = output->text,
		.length = output->length,
		.level = LEVEL_ITERATION,
		.created_at = "1970-01-01T00:00:00Z", /* of sets that do not last */
	};

	if (!tool || !tool->format)
		return error_set(err, ERROR_DATA, "no tool of that name prints a result");
	if (importer_read(tool->format, &input, &imported, err) < 0)
		return -1;
	return add_all(set, output, &imported, err);
}
