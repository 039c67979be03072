/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evidence of a script that only passes or fails. With fail probabilities 0 and 1 this is plain
 * bisection; with known rates between, or unknown ones (beta prior, integrated out), a flaky test.
 */
#ifndef KREGRESS_BISECT_CORE_OUTCOME_H
#define KREGRESS_BISECT_CORE_OUTCOME_H

#include <stddef.h>

/* The probability that a run fails: known, or unknown with a Beta(a, b) prior. */
struct fail_rate {
	double known; /* in [0, 1]; negative: unknown */
	double a;
	double b;
};

#define FAIL_RATE_NEVER                                                                            \
	{                                                                                          \
		0, 1, 1                                                                            \
	}
#define FAIL_RATE_ALWAYS                                                                           \
	{                                                                                          \
		1, 1, 1                                                                            \
	}

/* Natural logarithm of the probability of these runs in their order; -infinity when impossible. */
double outcome_log_likelihood(const struct fail_rate *rate, size_t passes, size_t fails);

/*
 * Natural logarithm of how much likelier "slow commits fail more often" is after these runs than it
 * was before: both rates unknown, else 0. `slow->a` is a whole number. The sum is exact:
 * P(B > A) for two beta variables (Cook, "Exact calculation of beta inequalities", 2005).
 */
double outcome_log_ordered(const struct fail_rate *fast, const struct fail_rate *slow,
			   const size_t passes[2], const size_t fails[2]);

/* Probability that the next run fails. */
double outcome_fail_probability(const struct fail_rate *rate, size_t passes, size_t fails);

#endif
