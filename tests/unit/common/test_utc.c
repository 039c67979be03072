/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/utc.h"

static void assert_text(time_t time, const char *expected)
{
	_cleanup_free_ char *text = utc_text(time);

	assert_string_equal(text, expected);
}

/* The seconds are those that `date -u -d TEXT +%s` prints. */
static void times_are_utc_whatever_the_zone(void **state)
{
	(void)state;
	assert_int_equal(setenv("TZ", "Asia/Kolkata", 1), 0);
	tzset();
	assert_text(0, "1970-01-01T00:00:00Z");
	assert_text(951782399, "2000-02-28T23:59:59Z");
	assert_text(951868799, "2000-02-29T23:59:59Z");
	assert_text(1796070787, "2026-11-30T20:33:07Z");
	assert_text(-1, "1969-12-31T23:59:59Z");
}

static void the_order_as_text_is_that_in_time(void **state)
{
	static const time_t times[] = {-86400, 0,     9,     10,	 59,
				       60,     86399, 86400, 1796070787, 4102444800};

	(void)state;
	for (size_t i = 1; i < sizeof(times) / sizeof(times[0]); i++) {
		_cleanup_free_ char *before = utc_text(times[i - 1]), *after = utc_text(times[i]);

		assert_true(strcmp(before, after) < 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_utc_whatever_the_zone),
		cmocka_unit_test(the_order_as_text_is_that_in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
