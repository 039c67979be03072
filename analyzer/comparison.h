/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparison of two sides of a series, from boot values to a verdict.
 *
 * The replicates are boots: within a boot, samples are first reduced to one value by
 * boot_location(). comparison_measure() then estimates and tests one series, comparison_adjust()
 * controls the false discovery rate over all series of a comparison (Benjamini & Hochberg 1995),
 * and comparison_decide() gives the verdict. Pure: no IO, no clock, no state, no randomness.
 */
#ifndef KREGRESS_ANALYZER_COMPARISON_H
#define KREGRESS_ANALYZER_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>

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
	METHOD_WELCH,
	METHOD_MANN_WHITNEY,
	METHOD_EXACT, /* values without variance, compared as they are; has no p */
	METHOD_NONE,  /* nothing could be computed */
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
	REASON_ZERO_BASE, /* a ratio to zero or to mixed signs has no meaning */
};

struct interval {
	double low;
	double high;
	bool known; /* false: could not be computed; low and high are 0 then */
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
	double limit_frac;  /* practical limit, 0.02 for 2% */
	double alpha;
	enum method method;
};

struct comparison {
	struct summary base;
	struct summary candidate;
	enum method method; /* the one used */
	double ratio;	    /* of means, candidate to base; 0 when ratio_known is false */
	bool ratio_known;
	struct interval ratio_ci; /* at 1 - alpha */
	double shift;		  /* Hodges-Lehmann, candidate minus base, in the series' unit */
	struct interval shift_ci;
	double p; /* two-sided, of no difference */
	bool p_known;
	double q;		/* p adjusted over the comparison; set by comparison_adjust() */
	double equivalence_p;	/* TOST within the limit; 1 when it cannot be shown */
	double effect;		/* Hedges' g, positive when the candidate's values are larger */
	bool effect_known;	/* false without variance */
	double detectable_frac; /* smallest change found with 80% power; 0 when unknown */
	size_t boots_needed; /* per side, to settle an inconclusive verdict; 0: unknown or none */
	enum verdict verdict;
	enum verdict_reason reason;
};

/* Estimates and tests; no verdict yet. */
struct comparison comparison_measure(const struct comparison_input *input);

/* Sets q of all that have a p: the false discovery rate over the whole array. */
void comparison_adjust(struct comparison *items, size_t count);

/* Sets verdict, reason and boots_needed from the measured numbers. */
void comparison_decide(struct comparison *comparison, const struct comparison_input *input);

/*
 * One boot's value from its samples: the smallest of a deterministic metric, whose disturbances
 * only add, else the median. `scratch` has room for n values. n must be > 0.
 */
double boot_location(const double *samples, size_t n, bool deterministic, double *scratch);

/* "regressed", "welch", ...; parse gives false for a name that is not known. */
const char *verdict_name(enum verdict verdict);
const char *method_name(enum method method);
bool method_parse(const char *text, enum method *method);

#endif
