/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Speed and memory of the statistics: N series x 2 variants x 10 boots x 30 iterations, from
 * samples to verdicts. With --dump the boot values are written for another program to compare.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analyzer/comparison.h"

enum { BOOTS = 10, ITERATIONS = 30 };

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One in twenty series is 5% slower in the second variant. */
static double *make_samples(size_t series, unsigned long seed)
{
	double *samples = calloc(series * 2 * BOOTS * ITERATIONS, sizeof(*samples));
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double *next = samples;

	if (!samples)
		abort();
	gsl_rng_set(random, seed);
	for (size_t i = 0; i < series; i++)
		for (int side = 0; side < 2; side++)
			for (int boot = 0; boot < BOOTS; boot++) {
				double level = 100 * (side && i % 20 == 0 ? 1.05 : 1) +
					       gsl_ran_gaussian(random, 1);

				for (int k = 0; k < ITERATIONS; k++)
					*next++ = level + gsl_ran_gaussian(random, 2);
			}
	gsl_rng_free(random);
	return samples;
}

static void reduce(const double *samples, double *values)
{
	double scratch[ITERATIONS];

	for (int boot = 0; boot < BOOTS; boot++)
		values[boot] =
			boot_location(samples + boot * ITERATIONS, ITERATIONS, false, scratch);
}

/* From samples to verdicts; how many regressed. */
static size_t compare_all(const double *samples, size_t series, double *boot_values)
{
	struct comparison *results = calloc(series, sizeof(*results));
	struct comparison_input *inputs = calloc(series, sizeof(*inputs));
	uint32_t blocks[BOOTS];
	size_t regressed = 0;

	if (!results || !inputs)
		abort();
	for (uint32_t i = 0; i < BOOTS; i++)
		blocks[i] = i;
	for (size_t i = 0; i < series; i++) {
		double *values = boot_values + i * 2 * BOOTS;

		reduce(samples + i * 2 * BOOTS * ITERATIONS, values);
		reduce(samples + (i * 2 + 1) * BOOTS * ITERATIONS, values + BOOTS);
		inputs[i] = (struct comparison_input){
			.base = values,
			.n_base = BOOTS,
			.candidate = values + BOOTS,
			.n_candidate = BOOTS,
			.limit_frac = 0.02,
			.alpha = 0.05,
			.base_block = blocks,
			.candidate_block = blocks,
		};
		results[i] = comparison_measure(&inputs[i]);
	}
	comparison_adjust(results, series);
	for (size_t i = 0; i < series; i++) {
		comparison_decide(&results[i], &inputs[i]);
		regressed += results[i].verdict == VERDICT_REGRESSED;
	}
	free(results);
	free(inputs);
	return regressed;
}

static double time_series(size_t series, const char *dump)
{
	double *samples = make_samples(series, 20261130);
	double *values = calloc(series * 2 * BOOTS, sizeof(*values));
	double start_s, used_s;
	size_t regressed;

	if (!values)
		abort();
	start_s = cpu_s();
	regressed = compare_all(samples, series, values);
	used_s = cpu_s() - start_s;
	printf("%6zu series: %.3f s of CPU, %.1f us a series, %zu regressed\n", series, used_s,
	       1e6 * used_s / (double)series, regressed);
	if (dump) {
		FILE *file = fopen(dump, "w");

		for (size_t i = 0; file && i < series * 2 * BOOTS * ITERATIONS; i++)
			fprintf(file, "%.17g\n", samples[i]);
		if (!file || fclose(file))
			abort();
	}
	free(samples);
	free(values);
	return used_s;
}

int main(int argc, char **argv)
{
	const char *dump = argc == 3 && !strcmp(argv[1], "--dump") ? argv[2] : NULL;
	struct rusage usage;
	double tenth_s = time_series(1000, NULL);
	double all_s = time_series(10000, dump);

	getrusage(RUSAGE_SELF, &usage);
	printf("ten times the series took %.1f times as long; %.0f MB at most\n", all_s / tenth_s,
	       (double)usage.ru_maxrss / 1024);
	return all_s < 2 && usage.ru_maxrss < 200 * 1024 && all_s / tenth_s < 13 ? 0 : 1;
}
