/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Brown & Forsythe's test of equal spread (Journal of the American Statistical Association 69,
 * 1974): the pooled F test, with 1 and n - 2 degrees of freedom, on the distances from the
 * medians.
 */
#ifndef KREGRESS_ANALYZER_BROWN_FORSYTHE_H
#define KREGRESS_ANALYZER_BROWN_FORSYTHE_H

#include <stdbool.h>
#include <stddef.h>

struct brown_forsythe {
	/*
	 * False: a side has n < 3, a value is not finite, or the distances do not vary within the
	 * sides; p is 1 then. (Two values are always as far from their median.)
	 */
	bool known;
	double ratio; /* of the mean distances, candidate to base; 0 when the base has none */
	double f;
	double df; /* of the denominator */
	double p;
};

struct brown_forsythe brown_forsythe_test(const double *base, size_t n_base,
					  const double *candidate, size_t n_candidate);

#endif
