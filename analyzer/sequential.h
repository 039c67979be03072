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

struct sequential {
	double alpha; /* overall, two-sided */
	size_t blocks_max;
	enum sequential_spending spending;
	size_t blocks;	    /* at the last look; 0 before the first */
	double spent_alpha; /* up to and with the last look */
	double level;	    /* of the last look: p below it shows a difference; 0 before */
	/* Of the walk that no look has stopped: density at the nodes, which reach up to `edge`. */
	double edge;
	double density[SEQUENTIAL_NODES];
};

/* An alpha outside (0, 1) counts as 0.05, a blocks_max of 0 as 1. */
struct sequential sequential_start(double alpha, size_t blocks_max,
				   enum sequential_spending spending);

/*
 * The state after a look at `blocks` blocks, with the level to use at it. A look with no more
 * blocks than the last, or beyond blocks_max, has level 0: nothing may be concluded from it.
 */
struct sequential sequential_look(struct sequential state, size_t blocks);

/* Overall alpha that may be spent up to `fraction` (0 to 1) of the blocks. */
double sequential_spent(enum sequential_spending spending, double alpha, double fraction);

#endif
