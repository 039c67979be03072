/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/bisect/unit.h"

#include "bisect/core/layout.h"
#include "bisect/core/outcome.h"
#include "bisect/core/split.h"

/* The prior that split.c states: scales of the change in units of the noise, and weights. */
static const double scales[][2] = {{0.25, 0.05}, {0.5, 0.15}, {1, 0.25},  {2, 0.25},
				   {4, 0.15},	 {8, 0.08},   {32, 0.05}, {1024, 0.02}};

/* No knowledge of the noise. */
static const struct noise_prior resolution = {1e-20, 0};

struct data {
	size_t count;
	struct {
		struct site site;
		int slow;
	} items[4];
	double layout;
};

static void add(struct data *data, int slow, const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		site_add_value(&data->items[data->count].site, values[i]);
	data->items[data->count++].slow = slow;
}

/* The density of the data given level, change and noise, each site's layout integrated out. */
static double density(const struct data *data, double level, double change, double sigma)
{
	double log_density = 0;

	for (size_t i = 0; i < data->count; i++) {
		const struct site *site = &data->items[i].site;
		double n = (double)site->values;
		double variance = sigma * sigma * (1 / n + data->layout * data->layout);
		double off = site->mean - level - (data->items[i].slow ? change : 0);

		log_density -= (n - 1) * log(sigma) + site->squares / (2 * sigma * sigma) +
			       0.5 * log(variance) + off * off / (2 * variance);
	}
	return exp(log_density);
}

/* Half-normal mixture, given the noise. */
static double change_prior(double change, double sigma)
{
	double sum = 0;

	for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++) {
		double scale = scales[i][0] * sigma;

		sum += scales[i][1] * 2 / (scale * sqrt(2 * M_PI)) *
		       exp(-change * change / (2 * scale * scale));
	}
	return sum;
}

/* Integrates over level, noise (prior 1/s) and change on a grid; the ratio to "nothing". */
static double brute_force(const struct data *data)
{
	double change_sum = 0;
	double nothing_sum = 0;

	for (double log_sigma = -2.5; log_sigma < 3; log_sigma += 0.1) {
		double sigma = exp(log_sigma);

		for (double level = -12; level < 16; level += 0.25) {
			nothing_sum += density(data, level, 0, sigma);
			for (double change = 0.05; change < 16; change += 0.1)
				change_sum += 0.1 * change_prior(change, sigma) *
					      density(data, level, change, sigma);
		}
	}
	return change_sum / nothing_sum;
}

static double closed_form(const struct data *data)
{
	struct level_sum sides[2] = {{.values = 0}, {.values = 0}};
	struct level_sum all = {.values = 0};

	for (size_t i = 0; i < data->count; i++) {
		level_sum_add(&sides[data->items[i].slow], &data->items[i].site, data->layout);
		level_sum_add(&all, &data->items[i].site, data->layout);
	}
	return exp(split_fit_change(sides, 1, resolution).log_likelihood -
		   split_fit_nothing(&all, resolution).log_likelihood);
}

static void check(double layout)
{
	static const double fast[] = {0.3, -0.8, 1.1};
	static const double fast_too[] = {0.4, 0.1};
	static const double slow[] = {2.4, 3.1, 1.2};
	struct data data = {.layout = layout};
	double ratio;

	add(&data, 0, fast, 3);
	add(&data, 0, fast_too, 2);
	add(&data, 1, slow, 3);
	ratio = closed_form(&data);
	assert_true(ratio > 2);
	assert_within(ratio / brute_force(&data), 1, 0.01);
}

static void test_against_integration(void **state)
{
	(void)state;
	check(0);
	check(0.7);
}

/* Slower in the wrong direction is evidence against a change. */
static void test_direction(void **state)
{
	static const double low[] = {0.3, -0.8, 1.1};
	static const double high[] = {4.4, 5.1, 5.2};
	struct level_sum sides[2] = {{.values = 0}, {.values = 0}};
	struct site sites[2] = {{0}, {0}};
	struct split_fit right;
	struct split_fit wrong;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		site_add_value(&sites[0], low[i]);
		site_add_value(&sites[1], high[i]);
	}
	level_sum_add(&sides[0], &sites[0], 0);
	level_sum_add(&sides[1], &sites[1], 0);
	right = split_fit_change(sides, 1, resolution);
	wrong = split_fit_change(sides, -1, resolution);
	assert_true(right.log_likelihood > wrong.log_likelihood + 5);
	/* Shrunk towards no change, and between the means. */
	assert_true(right.level[0] > 0.1 && right.level[0] < 0.6);
	assert_true(right.level[1] > 4.3 && right.level[1] < 5);
	/* With the sides swapped, "smaller is slower" is the same statement. */
	struct level_sum swapped[2] = {sides[1], sides[0]};

	assert_within(split_fit_change(swapped, -1, resolution).log_likelihood,
		      right.log_likelihood, 1e-9);
}

/* Values without noise, as instruction counts have. */
static void test_no_noise(void **state)
{
	struct data data = {.layout = 0};
	static const double fast[] = {1000, 1000, 1000};
	static const double slow[] = {1001, 1001, 1001};

	(void)state;
	add(&data, 0, fast, 3);
	add(&data, 1, slow, 3);
	assert_true(closed_form(&data) > 1e6);
}

/* Beta-Bernoulli: 2 fails of 3 under Beta(1, 1) have probability B(3, 2) = 1/12. */
static void test_outcomes(void **state)
{
	struct fail_rate unknown = {-1, 1, 1};
	struct fail_rate known = {0.25, 1, 1};
	struct fail_rate never = FAIL_RATE_NEVER;

	(void)state;
	assert_within(outcome_log_likelihood(&unknown, 1, 2), log(1.0 / 12), 1e-12);
	assert_within(outcome_fail_probability(&unknown, 1, 2), 0.6, 1e-12);
	assert_within(outcome_log_likelihood(&known, 1, 2), log(0.75 / 16), 1e-12);
	assert_within(outcome_log_likelihood(&never, 5, 0), 0, 0);
	assert_true(isinf(outcome_log_likelihood(&never, 5, 1)));
}

/* P(slow rate > fast rate) by summing the two beta densities on a grid. */
static double ordered_by_grid(double a, double b, double c, double d)
{
	double both = 0;
	double all = 0;

	for (double x = 0.0005; x < 1; x += 0.001) {
		for (double y = 0.0005; y < 1; y += 0.001) {
			double density = pow(x, a - 1) * pow(1 - x, b - 1) * pow(y, c - 1) *
					 pow(1 - y, d - 1);

			all += density;
			both += y > x ? density : y < x ? 0 : density / 2;
		}
	}
	return both / all;
}

static void test_ordered_rates(void **state)
{
	struct fail_rate fast = {-1, 1, 2};
	struct fail_rate slow = {-1, 1, 1};
	struct fail_rate never = FAIL_RATE_NEVER;
	size_t passes[2] = {6, 2};
	size_t fails[2] = {1, 3};
	double expected = ordered_by_grid(2, 8, 4, 3) / ordered_by_grid(1, 2, 1, 1);

	(void)state;
	assert_within(exp(outcome_log_ordered(&fast, &slow, passes, fails)), expected, 1e-4);
	assert_within(outcome_log_ordered(&never, &slow, passes, fails), 0, 0);
}

/* A floor of the noise counts like values seen before. */
static void test_noise_prior(void **state)
{
	static const double fast[] = {100, 100};
	static const double slow[] = {100.2, 100.2};
	struct noise_prior coarse = {3 * 0.2 * 0.2, 3};
	struct level_sum sides[2] = {{.values = 0}, {.values = 0}};
	struct level_sum all = {.values = 0};
	struct data data = {.layout = 0};
	double with_floor;

	(void)state;
	add(&data, 0, fast, 2);
	add(&data, 1, slow, 2);
	for (size_t i = 0; i < 2; i++) {
		level_sum_add(&sides[i], &data.items[i].site, 0);
		level_sum_add(&all, &data.items[i].site, 0);
	}
	with_floor = split_fit_change(sides, 1, coarse).log_likelihood -
		     split_fit_nothing(&all, coarse).log_likelihood;
	assert_true(closed_form(&data) > 1e4);
	assert_true(with_floor < 1);
	assert_within(split_freedom(4, coarse), 6, 0);
	assert_within(split_freedom(0, resolution), 1, 0);
}

static double nothing_by_grid(struct data *data, double layout)
{
	double sum = 0;

	data->layout = layout;
	for (double log_sigma = -4; log_sigma < 5; log_sigma += 0.02) {
		for (double level = -30; level < 35; level += 0.05)
			sum += density(data, level, 0, exp(log_sigma));
	}
	return sum;
}

/* How well a layout effect suits the values, against integration over level and noise. */
static void test_layout_factor(void **state)
{
	static const double values[3][3] = {{0.3, -0.8, 1.1}, {2.4, 3.1, 1.2}, {0.9, 1.4, 1.0}};
	struct data data = {.layout = 0};
	struct site sites[3];
	double log_likelihood[2];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		add(&data, 0, values[i], 3);
		sites[i] = data.items[i].site;
	}
	for (size_t k = 0; k < 2; k++) {
		struct level_sum all = {.values = 0};

		for (size_t i = 0; i < 3; i++)
			level_sum_add(&all, &sites[i], layout_sizes[3 * k]);
		log_likelihood[k] = split_fit_nothing(&all, resolution).log_likelihood +
				    layout_log_factor(sites, 3, layout_sizes[3 * k]);
	}
	assert_within(exp(log_likelihood[1] - log_likelihood[0]),
		      nothing_by_grid(&data, layout_sizes[3]) / nothing_by_grid(&data, 0), 0.01);
}

/* Equal fits average to themselves; one far likelier than the others is the average. */
static void test_layout_average(void **state)
{
	struct split_fit fits[LAYOUTS];
	struct split_fit mean;
	double square;

	(void)state;
	for (size_t i = 0; i < LAYOUTS; i++)
		fits[i] = (struct split_fit){.log_likelihood = -3,
					     .level = {1, 2},
					     .level_variance = {0.5, 0.25},
					     .noise_variance = 4,
					     .freedom = 7};
	mean = layout_average(fits, &square);
	assert_within(mean.log_likelihood, -3, 1e-12);
	assert_within(mean.level[1], 2, 1e-12);
	assert_within(mean.level_variance[1], 0.25, 1e-12);
	assert_within(square, (0.0625 + 0.25 + 1) / 4, 1e-12);
	fits[2].log_likelihood = 60;
	fits[2].level[0] = 5;
	mean = layout_average(fits, &square);
	assert_within(mean.level[0], 5, 1e-9);
	assert_within(square, 0.25, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_integration),
		cmocka_unit_test(test_direction),
		cmocka_unit_test(test_no_noise),
		cmocka_unit_test(test_outcomes),
		cmocka_unit_test(test_ordered_rates),
		cmocka_unit_test(test_noise_prior),
		cmocka_unit_test(test_layout_factor),
		cmocka_unit_test(test_layout_average),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
