/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/signed_rank.h"

#include <float.h>
#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>

#include "analyzer/quantile.h"
#include "analyzer/scaled.h"

/* Differences that are not zero, by their doubled mid-ranks. */
struct ranking {
	size_t *ranks; /* owned */
	size_t n;
	size_t positive; /* doubled sum of the positive ones */
	size_t all;
};

static void ranking_init(struct ranking *ranking, const double *differences, size_t n)
{
	_scratch_ double *sizes = scratch_new(n, sizeof(*sizes));
	_scratch_ size_t *order = scratch_new(n, sizeof(*order));
	size_t first = 0;

	*ranking = (struct ranking){.ranks = scratch_new(n, sizeof(*ranking->ranks))};
	for (size_t i = 0; i < n; i++)
		sizes[i] = fabs(differences[i]);
	gsl_sort_index(order, sizes, 1, n);
	while (first < n) {
		size_t end = first;

		while (end < n && sizes[order[end]] == sizes[order[first]])
			end++;
		for (size_t i = first; i < end && sizes[order[i]] > 0; i++) {
			size_t rank = first + end + 1;

			ranking->ranks[ranking->n++] = rank;
			ranking->all += rank;
			ranking->positive += differences[order[i]] > 0 ? rank : 0;
		}
		first = end;
	}
}

/* probability[w] of every doubled rank sum from 0 to `all`. Owned by the caller. */
static double *null_distribution(const size_t *ranks, size_t n, size_t all)
{
	double *probability = scratch_new(all + 1, sizeof(*probability));
	size_t reached = 0;

	probability[0] = 1;
	for (size_t i = 0; i < n; i++) {
		reached += ranks[i];
		for (size_t w = reached + 1; w-- > 0;) {
			double with = w >= ranks[i] ? probability[w - ranks[i]] : 0;

			probability[w] = (probability[w] + with) / 2;
		}
	}
	return probability;
}

static void exact_tails(struct signed_rank *test, const struct ranking *ranking)
{
	_scratch_ double *null = null_distribution(ranking->ranks, ranking->n, ranking->all);

	test->exact = true;
	test->p_less = 0;
	test->p_greater = 0;
	for (size_t w = 0; w <= ranking->positive; w++)
		test->p_less += null[w];
	for (size_t w = ranking->all + 1; w-- > ranking->positive;)
		test->p_greater += null[w];
	test->p_less = fmin(test->p_less, 1);
	test->p_greater = fmin(test->p_greater, 1);
	test->p = fmin(2 * fmin(test->p_less, test->p_greater), 1);
}

static double upper_tail(double distance, double sd)
{
	return fmax(gsl_cdf_ugaussian_Q(distance / sd), DBL_MIN);
}

static void normal_tails(struct signed_rank *test, const struct ranking *ranking)
{
	double above = ((double)ranking->positive - (double)ranking->all / 2) / 2;
	double squares = 0;
	double sd;

	for (size_t i = 0; i < ranking->n; i++)
		squares += (double)ranking->ranks[i] * (double)ranking->ranks[i] / 4;
	sd = sqrt(squares) / 2;
	test->p_greater = upper_tail(above - 0.5, sd);
	test->p_less = upper_tail(-above - 0.5, sd);
	test->p = fmin(2 * upper_tail(fmax(fabs(above) - 0.5, 0), sd), 1);
}

struct signed_rank signed_rank_test(const double *base, const double *candidate, size_t n)
{
	struct signed_rank test = {.p = 1, .p_less = 1, .p_greater = 1};
	struct ranking ranking;
	_scaled_ struct scaled scaled = {0};

	if (!scaled_init(&scaled, base, n, candidate, n) || !n)
		return test;
	for (size_t i = 0; i < n; i++)
		scaled.candidate[i] -= scaled.base[i];
	ranking_init(&ranking, scaled.candidate, n);
	test.known = true;
	test.w = (double)ranking.positive / 2;
	if (ranking.n <= SIGNED_RANK_EXACT_MAX)
		exact_tails(&test, &ranking);
	else
		normal_tails(&test, &ranking);
	free(ranking.ranks);
	return test;
}

static size_t exact_critical(size_t n, double alpha)
{
	_scratch_ size_t *ranks = scratch_new(n, sizeof(*ranks));
	_scratch_ double *null = NULL;
	size_t all = n * (n + 1) / 2;
	double sum = 0;
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		ranks[i] = i + 1;
	null = null_distribution(ranks, n, all);
	while (k <= all) {
		sum += null[k];
		if (sum >= alpha / 2)
			break;
		k++;
	}
	return k;
}

size_t signed_rank_critical(size_t n, double alpha)
{
	double count = (double)n;
	double sd = sqrt(count * (count + 1) * (2 * count + 1) / 24);
	double k;

	if (n <= SIGNED_RANK_EXACT_MAX)
		return exact_critical(n, alpha);
	k = floor(count * (count + 1) / 4 + 0.5 - gsl_cdf_ugaussian_Qinv(alpha / 2) * sd);
	return k >= 1 ? (size_t)k : 0;
}

static struct paired_location location_of(double *averages, size_t count, size_t n, double alpha)
{
	struct paired_location location = {.known = true};
	size_t k = signed_rank_critical(n, alpha);

	quantile_sort(averages, count);
	location.value = quantile_of_sorted(averages, count, 0.5);
	if (k > 0)
		location.interval = (struct interval){averages[k - 1], averages[count - k], true};
	return location;
}

struct paired_location signed_rank_shift(const double *base, const double *candidate, size_t n,
					 double alpha)
{
	struct paired_location location = {0};
	_scratch_ double *averages = NULL;
	_scaled_ struct scaled scaled = {0};
	size_t count = 0;

	if (!n || n > SIGNED_RANK_PAIRS_MAX || !scaled_init(&scaled, base, n, candidate, n))
		return location;
	averages = scratch_new(n * (n + 1) / 2, sizeof(*averages));
	for (size_t i = 0; i < n; i++) {
		scaled.candidate[i] -= scaled.base[i];
		for (size_t j = 0; j <= i; j++)
			averages[count++] = (scaled.candidate[i] + scaled.candidate[j]) / 2;
	}
	location = location_of(averages, count, n, alpha);
	location.value = moments_scale(location.value, scaled.exponent);
	location.interval.low = moments_scale(location.interval.low, scaled.exponent);
	location.interval.high = moments_scale(location.interval.high, scaled.exponent);
	return location;
}

/* All values on the side of zero on which the first is, none zero. */
static bool one_sign(const double *values, size_t n, double first)
{
	for (size_t i = 0; i < n; i++) {
		if (!(values[i] * copysign(1, first) > 0))
			return false;
	}
	return true;
}

struct paired_location signed_rank_ratio(const double *base, const double *candidate, size_t n,
					 double alpha)
{
	struct paired_location location = {0};
	_scratch_ double *ratios = NULL;
	_scaled_ struct scaled scaled = {0};
	size_t count = 0;

	if (!n || n > SIGNED_RANK_PAIRS_MAX || !scaled_init(&scaled, base, n, candidate, n))
		return location;
	if (!one_sign(scaled.base, n, base[0]) || !one_sign(scaled.candidate, n, base[0]))
		return location;
	ratios = scratch_new(n * (n + 1) / 2, sizeof(*ratios));
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j <= i; j++) {
			double below = scaled.base[i] + scaled.base[j];

			ratios[count++] = (scaled.candidate[i] + scaled.candidate[j]) / below;
		}
	}
	location = location_of(ratios, count, n, alpha);
	if (!isfinite(ratios[count - 1]) || !isnormal(location.value))
		return (struct paired_location){0};
	return location;
}
