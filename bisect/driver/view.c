/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/driver/view.h"

#include <math.h>
#include <string.h>

#include "analyzer/student.h"

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

/* Text that builds the same: equal trees, or equal builds. */
static bool same_build(const struct view *view, const struct bisection *bisection, size_t one,
		       size_t other)
{
	const struct build_note *a;
	const struct build_note *b;

	if (git_oid_equal(&view->range.trees.items[one], &view->range.trees.items[other]))
		return true;
	a = bisection_build(bisection, &view->range.ids.items[one]);
	b = bisection_build(bisection, &view->range.ids.items[other]);
	return a && b && a->identity && b->identity && !strcmp(a->identity, b->identity);
}

/* A commit that builds what a parent builds is as fast as that parent, for free. */
static void exclude_identical(struct view *view, const struct bisection *bisection)
{
	const uint32_t *parents;

	for (size_t commit = 0; commit < dag_count(&view->range.dag); commit++) {
		size_t count = dag_parents(&view->range.dag, commit, &parents);

		for (size_t p = 0; p < count; p++) {
			if (!same_build(view, bisection, commit, parents[p]))
				continue;
			search_exclude(&view->search, commit);
			break;
		}
	}
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
		exclude_identical(view, bisection);
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

static size_t likeliest(const struct search *search)
{
	size_t best = 0;

	for (size_t commit = 1; commit < dag_count(search->dag); commit++) {
		if (search_probability(search, commit) > search_probability(search, best))
			best = commit;
	}
	return best;
}

size_t view_changes(const struct view *view, git_oid commits[2])
{
	const struct search *search = &view->search;
	_cleanup_free_ size_t *set = NULL;
	double reached;

	commits[0] = *view_commit(view, likeliest(search));
	if (search->settings.steps < 2 || search_step_count(search) < 2)
		return 1;
	set = xcalloc(dag_count(search->dag) + 1, sizeof(*set));
	for (size_t step = 0; step < 2; step++) {
		if (search_step_set(search, step, search->settings.mass, set, &reached))
			commits[step] = *view_commit(view, set[0]);
	}
	return 2;
}

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
		git_oid changes[2];

		next.stage = stage_of_state[search_next(&view->search, costs ? costs : &even,
							&next.step)];
		if (!costs && view->answered != STAGE_NO_BAD)
			next.stage = view->answered;
		(void)view_changes(view, changes);
		next.commit = next.stage == STAGE_MEASURE ? *view_commit(view, next.step.site)
							  : changes[0];
	}
	return next;
}

static const struct candidate_class *likeliest_class(const struct search *search)
{
	const struct candidate_class *best = NULL;

	array_for_each (class, &search->classes) {
		if (class->members && (!best || class->probability > best->probability))
			best = class;
	}
	return best;
}

struct level_change view_effect(const struct view *view)
{
	const struct candidate_class *class;
	struct level_change effect = {.known = false};
	double half;

	if (!view->has_range || view->search.settings.kind != EVIDENCE_VALUES ||
	    view->search.value_count < 2)
		return effect;
	class = likeliest_class(&view->search);
	if (!class)
		return effect;
	effect.fast = class->fit.level[0] + view->search.origin;
	effect.slow = class->fit.level[1] + view->search.origin;
	effect.difference = effect.slow - effect.fast;
	half = student_quantile(0.025, class->fit.freedom) *
	       sqrt(class->fit.level_variance[0] + class->fit.level_variance[1]);
	effect.difference_low = effect.difference - half;
	effect.difference_high = effect.difference + half;
	effect.known = isfinite(half) && isfinite(effect.difference);
	if (effect.known && effect.fast > 0) {
		/* The fast level is known well beside the change: its own error hardly counts. */
		effect.ratio = effect.slow / effect.fast;
		effect.ratio_low = 1 + effect.difference_low / effect.fast;
		effect.ratio_high = 1 + effect.difference_high / effect.fast;
	}
	return effect;
}
