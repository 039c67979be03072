/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entries for github-action-benchmark. One of its jobs knows one direction only, so there are two
 * documents: for its tool customSmallerIsBetter and for customBiggerIsBetter.
 */
#include "common/number.h"
#include "reports/export_names.h"
#include "reports/format.h"
#include "reports/json_value.h"
#include "reports/writers.h"

/* What its chart shows in a tooltip. */
static char *extra_text(const struct report *report, const struct report_series *series,
			const struct report_finding *finding)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	report_explain(&text, report, series, finding);
	strbuf_printf(&text, "\nfinding: %s\nn: %zu", finding->id, finding->comparison.candidate.n);
	return strbuf_take(&text);
}

static json_t *entry_of(const struct report *report, const struct report_series *series,
			const struct report_finding *finding, struct export_names *names)
{
	const struct summary *summary = &finding->comparison.candidate;
	_cleanup_free_ char *plain = export_finding_name(report, series, finding);
	_cleanup_free_ char *name = export_name_claim(names, plain, finding);
	_cleanup_free_ char *extra = extra_text(report, series, finding);
	_cleanup_(strbuf_release) struct strbuf range = STRBUF_INIT;
	json_t *entry = json_object();

	json_object_set_new(entry, "name", json_text(name));
	json_object_set_new(entry, "unit", json_text(series->unit));
	json_object_set_new(entry, "value", json_number(summary->mean, true));
	if (summary->n > 1) {
		strbuf_append(&range, "± ");
		number_append_significant(&range, summary->sd, 4);
		json_object_set_new(entry, "range", json_text(strbuf_text(&range)));
	}
	json_object_set_new(entry, "extra", json_text(extra));
	return entry;
}

static int write_direction(const struct report *report, enum better better, struct strbuf *out,
			   struct error *err)
{
	struct export_names names = {0};
	json_t *root = json_array();

	array_for_each (series, &report->series)
		array_for_each (finding, &series->findings)
			if (series->better == better && export_has_value(series, finding))
				json_array_append_new(root,
						      entry_of(report, series, finding, &names));
	export_names_release(&names);
	return json_append(out, root, err);
}

int report_write_github_smaller(const struct report *report, struct strbuf *out, struct error *err)
{
	return write_direction(report, BETTER_LOWER, out, err);
}

int report_write_github_bigger(const struct report *report, struct strbuf *out, struct error *err)
{
	return write_direction(report, BETTER_HIGHER, out, err);
}
