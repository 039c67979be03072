/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What cmocka wants before it, and comparison of numbers, which cmocka 1.1.5 lacks. */
#ifndef KREGRESS_TESTS_UNIT_BISECT_UNIT_H
#define KREGRESS_TESTS_UNIT_BISECT_UNIT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define assert_within(value, expected, tolerance)                                                  \
	do {                                                                                       \
		double value_ = (value);                                                           \
		double expected_ = (expected);                                                     \
		if (!(fabs(value_ - expected_) <= (tolerance))) {                                  \
			print_error("%s is %.17g, not %.17g\n", #value, value_, expected_);        \
			fail();                                                                    \
		}                                                                                  \
	} while (0)

#endif
