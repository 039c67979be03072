/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a bisection's state to what its reports show. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "cli/bisecting.h"
#include "common/file.h"
#include "reports/html_bisect.h"

struct filler {
	const struct bisecting *bisecting;
	const struct view *view;
	struct bisect_report *report;
	bool *in_set; /* per commit of the range */
};

static char *format_date(int64_t seconds, int offset_min)
{
	time_t shifted = (time_t)(seconds + 60 * (int64_t)offset_min);
	int minutes = offset_min < 0 ? -offset_min : offset_min;
	struct tm parts;
	char text[32];

	gmtime_r(&shifted, &parts);
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &parts);
	return xasprintf("%s %c%02d%02d", text, offset_min < 0 ? '-' : '+', minutes / 60,
			 minutes % 60);
}

static int describe(const struct filler *filler, const git_oid *id, struct bisect_commit *commit,
		    struct error *err)
{
	struct commit_note note;

	if (history_describe(&filler->bisecting->history, id, &note, err) < 0)
		return -1;
	commit->id = xstrdup(git_oid_tostr_s(id));
	commit->subject = take_pointer(note.subject);
	commit->author = take_pointer(note.author);
	commit->author_date = format_date(note.author_time_s, note.author_offset_min);
	return 0;
}

/* Mean and deviation of the values, and the time that everything there took. */
static void add_evidence(const struct bisection *bisection, const git_oid *id,
			 struct bisect_commit *commit, size_t *passes, size_t *fails)
{
	struct site site = {0};

	array_for_each (item, &bisection->observations) {
		if (!git_oid_equal(&item->commit, id))
			continue;
		commit->duration_s += item->duration_s;
		if (item->state == MEASURED_VALUE)
			site_add_value(&site, item->value);
		else if (item->state == MEASURED_FAIL)
			++*fails;
		else
			++*passes;
	}
	array_for_each (mark, &bisection->marks)
		if (git_oid_equal(&mark->commit, id))
			commit->duration_s += mark->duration_s;
	commit->count = site.values;
	commit->mean = site.mean;
	commit->sd = site.values > 1 ? sqrt(site.squares / (double)(site.values - 1)) : 0;
}

static enum bisect_commit_state state_of(const struct filler *filler, const git_oid *id,
					 const struct bisect_commit *commit, size_t outcomes)
{
	const struct bisection *bisection = &filler->bisecting->bisection;
	const struct mark *mark = bisection_mark(bisection, id);
	size_t site;

	if (mark && mark->kind == MARK_SKIP)
		return BISECT_SKIPPED;
	/* An end that was measured need not be what it was said to be. */
	if (mark && !commit->count)
		return mark->kind == MARK_BAD ? BISECT_SLOW : BISECT_FAST;
	if (!commit->count && !outcomes)
		return BISECT_UNTESTED;
	if (!filler->view->has_range || !view_site(filler->view, id, &site))
		return mark && mark->kind == MARK_BAD ? BISECT_SLOW : BISECT_FAST;
	return view_is_slow(filler->view, site) ? BISECT_SLOW : BISECT_FAST;
}

static int add_commit(const struct filler *filler, const git_oid *id, struct error *err)
{
	const struct bisection *bisection = &filler->bisecting->bisection;
	const struct mark *mark = bisection_mark(bisection, id);
	struct bisect_commit *commit = array_append(&filler->report->commits);
	size_t passes = 0, fails = 0;
	size_t site;

	if (describe(filler, id, commit, err) < 0)
		return -1;
	add_evidence(bisection, id, commit, &passes, &fails);
	commit->state = state_of(filler, id, commit, passes + fails);
	if (mark && mark->kind == MARK_SKIP)
		commit->reason = xstrdup(mark->reason);
	if (passes && fails)
		commit->reason = xasprintf("passed %zu, failed %zu", passes, fails);
	if (filler->view->has_range && range_find(&filler->view->range, id, &site)) {
		commit->probability = search_probability(&filler->view->search, site);
		commit->in_set = filler->in_set[site];
	}
	return 0;
}

static bool is_touched(const struct bisection *bisection, const git_oid *id)
{
	if (bisection_mark(bisection, id))
		return true;
	array_for_each (item, &bisection->observations) {
		if (git_oid_equal(&item->commit, id))
			return true;
	}
	return false;
}

static bool is_listed(const struct bisect_report *report, const git_oid *id)
{
	const char *text = git_oid_tostr_s(id);

	array_for_each (commit, &report->commits) {
		if (!strcmp(commit->id, text))
			return true;
	}
	return false;
}

/* What lies before the range: good commits and merge bases. */
static int add_outside(const struct filler *filler, const git_oid *id, struct error *err)
{
	size_t index;

	if (filler->view->has_range && range_find(&filler->view->range, id, &index))
		return 0;
	return is_listed(filler->report, id) ? 0 : add_commit(filler, id, err);
}

static int add_commits(const struct filler *filler, bool whole_range, struct error *err)
{
	const struct bisection *bisection = &filler->bisecting->bisection;

	array_for_each (mark, &bisection->marks)
		if (add_outside(filler, &mark->commit, err) < 0)
			return -1;
	array_for_each (item, &bisection->observations)
		if (item->purpose != PURPOSE_REVERT && add_outside(filler, &item->commit, err) < 0)
			return -1;
	if (!filler->view->has_range)
		return 0;
	for (size_t i = 0; i < filler->view->range.ids.count; i++) {
		const git_oid *id = &filler->view->range.ids.items[i];

		if ((whole_range || filler->in_set[i] || is_touched(bisection, id)) &&
		    add_commit(filler, id, err) < 0)
			return -1;
	}
	return 0;
}

static void add_path(struct bisect_report *report, const git_oid *id)
{
	const char *text = git_oid_tostr_s(id);
	size_t count = report->path.count;

	if (!count || strcmp(report->path.items[count - 1], text) != 0)
		string_list_add(&report->path, text);
}

static void fill_path(const struct bisection *bisection, struct bisect_report *report)
{
	array_for_each (mark, &bisection->marks)
		if (mark->by_run)
			add_path(report, &mark->commit);
	array_for_each (item, &bisection->observations)
		add_path(report, &item->commit);
}

static void fill_set(const struct filler *filler)
{
	const struct search *search = &filler->view->search;
	_cleanup_free_ size_t *set = xcalloc(dag_count(search->dag) + 1, sizeof(*set));
	size_t size =
		search_credible_set(search, search->settings.mass, set, &filler->report->mass);

	for (size_t i = 0; i < size; i++)
		filler->in_set[set[i]] = true;
	filler->report->nothing = search->nothing.probability;
	filler->report->range = dag_count(search->dag);
}

static void fill_proof(const struct proof *proof, struct bisect_proof *shown)
{
	if (!proof)
		return;
	*shown = (struct bisect_proof){
		.present = true,
		.done = proof->done,
		.confirmed = proof->confirmed,
		.fix = proof->fix,
		.verdict = xstrdup(proof->verdict),
		.reason = xstrdup(proof->reason),
		.count = proof->count,
		.ratio = proof->ratio,
		.ratio_low = proof->ratio_low,
		.ratio_high = proof->ratio_high,
		.p = proof->p,
	};
}

static struct bisect_effect effect_of(const struct level_change *effect)
{
	return (struct bisect_effect){
		.known = effect->known,
		.ratio = effect->ratio,
		.ratio_low = effect->ratio_low,
		.ratio_high = effect->ratio_high,
		.difference = effect->difference,
		.difference_low = effect->difference_low,
		.difference_high = effect->difference_high,
	};
}

static void fill_proofs(const struct bisection *bisection, const git_oid *commit,
			struct bisect_proof *proof, struct bisect_proof *revert)
{
	fill_proof(bisection_proof(bisection, commit, false), proof);
	fill_proof(bisection_proof(bisection, commit, true), revert);
}

static void fill_changes(const struct filler *filler, bool found)
{
	const struct bisection *bisection = &filler->bisecting->bisection;
	struct bisect_report *report = filler->report;
	struct bisect_second *second = &report->second;
	struct found_change changes[2];
	size_t count = view_changes(filler->view, changes);

	report->effect = effect_of(&changes[0].effect);
	if (!found)
		return;
	report->first_bad = xstrdup(git_oid_tostr_s(&changes[0].commit));
	fill_proofs(bisection, &changes[0].commit, &report->proof, &report->revert);
	if (count < 2)
		return;
	second->commit = xstrdup(git_oid_tostr_s(&changes[1].commit));
	second->fix = changes[1].faster;
	second->effect = effect_of(&changes[1].effect);
	fill_proofs(bisection, &changes[1].commit, &second->proof, &second->revert);
}

static void fill_state(const struct filler *filler)
{
	struct bisect_report *report = filler->report;
	struct next_step next = view_next(filler->view, NULL);

	report->state = xstrdup(stage_name(next.stage));
	report->finished = stage_is_end(next.stage);
	if (next.stage == STAGE_MEASURE || next.stage == STAGE_BASE)
		report->next = xstrdup(git_oid_tostr_s(&next.commit));
	if (next.stage == STAGE_MEASURE)
		report->cost_left = next.step.cost_left;
	if (filler->view->has_range)
		fill_changes(filler, next.stage == STAGE_FOUND);
}

static void fill_head(const struct bisection *bisection, struct bisect_report *report)
{
	report->repository = xstrdup(bisection->options.repository);
	report->started_at = xstrdup(bisection->options.started_at);
	report->term_bad = xstrdup(bisection_term(bisection, MARK_BAD));
	report->term_good = xstrdup(bisection_term(bisection, MARK_GOOD));
	report->benchmark = xstrdup(bisection->options.bench);
	report->metric = xstrdup(bisection->options.metric);
	report->measures = bisection->measures;
	report->measured = bisection->observations.count;
	array_for_each (mark, &bisection->marks) {
		report->measured += mark->by_run && mark->kind != MARK_SKIP;
		report->skipped += mark->kind == MARK_SKIP;
	}
}

int bisecting_report(const struct bisecting *bisecting, const struct view *view, bool whole_range,
		     struct bisect_report *report, struct error *err)
{
	struct filler filler = {bisecting, view, report, NULL};
	int code;

	*report = (struct bisect_report){0};
	filler.in_set = xcalloc(view->range.ids.count + 1, sizeof(*filler.in_set));
	fill_head(&bisecting->bisection, report);
	if (view->has_range)
		fill_set(&filler);
	fill_state(&filler);
	fill_path(&bisecting->bisection, report);
	code = add_commits(&filler, whole_range, err);
	free(filler.in_set);
	if (code < 0)
		bisect_report_release(report);
	return code;
}

typedef int (*report_write)(const struct bisect_report *report, struct strbuf *out,
			    struct error *err);

static int write_one(const struct bisect_report *report, const char *path, report_write write,
		     struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;

	if (!path)
		return 0;
	if (write(report, &out, err) < 0)
		return -1;
	return file_write(path, strbuf_text(&out), out.length, err);
}

/* The page shows every commit of the range. */
static int write_page(const struct bisecting *bisecting, const struct view *view, const char *path,
		      struct error *err)
{
	_cleanup_(bisect_report_release) struct bisect_report report = {0};

	if (!path)
		return 0;
	if (bisecting_report(bisecting, view, true, &report, err) < 0)
		return -1;
	return write_one(&report, path, bisect_write_html, err);
}

int bisecting_write_files(const struct bisecting *bisecting, const struct view *view,
			  const struct bisecting_files *files, struct error *err)
{
	_cleanup_(bisect_report_release) struct bisect_report report;

	if (bisecting_report(bisecting, view, false, &report, err) < 0)
		return -1;
	if (write_one(&report, files->junit, bisect_write_junit, err) < 0 ||
	    write_one(&report, files->json, bisect_write_json, err) < 0 ||
	    write_page(bisecting, view, files->html, err) < 0)
		return -1;
	return write_one(&report, files->text, bisect_write_text, err);
}

static void append_waiting(struct strbuf *out, const struct bisecting *bisecting, enum stage stage)
{
	const struct bisection *bisection = &bisecting->bisection;

	strbuf_printf(out, "waiting for a %s commit%s\n",
		      bisection_term(bisection, stage == STAGE_NO_BAD ? MARK_BAD : MARK_GOOD),
		      bisection->marks.count ? "" : " and the other end");
}

static void append_left(struct strbuf *out, size_t commits, double left)
{
	strbuf_printf(out, "%zu commit%s between", commits, commits == 1 ? "" : "s");
	/* Nothing can be predicted before the first values. */
	if (left > 0)
		strbuf_printf(out, ", about %.0f measurement%s left", left, left > 1 ? "s" : "");
	strbuf_append_char(out, '\n');
}

static int append_next(struct strbuf *out, const struct bisecting *bisecting,
		       const struct view *view, const struct next_step *next, struct error *err)
{
	_cleanup_(commit_note_release) struct commit_note note = {0};

	if (history_describe(&bisecting->history, &next->commit, &note, err) < 0)
		return -1;
	if (next->stage == STAGE_BASE)
		strbuf_append(out, "a merge base must be tested\n");
	else
		append_left(out, dag_count(&view->range.dag), ceil(next->step.cost_left));
	strbuf_printf(out, "[%s] %s\n", git_oid_tostr_s(&next->commit), note.subject);
	return 0;
}

static void warn_about_bases(struct bisecting *bisecting, const struct view *view)
{
	array_for_each (base, &view->skipped_bases)
		log_warning(&bisecting->session.log,
			    "the merge base %s is skipped: the first %s commit may lie outside "
			    "the range",
			    git_oid_tostr_s(base), bisection_term(&bisecting->bisection, MARK_BAD));
}

int bisecting_say(struct bisecting *bisecting, const struct view *view, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_(bisect_report_release) struct bisect_report report = {0};
	struct next_step next = view_next(view, NULL);

	warn_about_bases(bisecting, view);
	if (next.stage == STAGE_NO_GOOD)
		log_warning(&bisecting->session.log, "only a %s commit is known",
			    bisection_term(&bisecting->bisection, MARK_BAD));
	if (next.stage == STAGE_NO_BAD || next.stage == STAGE_NO_GOOD) {
		append_waiting(&out, bisecting, next.stage);
	} else if (!stage_is_end(next.stage)) {
		if (append_next(&out, bisecting, view, &next, err) < 0)
			return -1;
	} else if (bisecting_report(bisecting, view, false, &report, err) < 0 ||
		   bisect_write_text(&report, &out, err) < 0) {
		return -1;
	}
	session_clear_progress(&bisecting->session);
	if (print_text(strbuf_text(&out), err) < 0)
		return -1;
	return bisecting_exit_code(next.stage);
}
