/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "reports/environment_diff.h"

static void add(struct report_variant *variant, const char *key, const char *value)
{
	struct environment_item *item = array_append(&variant->environment);

	item->key = xstrdup(key);
	item->value = xstrdup(value);
}

static void release(struct report_variant *variant)
{
	array_for_each (item, &variant->environment) {
		free(item->key);
		free(item->value);
	}
	array_release(&variant->environment);
}

static void only_differences_are_listed(void **state)
{
	struct report_variant base = {0}, candidate = {0};
	struct environment_diff diff;

	(void)state;
	add(&base, "thp", "madvise");
	add(&base, "cpu.model", "x");
	add(&base, "gone", "1");
	add(&candidate, "cpu.model", "x");
	add(&candidate, "thp", "always");
	add(&candidate, "added", "2");
	diff = environment_diff_of(&base, &candidate);
	assert_int_equal(diff.same, 1);
	assert_int_equal(diff.items.count, 3);
	assert_string_equal(diff.items.items[0].key, "added");
	assert_null(diff.items.items[0].base);
	assert_string_equal(diff.items.items[0].candidate, "2");
	assert_string_equal(diff.items.items[1].key, "gone");
	assert_null(diff.items.items[1].candidate);
	assert_string_equal(diff.items.items[2].base, "madvise");
	assert_string_equal(diff.items.items[2].candidate, "always");
	environment_diff_release(&diff);
	release(&base);
	release(&candidate);
}

static void nothing_known_is_no_difference(void **state)
{
	struct report_variant base = {0}, candidate = {0};
	struct environment_diff diff = environment_diff_of(&base, &candidate);

	(void)state;
	assert_int_equal(diff.items.count, 0);
	assert_int_equal(diff.same, 0);
	environment_diff_release(&diff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_differences_are_listed),
		cmocka_unit_test(nothing_known_is_no_difference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
