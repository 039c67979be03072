/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/array.h"

struct pair {
	int left;
	int right;
};

static void append_gives_zeroed_elements(void **state)
{
	ARRAY_OF(struct pair) array = {0};
	int sum = 0;

	(void)state;
	array_for_each (pair, &array)
		sum += pair->left;
	for (int i = 0; i < 1000; i++) {
		struct pair *pair = array_append(&array);

		assert_int_equal(pair->left, 0);
		assert_int_equal(pair->right, 0);
		pair->left = i;
		pair->right = -i;
	}
	array_for_each (pair, &array) {
		sum += pair->left;
		assert_int_equal(pair->right, -pair->left);
	}
	assert_int_equal(array.count, 1000);
	assert_int_equal(sum, 499500);
	array_release(&array);
	assert_null(array.items);
	assert_int_equal(array.count, 0);
	assert_int_equal(array.capacity, 0);
}

static void string_list_owns_copies(void **state)
{
	_cleanup_(string_list_release) struct string_list list = {0};
	char text[] = "one";

	(void)state;
	string_list_add(&list, text);
	text[0] = 'X';
	assert_string_equal(list.items[0], "one");
	assert_true(string_list_contains(&list, "one"));
	assert_false(string_list_contains(&list, "on"));
}

static void string_list_split_drops_empty_parts(void **state)
{
	_cleanup_(string_list_release) struct string_list list = {0};

	(void)state;
	string_list_split(&list, "", ",");
	string_list_split(&list, ",, ,", ", ");
	assert_int_equal(list.count, 0);
	string_list_split(&list, ",a, b,,cd ", ", ");
	assert_int_equal(list.count, 3);
	assert_string_equal(list.items[0], "a");
	assert_string_equal(list.items[1], "b");
	assert_string_equal(list.items[2], "cd");
}

static void replace_string_takes_a_copy_of_itself(void **state)
{
	_cleanup_free_ char *slot = xstrdup("prefix-name");

	(void)state;
	replace_string(&slot, slot + 7);
	assert_string_equal(slot, "name");
	replace_string(&slot, NULL);
	assert_null(slot);
}

static void take_pointer_leaves_null(void **state)
{
	char *text = xstrdup("text");
	char *taken = take_pointer(text);

	(void)state;
	assert_null(text);
	assert_string_equal(taken, "text");
	free(taken);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(append_gives_zeroed_elements),
		cmocka_unit_test(string_list_owns_copies),
		cmocka_unit_test(string_list_split_drops_empty_parts),
		cmocka_unit_test(replace_string_takes_a_copy_of_itself),
		cmocka_unit_test(take_pointer_leaves_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
