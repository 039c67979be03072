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

size_t search_credible_set(const struct search *search, double mass, size_t *commits,
			   double *reached)
{
	size_t count = dag_count(search->dag);
	size_t candidates = 0;
	size_t size = 0;
	_cleanup_free_ struct ranked *ranked = xcalloc(count, sizeof(*ranked));

	for (size_t commit = 0; commit < count; commit++) {
		double probability = search_probability(search, commit);

		if (probability > 0)
			ranked[candidates++] = (struct ranked){probability, commit};
	}
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

bool search_inseparable(const struct search *search, size_t one, size_t other)
{
	size_t first = one < other ? one : other;

	/* A commit older than both is a descendant of neither. */
	for (size_t site = first; site < dag_count(search->dag); site++) {
		if (!search->sites[site].skipped &&
		    search_is_slow(search, one, site) != search_is_slow(search, other, site))
			return false;
	}
	return true;
}
