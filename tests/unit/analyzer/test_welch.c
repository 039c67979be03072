/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <float.h>

#include "analyzer/student.h"
#include "analyzer/welch.h"

/* Student's sleep data (1908), as in R's data set "sleep". */
static const double sleep_1[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
static const double sleep_2[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

/* R 4.2.2: t.test(sleep_2, sleep_1), and with conf.level = 0.99 */
static void test_sleep(void **state)
{
	struct moments base = moments_of(sleep_1, 10);
	struct moments candidate = moments_of(sleep_2, 10);
	struct welch welch = welch_test(&base, &candidate, 0.05);

	(void)state;
	assert_true(welch.known);
	assert_near(welch.t, 1.86081346748685306, 1e-13);
	assert_near(welch.df, 17.77647351617849836, 1e-13);
	assert_near(welch.p, 0.07939414018735817, 1e-12);
	assert_near(welch.interval.low, -0.20548323071171018, 1e-11);
	assert_near(welch.interval.high, 3.36548323071171041, 1e-12);
	welch = welch_test(&base, &candidate, 0.01);
	assert_near(welch.interval.low, -0.8676329199190396, 1e-11);
	assert_near(welch.interval.high, 4.0276329199190402, 1e-12);
}

/*
 * NIST AtmWtAgt: the atomic weight of silver by two instruments, in units of 1e-7 above 107.868.
 * Large numbers that differ in the last digits. With equal n Welch's t is the pooled one, whose
 * square is the certified F statistic.
 */
static const int silver_1[] = {1568, 1465, 1572, 1785, 1446, 1903, 1526, 1494,
			       1616, 1587, 1519, 1486, 1419, 1569, 1508, 1672,
			       1385, 1518, 1662, 1424, 1360, 1333, 1610, 1477};
static const int silver_2[] = {1079, 1344, 1513, 1197, 1604, 1385, 1642, 1365,
			       1151, 1082, 1517, 1448, 1198, 1482, 1334, 1609,
			       1101, 1512, 1469, 1360, 1254, 1261, 1450, 1368};

static void test_silver(void **state)
{
	double base_values[24];
	double candidate_values[24];
	struct moments base, candidate;
	struct welch welch;

	(void)state;
	for (size_t i = 0; i < 24; i++) {
		base_values[i] = (1078680000 + silver_1[i]) / 1e7;
		candidate_values[i] = (1078680000 + silver_2[i]) / 1e7;
	}
	base = moments_of(base_values, 24);
	candidate = moments_of(candidate_values, 24);
	welch = welch_test(&base, &candidate, 0.05);
	assert_near(welch.t * welch.t, 15.9467335677930, 1e-9);
	assert_near(fabs(welch.t), 3.99333614510386, 1e-9);
	assert_between(welch.df, 23, 46);
}

static void test_unknown(void **state)
{
	const double one[] = {3};
	const double equal[] = {3, 3, 3};
	struct moments single = moments_of(one, 1);
	struct moments constant = moments_of(equal, 3);
	struct moments varied = moments_of(sleep_1, 10);
	struct welch welch;

	(void)state;
	assert_false(welch_test(&single, &varied, 0.05).known);
	assert_false(welch_test(&varied, &single, 0.05).known);
	assert_false(welch_test(&constant, &constant, 0.05).known);
	welch = welch_test(&constant, &varied, 0.05);
	assert_true(welch.known);
	assert_near(welch.df, 9, 1e-15);
}

/* R 4.2.2: pt() and qt() */
static void test_student(void **state)
{
	(void)state;
	assert_near(student_two_sided(2.5, 3.7), 7.182202291182675e-02, 1e-12);
	assert_near(student_two_sided(-12, 57.3), 2.863161197262297e-17, 1e-8);
	assert_near(student_two_sided(1e5, 4), 5.999999995999981e-20, 1e-12);
	assert_near(student_quantile(0.025, 3.7), 2.8675207071911930, 1e-13);
	assert_near(student_quantile(0.005, 1), 63.6567411628715831, 1e-13);
	assert_near(student_quantile(0.2, 57.3), 0.8479392573843878, 1e-13);
	assert_near(student_quantile(0.975, 3.7), -2.8675207071911930, 1e-13);
	assert_between(student_two_sided(1e300, 1), DBL_MIN, 1e-99);
	assert_between(student_two_sided(1e300, 1e6), DBL_MIN, 1e-99);
	assert_near(student_two_sided(0, 5), 1, 0);
	assert_between(student_quantile(1e-300, 1), 1e99, 1e101);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sleep),
		cmocka_unit_test(test_silver),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_student),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
