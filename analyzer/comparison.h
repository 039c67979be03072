/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparison of two sides of a series, from boot values to a verdict.
 *
 * The replicates are boots: within a boot, samples are first reduced to one value by
 * boot_location(). comparison_measure() then estimates and tests one series, comparison_adjust()
 * controls the false discovery rate over all series of a comparison (Benjamini & Hochberg 1995),
 * and comparison_decide() gives the verdict. Pure: no IO, no clock, no state, no randomness.
 *
 * No field is ever NaN or infinite; a magnitude beyond the range of double is held at DBL_MAX.
 * docs/statistics.md tells which method is used when, and how a verdict comes about.
 */
#ifndef KREGRESS_ANALYZER_COMPARISON_H
#define KREGRESS_ANALYZER_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/interval.h"
#include "common/metric.h"

enum verdict {
	VERDICT_INCONCLUSIVE,
	VERDICT_REGRESSED,
	VERDICT_IMPROVED,
	VERDICT_EQUIVALENT,
	VERDICT_FAILED,
};

enum method {
	METHOD_AUTO, /* exact for deterministic metrics without variance, else Welch */
	/* Of the boots' means. Where neither side varies it has no error to go by; ranks are used.
	 */
	METHOD_WELCH,
	METHOD_MANN_WHITNEY,
	/* Values without variance, compared as they are; has no p. On request only for such. */
	METHOD_EXACT,
	METHOD_NONE, /* nothing could be tested: a side has fewer than two boots */
};

/* Why a verdict is what it is. */
enum verdict_reason {
	REASON_NONE,
	REASON_BEYOND_LIMIT,	/* significant, and the CI's near end is beyond the limit */
	REASON_WITHIN_LIMIT,	/* equivalence shown within the limit */
	REASON_ONE_BOOT,	/* a side has fewer than two boots */
	REASON_SPANS_LIMIT,	/* the CI holds both sides of the limit */
	REASON_NOT_SIGNIFICANT, /* estimate beyond the limit, q not below alpha */
	REASON_NO_SAMPLES,
	/* A ratio to zero, to mixed signs or beyond the range of double has no meaning. */
	REASON_ZERO_BASE,
};

struct summary {
	size_t n; /* boots */
	double mean;
	double median;
	double sd; /* n - 1; 0 when n < 2 */
	double min;
	double max;
};

struct comparison_input {
	const double *base; /* boot values, finite */
	size_t n_base;
	const double *candidate;
	size_t n_candidate;
	enum better better;
	bool deterministic; /* see struct metric */
	/*
	 * Practical limit, 0.02 for 2%: ratios from 1 / (1 + limit) to 1 + limit do not matter.
	 * Negative or NaN counts as 0.
	 */
	double limit_frac;
	double alpha; /* in (0, 1); anything else counts as 0.05 */
	enum method method;
};

struct comparison {
	struct summary base;
	struct summary candidate;
	enum method method; /* the one used */
	/*
	 * Candidate to base: of means (Fieller's interval), but with METHOD_MANN_WHITNEY the median
	 * of all pairwise ratios (and its order-statistic interval, which goes with the test).
	 * 0 when ratio_known is false.
	 */
	double ratio;
	bool ratio_known;
	struct interval ratio_ci; /* at 1 - alpha; needs four boots a side for ranks at 0.05 */
	double shift;		  /* Hodges-Lehmann, candidate minus base, in the series' unit */
	struct interval shift_ci;
	struct interval difference_ci; /* of the means, candidate minus base; Welch only */
	double p;		       /* two-sided, of no difference */
	bool p_known;
	double q;		/* p adjusted over the comparison; p until comparison_adjust() */
	double equivalence_p;	/* TOST within the limit; 1 when it cannot be shown */
	double effect;		/* Hedges' g, positive when the candidate's values are larger */
	bool effect_known;	/* false without variance */
	double detectable_frac; /* smallest change found with 80% power; 0 when unknown */
	/*
	 * Per side, to settle an inconclusive verdict if means and deviations stay as they are; at
	 * one boot a side the fewest that can settle any. 0: unknown, over 10000, or none.
	 */
	size_t boots_needed;
	enum verdict verdict;
	enum verdict_reason reason;
};

/* Estimates and tests; no verdict yet. A value that is not finite gives METHOD_NONE. */
struct comparison comparison_measure(const struct comparison_input *input);

/* Sets q of all that have a p: the false discovery rate over the whole array. */
void comparison_adjust(struct comparison *items, size_t count);

/*
 * Sets verdict, reason and boots_needed from the measured numbers; `input` is the one measured.
 * VERDICT_FAILED stands for values that are not finite.
 */
void comparison_decide(struct comparison *comparison, const struct comparison_input *input);

/*
 * One boot's value from its samples: the smallest of a deterministic metric, whose disturbances
 * only add, else the median. `scratch` has room for n values. n must be > 0.
 */
double boot_location(const double *samples, size_t n, bool deterministic, double *scratch);

/* "regressed", "welch", ... */
const char *verdict_name(enum verdict verdict);
const char *method_name(enum method method);

/* Reads what may be asked for: auto, welch, mann-whitney, exact; false for any other name. */
bool method_parse(const char *text, enum method *method);

#endif
