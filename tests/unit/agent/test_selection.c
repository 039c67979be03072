/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "collector/agent/selection.h"

static const char *patterns[4];
static struct plan plan = {.patterns = patterns};

static bool needs_kernel(const char *first, const char *second)
{
	patterns[0] = first;
	patterns[1] = second;
	plan.pattern_count = second ? 2 : 1;
	return selection_needs_kernel(&plan);
}

static void test_module_is_needed_only_where_it_can_matter(void **state)
{
	(void)state;
	assert_false(needs_kernel("mm.fork", NULL));
	assert_false(needs_kernel("mm.mmap[size=1M]", "sched.messaging"));
	assert_false(needs_kernel("syscall.*", "ipc.p*"));
	assert_false(needs_kernel("signal.*", "mem.*"));
	assert_false(needs_kernel("file.*", "tool.*"));
	assert_true(needs_kernel("*", NULL));
	assert_true(needs_kernel("mm.*", NULL));
	assert_true(needs_kernel("mm.fork", "lock.spin"));
}

static void test_tools_of_the_plan_are_known(void **state)
{
	struct plan_tool tool = {.name = "tool.x", .params = "a=1"};
	const struct plan with_tool = {.tools = &tool, .tool_count = 1};

	(void)state;
	assert_true(selection_is_tool(&with_tool, "tool.*"));
	assert_true(selection_is_tool(&with_tool, "tool.x[a=1]"));
	assert_false(selection_is_tool(&with_tool, "tool.x[a=2]"));
	assert_false(selection_is_tool(&plan, "tool.*"));
}

static struct kernel_list make_list(void)
{
	char *text = strdup("lock.spin\tpreempt-off\tx\nrcu.read_lock\tpreemptible\tx\n"
			    "lock.mutex\tpreemptible\tx\n");
	struct kernel_list list;
	struct fault fault;

	assert_int_equal(kernel_list_parse(&list, text, &fault), 0);
	return list;
}

static void test_both_tables_are_known(void **state)
{
	struct kernel_list list = make_list();
	const struct kernel_list none = {0};

	(void)state;
	assert_true(selection_is_known("rcu.*", &list));
	assert_true(selection_is_known("mm.fork", &list));
	assert_false(selection_is_known("mm.frok", &list));
	assert_false(selection_is_known("rcu.*", &none));
	kernel_list_release(&list);
}

static void test_groups_are_sorted_and_single(void **state)
{
	struct kernel_list list = make_list();
	char text[256], cut[8];

	(void)state;
	selection_groups(&list, text, sizeof(text));
	assert_string_equal(text,
			    "file, ipc, lock, mem, mm, net, rcu, sched, signal, syscall, timer");
	selection_groups(&list, cut, sizeof(cut));
	assert_string_equal(cut, "file, i");
	kernel_list_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_module_is_needed_only_where_it_can_matter),
		cmocka_unit_test(test_both_tables_are_known),
		cmocka_unit_test(test_tools_of_the_plan_are_known),
		cmocka_unit_test(test_groups_are_sorted_and_single),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
