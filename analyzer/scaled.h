/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies of two samples divided by one power of two, so that every magnitude is below 1: sums,
 * differences and squares cannot overflow, and nothing but what underflows is rounded.
 */
#ifndef KREGRESS_ANALYZER_SCALED_H
#define KREGRESS_ANALYZER_SCALED_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "analyzer/moments.h"
#include "analyzer/scratch.h"

struct scaled {
	double *base; /* owned */
	double *candidate;
	int exponent; /* value = scaled * 2^exponent */
};

static inline void scaled_release(struct scaled *scaled)
{
	free(scaled->base);
	free(scaled->candidate);
	*scaled = (struct scaled){0};
}

#define _scaled_ __attribute__((cleanup(scaled_release)))

static inline bool all_finite(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			return false;
	}
	return true;
}

static inline double *scaled_copy(const double *values, size_t n, int exponent)
{
	double *copy = scratch_copy(values, n);

	for (size_t i = 0; i < n; i++)
		copy[i] = ldexp(copy[i], -exponent);
	return copy;
}

/* False when a value is not finite. The struct may be released in any case. */
static inline bool scaled_init(struct scaled *scaled, const double *base, size_t n_base,
			       const double *candidate, size_t n_candidate)
{
	int base_exponent, candidate_exponent;

	*scaled = (struct scaled){0};
	if (!all_finite(base, n_base) || !all_finite(candidate, n_candidate))
		return false;
	base_exponent = moments_exponent(base, n_base);
	candidate_exponent = moments_exponent(candidate, n_candidate);
	if (!n_base)
		base_exponent = candidate_exponent;
	scaled->exponent = base_exponent > candidate_exponent ? base_exponent : candidate_exponent;
	scaled->base = scaled_copy(base, n_base, scaled->exponent);
	scaled->candidate = scaled_copy(candidate, n_candidate, scaled->exponent);
	return true;
}

#endif
