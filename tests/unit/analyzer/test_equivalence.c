/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include "analyzer/equivalence.h"
#include "analyzer/student.h"
#include "analyzer/welch.h"

static const double a[] = {100, 100.4, 99.7, 100.1, 99.9};
static const double b[] = {100.6, 100.2, 100.9, 100.5, 100.1};
static const double inverse_a[] = {1 / 100., 1 / 100.4, 1 / 99.7, 1 / 100.1, 1 / 99.9};
static const double inverse_b[] = {1 / 100.6, 1 / 100.2, 1 / 100.9, 1 / 100.5, 1 / 100.1};

/* Each of the two tests is Welch's, of the candidate against the base times the limit. */
static void test_is_two_welch_tests(void **state)
{
	struct moments base = moments_of(a, 5);
	struct moments candidate = moments_of(b, 5);
	struct moments low = {5, base.mean / 1.02, base.sd / 1.02};
	struct moments high = {5, base.mean * 1.02, base.sd * 1.02};
	struct welch above = welch_test(&low, &candidate, 0.05);
	struct welch below = welch_test(&high, &candidate, 0.05);
	double p = equivalence_of_means(&base, &candidate, 0.02);

	(void)state;
	assert_true(above.t > 0 && below.t < 0);
	assert_near(p, fmax(above.p, below.p) / 2, 1e-10);
	assert_true(p < 1e-4);
	assert_true(equivalence_of_means(&base, &candidate, 0.005) > 0.05);
}

static void test_exchange(void **state)
{
	struct moments base = moments_of(a, 5);
	struct moments candidate = moments_of(b, 5);

	(void)state;
	assert_near(equivalence_of_means(&base, &candidate, 0.01),
		    equivalence_of_means(&candidate, &base, 0.01), 1e-10);
	assert_near(equivalence_of_ranks(a, 5, b, 5, 0.01), equivalence_of_ranks(b, 5, a, 5, 0.01),
		    1e-14);
	assert_near(equivalence_of_ranks(a, 5, b, 5, 0.02),
		    equivalence_of_ranks(inverse_a, 5, inverse_b, 5, 0.02), 1e-14);
}

/* All values lie within 2%: both one-sided rank tests reach the smallest p, 1 / binomial(10, 5). */
static void test_ranks(void **state)
{
	const double negative_a[] = {-100, -100.4, -99.7, -100.1, -99.9};
	const double negative_b[] = {-100.6, -100.2, -100.9, -100.5, -100.1};

	(void)state;
	assert_near(equivalence_of_ranks(a, 5, b, 5, 0.02), 1 / 252., 1e-14);
	assert_near(equivalence_of_ranks(negative_a, 5, negative_b, 5, 0.02), 1 / 252., 1e-14);
	assert_true(equivalence_of_ranks(a, 5, b, 5, 0.005) > 0.05);
	assert_near(equivalence_of_ranks(a, 5, negative_b, 5, 0.02), 1, 0);
}

static void test_cannot_be_shown(void **state)
{
	const double around_zero[] = {-1, 1, 0};
	struct moments base = moments_of(a, 5);
	struct moments zero = moments_of(around_zero, 3);
	struct moments one = moments_of(a, 1);

	(void)state;
	assert_near(equivalence_of_means(&base, &base, 0), 1, 0);
	assert_near(equivalence_of_means(&base, &base, NAN), 1, 0);
	assert_near(equivalence_of_means(&zero, &base, 0.02), 1, 0);
	assert_near(equivalence_of_means(&base, &zero, 0.02), 1, 0);
	assert_near(equivalence_of_means(&one, &base, 0.02), 1, 0);
	assert_near(equivalence_of_ranks(around_zero, 3, a, 5, 0.02), 1, 0);
	assert_near(equivalence_of_ranks(a, 5, b, 5, 0), 1, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_is_two_welch_tests),
		cmocka_unit_test(test_exchange),
		cmocka_unit_test(test_ranks),
		cmocka_unit_test(test_cannot_be_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
