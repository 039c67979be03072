/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values beside what benchstat prints of them. */
#ifndef KREGRESS_TESTS_UNIT_ANALYZER_PRINTED_H
#define KREGRESS_TESTS_UNIT_ANALYZER_PRINTED_H

#include "tests/unit/analyzer/near.h"

#include "analyzer/median_interval.h"

/* Fails unless `actual`, rounded to a multiple of `step`, is `printed`. A tie may go either way. */
#define assert_printed(actual, printed, step)                                                      \
	do {                                                                                       \
		double printed_actual_ = (actual);                                                 \
		double printed_ = (printed);                                                       \
		if (!(fabs(printed_actual_ - printed_) <= 0.5 * (step) * (1 + 1e-9)))              \
			fail_msg("%s is %.17g, printed as %.9g", #actual, printed_actual_,         \
				 printed_);                                                        \
	} while (0)

/* The same at four significant digits, as benchstat prints medians; `printed` > 0. */
#define assert_printed_4(actual, printed)                                                          \
	assert_printed(actual, printed, pow(10, floor(log10(printed)) - 3))

/* What stands behind its plus-minus sign: the farther end's distance in percent of the median. */
static inline double half_width_percent(const struct median_interval *median)
{
	assert_true(median->interval.known);
	return 100 * fmax(median->interval.high / median->median - 1,
			  1 - median->interval.low / median->median);
}

#endif
