/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated histories: series about a level of 100 with noise of many kinds. */
#ifndef KREGRESS_TESTS_STAT_SLOW_CHANGE_SIMULATION_H
#define KREGRESS_TESTS_STAT_SLOW_CHANGE_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>

#include <gsl/gsl_rng.h>

#include "analyzer/change_point.h"

#define HISTORY_MAX 200

/* Fills n <= HISTORY_MAX values of standard deviation 1 or thereabouts. */
typedef void (*history_draw)(double *values, size_t n, gsl_rng *random);

struct history_noise {
	const char *name;
	history_draw draw;
	bool drifts; /* its level moves, so that changes are not false for sure */
};

/* What the prices of the detection were set with; ended by one without a name. */
extern const struct history_noise tuned_noises[];
/* What no part of it was set with. */
extern const struct history_noise unseen_noises[];

void draw_normal(double *values, size_t n, gsl_rng *random);

/* Whether there are changes of level or trend, of spread, or of any kind near a place. */
struct history_answer {
	bool level;
	bool spread;
	bool level_near; /* within `margin` of the place asked for */
	bool spread_near;
};

struct history_answer ask(const struct change_series *series,
			  const struct change_settings *settings, size_t at, size_t margin);

#endif
