/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "common/cleanup.h"
#include "common/string_index.h"

static void finds_what_was_added(void **state)
{
	_cleanup_(string_index_release) struct string_index index = {0};
	char key[32];
	size_t value;

	(void)state;
	assert_false(string_index_find(&index, "7", &value));
	for (size_t i = 0; i < 5000; i++) {
		snprintf(key, sizeof(key), "%zu", i * 7919 % 5000);
		assert_true(string_index_add(&index, key, i));
	}
	for (size_t i = 0; i < 5000; i++) {
		snprintf(key, sizeof(key), "%zu", i * 7919 % 5000);
		assert_true(string_index_find(&index, key, &value));
		assert_int_equal(value, i);
	}
	assert_false(string_index_find(&index, "5000", &value));
	assert_false(string_index_find(&index, "", &value));
}

static void keeps_the_first_value(void **state)
{
	_cleanup_(string_index_release) struct string_index index = {0};
	size_t value = 0;

	(void)state;
	assert_true(string_index_add(&index, "a", 1));
	assert_false(string_index_add(&index, "a", 2));
	assert_true(string_index_find(&index, "a", &value));
	assert_int_equal(value, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_was_added),
		cmocka_unit_test(keeps_the_first_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
