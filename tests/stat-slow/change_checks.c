/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Change points on simulated series beyond the main tables: short series, changes of spread, known
 * variances, noise of other kinds. Prints the tables of docs/history.md. Usage:
 * change_checks short|spread|variances|unseen [SERIES]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>

#include "tests/stat-slow/change_simulation.h"
#include "tests/stat-slow/simulation.h"

static struct rate false_alarms(const struct history_noise *noise, size_t n,
				const struct change_settings *settings, size_t tries,
				gsl_rng *random)
{
	struct rate rate = {0, tries};
	double values[HISTORY_MAX];

	for (size_t i = 0; i < tries; i++) {
		struct change_series series = {values, NULL, n};
		struct history_answer answer;

		noise->draw(values, n, random);
		answer = ask(&series, settings, 0, 0);
		rate.hits += answer.level || answer.spread;
	}
	return rate;
}

static size_t next_short(size_t n)
{
	return n + (n < 16 ? 4 : 8);
}

/* A step half way through a short series. */
static void print_short_power(double sd, size_t tries, gsl_rng *random)
{
	double values[HISTORY_MAX];

	printf("| a step of %g sd, share found |", sd);
	for (size_t n = 8; n <= 40; n = next_short(n)) {
		struct change_series series = {values, NULL, n};
		struct rate rate = {0, tries};

		for (size_t i = 0; i < tries; i++) {
			draw_normal(values, n, random);
			for (size_t t = n / 2; t < n; t++)
				values[t] += sd;
			rate.hits += ask(&series, NULL, n / 2, 2).level_near;
		}
		printf(" %.2f |", rate_value(rate));
	}
	printf("\n");
}

/* 8 to 40 points, at two levels. */
static bool check_short(size_t tries, gsl_rng *random)
{
	static const double alphas[] = {0.05, 0.01};
	bool good = true;

	for (int a = 0; a < 2; a++) {
		struct change_settings settings = {.alpha = alphas[a]};

		for (size_t k = 0; tuned_noises[k].name; k++) {
			printf("| %s, alpha %g |", tuned_noises[k].name, alphas[a]);
			for (size_t n = 8; n <= 40; n = next_short(n)) {
				struct rate rate =
					false_alarms(&tuned_noises[k], n, &settings, tries, random);

				printf(" %.2f |", 100 * rate_value(rate));
				good &= rate_is_within(rate, 0, alphas[a], tuned_noises[k].name);
			}
			printf("\n");
		}
	}
	for (double sd = 3; sd <= 9; sd += 3)
		print_short_power(sd, tries, random);
	return good;
}

/* Not bounded by a promise: the table says what to expect. All the same, none may be absurd. */
static bool check_unseen(size_t tries, gsl_rng *random)
{
	static const size_t sizes[] = {50, 100, 200};
	bool good = true;

	for (size_t k = 0; unseen_noises[k].name; k++) {
		printf("| %s |", unseen_noises[k].name);
		for (int j = 0; j < 3; j++) {
			struct rate rate =
				false_alarms(&unseen_noises[k], sizes[j], NULL, tries, random);

			printf(" %.2f |", 100 * rate_value(rate));
			good &= unseen_noises[k].drifts ||
				rate_is_within(rate, 0, 0.30, unseen_noises[k].name);
		}
		printf("\n");
	}
	return good;
}

/* The standard deviation changes half way by a factor. */
static bool check_spread(size_t tries, gsl_rng *random)
{
	static const struct {
		double factor;
		size_t n;
		double least;
	} cases[] = {{1.5, 100, 0}, {2, 100, .1},  {3, 100, .5},  {0.5, 100, .1},
		     {1.5, 200, 0}, {2, 200, .45}, {3, 200, .85}, {0.5, 200, .45}};
	bool good = true;

	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct rate found = {0, tries}, level = {0, tries};
		size_t n = cases[k].n;
		double values[HISTORY_MAX];

		for (size_t i = 0; i < tries; i++) {
			struct change_series series = {values, NULL, n};
			struct history_answer answer;

			for (size_t t = 0; t < n; t++)
				values[t] = 100 + gsl_ran_gaussian_ziggurat(
							  random, t < n / 2 ? 1 : cases[k].factor);
			answer = ask(&series, NULL, n / 2, 10);
			found.hits += answer.spread_near;
			level.hits += answer.level;
		}
		printf("| x %g, n = %zu | %.2f | %.2f |\n", cases[k].factor, n, rate_value(found),
		       100 * rate_value(level));
		good &= rate_is_within(found, cases[k].least, 1, "spread");
		good &= rate_is_within(level, 0, 0.08, "level where the spread changes");
	}
	return good;
}

/* Boots of every run set of a series. */
struct sizes {
	const char *name;
	size_t first[2]; /* least and most, in the first half */
	size_t second[2];
};

/* Run sets of boots of variance 1: means, and the squares of their standard errors. */
static void draw_run_sets(const struct sizes *sizes, size_t n, double *values, double *variances,
			  gsl_rng *random)
{
	for (size_t i = 0; i < n; i++) {
		const size_t *range = i < n / 2 ? sizes->first : sizes->second;
		size_t boots = range[0] + gsl_rng_uniform_int(random, range[1] - range[0] + 1);
		double count = (double)boots;

		values[i] = 100 + gsl_ran_gaussian_ziggurat(random, 1 / sqrt(count));
		variances[i] = gsl_ran_chisq(random, count - 1) / (count - 1) / count;
	}
}

/* Run sets of very different sizes, with their variances and without. */
static bool check_variances(size_t tries, gsl_rng *random)
{
	static const struct sizes all[] = {{"3 to 30 boots", {3, 30}, {3, 30}},
					   {"30 boots, then 3", {30, 30}, {3, 3}},
					   {"3 boots, then 30", {3, 3}, {30, 30}}};
	double values[HISTORY_MAX], variances[HISTORY_MAX];
	bool good = true;

	for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
		struct rate rates[2][3] = {{{0, tries}, {0, tries}, {0, tries}},
					   {{0, tries}, {0, tries}, {0, tries}}};

		for (size_t i = 0; i < tries; i++) {
			for (int known = 0; known < 2; known++) {
				struct change_series series = {values, known ? variances : NULL,
							       100};
				struct history_answer answer;

				draw_run_sets(&all[k], 100, values, variances, random);
				answer = ask(&series, NULL, 0, 0);
				rates[known][0].hits += answer.level;
				rates[known][1].hits += answer.spread;
				for (int t = 50; t < 100; t++)
					values[t] += 0.5;
				rates[known][2].hits += ask(&series, NULL, 50, 2).level_near;
			}
		}
		for (int known = 0; known < 2; known++)
			printf("| %s, variances %s | %.2f | %.2f | %.2f |\n", all[k].name,
			       known ? "known" : "not known", 100 * rate_value(rates[known][0]),
			       100 * rate_value(rates[known][1]), rate_value(rates[known][2]));
		good &= rate_is_within(rates[1][0], 0, 0.05, all[k].name);
		good &= rate_is_within(rates[1][1], 0, 0.05, all[k].name);
	}
	return good;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool (*check)(size_t tries, gsl_rng *random);
		size_t tries;
	} checks[] = {{"short", check_short, 4000},
		      {"spread", check_spread, 1000},
		      {"variances", check_variances, 2000},
		      {"unseen", check_unseen, 2000}};
	size_t count = sizeof(checks) / sizeof(checks[0]);
	size_t tries = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	gsl_rng *random = generator(20261201);
	bool good = false;
	size_t i = 0;

	while (i < count && (argc < 2 || strcmp(argv[1], checks[i].name)))
		i++;
	if (i < count)
		good = checks[i].check(tries ? tries : checks[i].tries, random);
	else
		fprintf(stderr, "usage: change_checks short|spread|variances|unseen [SERIES]\n");
	gsl_rng_free(random);
	return good ? 0 : 1;
}
