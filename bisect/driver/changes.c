/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the posterior says about the changes that were found: where, which way, how large. */
#include <math.h>

#include "analyzer/student.h"
#include "bisect/driver/view.h"

static const struct candidate_class *likeliest_class(const struct search *search)
{
	const struct candidate_class *best = NULL;

	array_for_each (class, &search->classes) {
		if (class->members && (!best || class->probability > best->probability))
			best = class;
	}
	return best;
}

static bool has_levels(const struct search *search)
{
	return search->settings.kind == EVIDENCE_VALUES && search->value_count >= 2;
}

static struct level_change change_of(const double level[2], const double variance[2],
				     double freedom)
{
	double half = student_quantile(0.025, freedom) * sqrt(variance[0] + variance[1]);
	struct level_change effect = {
		.fast = level[0],
		.slow = level[1],
		.difference = level[1] - level[0],
	};

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

struct level_change view_effect(const struct view *view)
{
	const struct candidate_class *class = NULL;
	double level[2];

	if (view->has_range && has_levels(&view->search))
		class = likeliest_class(&view->search);
	if (!class)
		return (struct level_change){.known = false};
	for (int i = 0; i < 2; i++)
		level[i] = class->fit.level[i] + view->search.origin;
	return change_of(level, class->fit.level_variance, class->fit.freedom);
}

static size_t likeliest(const struct search *search)
{
	size_t best = 0;

	for (size_t commit = 1; commit < dag_count(search->dag); commit++) {
		if (search_probability(search, commit) > search_probability(search, best))
			best = commit;
	}
	return best;
}

/* Two commits, the older one first, and the pair of classes they are of. */
struct found_pair {
	const struct pair *pair; /* NULL: one change at most */
	size_t commits[2];
	int bits[2]; /* of either commit in the pair's groups */
};

/* The older and the younger one; false when one change is likelier, or was looked for. */
static bool find_commits(const struct search *search, size_t commits[2])
{
	_cleanup_free_ size_t *set = NULL;
	double reached;

	if (search->settings.steps < 2 || search_step_count(search) < 2)
		return false;
	set = xcalloc(dag_count(search->dag) + 1, sizeof(*set));
	for (size_t step = 0; step < 2; step++) {
		if (!search_step_set(search, step, search->settings.mass, set, &reached))
			return false;
		commits[step] = set[0];
	}
	return true;
}

static struct found_pair find_pair(const struct search *search)
{
	struct found_pair found = {.bits = {1, 2}};

	if (!find_commits(search, found.commits))
		return found;
	array_for_each (pair, &search->pairs) {
		uint32_t older = search->class_of[found.commits[0]];
		uint32_t younger = search->class_of[found.commits[1]];

		if (pair->first == older && pair->second == younger)
			found.pair = pair;
		if (pair->first == younger && pair->second == older) {
			found.pair = pair;
			found.bits[0] = 2;
			found.bits[1] = 1;
		}
	}
	return found;
}

/* A change's levels: before it, with or without the older one, and with it. */
static struct found_change describe(const struct view *view, const struct found_pair *found,
				    int which)
{
	const struct search *search = &view->search;
	const struct pair_fit *fit = &found->pair->fit;
	bool on_top = which == 1 && search_is_slow(search, found->commits[0], found->commits[1]);
	int before = on_top ? found->bits[0] : 0;
	int with = before | found->bits[which];
	const double level[2] = {fit->level[before] + search->origin,
				 fit->level[with] + search->origin};
	const double variance[2] = {fit->level_variance[before], fit->level_variance[with]};

	return (struct found_change){
		.commit = *view_commit(view, found->commits[which]),
		.faster = (level[1] - level[0]) * search->settings.direction < 0,
		.effect = change_of(level, variance, fit->freedom),
	};
}

size_t view_changes(const struct view *view, struct found_change changes[2])
{
	struct found_pair found = find_pair(&view->search);

	if (!found.pair) {
		changes[0] = (struct found_change){
			.commit = *view_commit(view, likeliest(&view->search)),
			.effect = view_effect(view),
		};
		return 1;
	}
	for (int i = 0; i < 2; i++)
		changes[i] = describe(view, &found, i);
	if (changes[0].faster && !changes[1].faster) {
		struct found_change fix = changes[0];

		changes[0] = changes[1];
		changes[1] = fix;
	}
	return 2;
}

/* The probability that the single change is before the site. */
static double slow_probability(const struct view *view, size_t site)
{
	double sum = 0;

	for (size_t commit = 0; commit < dag_count(&view->range.dag); commit++) {
		if (search_is_slow(&view->search, commit, site))
			sum += search_probability(&view->search, commit);
	}
	return sum;
}

bool view_is_slow(const struct view *view, size_t site)
{
	const struct search *search = &view->search;
	struct found_pair found = find_pair(search);
	const double *level;
	double smaller;
	int group = 0;

	if (!found.pair)
		return slow_probability(view, site) > 0.5;
	for (int i = 0; i < 2; i++)
		group |= search_is_slow(search, found.commits[i], site) ? found.bits[i] : 0;
	level = found.pair->fit.level;
	smaller = fmin(fabs(level[1] - level[0]), fabs(level[2] - level[0]));
	return (level[group] - level[0]) * search->settings.direction > smaller / 2;
}
