/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "common/error.h"

static void set_formats_and_replaces(void **state)
{
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(error_set(&err, ERROR_DATA, "line %d", 3), -1);
	assert_int_equal(error_hint(&err, "read it again"), -1);
	assert_int_equal(error_set(&err, ERROR_USAGE, "after: %s", err.message), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.message, "after: line 3");
	assert_null(err.hint);
}

static void set_errno_names_the_cause(void **state)
{
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(error_set_errno(&err, ERROR_IO, ENOSPC, "%s: cannot write", "f"), -1);
	assert_string_equal(err.message, "f: cannot write: No space left on device");
}

static void wrap_puts_places_in_front(void **state)
{
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	error_set(&err, ERROR_DATA, "cause");
	error_hint(&err, "hint");
	assert_int_equal(error_wrap(&err, "line %d", 7), -1);
	assert_int_equal(error_wrap(&err, "file"), -1);
	assert_string_equal(err.message, "file: line 7: cause");
	assert_string_equal(err.hint, "hint");
	assert_int_equal(err.kind, ERROR_DATA);
}

static void first_hint_stays(void **state)
{
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	error_set(&err, ERROR_DATA, "cause");
	error_hint(&err, "near %s", "cause");
	error_hint(&err, "far");
	assert_string_equal(err.hint, "near cause");
}

static void clear_gives_no_error(void **state)
{
	struct error err = {0};

	(void)state;
	error_clear(&err);
	error_set(&err, ERROR_DATA, "cause");
	error_hint(&err, "hint");
	error_clear(&err);
	assert_int_equal(err.kind, ERROR_NONE);
	assert_null(err.message);
	assert_null(err.hint);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(set_formats_and_replaces),
		cmocka_unit_test(set_errno_names_the_cause),
		cmocka_unit_test(wrap_puts_places_in_front),
		cmocka_unit_test(first_hint_stays),
		cmocka_unit_test(clear_gives_no_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
