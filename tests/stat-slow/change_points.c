/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Change points on simulated series: false alarms, power, and a track over many nights. Prints the
 * tables of docs/history.md. Usage: change_points false-alarms|power|nights [METHOD [SERIES]]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>

#include "analyzer/change_track.h"
#include "tests/stat-slow/simulation.h"

enum { POINTS_MAX = 200, NIGHTS = 3000, NIGHT_SERIES = 200, STEP_EVERY = 600 };

struct noise {
	const char *name;
	double lag1;
	bool spikes;
};

static const struct noise noises[] = {{"iid", 0, false},
				      {"spikes", 0, true},
				      {"AR(1) 0.3", 0.3, false},
				      {"AR(1) 0.6", 0.6, false}};

static void draw(const struct noise *noise, double *values, size_t n, gsl_rng *random)
{
	double last = gsl_ran_gaussian_ziggurat(random, 1);

	for (size_t i = 0; i < n; i++) {
		values[i] = 100 + last;
		if (noise->spikes)
			values[i] = 100 * exp(LOGNORMAL_SIGMA * last) *
				    (gsl_rng_uniform(random) < SPIKE_FRAC ? SPIKE_FACTOR : 1);
		last = noise->lag1 * last +
		       sqrt(1 - noise->lag1 * noise->lag1) * gsl_ran_gaussian_ziggurat(random, 1);
	}
}

/* Whether any change is found, or one within 2 points of `at` where that is not 0. */
static bool is_found(const double *values, size_t n, size_t at, enum change_method method)
{
	struct change_series series = {values, NULL, n};
	struct change_settings settings = {.method = method, .seed = 1};
	struct change_points points = change_points_of(&series, &settings);
	bool found = !at && points.count > 0;

	for (size_t i = 0; at && i < points.count; i++)
		found |= points.items[i].index + 2 >= at && points.items[i].index <= at + 2;
	change_points_release(&points);
	return found;
}

static bool false_alarms(enum change_method method, size_t series, gsl_rng *random)
{
	const size_t sizes[] = {50, 100, 200};
	double values[POINTS_MAX];
	bool good = true;

	for (size_t k = 0; k < sizeof(noises) / sizeof(noises[0]); k++) {
		printf("| %s |", noises[k].name);
		for (size_t j = 0; j < sizeof(sizes) / sizeof(sizes[0]); j++) {
			struct rate rate = {0, series};

			for (size_t i = 0; i < series; i++) {
				draw(&noises[k], values, sizes[j], random);
				rate.hits += is_found(values, sizes[j], 0, method);
			}
			printf(" %.2f%% |", 100 * rate_value(rate));
			good &= method || rate_is_within(rate, 0, 0.05, noises[k].name);
		}
		printf("\n");
	}
	return good;
}

static bool power(enum change_method method, size_t series, gsl_rng *random)
{
	const struct {
		double sd;
		size_t at;
		double least;
	} cases[] = {{1.5, 50, .85}, {2, 50, .93}, {3, 50, .99}, {3, 97, .85}, {3, 88, .98}};
	double values[100];
	bool good = true;

	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct rate rate = {0, series};

		for (size_t i = 0; i < series; i++) {
			draw(&noises[0], values, 100, random);
			for (size_t t = cases[k].at; t < 100; t++)
				values[t] += cases[k].sd;
			rate.hits += is_found(values, 100, cases[k].at, method);
		}
		printf("%.1f sigma, %zu new points: %.3f\n", cases[k].sd, 100 - cases[k].at,
		       rate_value(rate));
		good &= method || rate_is_within(rate, cases[k].least, 1, "power");
	}
	return good;
}

/* What one series adds up to over its nights. */
struct tally {
	size_t flips; /* nights on which a change that stood was withdrawn */
	size_t steps;
	size_t found;
	double delay; /* sum over the steps found */
	size_t false_changes;
};

static void tally_changes(const struct tracked_change *changes, size_t count, struct tally *tally)
{
	for (size_t i = 0; i < count; i++) {
		size_t off = (changes[i].point.index + STEP_EVERY / 2) % STEP_EVERY;

		tally->false_changes += off + 10 < STEP_EVERY / 2 || off > STEP_EVERY / 2 + 10;
	}
}

static void live_through(struct change_track *track, gsl_rng *random, struct tally *tally)
{
	const struct tracked_change *changes = NULL;
	unsigned long newest = 0;
	size_t before = 0, count = 0, waiting = 0;

	for (size_t night = 0; night < NIGHTS; night++) {
		double level = 3 * (double)(night / STEP_EVERY);
		unsigned long last = newest;

		if (night && night % STEP_EVERY == 0) {
			tally->steps++;
			waiting = 1;
		}
		change_track_append(track, 100 + level + gsl_ran_gaussian_ziggurat(random, 1), -1);
		changes = change_track_changes(track, &count);
		for (size_t i = 0; i < count; i++) {
			newest = changes[i].id > newest ? changes[i].id : newest;
			if (waiting && changes[i].point.index + 5 >= night - night % STEP_EVERY) {
				tally->found++;
				tally->delay += (double)(night % STEP_EVERY + 1);
				waiting = 0;
			}
		}
		tally->flips += count < before || count - before < newest - last;
		before = count;
	}
	tally_changes(changes, count, tally);
}

static bool nights(size_t series, gsl_rng *random)
{
	struct tally tally = {0};
	double all = (double)series * NIGHTS;
	double delay;

	for (size_t i = 0; i < series; i++) {
		struct change_track *track = change_track_new(NULL);

		live_through(track, random, &tally);
		change_track_free(track);
	}
	delay = tally.found ? tally.delay / (double)tally.found : INFINITY;
	printf("%zu series x %d nights: %zu of %zu steps of 3 sigma seen, %.2f run sets late in "
	       "the "
	       "mean; %.4f%% of nights withdrew a change; %zu false changes stand at the end\n",
	       series, NIGHTS, tally.found, tally.steps, delay, 100 * (double)tally.flips / all,
	       tally.false_changes);
	return delay <= 4 && (double)tally.flips <= 0.01 * all &&
	       100 * tally.found >= 95 * tally.steps;
}

int main(int argc, char **argv)
{
	enum change_method method = CHANGE_METHOD_SEGMENTATION;
	gsl_rng *random = generator(20261130);
	size_t series = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	bool good = false;

	if (argc > 2 && !change_method_parse(argv[2], &method))
		argc = 0;
	if (argc > 1 && !strcmp(argv[1], "false-alarms"))
		good = false_alarms(method, series ? series : 2000, random);
	else if (argc > 1 && !strcmp(argv[1], "power"))
		good = power(method, series ? series : 4000, random);
	else if (argc > 1 && !strcmp(argv[1], "nights"))
		good = nights(series ? series : NIGHT_SERIES, random);
	else
		fprintf(stderr,
			"usage: change_points false-alarms|power|nights [METHOD [SERIES]]\n");
	gsl_rng_free(random);
	return good ? 0 : 1;
}
