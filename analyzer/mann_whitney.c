/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/mann_whitney.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>

#include "analyzer/quantile.h"
#include "analyzer/rank_null.h"
#include "analyzer/scratch.h"

/* Both samples ranked together. */
struct ranking {
	size_t *groups; /* owned: tie groups in ascending order */
	size_t n_groups;
	double tie_term; /* sum of t^3 - t */
	size_t w_base;	 /* doubled rank sums */
	size_t w_candidate;
	size_t n_base;
	size_t n_candidate;
};

/* Values equal to `value` at the front of `sorted`. */
static size_t run_length(const double *sorted, size_t n, double value)
{
	size_t length = 0;

	while (length < n && sorted[length] == value)
		length++;
	return length;
}

static double next_value(const double *base, size_t n_base, const double *candidate,
			 size_t n_candidate)
{
	if (!n_base)
		return candidate[0];
	if (!n_candidate)
		return base[0];
	return fmin(base[0], candidate[0]);
}

static void rank_sorted(struct ranking *ranking, const double *base, const double *candidate)
{
	size_t i = 0;
	size_t j = 0;

	while (i < ranking->n_base || j < ranking->n_candidate) {
		size_t left_base = ranking->n_base - i;
		size_t left_candidate = ranking->n_candidate - j;
		double value = next_value(base + i, left_base, candidate + j, left_candidate);
		size_t in_base = run_length(base + i, left_base, value);
		size_t in_candidate = run_length(candidate + j, left_candidate, value);
		size_t group = in_base + in_candidate;
		size_t rank = 2 * (i + j) + group + 1;
		double size = (double)group;

		ranking->groups[ranking->n_groups++] = group;
		ranking->tie_term += size * size * size - size;
		ranking->w_base += in_base * rank;
		ranking->w_candidate += in_candidate * rank;
		i += in_base;
		j += in_candidate;
	}
}

static void ranking_init(struct ranking *ranking, const double *base, size_t n_base,
			 const double *candidate, size_t n_candidate)
{
	_scratch_ double *base_sorted = scratch_copy(base, n_base);
	_scratch_ double *candidate_sorted = scratch_copy(candidate, n_candidate);

	*ranking = (struct ranking){.n_base = n_base, .n_candidate = n_candidate};
	ranking->groups = scratch_new(n_base + n_candidate, sizeof(*ranking->groups));
	quantile_sort(base_sorted, n_base);
	quantile_sort(candidate_sorted, n_candidate);
	rank_sorted(ranking, base_sorted, candidate_sorted);
}

/* The tails of the smaller sample's rank sum are counted: fewer choices. */
static void exact_tails(struct mann_whitney *test, const struct ranking *ranking)
{
	bool by_base = ranking->n_base < ranking->n_candidate;
	size_t chosen = by_base ? ranking->n_base : ranking->n_candidate;
	size_t w = by_base ? ranking->w_base : ranking->w_candidate;
	size_t n_total = ranking->n_base + ranking->n_candidate;
	size_t centre_twice = 2 * chosen * (n_total + 1);
	size_t mirror = centre_twice - w; /* as far from the centre on the other side */
	double lower, upper;
	struct rank_null null;

	rank_null_init(&null, ranking->groups, ranking->n_groups, n_total, chosen);
	lower = rank_null_lower(&null, w);
	upper = rank_null_upper(&null, w);
	if (mirror == w)
		test->p = 1;
	else if (w < mirror)
		test->p = fmin(lower + rank_null_upper(&null, mirror), 1);
	else
		test->p = fmin(upper + rank_null_lower(&null, mirror), 1);
	test->p_less = by_base ? upper : lower;
	test->p_greater = by_base ? lower : upper;
	test->exact = true;
	rank_null_release(&null);
}

static double normal_tail(double distance, double sd)
{
	return sd > 0 ? fmax(gsl_cdf_ugaussian_Q(distance / sd), 1e-300) : 1;
}

static void normal_tails(struct mann_whitney *test, const struct ranking *ranking)
{
	double n_base = (double)ranking->n_base;
	double n_candidate = (double)ranking->n_candidate;
	double n = n_base + n_candidate;
	double ties = ranking->tie_term / (n * (n - 1));
	double sd = sqrt(fmax(0, n_base * n_candidate / 12 * (n + 1 - ties)));
	double above = test->u - n_base * n_candidate / 2;

	test->p = fmin(2 * normal_tail(fmax(fabs(above) - 0.5, 0), sd), 1);
	test->p_greater = normal_tail(above - 0.5, sd);
	test->p_less = normal_tail(-above - 0.5, sd);
}

struct mann_whitney mann_whitney_test(const double *base, size_t n_base, const double *candidate,
				      size_t n_candidate)
{
	size_t smaller = n_base < n_candidate ? n_base : n_candidate;
	double n = (double)n_candidate;
	struct mann_whitney test = {0};
	struct ranking ranking;

	ranking_init(&ranking, base, n_base, candidate, n_candidate);
	test.u = (double)ranking.w_candidate / 2 - n * (n + 1) / 2;
	if (rank_null_feasible(n_base + n_candidate, smaller))
		exact_tails(&test, &ranking);
	else
		normal_tails(&test, &ranking);
	free(ranking.groups);
	return test;
}

/*
 * Without ties the choices that give each U are the coefficients of the Gaussian binomial: the
 * product of (1 - q^(n + i)) / (1 - q^i) over i = 1 .. m, of which U below its middle needs the
 * first half (Andrews, The Theory of Partitions, 1976). All counts are whole and below 2^53.
 */
static void count_choices(double *counts, size_t size, size_t m, size_t n)
{
	counts[0] = 1;
	for (size_t i = 1; i <= m; i++) {
		for (size_t u = size; u-- > n + i;)
			counts[u] -= counts[u - n - i];
		for (size_t u = i; u < size; u++)
			counts[u] += counts[u - i];
	}
}

static size_t exact_critical(size_t n_total, size_t chosen, double alpha)
{
	size_t others = n_total - chosen;
	size_t size = chosen * others / 2 + 1;
	_scratch_ double *counts = scratch_new(size, sizeof(*counts));
	double allowed = alpha / 2 * gsl_sf_choose((unsigned int)n_total, (unsigned int)chosen);
	double sum = 0;
	size_t k = 0;

	count_choices(counts, size, chosen, others);
	for (; k < size; k++) {
		sum += counts[k];
		if (sum >= allowed)
			break;
	}
	return k;
}

size_t mann_whitney_critical(size_t n_base, size_t n_candidate, double alpha)
{
	size_t smaller = n_base < n_candidate ? n_base : n_candidate;
	double pairs = (double)n_base * (double)n_candidate;
	double sd = sqrt(pairs * (double)(n_base + n_candidate + 1) / 12);
	double k;

	if (!smaller)
		return 0;
	if (rank_null_feasible(n_base + n_candidate, smaller))
		return exact_critical(n_base + n_candidate, smaller, alpha);
	k = floor(pairs / 2 + 0.5 - gsl_cdf_ugaussian_Qinv(alpha / 2) * sd);
	return k >= 1 ? (size_t)k : 0;
}

size_t mann_whitney_smallest_n(double alpha)
{
	double p = 2;
	size_t n = 0;

	/* The smallest two-sided p at n a side is 2 / binomial(2n, n). */
	while (p >= alpha * (1 - 1e-12) && n < 1000) {
		n++;
		p *= (double)n / (double)(2 * (2 * n - 1));
	}
	return n;
}
