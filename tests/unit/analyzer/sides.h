/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short ways to a comparison for the tests. */
#ifndef KREGRESS_TESTS_UNIT_ANALYZER_SIDES_H
#define KREGRESS_TESTS_UNIT_ANALYZER_SIDES_H

#include "analyzer/comparison.h"

#include "common/array.h"

/* A comparison at 5% with a limit of 2%, lower is better; to be changed before use. */
static inline struct comparison_input sides(const double *base, size_t n_base,
					    const double *candidate, size_t n_candidate)
{
	return (struct comparison_input){.base = base,
					 .n_base = n_base,
					 .candidate = candidate,
					 .n_candidate = n_candidate,
					 .better = BETTER_LOWER,
					 .limit_frac = 0.02,
					 .alpha = 0.05};
}

#define SIDES(base, candidate) sides(base, ARRAY_SIZE(base), candidate, ARRAY_SIZE(candidate))

static inline struct comparison compare(const struct comparison_input *input)
{
	struct comparison comparison = comparison_measure(input);

	comparison_adjust(&comparison, 1);
	comparison_decide(&comparison, input);
	return comparison;
}

#endif
