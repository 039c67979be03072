/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many subsets of a set of values have a sum beyond a bound.
 *
 * Method: the values are split into halves, the sums of all subsets of each half are kept in
 * ascending order by size, and the pairs beyond the bound are counted by walking one list up and
 * the other down (Horowitz & Sahni, Journal of the ACM 21, 1974). Time and memory go with
 * 2^(n / 2), so that all 9e9 ways to choose 18 of 36 values are counted within 0.1 s.
 */
#ifndef KREGRESS_ANALYZER_SUBSET_SUM_H
#define KREGRESS_ANALYZER_SUBSET_SUM_H

#include <stddef.h>
#include <stdint.h>

#define SUBSET_SUM_MAX 36

/* Subsets of every size. */
#define SUBSET_ANY_SIZE SIZE_MAX

struct subset_count {
	double total;	 /* subsets of the size asked for */
	double at_most;	 /* with a sum <= low */
	double at_least; /* with a sum >= high */
};

/*
 * `n` finite values, at most SUBSET_SUM_MAX; `size` is at most n, or SUBSET_ANY_SIZE. Sums carry
 * the rounding of n additions: the bounds are to have an allowance for it.
 */
struct subset_count subset_sum_count(const double *values, size_t n, size_t size, double low,
				     double high);

#endif
