/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rule on simulated invocations: flat ones stay unmarked, warm-ups are found. */
#include "tests/unit/analyzer/near.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analyzer/steady_state.h"

#define ROUNDS	   2000
#define LENGTH_MAX 120

struct curve {
	size_t n;
	double lag1;   /* of the noise, whose standard deviation is 1 */
	double spikes; /* share of samples that are far larger */
	bool lognormal;
	size_t cold; /* leading samples that are higher by `height` */
	double height;
	double decay; /* samples in which the excess falls to 37%; 0: at once after `cold` */
};

static void draw(gsl_rng *random, const struct curve *curve, double *samples)
{
	double noise = gsl_ran_ugaussian(random);

	for (size_t i = 0; i < curve->n; i++) {
		double step = sqrt(1 - curve->lag1 * curve->lag1);

		samples[i] = 50 + (curve->lognormal ? 2 * exp(0.5 * noise) : noise);
		if (gsl_rng_uniform(random) < curve->spikes)
			samples[i] += 20;
		if (curve->decay > 0)
			samples[i] += curve->height * exp(-(double)i / curve->decay);
		else if (i < curve->cold)
			samples[i] += curve->height;
		noise = curve->lag1 * noise + step * gsl_ran_ugaussian(random);
	}
}

struct tally {
	double marked_frac; /* of the rounds */
	double mean_warm_up;
	double reached_frac;
};

static struct tally simulate(const struct curve *curve)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	struct tally tally = {0};

	gsl_rng_set(random, 21);
	for (int round = 0; round < ROUNDS; round++) {
		double samples[LENGTH_MAX];
		struct steady_state steady;

		draw(random, curve, samples);
		steady = steady_state_of(samples, curve->n);
		assert_true(steady.known && steady.warm_up <= curve->n / 2);
		tally.marked_frac += (steady.warm_up > 0) / (double)ROUNDS;
		tally.mean_warm_up += (double)steady.warm_up / ROUNDS;
		tally.reached_frac += steady.reached / (double)ROUNDS;
	}
	gsl_rng_free(random);
	return tally;
}

static void test_flat(void **state)
{
	const size_t lengths[] = {10, 30, 120};

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct curve curve = {.n = lengths[i]};

		assert_between(simulate(&curve).marked_frac, 0, 0.03);
		curve.lognormal = true;
		curve.spikes = 0.03;
		assert_between(simulate(&curve).marked_frac, 0, 0.05);
	}
}

static void test_flat_with_dependence(void **state)
{
	struct curve curve = {.n = 30, .lag1 = 0.3};

	(void)state;
	assert_between(simulate(&curve).marked_frac, 0, 0.05);
	curve.n = 120;
	assert_between(simulate(&curve).marked_frac, 0, 0.05);
	curve.lag1 = 0.6;
	assert_between(simulate(&curve).marked_frac, 0, 0.06);
}

/* One cold sample of thirty, as caches and page tables make it. */
static void test_one_cold_sample(void **state)
{
	struct curve curve = {.n = 30, .cold = 1, .height = 15};
	struct tally tally = simulate(&curve);

	(void)state;
	assert_between(tally.marked_frac, 0.97, 1);
	assert_between(tally.mean_warm_up, 0.97, 1.3);
	assert_between(tally.reached_frac, 0.99, 1);
}

static void test_step(void **state)
{
	struct curve curve = {.n = 60, .cold = 15, .height = 2.5};
	struct tally tally = simulate(&curve);

	(void)state;
	assert_between(tally.marked_frac, 0.99, 1);
	assert_between(tally.mean_warm_up, 14, 16.5);
}

/* An excess that decays: what is left of it behind the marks is below the noise. */
static void test_decay(void **state)
{
	struct curve curve = {.n = 100, .height = 8, .decay = 10};
	struct tally tally = simulate(&curve);

	(void)state;
	assert_between(tally.marked_frac, 0.99, 1);
	assert_between(8 * exp(-tally.mean_warm_up / 10), 0.1, 1.2);
}

/* A run that is still falling at half of its length has not settled. */
static void test_never_steady(void **state)
{
	double samples[40];
	struct steady_state steady;

	(void)state;
	for (int i = 0; i < 40; i++)
		samples[i] = 1000 - 20 * i + i % 3;
	steady = steady_state_of(samples, 40);
	assert_true(steady.known);
	assert_false(steady.reached);
	assert_int_equal(steady.warm_up, 20);
}

static void test_constant(void **state)
{
	double samples[20];

	(void)state;
	for (int i = 0; i < 20; i++)
		samples[i] = 12;
	assert_true(steady_state_of(samples, 20).known);
	assert_int_equal(steady_state_of(samples, 20).warm_up, 0);
	samples[0] = 40;
	samples[1] = 13;
	assert_int_equal(steady_state_of(samples, 20).warm_up, 2);
}

static void test_bad_input(void **state)
{
	double samples[10] = {1, 2, 3, NAN, 5, 6, 7, 8, 9, 10};
	const double huge[] = {1.7e308,	 -1e308, -1.1e308, -1e308,
			       -1.1e308, -1e308, -1.1e308, -1e308};

	(void)state;
	assert_false(steady_state_of(samples, 10).known);
	samples[3] = INFINITY;
	assert_false(steady_state_of(samples, 10).known);
	assert_false(steady_state_of(samples, 3).known);
	assert_false(steady_state_of(NULL, 0).known);
	assert_int_equal(steady_state_of(huge, 8).warm_up, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flat),
		cmocka_unit_test(test_flat_with_dependence),
		cmocka_unit_test(test_one_cold_sample),
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_decay),
		cmocka_unit_test(test_never_steady),
		cmocka_unit_test(test_constant),
		cmocka_unit_test(test_bad_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
