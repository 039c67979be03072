/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <math.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analyzer/noise_floor.h"
#include "common/array.h"

static struct noise_floor floor_of(const double *first, const double *second, size_t n)
{
	const struct noise_floor_input input = {
		.first = first,
		.second = second,
		.n_blocks = n,
		.better = BETTER_LOWER,
		.alpha = 0.05,
		.seed = 7,
	};

	return noise_floor_of(&input);
}

/*
 * Three blocks have four arrangements that differ in more than the sides' names: sums 33 : 36,
 * 34 : 35, 35 : 34, 33 : 36 of the values below. The 95% quantile (type 7) of their changes lies
 * .85 of the way from the third to the fourth.
 */
static void test_enumerated(void **state)
{
	const double first[] = {10, 11, 12};
	const double second[] = {11, 12, 13};
	const double changes[] = {35.0 / 34 - 1, 35.0 / 34 - 1, 35.0 / 34 - 1, 36.0 / 33 - 1};
	struct noise_floor floor = floor_of(first, second, 3);

	(void)state;
	assert_true(floor.known);
	assert_int_equal(floor.blocks, 3);
	assert_int_equal(floor.replicates, 4);
	assert_near(floor.floor_frac, changes[2] + 0.85 * (changes[3] - changes[2]), 1e-12);
	assert_true(floor.false_alarm_frac >= 0 && floor.false_alarm_frac <= 1);
}

/* With sd 1% and n boots a side a difference of means has sd 1% sqrt(2 / n), 1.96 of it is passed
 * by 5%. */
static void test_known_noise(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double total_frac = 0, alarms_frac = 0;
	double first[20], second[20];

	(void)state;
	gsl_rng_set(random, 20261130);
	for (int i = 0; i < 40; i++) {
		struct noise_floor floor;

		for (size_t j = 0; j < ARRAY_SIZE(first); j++) {
			first[j] = 100 + gsl_ran_gaussian(random, 1);
			second[j] = 100 + gsl_ran_gaussian(random, 1);
		}
		floor = floor_of(first, second, ARRAY_SIZE(first));
		assert_true(floor.known);
		assert_int_equal(floor.replicates, NOISE_FLOOR_REPLICATES);
		total_frac += floor.floor_frac / 40;
		alarms_frac += floor.false_alarm_frac / 40;
	}
	gsl_rng_free(random);
	assert_true(fabs(total_frac - 0.0062) < 0.0008);
	assert_true(alarms_frac > 0.02 && alarms_frac < 0.08);
}

static void test_repeatable(void **state)
{
	double first[12], second[12];
	struct noise_floor one, two;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(first); i++) {
		first[i] = 10 + (double)(i * i % 7);
		second[i] = 10 + (double)(i * 3 % 5);
	}
	one = floor_of(first, second, 12);
	two = floor_of(first, second, 12);
	assert_true(one.known && one.floor_frac == two.floor_frac);
	assert_true(one.false_alarm_frac == two.false_alarm_frac);
}

static void test_no_answer(void **state)
{
	const double values[] = {1, 2, 3};
	const double zeros[] = {0, 0, 0};
	const double constant[] = {5, 5, 5};

	(void)state;
	assert_false(floor_of(values, values, 2).known);
	assert_false(floor_of(NULL, NULL, 0).known);
	assert_false(floor_of(zeros, values, 3).known);
	assert_true(floor_of(constant, constant, 3).known);
	assert_near(floor_of(constant, constant, 3).floor_frac, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_enumerated),
		cmocka_unit_test(test_known_noise),
		cmocka_unit_test(test_repeatable),
		cmocka_unit_test(test_no_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
