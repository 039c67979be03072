/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/stat-slow/change_simulation.h"

#include <math.h>

#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>

#include "tests/stat-slow/simulation.h"

#define LEVEL 100
#define WEEK  7

void draw_normal(double *values, size_t n, gsl_rng *random)
{
	for (size_t i = 0; i < n; i++)
		values[i] = LEVEL + gsl_ran_gaussian_ziggurat(random, 1);
}

static void draw_spikes(double *values, size_t n, gsl_rng *random)
{
	for (size_t i = 0; i < n; i++)
		values[i] = LEVEL * exp(gsl_ran_gaussian_ziggurat(random, LOGNORMAL_SIGMA)) *
			    (gsl_rng_uniform(random) < SPIKE_FRAC ? SPIKE_FACTOR : 1);
}

static void draw_ar(double *values, size_t n, double lag1, gsl_rng *random)
{
	double last = gsl_ran_gaussian_ziggurat(random, 1);

	for (size_t i = 0; i < n; i++) {
		values[i] = LEVEL + last;
		last = lag1 * last + sqrt(1 - lag1 * lag1) * gsl_ran_gaussian_ziggurat(random, 1);
	}
}

static void draw_ar3(double *values, size_t n, gsl_rng *random)
{
	draw_ar(values, n, 0.3, random);
}

static void draw_ar6(double *values, size_t n, gsl_rng *random)
{
	draw_ar(values, n, 0.6, random);
}

static void draw_t3(double *values, size_t n, gsl_rng *random)
{
	for (size_t i = 0; i < n; i++)
		values[i] = LEVEL + gsl_ran_tdist(random, 3);
}

static void draw_exponential(double *values, size_t n, gsl_rng *random)
{
	for (size_t i = 0; i < n; i++)
		values[i] = LEVEL + gsl_ran_exponential(random, 1);
}

static void draw_rounded(double *values, size_t n, gsl_rng *random)
{
	for (size_t i = 0; i < n; i++)
		values[i] = LEVEL + round(gsl_ran_gaussian_ziggurat(random, 1));
}

/* One point in ten on a second level, in random turn. */
static void draw_modes(double *values, size_t n, gsl_rng *random)
{
	draw_normal(values, n, random);
	for (size_t i = 0; i < n; i++)
		values[i] += gsl_rng_uniform(random) < 0.1 ? 8 : 0;
}

/* A moving average: lag 1 and 2 autocorrelations 0.42 and 0.24. */
static void draw_ma2(double *values, size_t n, gsl_rng *random)
{
	double last = gsl_ran_gaussian_ziggurat(random, 1);
	double before = gsl_ran_gaussian_ziggurat(random, 1);

	for (size_t i = 0; i < n; i++) {
		double now = gsl_ran_gaussian_ziggurat(random, 1);

		values[i] = LEVEL + now + 0.4 * last + 0.3 * before;
		before = last;
		last = now;
	}
}

static void draw_weekly(double *values, size_t n, gsl_rng *random)
{
	draw_normal(values, n, random);
	for (size_t i = 0; i < n; i++)
		values[i] += sin(2 * M_PI * (double)(i % WEEK) / WEEK);
}

static void draw_noisy_weekends(double *values, size_t n, gsl_rng *random)
{
	draw_normal(values, n, random);
	for (size_t i = 0; i < n; i++)
		values[i] = LEVEL + (values[i] - LEVEL) * (i % WEEK < 2 ? 3 : 1);
}

/* The logarithm of the standard deviation is an AR(1) of its own. */
static void draw_volatile(double *values, size_t n, gsl_rng *random)
{
	double volatility[HISTORY_MAX];

	draw_ar(volatility, n, 0.8, random);
	draw_normal(values, n, random);
	for (size_t i = 0; i < n; i++)
		values[i] = LEVEL + (values[i] - LEVEL) * exp((volatility[i] - LEVEL) / 2);
}

static void draw_yearly(double *values, size_t n, gsl_rng *random)
{
	draw_normal(values, n, random);
	for (size_t i = 0; i < n; i++)
		values[i] += sin(2 * M_PI * (double)i / 50);
}

const struct history_noise tuned_noises[] = {{"iid", draw_normal, false},
					     {"lognormal, 3% spikes", draw_spikes, false},
					     {"AR(1) 0.3", draw_ar3, false},
					     {"AR(1) 0.6", draw_ar6, false},
					     {NULL, NULL, false}};

const struct history_noise unseen_noises[] = {{"t, 3 degrees of freedom", draw_t3, false},
					      {"exponential", draw_exponential, false},
					      {"normal, rounded to 1 sd", draw_rounded, false},
					      {"a tenth 8 sd higher", draw_modes, false},
					      {"MA(2) 0.4, 0.3", draw_ma2, false},
					      {"season of 7, amplitude 1 sd", draw_weekly, false},
					      {"3 sd on 2 nights of 7", draw_noisy_weekends, false},
					      {"stochastic volatility", draw_volatile, false},
					      {"season of 50, amplitude 1 sd", draw_yearly, true},
					      {NULL, NULL, false}};

static bool is_near(size_t index, size_t at, size_t margin)
{
	return index + margin >= at && index <= at + margin;
}

struct history_answer ask(const struct change_series *series,
			  const struct change_settings *settings, size_t at, size_t margin)
{
	struct change_points points = change_points_of(series, settings);
	struct history_answer answer = {0};

	for (size_t i = 0; i < points.count; i++) {
		bool spread = points.items[i].kind == CHANGE_KIND_SPREAD;
		bool near = is_near(points.items[i].index, at, margin);

		answer.level |= !spread;
		answer.spread |= spread;
		answer.level_near |= !spread && near;
		answer.spread_near |= spread && near;
	}
	change_points_release(&points);
	return answer;
}
