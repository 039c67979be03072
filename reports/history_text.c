/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A history for a terminal: a line per change, then what a reader has to know of those that count.
 */
#include "common/number.h"
#include "common/text.h"
#include "reports/history_describe.h"
#include "reports/table.h"
#include "reports/wrap.h"

/* In a narrower terminal lines wrap by themselves. */
#define LEAST_WRAPPED 40

/* A longer name would push the numbers out of sight. */
#define LABEL_LIMIT 72

enum column {
	COLUMN_SERIES,
	COLUMN_VERDICT,
	COLUMN_PLACE,
	COLUMN_SIDES,
	COLUMN_SIZE,
	COLUMN_INTERVAL,
	COLUMN_P,
	COLUMN_Q,
	COLUMN_FINDING,
	COLUMNS,
};

typedef void (*append_fn)(struct strbuf *out, const struct history_change *change,
			  const struct scale *scale);

static void add_cell(struct table *table, struct strbuf *cell)
{
	_cleanup_(strbuf_release) struct strbuf visible = STRBUF_INIT;

	text_append_visible(&visible, strbuf_text(cell));
	table_add(table, strbuf_text(&visible));
	strbuf_clear(cell);
}

static void add_name(struct table *table, const struct history_report *report,
		     const struct history_series *series)
{
	_cleanup_(strbuf_release) struct strbuf name = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf visible = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf cell = STRBUF_INIT;

	history_series_name(&name, report, series);
	text_append_visible(&visible, strbuf_text(&name));
	format_head(&cell, strbuf_text(&visible), LABEL_LIMIT);
	table_add(table, strbuf_text(&cell));
}

static void append_bare_probability(struct strbuf *out, double probability)
{
	if (probability < 0)
		strbuf_append_char(out, '-');
	else if (probability < 1e-4)
		strbuf_append(out, "<0.0001");
	else
		number_append_significant(out, probability, 2);
}

static void add_row(struct table *table, const struct history_report *report,
		    const struct history_series *series, const struct history_change *change)
{
	static const append_fn numbers[] = {history_change_sides, history_change_size,
					    history_change_interval};
	_cleanup_(scale_release) struct scale scale = history_scale(series);
	_cleanup_(strbuf_release) struct strbuf cell = STRBUF_INIT;

	add_name(table, report, series);
	history_change_verdict(&cell, change);
	add_cell(table, &cell);
	history_change_place(&cell, series, change);
	add_cell(table, &cell);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		numbers[i](&cell, change, &scale);
		add_cell(table, &cell);
	}
	append_bare_probability(&cell, change->p);
	add_cell(table, &cell);
	append_bare_probability(&cell, change->q);
	add_cell(table, &cell);
	table_add(table, change->finding ? change->finding->id : "");
}

/* Terminal attributes of a verdict; NULL for other text. */
static const char *verdict_style(const char *text)
{
	static const struct {
		const char *start;
		const char *style;
	} styles[] = {
		{"regressed (new)", "1;31"},
		{"regressed (reopened)", "1;31"},
		{"trend regressed (new)", "1;31"},
		{"trend regressed (reopened)", "1;31"},
		{"regressed (acknowledged)", "33"},
		{"trend regressed (acknowledged)", "33"},
		{"improved", "32"},
		{"trend improved", "32"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(styles); i++)
		if (!strncmp(text, styles[i].start, strlen(styles[i].start)))
			return styles[i].style;
	return NULL;
}

static void add_head(struct table *table)
{
	static const char *const heads[COLUMNS] = {
		[COLUMN_SERIES] = "series",
		[COLUMN_VERDICT] = "change",
		[COLUMN_PLACE] = "first at",
		[COLUMN_SIDES] = "before \u2192 after",
		[COLUMN_SIZE] = "size",
		[COLUMN_INTERVAL] = "95% CI",
		[COLUMN_P] = "p",
		[COLUMN_Q] = "q",
		[COLUMN_FINDING] = "finding",
	};

	for (size_t i = 0; i < COLUMNS; i++)
		table_add(table, heads[i]);
}

/* Makes the table as narrow as the terminal; the sentences repeat what is left out. */
static void fit_terminal(struct table *table, const struct history_report *report,
			 struct strbuf *out)
{
	static const size_t order[] = {COLUMN_P, COLUMN_Q, COLUMN_INTERVAL, COLUMN_FINDING,
				       COLUMN_SIDES};
	size_t width = report->presentation.columns;
	size_t hidden = width ? table_fit(table, width, order, ARRAY_SIZE(order)) : 0;

	if (hidden)
		strbuf_printf(out, "(%zu column%s left out to fit; a file or pipe gets all)\n\n",
			      hidden, hidden == 1 ? "" : "s");
	if (report->presentation.colour)
		table->style = verdict_style;
}

static void append_table(struct strbuf *out, const struct history_report *report)
{
	static const enum column right[] = {COLUMN_SIDES, COLUMN_SIZE, COLUMN_INTERVAL, COLUMN_P,
					    COLUMN_Q};
	struct table table = {.columns = COLUMNS};

	if (!report->items.count)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(right); i++)
		table.align_right[right[i]] = true;
	add_head(&table);
	array_for_each (item, &report->items) {
		const struct history_series *series = &report->series.items[item->series];

		add_row(&table, report, series, &series->changes.items[item->change]);
	}
	fit_terminal(&table, report, out);
	table_append(&table, out);
	table_release(&table);
	strbuf_append_char(out, '\n');
}

/* One line, or as many as the terminal's width makes of it. */
static void append_wrapped(struct strbuf *out, const struct history_report *report,
			   const char *text)
{
	if (report->presentation.columns >= LEAST_WRAPPED) {
		wrap_append(out, text, 0, 4, report->presentation.columns);
		return;
	}
	text_append_visible(out, text);
	strbuf_append_char(out, '\n');
}

/* Something that the table does not tell. */
static bool has_more_to_say(const struct history_change *change)
{
	return change->grade <= HISTORY_ACKNOWLEDGED || change->cause || change->group_size > 1 ||
	       !change->seen || (change->finding && change->finding->note);
}

static void append_sentences(struct strbuf *out, const struct history_report *report)
{
	size_t before = out->length;

	array_for_each (item, &report->items) {
		const struct history_series *series = &report->series.items[item->series];
		const struct history_change *change = &series->changes.items[item->change];
		_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

		if (!has_more_to_say(change))
			continue;
		history_series_name(&text, report, series);
		strbuf_append(&text, ": ");
		history_change_sentence(&text, report, series, change);
		append_wrapped(out, report, strbuf_text(&text));
	}
	if (out->length > before)
		strbuf_append_char(out, '\n');
}

static void append_notes(struct strbuf *out, const struct history_report *report)
{
	array_for_each (note, &report->notes) {
		_cleanup_free_ char *line = xasprintf("note: %s", *note);

		append_wrapped(out, report, line);
	}
}

static void append_summary(struct strbuf *out, const struct history_report *report)
{
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;

	history_counts(&line, report);
	strbuf_append(&line, " (");
	history_extent(&line, report);
	strbuf_append(&line, "; alpha ");
	format_alpha(&line, report->alpha);
	strbuf_printf(&line, ", method %s)", change_method_name(report->method));
	append_wrapped(out, report, strbuf_text(&line));
}

int history_write_text(const struct history_report *report, struct strbuf *out, struct error *err)
{
	(void)err;
	append_table(out, report);
	append_sentences(out, report);
	append_notes(out, report);
	append_summary(out, report);
	return 0;
}
