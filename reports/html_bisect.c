/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/html_bisect.h"

#include <math.h>
#include <string.h>

#include "common/number.h"
#include "reports/svg_plot.h"

enum { ABBREVIATION = 12, PLOT_WIDTH = 400, PLOT_HEIGHT = 230 };

/* Untested commits less likely than this are counted, not listed. */
#define SHOWN_LEAST 5e-4

typedef ARRAY_OF(double) numbers;

struct bisect_page {
	struct page *page;
	const struct bisect_report *report;
};

static enum plot_shape shape_of(enum bisect_commit_state state)
{
	if (state == BISECT_SKIPPED)
		return PLOT_CROSS;
	return state == BISECT_SLOW ? PLOT_SQUARE : PLOT_CIRCLE;
}

static const char *class_of(enum bisect_commit_state state)
{
	return state == BISECT_SLOW ? "new" : "base";
}

static void figure(struct bisect_page *html, struct svg_plot *plot, const char *heading,
		   const char *text, const struct svg_plot_spec *spec)
{
	page_start(html->page, "figure", NULL);
	page_start(html->page, "figcaption", NULL);
	page_element(html->page, "b", NULL, heading);
	page_text(html->page, text);
	page_end(html->page);
	svg_plot_begin(plot, html->page, spec);
}

static void figure_end(struct bisect_page *html, struct svg_plot *plot)
{
	svg_plot_end(plot);
	page_end(html->page);
}

/* A plot over the range; the caller sets the y axis. */
static struct svg_plot_spec over_commits(const struct bisect_report *report, const char *title)
{
	return (struct svg_plot_spec){
		.title = title,
		.width = PLOT_WIDTH,
		.height = PLOT_HEIGHT,
		.x = {.low = -0.6,
		      .high = (double)report->commits.count - 0.4,
		      .label = "commit, in order of history",
		      .integer = true},
	};
}

static char *commit_tooltip(const struct bisect_commit *commit)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "%.*s %s, probability ", ABBREVIATION, commit->id,
		      bisect_commit_state_name(commit->state));
	number_append_significant(&text, commit->probability, 3);
	return strbuf_take(&text);
}

/* Marks at `ys` for the commits of one state; commits whose y is not finite have none. */
static void mark_state(struct svg_plot *plot, const struct bisect_report *report,
		       enum bisect_commit_state state, const double *ys)
{
	struct string_list tooltips = {0};
	numbers places = {0}, heights = {0};

	for (size_t i = 0; i < report->commits.count; i++) {
		const struct bisect_commit *commit = &report->commits.items[i];

		if (commit->state != state || !isfinite(ys[i]))
			continue;
		*array_append(&places) = (double)i;
		*array_append(&heights) = ys[i];
		*array_append(&tooltips) = commit_tooltip(commit);
	}
	if (places.count)
		svg_plot_marks(plot, class_of(state), shape_of(state), places.items, heights.items,
			       (const char *const *)tooltips.items, places.count);
	string_list_release(&tooltips);
	array_release(&places);
	array_release(&heights);
}

static void mark_commits(struct svg_plot *plot, const struct bisect_report *report,
			 const double *ys)
{
	mark_state(plot, report, BISECT_FAST, ys);
	mark_state(plot, report, BISECT_SLOW, ys);
	mark_state(plot, report, BISECT_SKIPPED, ys);
}

static void draw_posterior(struct bisect_page *html)
{
	const struct bisect_report *report = html->report;
	size_t n = report->commits.count;
	struct svg_plot_spec spec = over_commits(report, "probability of every commit");
	_cleanup_free_ double *xs = xcalloc(n + 1, sizeof(*xs));
	_cleanup_free_ double *shares = xcalloc(n + 1, sizeof(*shares));
	_cleanup_free_ double *zeros = xcalloc(n + 1, sizeof(*zeros));
	double most = 0;
	struct svg_plot plot;

	for (size_t i = 0; i < n; i++) {
		xs[i] = (double)i;
		shares[i] = 100 * report->commits.items[i].probability;
		most = fmax(most, shares[i]);
	}
	/* Room below zero, so that the marks there do not cover the axis. */
	spec.y = (struct plot_axis){.low = -0.06 * fmax(1, most),
				    .high = fmax(1, 1.08 * most),
				    .label = "probability",
				    .percent = true};
	figure(html, &plot, "Where it became slow",
	       "circle: tested fast; square: slow; cross: skipped", &spec);
	svg_plot_bars(&plot, "posterior", xs, shares, n, 0.8);
	mark_commits(&plot, report, zeros);
	figure_end(html, &plot);
}

/* The means of the measured commits; NaN for the others. Returns how many there are. */
static size_t measured_means(const struct bisect_report *report, double *means, double *low,
			     double *high)
{
	size_t count = 0;

	*low = HUGE_VAL;
	*high = -HUGE_VAL;
	for (size_t i = 0; i < report->commits.count; i++) {
		const struct bisect_commit *commit = &report->commits.items[i];

		means[i] = commit->count ? commit->mean : NAN;
		if (!commit->count)
			continue;
		*low = fmin(*low, commit->mean - commit->sd);
		*high = fmax(*high, commit->mean + commit->sd);
		count++;
	}
	return count;
}

static void draw_deviations(struct svg_plot *plot, const struct bisect_report *report)
{
	numbers xs = {0}, lows = {0}, highs = {0};

	for (size_t i = 0; i < report->commits.count; i++) {
		const struct bisect_commit *commit = &report->commits.items[i];

		if (commit->count < 2)
			continue;
		*array_append(&xs) = (double)i;
		*array_append(&lows) = commit->mean - commit->sd;
		*array_append(&highs) = commit->mean + commit->sd;
	}
	svg_plot_whiskers(plot, "base thin", xs.items, lows.items, highs.items, xs.count);
	array_release(&xs);
	array_release(&lows);
	array_release(&highs);
}

static void draw_values(struct bisect_page *html)
{
	const struct bisect_report *report = html->report;
	struct svg_plot_spec spec = over_commits(report, "measured means of the commits");
	_cleanup_free_ double *means = xcalloc(report->commits.count + 1, sizeof(*means));
	double low, high;
	struct svg_plot plot;

	if (!report->measures || !measured_means(report, means, &low, &high))
		return;
	plot_range(&low, &high, 0.08);
	spec.y = (struct plot_axis){.low = low, .high = high, .label = report->metric};
	figure(html, &plot, "What was measured", "means with one standard deviation", &spec);
	draw_deviations(&plot, report);
	mark_commits(&plot, report, means);
	figure_end(html, &plot);
}

static bool find_commit(const struct bisect_report *report, const char *id, size_t *index)
{
	for (*index = 0; *index < report->commits.count; ++*index)
		if (!strcmp(report->commits.items[*index].id, id))
			return true;
	return false;
}

/* The commits in the order in which they were measured: one step further down each. */
static void draw_path(struct bisect_page *html)
{
	const struct bisect_report *report = html->report;
	struct svg_plot_spec spec = over_commits(report, "the path taken");
	numbers xs = {0}, steps = {0};
	struct svg_plot plot;
	size_t index;

	array_for_each (id, &report->path) {
		if (!find_commit(report, *id, &index))
			continue;
		*array_append(&xs) = (double)index;
		*array_append(&steps) = (double)xs.count;
	}
	if (xs.count > 1) {
		spec.y = (struct plot_axis){.low = 0.5,
					    .high = (double)xs.count + 0.5,
					    .label = "step",
					    .integer = true};
		figure(html, &plot, "The path taken", "each measurement in turn, from below",
		       &spec);
		svg_plot_line(&plot, "new thin", xs.items, steps.items, xs.count);
		svg_plot_marks(&plot, "new", PLOT_CIRCLE, xs.items, steps.items, NULL, xs.count);
		figure_end(html, &plot);
	}
	array_release(&xs);
	array_release(&steps);
}

static void number_cell(struct page *page, double value, int digits, bool known)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (known)
		number_append_significant(&text, value, digits);
	page_element_take(page, "td", NULL, &text);
}

static void commit_row(struct page *page, const struct bisect_commit *commit)
{
	/* In tenths of a percent, the same in every locale. */
	double tenths = round(1000 * commit->probability);

	page_start(page, "tr", NULL);
	page_start(page, "th", NULL);
	page_attribute(page, "scope", "row");
	page_start(page, "code", NULL);
	page_format(page, "%.*s", ABBREVIATION, commit->id);
	page_end(page);
	page_end(page);
	page_element(page, "td", NULL, commit->in_set ? "yes" : "");
	page_start(page, "td", NULL);
	page_format(page, "%.0f.%d", floor(tenths / 10), (int)fmod(tenths, 10));
	page_end(page);
	page_element(page, "td", NULL, bisect_commit_state_name(commit->state));
	page_start(page, "td", NULL);
	page_format(page, "%zu", commit->count);
	page_end(page);
	number_cell(page, commit->mean, 6, commit->count > 0);
	number_cell(page, commit->sd, 3, commit->count > 1);
	page_start(page, "td", "text");
	page_name(page, commit->subject ? commit->subject : "");
	if (commit->reason)
		page_format(page, " (%s)", commit->reason);
	page_end(page);
	page_end(page);
}

static bool is_shown(const struct bisect_commit *commit)
{
	return commit->state != BISECT_UNTESTED || commit->in_set ||
	       commit->probability >= SHOWN_LEAST;
}

static void write_commits(struct bisect_page *html)
{
	static const char *const heads[] = {"commit", "in the set", "probability, %", "state",
					    "values", "mean",	    "deviation",      "subject"};
	const struct bisect_report *report = html->report;
	size_t hidden = 0;

	page_section(html->page, "commits", "Commits");
	page_start(html->page, "div", "card");
	page_table(html->page, "numbers", "The newest first");
	page_table_head(html->page, heads, ARRAY_SIZE(heads), "-------T");
	for (size_t i = report->commits.count; i > 0; i--) {
		if (is_shown(&report->commits.items[i - 1]))
			commit_row(html->page, &report->commits.items[i - 1]);
		else
			hidden++;
	}
	page_table_end(html->page);
	page_end(html->page);
	if (hidden) {
		page_start(html->page, "p", "muted below");
		page_format(html->page, "%zu more commit%s not tested and unlikely.", hidden,
			    hidden == 1 ? "" : "s");
		page_end(html->page);
	}
	page_end(html->page);
}

static void paragraph(struct page *page, const char *class_name, struct strbuf *text)
{
	if (text->length)
		page_element_take(page, "p", class_name, text);
}

static void write_change(struct page *page, const struct bisect_effect *effect,
			 const struct bisect_proof *proof, const struct bisect_proof *revert)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	bisect_report_effect(&text, effect);
	paragraph(page, "lead", &text);
	bisect_report_proof(&text, proof, false);
	paragraph(page, NULL, &text);
	bisect_report_proof(&text, revert, true);
	paragraph(page, NULL, &text);
}

static void write_head(struct bisect_page *html)
{
	const struct bisect_report *report = html->report;
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	page_start(html->page, "header", NULL);
	page_element(html->page, "p", "kicker", "kregress bisection");
	page_start(html->page, "h1", NULL);
	page_format(html->page, "Bisection: %s", report->state);
	page_end(html->page);
	bisect_report_summary(&text, report);
	paragraph(html->page, "lead", &text);
	write_change(html->page, &report->effect, &report->proof, &report->revert);
	if (report->second.commit) {
		strbuf_printf(&text, "%s: %s", report->second.fix ? "The fix" : "The second change",
			      report->second.commit);
		paragraph(html->page, "lead", &text);
		write_change(html->page, &report->second.effect, &report->second.proof,
			     &report->second.revert);
	}
	strbuf_printf(&text, "%zu commits in the range, %zu measurements, %zu skipped. ",
		      report->range, report->measured, report->skipped);
	strbuf_printf(&text, "Begun %s in %s", report->started_at ? report->started_at : "",
		      report->repository ? report->repository : "");
	if (report->benchmark)
		strbuf_printf(&text, ", with %s", report->benchmark);
	paragraph(html->page, "muted", &text);
	page_end(html->page);
}

static void write_plots(struct bisect_page *html)
{
	if (!html->report->commits.count)
		return;
	page_section(html->page, "posterior", "Where the answer may lie");
	page_start(html->page, "div", "card body");
	page_start(html->page, "div", "plots wide");
	draw_posterior(html);
	draw_values(html);
	draw_path(html);
	page_end(html->page);
	page_end(html->page);
	page_end(html->page);
}

int bisect_write_html(const struct bisect_report *report, struct strbuf *out, struct error *err)
{
	_cleanup_free_ char *title = xasprintf("Bisection: %s - kregress", report->state);
	struct page page;
	struct bisect_page html = {&page, report};

	if (page_open(&page, title, err) < 0)
		return -1;
	write_head(&html);
	page_start(&page, "main", NULL);
	page_attribute(&page, "id", "main");
	write_plots(&html);
	write_commits(&html);
	page_end(&page);
	return page_close(&page, "Written by kregress " KREGRESS_VERSION, out, err);
}
