/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/brown_forsythe.h"

#include <math.h>

#include "analyzer/quantile.h"
#include "analyzer/scaled.h"
#include "analyzer/student.h"

static struct moments distances(double *values, size_t n)
{
	double median = quantile_median(values, n);

	for (size_t i = 0; i < n; i++)
		values[i] = fabs(values[i] - median);
	return moments_of(values, n);
}

struct brown_forsythe brown_forsythe_test(const double *base, size_t n_base,
					  const double *candidate, size_t n_candidate)
{
	struct brown_forsythe test = {.p = 1};
	struct moments a, b;
	_scaled_ struct scaled scaled = {0};
	double n_a = (double)n_base;
	double n_b = (double)n_candidate;
	double within, t;

	if (!scaled_init(&scaled, base, n_base, candidate, n_candidate) || n_base < 3 ||
	    n_candidate < 3)
		return test;
	a = distances(scaled.base, n_base);
	b = distances(scaled.candidate, n_candidate);
	test.df = n_a + n_b - 2;
	within = hypot(a.sd * sqrt((n_a - 1) / test.df), b.sd * sqrt((n_b - 1) / test.df));
	t = (b.mean - a.mean) / (within * sqrt(1 / n_a + 1 / n_b));
	if (!(within > 0) || !isfinite(t * t))
		return (struct brown_forsythe){.p = 1};
	test.known = true;
	test.ratio = a.mean > 0 && isfinite(b.mean / a.mean) ? b.mean / a.mean : 0;
	test.f = t * t;
	test.p = student_two_sided(t, test.df);
	return test;
}
