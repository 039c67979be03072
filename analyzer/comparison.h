/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparison of two sides of a series, from boot values to a verdict.
 *
 * The replicates are boots: within a boot, samples are first reduced to one value by
 * boot_location(). comparison_measure() then estimates and tests one series, comparison_adjust()
 * controls the false alarms over all series of a comparison, and comparison_decide() gives the
 * verdict. Pure: no IO, no clock, no state; what is resampled starts from a given seed.
 *
 * No field is ever NaN or infinite; a magnitude beyond the range of double is held at DBL_MAX.
 * docs/statistics.md tells which method is used when, and how a verdict comes about.
 */
#ifndef KREGRESS_ANALYZER_COMPARISON_H
#define KREGRESS_ANALYZER_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/adjustment.h"
#include "analyzer/interval.h"
#include "common/metric.h"

enum verdict {
	VERDICT_INCONCLUSIVE,
	VERDICT_REGRESSED,
	VERDICT_IMPROVED,
	VERDICT_EQUIVALENT,
	VERDICT_FAILED,
};

/*
 * Fewer complete blocks than this are not taken for pairs unasked: pairing halves the degrees of
 * freedom, and with nine blocks costs more than five points of power for a change of one standard
 * deviation where nothing drifts (docs/statistics.md).
 */
#define COMPARISON_BLOCKS_MIN 10

enum method {
	/*
	 * Exact for deterministic metrics without variance; paired where both sides were booted in
	 * the same COMPARISON_BLOCKS_MIN or more blocks; else Welch.
	 */
	METHOD_AUTO,
	METHOD_WELCH,		  /* t test of the means */
	METHOD_MANN_WHITNEY,	  /* ranks */
	METHOD_PERMUTATION,	  /* the difference of the means, over all exchanges */
	METHOD_BRUNNER_MUNZEL,	  /* how often the candidate is larger, spreads may differ */
	METHOD_KS,		  /* any difference of the distributions */
	METHOD_YUEN,		  /* t test of 20% trimmed means */
	METHOD_PAIRED,		  /* t test of the differences within blocks */
	METHOD_SIGNED_RANK,	  /* ranks of the differences within blocks */
	METHOD_BLOCK_PERMUTATION, /* the mean difference, over all exchanges within blocks */
	/* Values without variance, compared as they are; has no p. On request only for such. */
	METHOD_EXACT,
	METHOD_NONE, /* nothing could be tested: a side has fewer than two boots */
};

/* Why the method is the one that was used. */
enum method_reason {
	METHOD_REASON_NONE, /* nothing was tested */
	METHOD_REASON_REQUESTED,
	METHOD_REASON_DETERMINISTIC,   /* exact: no value varies, and none should */
	METHOD_REASON_BLOCKS,	       /* paired: enough complete blocks */
	METHOD_REASON_NOT_INTERLEAVED, /* unpaired: no blocks were given */
	METHOD_REASON_FEW_BLOCKS,      /* unpaired: fewer than COMPARISON_BLOCKS_MIN */
	METHOD_REASON_UNEQUAL_BLOCKS,  /* unpaired: a block lacks one of the sides */
	METHOD_REASON_NO_PAIRS,	       /* pairs were asked for; fewer than two complete blocks */
	METHOD_REASON_VARIES,	       /* exact was asked for; values vary */
	METHOD_REASON_NO_VARIANCE,     /* the first choice has no error to go by */
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
	/*
	 * Block of each boot in the schedule that interleaved both sides, or NULL: block numbers of
	 * separate collections say nothing about each other.
	 */
	const uint32_t *base_block;
	const uint32_t *candidate_block;
	unsigned long seed; /* of the permutation tests with too many permutations to count */
};

struct comparison {
	struct summary base;
	struct summary candidate;
	enum method method; /* the one used */
	enum method_reason method_reason;
	size_t blocks; /* complete blocks that were paired; 0 for an unpaired method */
	/*
	 * Candidate to base, with the interval that goes with the test; docs/statistics.md has it
	 * for each method. Of the means, the trimmed means, or the median of all ratios between
	 * values of the two sides. 0 when ratio_known is false.
	 */
	double ratio;
	bool ratio_known;
	struct interval ratio_ci; /* at 1 - alpha; needs four boots a side for ranks at 0.05 */
	/* Hodges-Lehmann, of pairs with a paired method; candidate minus base, the series' unit. */
	double shift;
	struct interval shift_ci;
	/* Of the (trimmed) means, candidate minus base; not with methods of ranks. */
	struct interval difference_ci;
	double p; /* two-sided, of no difference */
	bool p_known;
	/* Holds the exact p with 99% confidence; known only where p comes from resampling. */
	struct interval p_ci;
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

/* Sets q of all that have a p: the false discovery rate over the whole array (ADJUSTMENT_BH). */
void comparison_adjust(struct comparison *items, size_t count);
void comparison_adjust_by(struct comparison *items, size_t count, enum adjustment adjustment);

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

/* Reads what may be asked for, METHOD_AUTO to METHOD_EXACT; false for any other name. */
bool method_parse(const char *text, enum method *method);

/* "interleaved in 10 complete blocks or more", ...; "" for METHOD_REASON_NONE. */
const char *method_reason_text(enum method_reason reason);

#endif
