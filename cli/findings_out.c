/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/findings_out.h"

#include <string.h>

#include <jansson.h>

#include "cli/cli.h"
#include "cli/table_out.h"
#include "common/number.h"
#include "common/string_index.h"
#include "common/text.h"
#include "store/run_set.h"

/* The members of a group in one state: the surest of them, and how many. */
struct row {
	const struct finding *finding;
	size_t count;
};

static char *shown_commit(const struct finding *finding)
{
	if (!finding->good_commit || !finding->bad_commit)
		return xstrdup("");
	return xasprintf("%.12s..%.12s", finding->good_commit, finding->bad_commit);
}

static void append_change(struct strbuf *out, const struct finding *finding)
{
	double base = finding->before < 0 ? -finding->before : finding->before;

	number_append_quantity(out, finding->before, finding->unit);
	strbuf_append(out, " -> ");
	number_append_quantity(out, finding->after, finding->unit);
	if (base > 0) {
		double percent = 100 * (finding->after - finding->before) / base;

		strbuf_append(out, percent < 0 ? " (" : " (+");
		number_append_fixed(out, percent, 1);
		strbuf_append(out, "%)");
	}
}

static char *row_name(const struct row *row)
{
	_cleanup_free_ char *label = series_label(row->finding->benchmark, row->finding->params);

	if (row->count == 1)
		return xasprintf("%s %s", label, row->finding->metric);
	return xasprintf("%s %s and %zu more", label, row->finding->metric, row->count - 1);
}

static size_t collect_rows(const struct finding_list *list, struct row *rows)
{
	_cleanup_(string_index_release) struct string_index index = {0};
	size_t count = 0;

	array_for_each (finding, list) {
		_cleanup_free_ char *key = xasprintf("%s %d", finding->group, finding->state);
		size_t at = count;

		if (string_index_add(&index, key, count))
			rows[count++].finding = finding;
		else if (!string_index_find(&index, key, &at))
			continue;
		rows[at].count++;
		if (finding->p < rows[at].finding->p)
			rows[at].finding = finding;
	}
	return count;
}

static void add_row(struct table_out *table, const struct row *row)
{
	const struct finding *finding = row->finding;
	_cleanup_free_ char *commit = shown_commit(finding), *name = row_name(row);
	_cleanup_(strbuf_release) struct strbuf change = STRBUF_INIT;
	_cleanup_free_ char *found = xstrndup(finding->found_at, strcspn(finding->found_at, "T"));

	append_change(&change, finding);
	table_out_add(table, (const char *const[]){row->count > 1 ? finding->group : finding->id,
						   finding_state_name(finding->state),
						   finding->regression ? "worse" : "better", name,
						   strbuf_text(&change), finding->variant, commit,
						   found, finding->cause ? finding->cause : ""});
}

int findings_print_list(const struct finding_list *list, struct error *err)
{
	static const char *const columns[] = {"finding", "state",   "to the",	"series", "change",
					      "variant", "commits", "found on", "cause",  NULL};
	_cleanup_(table_out_release) struct table_out table = table_out_new(columns);
	_cleanup_free_ struct row *rows = xcalloc(list->count + 1, sizeof(*rows));
	size_t count = collect_rows(list, rows);

	for (size_t i = 0; i < count; i++)
		add_row(&table, &rows[i]);
	return table_out_print(&table, false, err);
}

static void append_field(struct strbuf *out, const char *name, const char *value)
{
	_cleanup_(string_list_release) struct string_list lines = {0};

	if (!value || !*value)
		return;
	string_list_split(&lines, value, "\n");
	array_for_each (line, &lines) {
		strbuf_printf(out, "  %-12s ", name);
		text_append_visible(out, *line);
		strbuf_append_char(out, '\n');
		name = "";
	}
}

static void append_rates(struct strbuf *out, const struct finding *finding)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	append_change(&text, finding);
	if (finding->ratio_low != 0 || finding->ratio_high != 0) {
		strbuf_append(&text, ", ratio ");
		number_append_significant(&text, finding->ratio_low, 4);
		strbuf_append(&text, " to ");
		number_append_significant(&text, finding->ratio_high, 4);
	}
	append_field(out, "change", strbuf_text(&text));
	strbuf_clear(&text);
	strbuf_append(&text, "p ");
	number_append_significant(&text, finding->p, 3);
	strbuf_append(&text, ", q ");
	number_append_significant(&text, finding->q, 3);
	append_field(out, "certainty", strbuf_text(&text));
}

static void append_places(struct strbuf *out, const struct finding *finding)
{
	_cleanup_free_ char *next =
		xasprintf("between %.8s and %.8s", finding->before_set, finding->after_set);
	_cleanup_free_ char *within =
		xasprintf("surely after %.8s, by %.8s", finding->low_set, finding->high_set);

	append_field(out, "run sets", next);
	append_field(out, "", within);
	append_field(out, "good commit", finding->good_commit);
	append_field(out, "bad commit", finding->bad_commit);
}

static void append_finding(struct strbuf *out, const struct finding *finding)
{
	_cleanup_free_ char *label = series_label(finding->benchmark, finding->params);
	_cleanup_free_ char *state =
		xasprintf("%s since %s", finding_state_name(finding->state), finding->changed_at);

	strbuf_printf(out, "finding %s: %s of the %s of %s %s\n", finding->id,
		      finding->regression ? "regression" : "improvement", finding->kind, label,
		      finding->metric);
	append_field(out, "state", state);
	append_field(out, "group", finding->group);
	append_field(out, "variant", finding->variant);
	append_field(out, "machine", finding->machine);
	append_rates(out, finding);
	append_places(out, finding);
	append_field(out, "fixed by", finding->fixed_by);
	append_field(out, "likely cause", finding->cause);
	append_field(out, "found at", finding->found_at);
	append_field(out, "note", finding->note);
}

int findings_print_all(const struct finding_list *list, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;

	array_for_each (finding, list) {
		if (out.length)
			strbuf_append_char(&out, '\n');
		append_finding(&out, finding);
	}
	return print_text(strbuf_text(&out), err);
}

static void set_texts(json_t *object, const struct finding *finding)
{
	const struct {
		const char *key, *value;
	} texts[] = {
		{"finding", finding->id},
		{"group", finding->group},
		{"state", finding_state_name(finding->state)},
		{"kind", finding->kind},
		{"direction", finding->regression ? "regression" : "improvement"},
		{"variant", finding->variant},
		{"machine", finding->machine},
		{"benchmark", finding->benchmark},
		{"params", finding->params},
		{"metric", finding->metric},
		{"unit", finding->unit},
		{"better", better_name(finding->better)},
		{"before_set", finding->before_set},
		{"after_set", finding->after_set},
		{"low_set", finding->low_set},
		{"high_set", finding->high_set},
		{"good_commit", finding->good_commit},
		{"bad_commit", finding->bad_commit},
		{"fixed_by", finding->fixed_by},
		{"cause", finding->cause},
		{"note", finding->note},
		{"found_at", finding->found_at},
		{"changed_at", finding->changed_at},
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		json_object_set_new(object, texts[i].key,
				    texts[i].value ? json_string(texts[i].value) : json_null());
}

static json_t *finding_json(const struct finding *finding)
{
	json_t *object = json_object();
	bool has_ratio = finding->ratio_low != 0 || finding->ratio_high != 0;

	set_texts(object, finding);
	json_object_set_new(object, "before", json_real(finding->before));
	json_object_set_new(object, "after", json_real(finding->after));
	json_object_set_new(object, "ratio",
			    has_ratio ? json_pack("{s:f, s:f}", "low", finding->ratio_low, "high",
						  finding->ratio_high)
				      : json_null());
	json_object_set_new(object, "p", json_real(finding->p));
	json_object_set_new(object, "q", json_real(finding->q));
	return object;
}

int findings_print_json(const struct finding_list *list, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_free_ char *text = NULL;
	json_t *findings = json_array();
	json_t *document;

	array_for_each (finding, list)
		json_array_append_new(findings, finding_json(finding));
	document = json_pack("{s:s, s:o}", "format", "kregress-findings-1", "findings", findings);
	text = json_dumps(document, JSON_INDENT(2));
	json_decref(document);
	strbuf_printf(&out, "%s\n", text);
	return print_text(strbuf_text(&out), err);
}
