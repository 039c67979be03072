/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches on made-up histories with a known culprit: values N(level, 1), the slow level higher by
 * `shift`. Everything follows from the seed.
 */
#ifndef KREGRESS_TESTS_BENCHMARK_BISECT_SIMULATION_H
#define KREGRESS_TESTS_BENCHMARK_BISECT_SIMULATION_H

#include <stddef.h>
#include <stdint.h>

#include "bisect/core/choice.h"

/* splitmix64 (Steele, Lea, Flood 2014) */
struct random {
	uint64_t state;
};

double random_uniform(struct random *random);
double random_normal(struct random *random);
size_t random_below(struct random *random, size_t bound);

struct simulation {
	const char *name;
	size_t commits;
	double merges; /* fraction of commits that are merges; 0: linear */
	double shift;  /* 0: there is no culprit */
	double layout; /* standard deviation of the fixed effect of each commit */
	double model_layout;
	bool layout_unknown; /* to the core */
	double move_cost;
	/*
	 * Values repeat at a commit: 412 fast, 412 + `shift` slow, and `layout` from commit to
	 * commit. The costs count distinct commits.
	 */
	bool exact;
	double broken; /* probability that a commit of the range other than bad cannot be measured
			*/
	size_t steps;  /* 2: the core looks for two changes */
	/* A second commit, younger than the culprit, changes the level by this; 0: there is none.
	 */
	double second_shift;
	/* Pass or fail instead of values: how often a fast and a slow commit fail; 0 and 0: values.
	 */
	double fails_fast;
	double fails_slow;
	bool flaky;	     /* the core knows that the script is not reliable */
	double outlier_rate; /* how often a value is off by `outlier`, to either side */
	double outlier;
	size_t budget;	/* values after which the search ends; 0: none */
	size_t classic; /* values per step of plain bisection with Welch's test; 0: the core */
	size_t replicates;
	uint64_t seed;
};

struct simulation_result {
	size_t replicates;
	size_t right;	  /* named the culprit, and only it */
	size_t wrong;	  /* named another commit */
	size_t refused;	  /* did not reproduce */
	size_t open;	  /* ended with a set of several commits */
	size_t held;	  /* the set, of one or more, held the culprit */
	double set_size;  /* mean, over those that ended with a set */
	double values;	  /* mean */
	double cost;	  /* mean */
	double predicted; /* mean of the cost predicted once the endpoints were measured */
	double actual;	  /* mean of what then was spent */
	double distinct;  /* mean number of commits and endpoints measured */
	double seconds;	  /* processor time per decision */
};

struct simulation_result simulate(const struct simulation *simulation);

/* A random range of `count` commits: a fraction `merges` has two parents, ends in one commit. */
void random_dag(struct dag *dag, size_t count, double merges, struct random *random);

#endif
