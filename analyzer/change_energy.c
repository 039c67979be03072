/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/change_energy.h"

#include <math.h>

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>

#include "analyzer/change_divide.h"
#include "analyzer/scratch.h"

/* Counts and sums of the values put in, by rank: a binary indexed tree. */
struct tree {
	size_t n;
	double *counts; /* n + 1 */
	double *sums;
};

static void tree_clear(struct tree *tree)
{
	memset(tree->counts, 0, (tree->n + 1) * sizeof(*tree->counts));
	memset(tree->sums, 0, (tree->n + 1) * sizeof(*tree->sums));
}

static void tree_add(struct tree *tree, size_t rank, double value)
{
	for (size_t i = rank + 1; i <= tree->n; i += i & -i) {
		tree->counts[i]++;
		tree->sums[i] += value;
	}
}

/* Sum of |value - y| over the y put in, `count` of them adding up to `total`. */
static double distances(const struct tree *tree, size_t rank, double value, double count,
			double total)
{
	double below = 0;
	double sum = 0;

	for (size_t i = rank + 1; i > 0; i -= i & -i) {
		below += tree->counts[i];
		sum += tree->sums[i];
	}
	return value * (2 * below - count) + total - 2 * sum;
}

/* A stretch being scanned. */
struct scan {
	size_t n;
	double *values; /* about their mean */
	size_t *ranks;	/* of the values, ties in any order */
	double *inside; /* inside[s]: sum of distances among the first s */
	double *statistics;
	struct tree tree;
};

static void scan_init(struct scan *scan, const double *values, size_t n)
{
	_scratch_ size_t *order = scratch_new(n, sizeof(*order));
	double mean = 0;

	scan->n = n;
	scan->values = scratch_copy(values, n);
	scan->ranks = scratch_new(n, sizeof(*scan->ranks));
	scan->inside = scratch_new(n + 1, sizeof(*scan->inside));
	scan->statistics = scratch_new(n, sizeof(*scan->statistics));
	scan->tree.n = n;
	scan->tree.counts = scratch_new(n + 1, sizeof(*scan->tree.counts));
	scan->tree.sums = scratch_new(n + 1, sizeof(*scan->tree.sums));
	gsl_sort_index(order, values, 1, n);
	for (size_t i = 0; i < n; i++) {
		scan->ranks[order[i]] = i;
		mean += values[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++)
		scan->values[i] -= mean;
}

static void scan_release(struct scan *scan)
{
	free(scan->values);
	free(scan->ranks);
	free(scan->inside);
	free(scan->statistics);
	free(scan->tree.counts);
	free(scan->tree.sums);
}

static void scan_prefixes(struct scan *scan)
{
	double total = 0;

	tree_clear(&scan->tree);
	for (size_t i = 0; i < scan->n; i++) {
		scan->inside[i + 1] =
			scan->inside[i] +
			distances(&scan->tree, scan->ranks[i], scan->values[i], (double)i, total);
		tree_add(&scan->tree, scan->ranks[i], scan->values[i]);
		total += scan->values[i];
	}
}

static double energy(double all, double left, double right, double n_left, double n_right)
{
	double between = 2 * (all - left - right) / (n_left * n_right);
	double within_left = left / (n_left * (n_left - 1) / 2);
	double within_right = right / (n_right * (n_right - 1) / 2);

	return n_left * n_right / (n_left + n_right) * (between - within_left - within_right);
}

/* The place of the largest statistic with at least `least` points on each side. */
static size_t scan_best(struct scan *scan, size_t least)
{
	double right = 0;
	double total = 0;
	size_t best = least;

	scan_prefixes(scan);
	tree_clear(&scan->tree);
	for (size_t start = scan->n; start-- > 2;) {
		size_t count = scan->n - start;

		right += distances(&scan->tree, scan->ranks[start], scan->values[start],
				   (double)count - 1, total);
		tree_add(&scan->tree, scan->ranks[start], scan->values[start]);
		total += scan->values[start];
		if (count < 2)
			continue;
		scan->statistics[start] = energy(scan->inside[scan->n], scan->inside[start], right,
						 (double)start, (double)count);
		if (start >= least && count >= least &&
		    scan->statistics[start] >= scan->statistics[best])
			best = start;
	}
	return best;
}

void change_energy_statistics(const double *values, size_t n, double *statistics)
{
	struct scan scan = {0};

	memset(statistics, 0, n * sizeof(*statistics));
	if (n < 4)
		return;
	scan_init(&scan, values, n);
	scan_best(&scan, 2);
	memcpy(statistics, scan.statistics, n * sizeof(*statistics));
	scan_release(&scan);
}

/* Points per block: 1 without autocorrelation; Andrews' rate for an AR(1), Econometrica 59 (1991).
 */
static size_t block_length(double lag1, size_t n)
{
	double root = 2 * lag1 / (1 - lag1 * lag1);
	double length = exp(log(fmax(root * root * (double)n, 1)) / 3);
	size_t most = n / 4 > 1 ? n / 4 : 1;

	return (size_t)length < most ? (size_t)ceil(length) : most;
}

/* Blocks of `from`, cut at a random phase of a circle, in random order into `to`. */
static void permute_blocks(const struct scan *from, struct scan *to, size_t length, gsl_rng *random)
{
	size_t blocks = (from->n + length - 1) / length;
	_scratch_ size_t *order = scratch_new(blocks, sizeof(*order));
	size_t phase = gsl_rng_uniform_int(random, from->n);
	size_t filled = 0;

	for (size_t i = 0; i < blocks; i++) {
		size_t other = gsl_rng_uniform_int(random, i + 1);

		order[i] = order[other];
		order[other] = i;
	}
	for (size_t i = 0; i < blocks; i++) {
		size_t first = order[i] * length;

		for (size_t at = first; at < first + length && at < from->n; at++, filled++) {
			to->values[filled] = from->values[(at + phase) % from->n];
			to->ranks[filled] = from->ranks[(at + phase) % from->n];
		}
	}
}

/* Share of permutations with a split as good; stops once it is above alpha for sure. */
static double permutation_p(const struct scan *scan, struct scan *room, double reached,
			    const struct change_model *model, gsl_rng *random)
{
	size_t least = model->settings.min_segment;
	size_t length = block_length(model->noise.lag1, scan->n);
	double all = CHANGE_ENERGY_PERMUTATIONS + 1;
	size_t as_good = 1;

	for (int i = 0; i < CHANGE_ENERGY_PERMUTATIONS; i++) {
		permute_blocks(scan, room, length, random);
		as_good += room->statistics[scan_best(room, least)] >= reached;
		if ((double)as_good / all > model->settings.alpha)
			break;
	}
	return (double)as_good / all;
}

static bool split(const struct change_model *model, void *random, size_t from, size_t to,
		  struct change_place *place)
{
	size_t least = model->settings.min_segment > 2 ? model->settings.min_segment : 2;
	struct scan scan = {0};
	struct scan room = {0};
	size_t best;

	if (to - from < 2 * least)
		return false;
	scan_init(&scan, model->cut + from, to - from);
	scan_init(&room, model->cut + from, to - from);
	best = scan_best(&scan, least);
	place->index = from + best;
	place->p = 1;
	if (scan.statistics[best] > 0)
		place->p = permutation_p(&scan, &room, scan.statistics[best], model, random);
	scan_release(&scan);
	scan_release(&room);
	return place->p <= model->settings.alpha;
}

size_t change_energy_find(const struct change_model *model, struct change_place *places)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	size_t count;

	if (!random)
		abort();
	gsl_rng_set(random, model->settings.seed);
	count = change_divide(model, split, random, places);
	gsl_rng_free(random);
	return count;
}
