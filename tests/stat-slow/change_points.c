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
#include "tests/stat-slow/change_simulation.h"
#include "tests/stat-slow/simulation.h"

enum { NIGHTS = 3000, NIGHT_SERIES = 200, STEP_EVERY = 600, NEAR_STEP = 5 };

static bool false_alarms(const struct change_settings *settings, size_t tries, gsl_rng *random)
{
	static const size_t sizes[] = {50, 100, 200};
	double values[HISTORY_MAX];
	bool good = true;

	for (size_t k = 0; tuned_noises[k].name; k++) {
		printf("| %s |", tuned_noises[k].name);
		for (int j = 0; j < 3; j++) {
			struct change_series series = {values, NULL, sizes[j]};
			struct rate rate = {0, tries}, spread = {0, tries};

			for (size_t i = 0; i < tries; i++) {
				struct history_answer answer;

				tuned_noises[k].draw(values, sizes[j], random);
				answer = ask(&series, settings, 0, 0);
				rate.hits += answer.level || answer.spread;
				spread.hits += answer.spread;
			}
			printf(" %.2f (%.2f of spread) |", 100 * rate_value(rate),
			       100 * rate_value(spread));
			good &= settings->method ||
				rate_is_within(rate, 0, settings->alpha, tuned_noises[k].name);
		}
		printf("\n");
		fflush(stdout);
	}
	return good;
}

static bool power(const struct change_settings *settings, size_t tries, gsl_rng *random)
{
	static const struct {
		double sd;
		size_t at;
		double least;
	} cases[] = {{1.5, 50, .85}, {2, 50, .93}, {3, 50, .99}, {3, 97, .85}, {3, 88, .98}};
	double values[HISTORY_MAX];
	struct change_series series = {values, NULL, 100};
	bool good = true;

	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct rate rate = {0, tries};

		for (size_t i = 0; i < tries; i++) {
			draw_normal(values, 100, random);
			for (size_t t = cases[k].at; t < 100; t++)
				values[t] += cases[k].sd;
			rate.hits += ask(&series, settings, cases[k].at, 2).level_near;
		}
		printf("%.1f sigma, %zu new points: %.3f\n", cases[k].sd, 100 - cases[k].at,
		       rate_value(rate));
		fflush(stdout);
		good &= settings->method || rate_is_within(rate, cases[k].least, 1, "power");
	}
	return good;
}

/* Steps of a simulation, as far as a change of some sort came to stand at them. */
struct sightings {
	size_t found;
	double delay; /* sum over those found */
};

static double mean_delay(struct sightings sightings)
{
	return sightings.found ? sightings.delay / (double)sightings.found : INFINITY;
}

/* What the series add up to over their nights. */
struct tally {
	size_t flips; /* nights on which a change that stood was withdrawn */
	size_t steps;
	struct sightings fresh; /* a change that is new since the step, NEAR_STEP points from it */
	struct sightings any;	/* any change there */
	size_t false_changes;
};

static void tally_changes(const struct tracked_change *changes, size_t count, struct tally *tally)
{
	for (size_t i = 0; i < count; i++) {
		size_t off = (changes[i].point.index + STEP_EVERY / 2) % STEP_EVERY;

		tally->false_changes += off + 10 < STEP_EVERY / 2 || off > STEP_EVERY / 2 + 10;
	}
}

/* The last step of a series, and what still waits to be seen of it. */
struct step {
	size_t at;
	unsigned long last_id; /* of changes before it */
	bool fresh_waits;
	bool any_waits;
};

static void see(struct sightings *sightings, bool *waits, size_t delay)
{
	if (!*waits)
		return;
	sightings->found++;
	sightings->delay += (double)delay;
	*waits = false;
}

static void look(struct step *step, const struct tracked_change *changes, size_t count,
		 size_t night, struct tally *tally)
{
	for (size_t i = 0; i < count; i++) {
		if (changes[i].point.index + NEAR_STEP < step->at ||
		    changes[i].point.index > step->at + NEAR_STEP)
			continue;
		see(&tally->any, &step->any_waits, night - step->at + 1);
		if (changes[i].id > step->last_id)
			see(&tally->fresh, &step->fresh_waits, night - step->at + 1);
	}
}

static unsigned long newest_of(const struct tracked_change *changes, size_t count,
			       unsigned long newest)
{
	for (size_t i = 0; i < count; i++)
		newest = changes[i].id > newest ? changes[i].id : newest;
	return newest;
}

static void live_through(struct change_track *track, gsl_rng *random, struct tally *tally)
{
	const struct tracked_change *changes = NULL;
	unsigned long newest = 0;
	size_t before = 0, count = 0;
	struct step step = {0};

	for (size_t night = 0; night < NIGHTS; night++) {
		double level = 3 * (double)(night / STEP_EVERY);
		unsigned long last = newest;

		if (night && night % STEP_EVERY == 0) {
			tally->steps++;
			step = (struct step){night, newest, true, true};
		}
		change_track_append(track, 100 + level + gsl_ran_gaussian_ziggurat(random, 1), -1);
		changes = change_track_changes(track, &count);
		newest = newest_of(changes, count, newest);
		look(&step, changes, count, night, tally);
		tally->flips += count < before || count - before < newest - last;
		before = count;
	}
	tally_changes(changes, count, tally);
}

static bool nights(const struct change_settings *settings, size_t tries, gsl_rng *random)
{
	struct tally tally = {0};
	double all = (double)tries * NIGHTS;

	for (size_t i = 0; i < tries; i++) {
		struct change_track *track = change_track_new(settings);

		live_through(track, random, &tally);
		change_track_free(track);
	}
	printf("%zu series x %d nights, %zu steps of 3 sigma: a new change at %zu of them, %.2f "
	       "run "
	       "sets late in the mean; any change at %zu, %.2f; %.4f%% of nights withdrew a "
	       "change; %zu false changes stand at the end, %.1f in 100000 nights of a series\n",
	       tries, NIGHTS, tally.steps, tally.fresh.found, mean_delay(tally.fresh),
	       tally.any.found, mean_delay(tally.any), 100 * (double)tally.flips / all,
	       tally.false_changes, 1e5 * (double)tally.false_changes / all);
	return mean_delay(tally.fresh) <= 4 && (double)tally.flips <= 0.01 * all &&
	       100 * tally.fresh.found >= 95 * tally.steps;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool (*check)(const struct change_settings *settings, size_t tries,
			      gsl_rng *random);
		size_t tries;
	} checks[] = {{"false-alarms", false_alarms, 2000},
		      {"power", power, 4000},
		      {"nights", nights, NIGHT_SERIES}};
	size_t count = sizeof(checks) / sizeof(checks[0]);
	struct change_settings settings = {.alpha = 0.05, .seed = 1};
	gsl_rng *random = generator(20261130);
	size_t tries = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	bool good = false;
	size_t i = 0;

	while (i < count && (argc < 2 || strcmp(argv[1], checks[i].name)))
		i++;
	if (i < count && (argc < 3 || change_method_parse(argv[2], &settings.method)))
		good = checks[i].check(&settings, tries ? tries : checks[i].tries, random);
	else
		fprintf(stderr,
			"usage: change_points false-alarms|power|nights [METHOD [SERIES]]\n");
	gsl_rng_free(random);
	return good ? 0 : 1;
}
