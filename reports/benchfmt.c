/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Go's benchmark format, a line per boot, for `benchstat -col variant FILE`. Lines that start with
 * '#' hold what the format has no place for; its readers skip them. Keys that differ from side to
 * side, other than `variant`, would make benchstat compare nothing.
 */
#include <ctype.h>

#include "common/number.h"
#include "common/text.h"
#include "reports/export_names.h"
#include "reports/format.h"
#include "reports/writers.h"

/* "BenchmarkSched.hackbench/groups=4/metric=time"; a trailing "-8" would be taken for CPUs. */
static char *benchmark_name(const struct report_series *series)
{
	_cleanup_free_ char *benchmark = export_clean(series->benchmark, "._-");
	_cleanup_free_ char *metric = export_clean(series->metric, "._");
	struct string_list params = {0};
	struct strbuf name = STRBUF_INIT;

	benchmark[0] = (char)toupper((unsigned char)benchmark[0]);
	strbuf_printf(&name, "Benchmark%s%s", isupper((unsigned char)benchmark[0]) ? "" : "X",
		      benchmark);
	string_list_split(&params, series->params, ",");
	array_for_each (param, &params) {
		_cleanup_free_ char *clean = export_clean(*param, "._-=:@+%");

		strbuf_printf(&name, "/%s", clean);
	}
	string_list_release(&params);
	strbuf_printf(&name, "/metric=%s", metric);
	return strbuf_take(&name);
}

static char *unit_name(const struct report_series *series)
{
	return export_clean(*series->unit ? series->unit : series->metric, "/._-%*^");
}

/* Each unit's direction, once. */
static void append_units(struct strbuf *out, const struct report *report)
{
	struct string_index known = {0};

	array_for_each (series, &report->series) {
		_cleanup_free_ char *unit = unit_name(series);

		if (!series->context && string_index_add(&known, unit, 0))
			strbuf_printf(out, "Unit %s better=%s\n", unit,
				      better_name(series->better));
	}
	string_index_release(&known);
}

static void append_lines(struct strbuf *out, const char *name, const char *unit,
			 const struct value_list *values)
{
	array_for_each (value, values) {
		strbuf_printf(out, "%s 1 ", name);
		number_append_exact(out, *value);
		strbuf_printf(out, " %s\n", unit);
	}
}

static void append_comment(struct strbuf *out, const struct report *report,
			   const struct report_series *series, const struct report_finding *finding)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	format_series_name(&text, series);
	strbuf_append_char(&text, ' ');
	report_explain(&text, report, series, finding);
	strbuf_printf(out, "# finding %s: ", finding->id);
	text_append_visible(out, strbuf_text(&text));
	strbuf_append_char(out, '\n');
}

/* Side 0 is the base, side i the variant i - 1. */
static void append_side(struct strbuf *out, const struct report *report, size_t side,
			char *const *names)
{
	const struct report_variant *variant =
		side ? &report->variants.items[side - 1] : &report->base;
	size_t at = 0;

	strbuf_append(out, "\nvariant: ");
	text_append_visible(out, variant->name);
	strbuf_append(out, "\n# kernel ");
	text_append_visible(out, variant->kernel ? variant->kernel : "unknown");
	strbuf_append(out, ", run set ");
	text_append_visible(out, variant->run_set_id);
	strbuf_append_char(out, '\n');
	array_for_each (series, &report->series) {
		const struct report_finding *finding =
			side ? &series->findings.items[side - 1] : NULL;
		_cleanup_free_ char *unit = unit_name(series);
		const char *name = names[at++];

		if (series->context)
			continue;
		if (finding)
			append_comment(out, report, series, finding);
		append_lines(out, name, unit, finding ? &finding->values : &series->base_values);
	}
}

int report_write_benchfmt(const struct report *report, struct strbuf *out, struct error *err)
{
	char **names = xcalloc(report->series.count + 1, sizeof(*names));
	struct export_names taken = {0};
	size_t at = 0;

	(void)err;
	array_for_each (series, &report->series) {
		_cleanup_free_ char *name = benchmark_name(series);

		names[at++] = export_name_claim(&taken, name, series->findings.items);
	}
	strbuf_append(out, "generator: kregress " KREGRESS_VERSION "\n");
	if (report->machine) {
		strbuf_append(out, "machine: ");
		text_append_visible(out, report->machine);
		strbuf_append_char(out, '\n');
	}
	append_units(out, report);
	for (size_t side = 0; side <= report->variants.count; side++)
		append_side(out, report, side, names);
	for (size_t i = 0; i < at; i++)
		free(names[i]);
	free(names);
	export_names_release(&taken);
	return 0;
}
