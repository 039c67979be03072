/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/core/candidates.h"

#include <math.h>

/* A class this unlikely guides no choice. */
#define CLASS_LEAST 2e-4

static void choose_classes(struct candidates *candidates)
{
	const struct search *search = candidates->search;

	/* Insertion into a list kept in order of probability. */
	for (size_t k = 0; k < search->classes.count; k++) {
		double probability = search->classes.items[k].probability;
		size_t at = candidates->class_count;

		if (probability < CLASS_LEAST)
			continue;
		while (at > 0 && candidates_class(candidates, at - 1)->probability < probability) {
			if (at < CLASSES_MAX)
				candidates->classes[at] = candidates->classes[at - 1];
			at--;
		}
		if (at < CLASSES_MAX)
			candidates->classes[at] = (uint32_t)k;
		candidates->class_count += candidates->class_count < CLASSES_MAX;
	}
}

/* In a linear range a class is a run of candidates: its place says who is inside. */
static void rank_candidates(struct candidates *candidates)
{
	const struct search *search = candidates->search;
	size_t count = dag_count(search->dag);
	size_t rank = 0;

	candidates->rank = xcalloc(count, sizeof(*candidates->rank));
	for (size_t j = 0; j < candidates->class_count; j++)
		candidates->first_rank[j] = SIZE_MAX;
	for (size_t commit = 0; commit < count; commit++) {
		for (size_t j = 0; j < candidates->class_count; j++) {
			if (search->class_of[commit] == candidates->classes[j] &&
			    candidates->first_rank[j] == SIZE_MAX)
				candidates->first_rank[j] = rank;
		}
		rank += search->class_of[commit] != CLASS_NONE;
		candidates->rank[commit] = rank;
	}
}

static void mark_members(struct candidates *candidates)
{
	const struct search *search = candidates->search;
	_cleanup_free_ uint64_t **set_of = xcalloc(search->classes.count, sizeof(*set_of));

	for (size_t j = 0; j < candidates->class_count; j++) {
		candidates->members[j] = xcalloc(dag_set_words(search->dag), sizeof(uint64_t));
		set_of[candidates->classes[j]] = candidates->members[j];
	}
	for (size_t commit = 0; commit < dag_count(search->dag); commit++) {
		uint32_t class = search->class_of[commit];

		if (class != CLASS_NONE && set_of[class])
			dag_set_add(set_of[class], commit);
	}
}

/* Shares the sample among the classes by probability; every class has a few. */
static void allot_bits(struct candidates *candidates)
{
	double total = 0;
	size_t start = 0;

	for (size_t j = 0; j < candidates->class_count; j++)
		total += candidates_class(candidates, j)->probability;
	for (size_t j = 0; j < candidates->class_count; j++) {
		const struct candidate_class *class = candidates_class(candidates, j);
		double spare = 64 * SAMPLE_WORDS - 4 * CLASSES_MAX;
		size_t bits = 4 + (size_t)(spare * class->probability / total);

		candidates->first_bit[j] = start;
		candidates->bits[j] = bits < class->members ? bits : class->members;
		start += candidates->bits[j];
	}
}

/* Gives every so-many-th member of a class its bit; the range is in an order that has neighbours in
 * history near one another. */
static void place_samples(struct candidates *candidates)
{
	const struct search *search = candidates->search;
	_cleanup_free_ uint32_t *slot = xcalloc(search->classes.count, sizeof(*slot));
	size_t seen[CLASSES_MAX] = {0};

	for (size_t j = 0; j < candidates->class_count; j++)
		slot[candidates->classes[j]] = (uint32_t)j + 1;
	for (size_t commit = 0; commit < dag_count(search->dag); commit++) {
		uint32_t class = search->class_of[commit];
		size_t members;
		size_t before;
		size_t j;

		if (class == CLASS_NONE || !slot[class])
			continue;
		j = slot[class] - 1;
		members = search->classes.items[class].members;
		before = (2 * seen[j] * candidates->bits[j] + members) / (2 * members);
		seen[j]++;
		if ((2 * seen[j] * candidates->bits[j] + members) / (2 * members) > before)
			dag_set_add(candidates->samples + commit * SAMPLE_WORDS,
				    candidates->first_bit[j] + before);
	}
}

static void follow_samples(struct candidates *candidates)
{
	const struct dag *dag = candidates->search->dag;

	allot_bits(candidates);
	candidates->samples = xcalloc(dag_count(dag) * SAMPLE_WORDS, sizeof(*candidates->samples));
	place_samples(candidates);
	for (size_t commit = 0; commit < dag_count(dag); commit++) {
		uint64_t *own = candidates->samples + commit * SAMPLE_WORDS;
		const uint32_t *parents = NULL;
		size_t count = dag_parents(dag, commit, &parents);

		for (size_t p = 0; p < count; p++) {
			const uint64_t *from =
				candidates->samples + (size_t)parents[p] * SAMPLE_WORDS;

			for (size_t word = 0; word < SAMPLE_WORDS; word++)
				own[word] |= from[word];
		}
	}
	candidates->focus = xcalloc(dag_set_words(dag), sizeof(*candidates->focus));
}

void candidates_init(struct candidates *candidates, const struct search *search)
{
	*candidates = (struct candidates){.search = search, .focused = SIZE_MAX};
	choose_classes(candidates);
	if (search->dag->linear)
		rank_candidates(candidates);
	else
		mark_members(candidates);
	if (dag_is_open(search->dag))
		follow_samples(candidates);
}

void candidates_release(struct candidates *candidates)
{
	free(candidates->rank);
	free(candidates->samples);
	free(candidates->focus);
	for (size_t j = 0; j < CLASSES_MAX; j++)
		free(candidates->members[j]);
}

void candidates_focus(struct candidates *candidates, size_t site)
{
	if (!candidates->focus || candidates->focused == site ||
	    site >= dag_count(candidates->search->dag))
		return;
	dag_ancestors(candidates->search->dag, site, candidates->focus);
	candidates->focused = site;
}

static double share_by_rank(const struct candidates *candidates, size_t j, size_t site)
{
	double members = (double)candidates_class(candidates, j)->members;
	size_t rank = candidates->rank[site];

	if (rank <= candidates->first_rank[j])
		return 0;
	return fmin((double)(rank - candidates->first_rank[j]) / members, 1);
}

static double share_by_sample(const struct candidates *candidates, size_t j, size_t site)
{
	const uint64_t *own = candidates->samples + site * SAMPLE_WORDS;
	size_t end = candidates->first_bit[j] + candidates->bits[j];
	size_t inside = 0;

	for (size_t bit = candidates->first_bit[j]; bit < end; bit = (bit | 63) + 1) {
		uint64_t word = own[bit / 64] >> bit % 64;

		if (end - bit < 64 - bit % 64)
			word &= UINT64_MAX >> (64 - (end - bit));
		inside += (size_t)__builtin_popcountll(word);
	}
	return (double)inside / (double)candidates->bits[j];
}

double candidates_share(const struct candidates *candidates, size_t j, size_t site)
{
	const struct dag *dag = candidates->search->dag;
	size_t inside = 0;

	if (site >= dag_count(dag))
		return 0;
	if (dag->linear)
		return share_by_rank(candidates, j, site);
	if (candidates->samples && candidates->focused != site)
		return share_by_sample(candidates, j, site);
	if (!candidates->samples)
		inside = dag_count_ancestors(dag, site, candidates->members[j]);
	for (size_t word = 0; candidates->samples && word <= site / 64; word++)
		inside += (size_t)__builtin_popcountll(candidates->focus[word] &
						       candidates->members[j][word]);
	return (double)inside / (double)candidates_class(candidates, j)->members;
}
