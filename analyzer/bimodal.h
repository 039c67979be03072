/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values in two groups: whether there are, where they part, and each group by itself.
 *
 * Dip: the largest distance of the empirical distribution from the nearest unimodal one (Hartigan &
 * Hartigan, Annals of Statistics 13, 1985). Its p is against the uniform distribution, the worst
 * case among unimodal ones, by seeded simulation that stops after 20 exceedances (Besag & Clifford,
 * Biometrika 78, 1991): exact in the sense that under a uniform truth P(p <= a) <= a, and never 0.
 *
 * Split: the threshold that leaves the least sum of squares within the two groups, found exactly
 * among all n - 1 (Fisher, Journal of the American Statistical Association 53, 1958).
 */
#ifndef KREGRESS_ANALYZER_BIMODAL_H
#define KREGRESS_ANALYZER_BIMODAL_H

#include <stdbool.h>
#include <stddef.h>

struct dip {
	bool known; /* false: n < 4, no variance, or a value that is not finite */
	double dip; /* from 1 / (2 n) to 1 / 4 */
	double p;   /* 1 when not known */
	/* A 99% interval for the p that endless simulation would give. */
	double p_low;
	double p_high;
	size_t replicates;
};

#define DIP_REPLICATES_DEFAULT 2000

/* At most `replicates` simulations; 0 counts as DIP_REPLICATES_DEFAULT. */
struct dip dip_test(const double *values, size_t n, size_t replicates, unsigned long seed);

/* The statistic alone, of values in ascending order; n > 0. */
double dip_of_sorted(const double *sorted, size_t n);

struct mode {
	size_t n;
	double median;
	double mean;
	double sd; /* 0 when n < 2 */
};

struct modes {
	bool known;	  /* false: no two distinct values, or one that is not finite */
	double threshold; /* values above it are of the high mode */
	struct mode low;
	struct mode high;
	double explained_frac; /* share of the variance that lies between the modes */
};

struct modes modes_of(const double *values, size_t n);

/*
 * One boot by modes, for a comparison mode by mode: give the threshold that modes_of() found over
 * all values of both sides, and compare the locations of the low and of the high mode and the share
 * of the high mode as three series of boot values.
 */
struct boot_modes {
	size_t n_low;
	size_t n_high;
	double low_median; /* 0 when n_low is 0 */
	double high_median;
	double high_share_frac; /* 0 when there is no value */
};

struct boot_modes boot_modes_of(const double *values, size_t n, double threshold);

#endif
