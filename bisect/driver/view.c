/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/driver/view.h"

#include <math.h>
#include <string.h>

#include "bisect/driver/same_build.h"

static const char *const stage_names[] = {
	[STAGE_NO_BAD] = "waiting",
	[STAGE_NO_GOOD] = "waiting",
	[STAGE_BASE] = "testing a merge base",
	[STAGE_MEASURE] = "measuring",
	[STAGE_FOUND] = "found",
	[STAGE_FOUND_AMONG] = "found among",
	[STAGE_NOT_REPRODUCED] = "not reproduced",
	[STAGE_EXHAUSTED] = "exhausted",
	[STAGE_CONTRADICTION] = "contradiction",
	[STAGE_FIXED] = "fixed",
};

const char *stage_name(enum stage stage)
{
	return stage_names[stage];
}

bool stage_is_end(enum stage stage)
{
	return stage >= STAGE_FOUND;
}

/* The end of that name, or STAGE_NO_BAD. */
static enum stage end_of_name(const char *name)
{
	for (size_t i = STAGE_FOUND; name && i < ARRAY_SIZE(stage_names); i++) {
		if (!strcmp(name, stage_names[i]))
			return (enum stage)i;
	}
	return STAGE_NO_BAD;
}

static bool has_id(const struct commit_ids *ids, const git_oid *id)
{
	for (size_t i = 0; i < ids->count; i++) {
		if (git_oid_equal(&ids->items[i], id))
			return true;
	}
	return false;
}

static void add_once(struct commit_ids *ids, const git_oid *id)
{
	if (!has_id(ids, id))
		*array_append(ids) = *id;
}

/* The last bad commit, and all good ones. */
static bool read_marks(struct view *view, const struct bisection *bisection)
{
	bool has_bad = false;

	array_for_each (mark, &bisection->marks) {
		if (mark->kind == MARK_GOOD)
			add_once(&view->goods, &mark->commit);
		if (mark->kind != MARK_BAD)
			continue;
		has_bad = true;
		view->bad = mark->commit;
		view->is_fixed = mark->base;
		view->fixed = mark->commit;
	}
	array_for_each (base, &bisection->bases) {
		view->is_fixed = view->is_fixed || base->slow;
		if (base->slow)
			view->fixed = base->commit;
	}
	return has_bad;
}

static void sort_bases(struct view *view, const struct bisection *bisection)
{
	array_for_each (id, &view->range.merge_bases) {
		const struct mark *mark = bisection_mark(bisection, id);
		bool known = false;

		array_for_each (base, &bisection->bases)
			known = known || git_oid_equal(&base->commit, id);
		if (known)
			add_once(&view->goods, id);
		else if (mark && mark->kind == MARK_SKIP)
			*array_append(&view->skipped_bases) = *id;
		else
			*array_append(&view->bases) = *id;
	}
}

struct search_settings view_settings(const struct bisection *bisection)
{
	struct search_settings settings = SEARCH_OUTCOMES;

	if (bisection->measures && bisection->exact)
		settings = (struct search_settings)SEARCH_EXACT;
	else if (bisection->measures)
		settings = (struct search_settings)SEARCH_VALUES;
	else if (bisection->options.flaky)
		settings = (struct search_settings)SEARCH_FLAKY;
	if (bisection->measures)
		settings.steps = (size_t)bisection->options.steps;
	if (bisection->measures)
		settings.direction = bisection->better == BETTER_LOWER ? 1 : -1;
	if (bisection->options.prior_nothing >= 0)
		settings.prior_nothing = bisection->options.prior_nothing;
	return settings;
}

bool view_site(const struct view *view, const git_oid *commit, size_t *site)
{
	if (range_find(&view->range, commit, site))
		return true;
	for (size_t i = 0; i < view->goods.count; i++) {
		*site = search_good(&view->search, i);
		if (git_oid_equal(&view->goods.items[i], commit))
			return true;
	}
	return false;
}

const git_oid *view_commit(const struct view *view, size_t site)
{
	size_t count = dag_count(&view->range.dag);

	return site < count ? &view->range.ids.items[site] : &view->goods.items[site - count];
}

static void add_observations(struct view *view, const struct bisection *bisection)
{
	size_t site;

	array_for_each (item, &bisection->observations) {
		if (!view_site(view, &item->commit, &site))
			continue;
		if (bisection->measures && item->state == MEASURED_VALUE)
			search_add_value(&view->search, site, item->value);
		else if (!bisection->measures && bisection->options.flaky &&
			 item->state != MEASURED_VALUE)
			search_add_outcome(&view->search, site, item->state == MEASURED_FAIL);
	}
}

static void add_skips(struct view *view, const struct bisection *bisection)
{
	size_t site;

	array_for_each (mark, &bisection->marks) {
		if (mark->kind == MARK_SKIP && view_site(view, &mark->commit, &site))
			search_skip(&view->search, site);
	}
}

static void start_search(struct view *view, const struct bisection *bisection)
{
	struct search_settings settings = view_settings(bisection);

	search_init(&view->search, &view->range.dag, view->goods.count, &settings);
	if (bisection->measures)
		exclude_same_builds(view, bisection);
	add_skips(view, bisection);
	/* What a script that is always right said is in the ends of the range. */
	if (!bisection->measures && !bisection->options.flaky)
		search_add_outcome(&view->search, search_bad(&view->search), true);
	add_observations(view, bisection);
	search_update(&view->search);
}

/* The commonest mistake deserves a message of its own. */
static int check_order(const struct view *view, const struct history *history, struct error *err)
{
	char bad[GIT_OID_HEXSZ + 1];

	git_oid_tostr(bad, sizeof(bad), &view->bad);
	array_for_each (good, &view->goods) {
		if (git_graph_descendant_of(history->repository, good, &view->bad) != 1)
			continue;
		error_set(err, ERROR_USAGE, "the good commit %s comes after the bad commit %s",
			  git_oid_tostr_s(good), bad);
		return error_hint(err,
				  "perhaps you mistook one for the other; to find what made it "
				  "good, use terms of your own: --term-new, --term-old");
	}
	return 0;
}

int view_load(struct view *view, const struct bisection *bisection, const struct history *history,
	      struct error *err)
{
	struct range_options options = {
		.first_parent = bisection->options.first_parent,
		.paths = bisection->options.paths,
	};
	bool has_bad;

	*view = (struct view){.range = {.dag = DAG_INIT}};
	view->answered = end_of_name(bisection->answer);
	has_bad = read_marks(view, bisection);
	if (!has_bad || !view->goods.count || view->is_fixed) {
		view->has_range = false;
		if (!has_bad)
			view->bad = (git_oid){{0}};
		return 0;
	}
	if (check_order(view, history, err) < 0 ||
	    range_load(&view->range, history, &view->bad, &view->goods, &options, err) < 0) {
		view_release(view);
		return -1;
	}
	view->has_range = true;
	sort_bases(view, bisection);
	start_search(view, bisection);
	return 0;
}

void view_release(struct view *view)
{
	if (view->has_range)
		search_release(&view->search);
	range_release(&view->range);
	array_release(&view->goods);
	array_release(&view->bases);
	array_release(&view->skipped_bases);
	*view = (struct view){.range = {.dag = DAG_INIT}};
}

static const enum stage stage_of_state[] = {
	[SEARCH_MEASURE] = STAGE_MEASURE,	  [SEARCH_FOUND] = STAGE_FOUND,
	[SEARCH_FOUND_AMONG] = STAGE_FOUND_AMONG, [SEARCH_NOT_REPRODUCED] = STAGE_NOT_REPRODUCED,
	[SEARCH_EXHAUSTED] = STAGE_EXHAUSTED,	  [SEARCH_CONTRADICTION] = STAGE_CONTRADICTION,
};

static bool is_zero(const git_oid *id)
{
	static const git_oid zero;

	return git_oid_equal(id, &zero);
}

struct next_step view_next(const struct view *view, const struct search_costs *costs)
{
	static const struct search_costs even = SEARCH_COSTS_EVEN;
	struct next_step next = {.stage = STAGE_NO_BAD};

	if (view->is_fixed) {
		next.stage = STAGE_FIXED;
		next.commit = view->fixed;
	} else if (!view->has_range) {
		next.stage = is_zero(&view->bad) ? STAGE_NO_BAD : STAGE_NO_GOOD;
	} else if (view->bases.count) {
		next.stage = STAGE_BASE;
		next.commit = view->bases.items[0];
	} else {
		struct found_change changes[2];

		next.stage = stage_of_state[search_next(&view->search, costs ? costs : &even,
							&next.step)];
		if (!costs && view->answered != STAGE_NO_BAD)
			next.stage = view->answered;
		(void)view_changes(view, changes);
		next.commit = next.stage == STAGE_MEASURE ? *view_commit(view, next.step.site)
							  : changes[0].commit;
	}
	return next;
}
