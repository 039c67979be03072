/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed of the change-point detection by the length of the series, and of one appended point. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analyzer/change_detector.h"

enum { LONGEST = 1000000, APPEND_FROM = 1000, APPEND_REPETITIONS = 5 };

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double time_detection_s(const double *values, size_t n, int repetitions)
{
	struct change_series series = {values, NULL, n};
	double start_s = cpu_s();

	for (int i = 0; i < repetitions; i++) {
		struct change_points points = change_points_of(&series, NULL);

		change_points_release(&points);
	}
	return (cpu_s() - start_s) / repetitions;
}

/* CPU time of every appended point with its detection, from APPEND_FROM points on. */
static void time_appended(const double *values, double *used_s)
{
	struct change_detector *detector = change_detector_new(NULL);

	for (size_t n = 0; n < 2 * APPEND_FROM; n++) {
		double start_s = cpu_s();
		struct change_points points;

		change_detector_append(detector, values[n], -1);
		if (n + 1 < APPEND_FROM)
			continue;
		points = change_detector_points(detector);
		change_points_release(&points);
		if (n >= APPEND_FROM)
			used_s[n - APPEND_FROM] = fmin(used_s[n - APPEND_FROM], cpu_s() - start_s);
	}
	change_detector_free(detector);
}

/* The same points are appended a few times, so that an interrupt does not count as their time. */
static bool time_appending(const double *values)
{
	double used_s[APPEND_FROM];
	double longest_s = 0, all_s = 0;

	for (size_t i = 0; i < APPEND_FROM; i++)
		used_s[i] = INFINITY;
	for (int i = 0; i < APPEND_REPETITIONS; i++)
		time_appended(values, used_s);
	for (size_t i = 0; i < APPEND_FROM; i++) {
		longest_s = fmax(longest_s, used_s[i]);
		all_s += used_s[i];
	}
	printf("appended point, n = %d to %d: %.1f us in the mean, %.1f us at most\n", APPEND_FROM,
	       2 * APPEND_FROM, 1e6 * all_s / APPEND_FROM, 1e6 * longest_s);
	return longest_s < 1e-3;
}

int main(void)
{
	double *values = calloc(LONGEST, sizeof(*values));
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double hundred_s, thousand_s, five_s, million_s, growth;
	bool good;

	if (!values || !random)
		abort();
	for (size_t i = 0; i < LONGEST; i++)
		values[i] = 100 + gsl_ran_gaussian_ziggurat(random, 1);
	hundred_s = INFINITY;
	for (int i = 0; i < 50; i++) /* the least: other work shares caches and cores */
		hundred_s = fmin(hundred_s, time_detection_s(values, 100, 50));
	thousand_s = time_detection_s(values, 1000, 200);
	five_s = time_detection_s(values, 5000, 20);
	printf("100 points: %.1f us\n1000 points: %.2f ms; 10000 such series on 2 cores: %.1f s\n"
	       "5000 points: %.1f ms\n",
	       1e6 * hundred_s, 1e3 * thousand_s, 1e4 * thousand_s / 2, 1e3 * five_s);
	for (size_t n = 10000; n < LONGEST; n *= 10)
		printf("%zu points: %.1f ms\n", n, 1e3 * time_detection_s(values, n, 1));
	million_s = time_detection_s(values, LONGEST, 1);
	growth = million_s / thousand_s / (1000 * log(1e6) / log(1e3));
	printf("1000000 points: %.1f ms, %.2f of n log n from 1000 points\n", 1e3 * million_s,
	       growth);
	good = time_appending(values) && hundred_s < 100e-6 && five_s < 50e-3 &&
	       1e4 * thousand_s / 2 < 60 && growth < 1.5;
	gsl_rng_free(random);
	free(values);
	return good ? 0 : 1;
}
