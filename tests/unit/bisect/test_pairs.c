/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/bisect/unit.h"

#include "bisect/core/choice.h"
#include "tests/benchmark/bisect_simulation.h"

/* The prior that pairs.c states. */
static const double scales[][2] = {{2, 0.35}, {4, 0.3}, {8, 0.2}, {32, 0.1}, {1024, 0.05}};

static const struct noise_prior resolution = {1e-20, 0};

/* Three levels: none, the first, both. */
struct data {
	struct site sites[3];
};

static void fill(struct data *data)
{
	static const double values[3][3] = {{0.4, -0.6, 0.3}, {2.9, 4.1, 3.2}, {7.7, 8.3, 6.9}};

	*data = (struct data){.sites = {{0}, {0}, {0}}};
	for (size_t i = 0; i < 3; i++) {
		for (size_t j = 0; j < 3; j++)
			site_add_value(&data->sites[i], values[i][j]);
	}
}

/* Density of the data, less a factor that no parameter changes. */
static double density(const struct data *data, const double levels[3], double sigma)
{
	double log_density = 0;

	for (size_t i = 0; i < 3; i++) {
		const struct site *site = &data->sites[i];
		double off = site->mean - levels[i];

		log_density -=
			(double)site->values * log(sigma) +
			(site->squares + (double)site->values * off * off) / (2 * sigma * sigma);
	}
	return exp(log_density);
}

static double normal(double x, double sigma)
{
	return exp(-x * x / (2 * sigma * sigma)) / (sigma * sqrt(2 * M_PI));
}

static double prior_of_changes(double one, double other, double sigma)
{
	double sum = 0;

	for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++)
		sum += scales[i][1] * normal(one, scales[i][0] * sigma) *
		       normal(other, scales[i][0] * sigma);
	return sum;
}

/* The ratio of "two changes" to "nothing" by integration over level, changes and noise. */
static double brute_force(const struct data *data)
{
	const double step = 0.3;
	double two = 0;
	double nothing = 0;

	for (double log_sigma = -2; log_sigma < 3; log_sigma += 0.1) {
		double sigma = exp(log_sigma);

		for (double level = -18; level < 24; level += step) {
			double same[3] = {level, level, level};

			nothing += density(data, same, sigma);
		}
		for (double level = -5; level < 5; level += step) {
			for (double one = -6; one < 12; one += step) {
				for (double other = -6; other < 12; other += step) {
					double levels[3] = {level, level + one,
							    level + one + other};

					two += step * step * prior_of_changes(one, other, sigma) *
					       density(data, levels, sigma);
				}
			}
		}
	}
	return two / nothing;
}

static void test_against_integration(void **state)
{
	struct level_sum sums[PAIR_GROUPS] = {
		{.values = 0}, {.values = 0}, {.values = 0}, {.values = 0}};
	struct level_sum all = {.values = 0};
	struct pair_fit fit;
	struct data data;
	double ratio;

	(void)state;
	fill(&data);
	level_sum_add(&sums[0], &data.sites[0], 0);
	level_sum_add(&sums[1], &data.sites[1], 0);
	level_sum_add(&sums[3], &data.sites[2], 0);
	for (size_t i = 0; i < 3; i++)
		level_sum_add(&all, &data.sites[i], 0);
	fit = pair_fit_levels(sums, resolution);
	ratio = exp(fit.log_likelihood - split_fit_nothing(&all, resolution).log_likelihood);
	assert_true(ratio > 10);
	assert_within(ratio / brute_force(&data), 1, 0.02);
	/* Levels near the means of what was seen, the one never seen between prior and nothing. */
	assert_within(fit.level[0], 0, 0.5);
	assert_within(fit.level[1], 3.4, 0.5);
	assert_within(fit.level[3], 7.6, 0.5);
	assert_true(fit.level_variance[2] > fit.level_variance[1]);
}

static double sum_of(const struct search *search)
{
	double sum = search->nothing.probability;

	for (size_t commit = 0; commit < dag_count(search->dag); commit++)
		sum += search_probability(search, commit);
	return sum;
}

/* Probabilities stay probabilities, also on a range with merges, and the sets hold the changes. */
static void test_merges(void **state)
{
	_cleanup_(dag_release) struct dag dag = DAG_INIT;
	_cleanup_(search_release) struct search search = {0};
	struct search_settings settings = SEARCH_VALUES;
	struct random random = {6};
	size_t set[60];
	double reached = 0;
	size_t size;
	bool held = false;

	(void)state;
	settings.steps = 2;
	random_dag(&dag, 60, 0.2, &random);
	search_init(&search, &dag, 1, &settings);
	for (size_t i = 0; i < 244; i++) {
		size_t site = i % 61;
		double level = (search_is_slow(&search, 11, site) ? 5 : 0) +
			       (search_is_slow(&search, 45, site) ? 7 : 0);

		search_add_value(&search, site, level + random_normal(&random));
	}
	search_update(&search);
	assert_within(sum_of(&search), 1, 1e-9);
	assert_within(search.step_probability[0] + search.step_probability[1] +
			      search.step_probability[2],
		      1, 1e-9);
	assert_int_equal(search_step_count(&search), 2);
	size = search_step_set(&search, 0, 0.99, set, &reached);
	assert_true(reached >= 0.99);
	for (size_t i = 0; i < size; i++)
		held = held || set[i] == 11;
	assert_true(held);
	size = search_step_set(&search, 1, 0.99, set, &reached);
	held = false;
	for (size_t i = 0; i < size; i++)
		held = held || set[i] == 45;
	assert_true(held);
}

/* Shares of a pair inside a site, against counting every pair. */
static void test_shares(void **state)
{
	struct candidate_class classes[2] = {{.members = 5}, {.members = 3}};
	struct search search = {.classes = {classes, 2, 2}};
	struct pair apart = {.first = 0, .second = 1};
	struct pair together = {.first = 0, .second = 0};
	double shares[PAIR_GROUPS];

	(void)state;
	pair_shares(&search, &apart, 2, 1, shares);
	assert_within(shares[0], 3.0 / 5 * 2 / 3, 1e-12);
	assert_within(shares[1], 2.0 / 5 * 2 / 3, 1e-12);
	assert_within(shares[2], 3.0 / 5 * 1 / 3, 1e-12);
	assert_within(shares[3], 2.0 / 5 * 1 / 3, 1e-12);
	/* Of ten pairs of five, one has both of two, three have both of the others. */
	pair_shares(&search, &together, 2, 2, shares);
	assert_within(shares[3], 0.1, 1e-12);
	assert_within(shares[0], 0.3, 1e-12);
	assert_within(shares[1] + shares[2], 0.6, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_integration),
		cmocka_unit_test(test_merges),
		cmocka_unit_test(test_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
