/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/moments.h"

#include <float.h>
#include <math.h>

/* A sum in two doubles. */
struct pair_sum {
	double high;
	double low;
};

static void pair_sum_add(struct pair_sum *sum, double value)
{
	double total = sum->high + value;

	if (fabs(sum->high) >= fabs(value))
		sum->low += (sum->high - total) + value;
	else
		sum->low += (value - total) + sum->high;
	sum->high = total;
}

/* The quotient with one step of refinement: n equal values give back the value. */
static double pair_sum_divide(const struct pair_sum *sum, double divisor)
{
	double quotient = (sum->high + sum->low) / divisor;
	double rest = fma(-quotient, divisor, sum->high) + sum->low;

	return quotient + rest / divisor;
}

int moments_exponent(const double *values, size_t n)
{
	double largest = 0;
	int exponent = 0;

	for (size_t i = 0; i < n; i++)
		largest = fmax(largest, fabs(values[i]));
	if (largest > 0)
		frexp(largest, &exponent);
	return exponent;
}

double moments_scale(double value, int exponent)
{
	double scaled = ldexp(value, exponent);

	return isinf(scaled) ? copysign(DBL_MAX, value) : scaled;
}

static double scaled_sd(const double *values, size_t n, int exponent, double mean)
{
	struct pair_sum squares = {0};
	struct pair_sum rests = {0};
	double rest;

	for (size_t i = 0; i < n; i++) {
		double deviation = ldexp(values[i], -exponent) - mean;

		pair_sum_add(&squares, deviation * deviation);
		pair_sum_add(&rests, deviation);
	}
	rest = rests.high + rests.low;
	pair_sum_add(&squares, -rest * rest / (double)n);
	return sqrt(fmax(0, (squares.high + squares.low) / (double)(n - 1)));
}

struct moments moments_of(const double *values, size_t n)
{
	struct moments moments = {.n = n};
	int exponent = moments_exponent(values, n);
	struct pair_sum sum = {0};
	double mean;

	if (!n)
		return moments;
	for (size_t i = 0; i < n; i++)
		pair_sum_add(&sum, ldexp(values[i], -exponent));
	mean = pair_sum_divide(&sum, (double)n);
	moments.mean = moments_scale(mean, exponent);
	if (n > 1)
		moments.sd = moments_scale(scaled_sd(values, n, exponent, mean), exponent);
	return moments;
}
