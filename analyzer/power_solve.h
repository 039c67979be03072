/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inverse of a power curve. */
#ifndef KREGRESS_ANALYZER_POWER_SOLVE_H
#define KREGRESS_ANALYZER_POWER_SOLVE_H

/* Power as a function that rises with the effect, from below `wanted` at 0 towards 1. */
struct power_curve {
	double (*power)(const void *context, double effect);
	const void *context;
};

/* The effect > 0 with power `wanted`, to about nine digits; `start` > 0 is a first guess. */
double power_solve(const struct power_curve *curve, double wanted, double start);

#endif
