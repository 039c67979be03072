/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/core/choice.h"

struct ranked {
	double probability;
	size_t commit;
};

static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left;
	const struct ranked *b = right;

	if (a->probability != b->probability)
		return a->probability < b->probability ? 1 : -1;
	return (a->commit > b->commit) - (a->commit < b->commit);
}

/* The likeliest commits up to `mass`, which may come in any order in `ranked`. */
static size_t take_likeliest(struct ranked *ranked, size_t candidates, double mass, size_t *commits,
			     double *reached)
{
	size_t size = 0;

	qsort(ranked, candidates, sizeof(*ranked), compare_ranked);
	*reached = 0;
	/* Sums of probabilities that add up to one are off by a few units in the last place. */
	while (size < candidates && *reached < mass - 1e-12) {
		*reached += ranked[size].probability;
		commits[size] = ranked[size].commit;
		size++;
	}
	return size;
}

/* With two steps, given the likeliest number of changes, when there are any. */
static double probability_in_set(const struct search *search, size_t commit)
{
	size_t steps = search_step_count(search);
	const struct candidate_class *class;
	double probability;

	if (search->settings.steps < 2 || steps == 0 || search->class_of[commit] == CLASS_NONE)
		return search_probability(search, commit);
	class = &search->classes.items[search->class_of[commit]];
	probability = steps == 1 ? class->single_probability
				 : class->probability - class->single_probability;
	return probability / (double)class->members / search->step_probability[steps];
}

size_t search_credible_set(const struct search *search, double mass, size_t *commits,
			   double *reached)
{
	size_t count = dag_count(search->dag);
	size_t candidates = 0;
	_cleanup_free_ struct ranked *ranked = xcalloc(count, sizeof(*ranked));

	for (size_t commit = 0; commit < count; commit++) {
		double probability = probability_in_set(search, commit);

		if (probability > 0)
			ranked[candidates++] = (struct ranked){probability, commit};
	}
	return take_likeliest(ranked, candidates, mass, commits, reached);
}

/*
 * Adds, for each commit of class `own`, the probability of the pairs whose other member, of class
 * `other`, is on the far side in the order of the range.
 */
static void add_pairs(const struct search *search, const struct pair *pair, uint32_t own,
		      uint32_t other, size_t step, double *probability)
{
	const struct candidate_class *classes = search->classes.items;
	double members = (double)classes[own].members;
	double pairs = own == other ? members * (members - 1) / 2
				    : members * (double)classes[other].members;
	size_t passed = 0;
	size_t count = dag_count(search->dag);

	for (size_t i = 0; i < count; i++) {
		size_t commit = step == 0 ? count - 1 - i : i;

		if (search->class_of[commit] == own)
			probability[commit] += pair->probability * (double)passed / pairs;
		passed += search->class_of[commit] == other;
	}
}

size_t search_step_set(const struct search *search, size_t step, double mass, size_t *commits,
		       double *reached)
{
	size_t count = dag_count(search->dag);
	size_t candidates = 0;
	_cleanup_free_ double *probability = xcalloc(count, sizeof(*probability));
	_cleanup_free_ struct ranked *ranked = xcalloc(count, sizeof(*ranked));

	array_for_each (pair, &search->pairs) {
		if (pair->probability < 1e-9)
			continue;
		add_pairs(search, pair, pair->first, pair->second, step, probability);
		if (pair->first != pair->second)
			add_pairs(search, pair, pair->second, pair->first, step, probability);
	}
	for (size_t commit = 0; commit < count; commit++) {
		if (probability[commit] > 0)
			ranked[candidates++] = (struct ranked){
				probability[commit] / search->step_probability[2], commit};
	}
	return take_likeliest(ranked, candidates, mass, commits, reached);
}

size_t search_step_count(const struct search *search)
{
	size_t likeliest = 0;

	for (size_t i = 1; i < 3; i++) {
		if (search->step_probability[i] > search->step_probability[likeliest])
			likeliest = i;
	}
	return likeliest;
}

bool search_inseparable(const struct search *search, size_t one, size_t other)
{
	size_t words = dag_set_words(search->dag);
	_cleanup_free_ uint64_t *sets = xcalloc(2 * words, sizeof(*sets));

	dag_descendants(search->dag, one, sets);
	dag_descendants(search->dag, other, sets + words);
	for (size_t site = one < other ? one : other; site < dag_count(search->dag); site++) {
		if (!search->sites[site].skipped &&
		    dag_set_has(sets, site) != dag_set_has(sets + words, site))
			return false;
	}
	return true;
}
