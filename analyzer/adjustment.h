/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adjustment of p for the number of tests. */
#ifndef KREGRESS_ANALYZER_ADJUSTMENT_H
#define KREGRESS_ANALYZER_ADJUSTMENT_H

#include <stdbool.h>
#include <stddef.h>

enum adjustment {
	/*
	 * False discovery rate of independent or positively dependent tests: Benjamini & Hochberg,
	 * Journal of the Royal Statistical Society B 57 (1995).
	 */
	ADJUSTMENT_BH,
	/* The same under any dependence: Benjamini & Yekutieli, Annals of Statistics 29 (2001). */
	ADJUSTMENT_BY,
	/* The chance of any false alarm at all: Holm, Scandinavian Journal of Statistics 6 (1979).
	 */
	ADJUSTMENT_HOLM,
};

/*
 * q[i] is p[i] adjusted for `count` tests: rejecting all q below alpha holds the rate at alpha. A
 * p that is NaN or above 1 counts as 1, below 0 as 0.
 */
void adjustment_apply(enum adjustment adjustment, const double *p, double *q, size_t count);

/* "bh", "by", "holm" */
const char *adjustment_name(enum adjustment adjustment);

/* False for any other name. */
bool adjustment_parse(const char *text, enum adjustment *adjustment);

#endif
