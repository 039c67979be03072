/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include "analyzer/comparison.h"
#include "analyzer/false_discovery.h"

/* R 4.2.2: p.adjust(p, "BH") */
static void test_adjust(void **state)
{
	const double p[] = {0.01, 0.02, 0.03, 0.04, 0.05, 0.005, 0.9, 0.04};
	const double wanted[] = {0.04, 0.16 / 3, 0.16 / 3, 0.16 / 3, 0.4 / 7, 0.04, 0.9, 0.16 / 3};
	double q[8];

	(void)state;
	false_discovery_adjust(p, q, 8);
	for (size_t i = 0; i < 8; i++)
		assert_near(q[i], wanted[i], 1e-14);
	false_discovery_adjust(p, q, 0);
	false_discovery_adjust(p, q, 1);
	assert_near(q[0], 0.01, 0);
}

static void test_only_known_p_count(void **state)
{
	struct comparison items[3] = {
		{.p = 0.01, .p_known = true}, {.p = 1, .q = 1}, {.p = 0.04, .p_known = true}};

	(void)state;
	comparison_adjust(items, 3);
	assert_near(items[0].q, 0.02, 1e-15);
	assert_near(items[1].q, 1, 0);
	assert_near(items[2].q, 0.04, 1e-15);
	comparison_adjust(items, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_adjust),
		cmocka_unit_test(test_only_known_p_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
