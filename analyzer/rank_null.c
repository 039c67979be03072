/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/rank_null.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/scratch.h"

/* Inner steps of the counting: 25 against 25 takes 2.4 million. */
#define WORK_MAX 4e6
/* Beyond 2^53 the counts are rounded, far beyond 2^1023 they overflow; stay well below. */
#define TOTAL_MAX 1e200

static size_t sums_of(size_t n_total, size_t n_chosen)
{
	/* The n_chosen largest doubled ranks without ties; ties only bring ranks closer. */
	return n_chosen * (2 * n_total + 1 - n_chosen) + 1;
}

static double choices(size_t n, size_t k)
{
	double product = 1;

	for (size_t i = 1; i <= k; i++)
		product = product * (double)(n - k + i) / (double)i;
	return round(product);
}

bool rank_null_feasible(size_t n_total, size_t n_chosen)
{
	double n = (double)n_total;
	double k = (double)n_chosen;

	if (n * k * k * (2 * n + 1 - k) > WORK_MAX)
		return false;
	return choices(n_total, n_chosen) < TOTAL_MAX;
}

/* Adds one tie group to table[k * size + w], the ways to take k values with doubled rank sum w. */
static void add_group(double *table, size_t size, size_t n_chosen, size_t group, size_t rank)
{
	/* From the largest k down, so that what is read has not seen this group yet. */
	for (size_t k = n_chosen; k > 0; k--) {
		for (size_t taken = 1; taken <= group && taken <= k; taken++) {
			double ways = choices(group, taken);
			const double *from = table + (k - taken) * size;
			double *to = table + k * size + taken * rank;

			for (size_t w = 0; w + taken * rank < size; w++)
				to[w] += ways * from[w];
		}
	}
}

void rank_null_init(struct rank_null *null, const size_t *groups, size_t n_groups, size_t n_total,
		    size_t n_chosen)
{
	size_t size = sums_of(n_total, n_chosen);
	_scratch_ double *table = scratch_new((n_chosen + 1) * size, sizeof(*table));
	size_t below = 0;

	table[0] = 1;
	for (size_t i = 0; i < (groups ? n_groups : n_total); i++) {
		size_t group = groups ? groups[i] : 1;

		add_group(table, size, n_chosen, group, 2 * below + group + 1);
		below += group;
	}
	null->size = size;
	null->total = choices(n_total, n_chosen);
	null->counts = scratch_copy(table + n_chosen * size, size);
}

void rank_null_release(struct rank_null *null)
{
	free(null->counts);
	*null = (struct rank_null){0};
}

double rank_null_lower(const struct rank_null *null, size_t w)
{
	double sum = 0;

	for (size_t i = 0; i <= w && i < null->size; i++)
		sum += null->counts[i];
	return fmin(sum / null->total, 1);
}

double rank_null_upper(const struct rank_null *null, size_t w)
{
	double sum = 0;

	for (size_t i = null->size; i-- > w;)
		sum += null->counts[i];
	return fmin(sum / null->total, 1);
}
