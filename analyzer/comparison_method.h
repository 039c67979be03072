/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The methods behind comparison_measure(): one row each. Private to analyzer/.
 */
#ifndef KREGRESS_ANALYZER_COMPARISON_METHOD_H
#define KREGRESS_ANALYZER_COMPARISON_METHOD_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/blocks.h"
#include "analyzer/comparison.h"
#include "analyzer/level.h"
#include "analyzer/moments.h"

/* Of a change with the noise at hand, for detectable_frac. */
#define COMPARISON_POWER 0.8

/* One side, sorted and scaled; the scale is common to both sides. */
struct side {
	double *values; /* owned */
	size_t n;
	struct moments moments;
};

struct measurement {
	struct side base;
	struct side candidate;
	struct block_pairs pairs; /* scaled likewise; empty when not interleaved */
	struct level level;
	int exponent; /* value = scaled * 2^exponent */
	unsigned long seed;
};

/*
 * Fills p, the ratio, the intervals, equivalence_p and detectable_frac; both sides have n >= 2.
 * False, with nothing filled, when there is no error to go by.
 */
typedef bool (*method_measure)(struct comparison *result, const struct measurement *measurement);

struct method_row {
	const char *name;
	method_measure measure; /* NULL: there is nothing to test */
	enum method fallback;	/* where measure() gives false, or pairs are missing */
	bool paired;		/* needs two complete blocks */
	bool ranks;		/* cannot find anything below mann_whitney_smallest_n() */
	/* Asymptotic, against the t test, for a shift of normal values. */
	double efficiency;
};

/* The row of any method. */
const struct method_row *method_row(enum method method);

/* Sets method and method_reason, and what that method measures. */
void method_apply(struct comparison *result, const struct measurement *measurement,
		  const struct comparison_input *input);

void comparison_set_p(struct comparison *result, double p);
struct interval comparison_unscale(struct interval interval, int exponent);

/* Hodges-Lehmann of the pairs in place of that of the two samples. */
void comparison_set_paired_shift(struct comparison *result, const struct measurement *measurement);

/* detectable_frac of the paired t test; 0 when unknown. */
double comparison_paired_detectable(const struct measurement *measurement);

bool measure_welch(struct comparison *result, const struct measurement *measurement);
bool measure_permutation(struct comparison *result, const struct measurement *measurement);
bool measure_yuen(struct comparison *result, const struct measurement *measurement);
bool measure_mann_whitney(struct comparison *result, const struct measurement *measurement);
bool measure_brunner_munzel(struct comparison *result, const struct measurement *measurement);
bool measure_ks(struct comparison *result, const struct measurement *measurement);
bool measure_paired(struct comparison *result, const struct measurement *measurement);
bool measure_signed_rank(struct comparison *result, const struct measurement *measurement);
bool measure_block_permutation(struct comparison *result, const struct measurement *measurement);
bool measure_exact(struct comparison *result, const struct measurement *measurement);

#endif
