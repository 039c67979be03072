/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include "analyzer/subset_sum.h"
#include "common/array.h"

/* Every subset by itself; the values are whole numbers, so the sums are exact. */
static struct subset_count enumerate(const double *values, size_t n, size_t size, double low,
				     double high)
{
	struct subset_count count = {0};

	for (unsigned int mask = 0; mask < 1u << n; mask++) {
		double sum = 0;

		if (size != SUBSET_ANY_SIZE && (size_t)__builtin_popcount(mask) != size)
			continue;
		for (size_t i = 0; i < n; i++)
			sum += mask >> i & 1 ? values[i] : 0;
		count.total++;
		count.at_most += sum <= low;
		count.at_least += sum >= high;
	}
	return count;
}

static void test_against_enumeration(void **state)
{
	const double values[] = {3, -2, 7, 7, 0, 11, -5, 4, 1, 2, 6};

	(void)state;
	for (size_t n = 0; n <= ARRAY_SIZE(values); n++) {
		for (size_t size = 0; size <= n + 1; size++) {
			size_t asked = size > n ? SUBSET_ANY_SIZE : size;
			double low = (double)(n % 7);
			struct subset_count wanted = enumerate(values, n, asked, low, low + 4);
			struct subset_count actual =
				subset_sum_count(values, n, asked, low, low + 4);

			assert_near(actual.total, wanted.total, 0);
			assert_near(actual.at_most, wanted.at_most, 0);
			assert_near(actual.at_least, wanted.at_least, 0);
		}
	}
}

static void test_largest(void **state)
{
	double ones[SUBSET_SUM_MAX];
	struct subset_count count;

	(void)state;
	for (size_t i = 0; i < SUBSET_SUM_MAX; i++)
		ones[i] = 1;
	count = subset_sum_count(ones, SUBSET_SUM_MAX, 18, 17, 18);
	assert_near(count.total, 9075135300.0, 0); /* 36 over 18 */
	assert_near(count.at_least, 9075135300.0, 0);
	assert_near(count.at_most, 0, 0);
	count = subset_sum_count(ones, SUBSET_SUM_MAX, SUBSET_ANY_SIZE, 1, 35);
	assert_near(count.total, 68719476736.0, 0); /* 2^36 */
	assert_near(count.at_most, 37, 0);
	assert_near(count.at_least, 37, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_enumeration),
		cmocka_unit_test(test_largest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
