/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of doubles for the tests. */
#ifndef KREGRESS_TESTS_UNIT_ANALYZER_NEAR_H
#define KREGRESS_TESTS_UNIT_ANALYZER_NEAR_H

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

/* |actual - wanted| <= relative * |wanted|; fails for NaN. */
#define assert_near(actual, wanted, relative)                                                      \
	do {                                                                                       \
		double actual_ = (actual);                                                         \
		double wanted_ = (wanted);                                                         \
		if (!(fabs(actual_ - wanted_) <= (relative)*fabs(wanted_)))                        \
			fail_msg("%s is %.17g, not %.17g", #actual, actual_, wanted_);             \
	} while (0)

#define assert_between(actual, low, high)                                                          \
	do {                                                                                       \
		double between_ = (actual);                                                        \
		if (!(between_ >= (low) && between_ <= (high)))                                    \
			fail_msg("%s is %.17g, not from %.17g to %.17g", #actual, between_,        \
				 (double)(low), (double)(high));                                   \
	} while (0)

#endif
