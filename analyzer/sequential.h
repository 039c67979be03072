/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking at a collection while it grows, without more false alarms.
 *
 * Group sequential looks with alpha spending: Lan & DeMets, Biometrika 70 (1983), the spending
 * functions split evenly between the two directions (as usual since Reboussin et al., Controlled
 * Clinical Trials 21, 2000). The critical value of each look comes from the recursion of Armitage,
 * McPherson & Rowe, Journal of the Royal Statistical Society A 132 (1969), integrated numerically,
 * and is given as a level: at this look a p of a t test below it shows a difference. Carrying the
 * levels over to t tests keeps the overall rate (Jennison & Turnbull, Group Sequential Methods,
 * 2000, section 4.4); with looks from three boots a side on, the tests of this project check it.
 *
 * With paired t tests, whose degrees of freedom are half as many, the carried-over levels exceed
 * the overall rate by 4% to 23% of it (alpha 0.01 to 0.1, 4 to 40 blocks, looks from three on,
 * 300000 simulations each), so for them alpha is divided by SEQUENTIAL_PAIRED_DIVISOR first. One
 * test serves the whole collection: to change from unpaired to paired on the way gives chance a
 * second try (5.9% instead of 5% for a change at 10 of 12 boots).
 *
 * The number of looks need not be planned, only the largest number of blocks. The state is a value
 * without pointers: copy it, keep it, or rebuild it from the looks that were taken. Where a false
 * discovery rate is controlled over many series, adjust p * alpha / level and compare with alpha.
 */
#ifndef KREGRESS_ANALYZER_SEQUENTIAL_H
#define KREGRESS_ANALYZER_SEQUENTIAL_H

#include <stdbool.h>
#include <stddef.h>

#define SEQUENTIAL_NODES 96

enum sequential_spending {
	/* Little at first: nearly full power at the end; the default. */
	SEQUENTIAL_OBRIEN_FLEMING,
	/* About the same at every look: large changes are found sooner, small ones less often. */
	SEQUENTIAL_POCOCK,
};

/* The test that looks, at every look. */
enum sequential_test {
	SEQUENTIAL_UNPAIRED, /* Welch's */
	SEQUENTIAL_PAIRED,   /* paired t, by block */
};

#define SEQUENTIAL_PAIRED_DIVISOR 1.2

struct sequential {
	double alpha;	  /* overall, two-sided */
	double spendable; /* by the spending function: alpha, or less for paired tests */
	size_t blocks_max;
	enum sequential_spending spending;
	size_t blocks; /* at the last look; 0 before the first */
	double spent;  /* of that, up to and with the last look */
	double level;  /* of the last look: p below it shows a difference; 0 before */
	/* Of the walk that no look has stopped: density at the nodes, which reach up to `edge`. */
	double edge;
	double density[SEQUENTIAL_NODES];
};

/* An alpha outside (0, 1) counts as 0.05, a blocks_max of 0 as 1. */
struct sequential sequential_start(double alpha, size_t blocks_max,
				   enum sequential_spending spending, enum sequential_test test);

/*
 * The state after a look at `blocks` blocks, with the level to use at it. A look with no more
 * blocks than the last, or beyond blocks_max, has level 0: nothing may be concluded from it.
 */
struct sequential sequential_look(struct sequential state, size_t blocks);

/* Overall alpha that may be spent up to `fraction` (0 to 1) of the blocks. */
double sequential_spent(enum sequential_spending spending, double alpha, double fraction);

#endif
