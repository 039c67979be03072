/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "collector/agent/pattern.h"

static void test_label(void **state)
{
	char label[BENCH_LABEL_MAX];

	(void)state;
	bench_label(label, "mm.fork", "");
	assert_string_equal(label, "mm.fork");
	bench_label(label, "mm.kmalloc", "size=64");
	assert_string_equal(label, "mm.kmalloc[size=64]");
}

static void test_matches(void **state)
{
	static const struct {
		const char *pattern, *name, *params;
		bool matches;
	} cases[] = {
		{"mm.fork", "mm.fork", "", true},
		{"mm.fork", "mm.forked", "", false},
		{"mm.*", "mm.fork", "", true},
		{"mm.*", "lock.spin", "", false},
		{"*", "lock.spin", "", true},
		{"lock.spin_[a-i]*", "lock.spin_irq", "", true},
		{"lock.spin_[a-h]*", "lock.spin_irq", "", false},
		{"mm.kmalloc", "mm.kmalloc", "size=64", true},
		{"mm.kmalloc*", "mm.kmalloc", "size=64", true},
		{"mm.kmalloc[size=64]", "mm.kmalloc", "size=64", true},
		{"mm.kmalloc[size=64]", "mm.kmalloc", "size=4096", false},
		{"mm.kmalloc[size=64]", "mm.kmallocs", "", false},
		{"mm.kmalloc[size=*]", "mm.kmalloc", "size=4096", true},
		{"mm.kmalloc[size=*]", "mm.kmalloc", "", false},
		{"sched.messaging[groups=1,fan=5]", "sched.messaging", "groups=1,fan=5", true},
		{"sched.messaging[groups=1]", "sched.messaging", "groups=1,fan=5", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (pattern_matches(cases[i].pattern, cases[i].name, cases[i].params) !=
		    cases[i].matches)
			fail_msg("'%s' and '%s[%s]'", cases[i].pattern, cases[i].name,
				 cases[i].params);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_label),
		cmocka_unit_test(test_matches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
