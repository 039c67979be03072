/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/kolmogorov_smirnov.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "analyzer/quantile.h"
#include "analyzer/scaled.h"

#define PI_SQUARED 9.869604401089358

/* Two ascending samples put together. */
struct steps {
	bool *ends;	  /* owned: whether a tie group ends with this many values; n + 1 of them */
	uint64_t largest; /* |i * n_candidate - j * n_base| */
	size_t n_base;
	size_t n_candidate;
};

static uint64_t distance_at(const struct steps *steps, size_t i, size_t j)
{
	uint64_t a = (uint64_t)i * steps->n_candidate;
	uint64_t b = (uint64_t)j * steps->n_base;

	return a > b ? a - b : b - a;
}

static void walk(struct steps *steps, const double *base, const double *candidate)
{
	size_t i = 0;
	size_t j = 0;

	while (i < steps->n_base || j < steps->n_candidate) {
		double value = i < steps->n_base ? base[i] : candidate[j];
		uint64_t distance;

		if (j < steps->n_candidate)
			value = fmin(value, candidate[j]);
		while (i < steps->n_base && base[i] == value)
			i++;
		while (j < steps->n_candidate && candidate[j] == value)
			j++;
		steps->ends[i + j] = true;
		distance = distance_at(steps, i, j);
		if (distance > steps->largest)
			steps->largest = distance;
	}
}

static bool touches(const struct steps *steps, size_t i, size_t j)
{
	return steps->ends[i + j] && distance_at(steps, i, j) >= steps->largest;
}

/*
 * touched[j] at row i is the probability that a random path to (i, j) touches the distance: the
 * last of its i + j values is as likely each of them.
 */
static double exact_p(const struct steps *steps)
{
	_scratch_ double *touched = scratch_new(steps->n_candidate + 1, sizeof(*touched));

	for (size_t i = 0; i <= steps->n_base; i++) {
		for (size_t j = 0; j <= steps->n_candidate; j++) {
			double from_base = i ? touched[j] * (double)i : 0;
			double from_candidate = j ? touched[j - 1] * (double)j : 0;

			if (i + j && touches(steps, i, j))
				touched[j] = 1;
			else if (i + j)
				touched[j] = (from_base + from_candidate) / (double)(i + j);
		}
	}
	return touched[steps->n_candidate];
}

/* The two expansions of the same function; each converges at once on its side of 1. */
double kolmogorov_upper(double lambda)
{
	double sum = 0;

	if (!(lambda > 0.05))
		return 1;
	if (lambda < 1) {
		for (int k = 1; k <= 9; k += 2)
			sum += exp(-k * k * PI_SQUARED / (8 * lambda * lambda));
		return fmin(1 - sqrt(2 * sqrt(PI_SQUARED)) / lambda * sum, 1);
	}
	for (int k = 1; k <= 8; k++)
		sum += (k % 2 ? 2 : -2) * exp(-2.0 * k * k * lambda * lambda);
	return fmax(sum, DBL_MIN);
}

struct kolmogorov_smirnov kolmogorov_smirnov_test(const double *base, size_t n_base,
						  const double *candidate, size_t n_candidate)
{
	struct kolmogorov_smirnov test = {.p = 1};
	double n = (double)n_base;
	double m = (double)n_candidate;
	_scratch_ double *base_sorted = scratch_copy(base, n_base);
	_scratch_ double *candidate_sorted = scratch_copy(candidate, n_candidate);
	_scratch_ bool *ends = scratch_new(n_base + n_candidate + 1, sizeof(*ends));
	struct steps steps = {.ends = ends, .n_base = n_base, .n_candidate = n_candidate};

	if (!n_base || !n_candidate || !all_finite(base, n_base) ||
	    !all_finite(candidate, n_candidate))
		return test;
	quantile_sort(base_sorted, n_base);
	quantile_sort(candidate_sorted, n_candidate);
	walk(&steps, base_sorted, candidate_sorted);
	test.known = true;
	test.distance = (double)steps.largest / (n * m);
	test.exact = n * m <= KOLMOGOROV_EXACT_MAX;
	if (!steps.largest)
		test.p = 1;
	else if (test.exact)
		test.p = exact_p(&steps);
	else
		test.p = kolmogorov_upper(test.distance * sqrt(n * m / (n + m)));
	return test;
}
