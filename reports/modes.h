/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparison mode by mode, where the samples of a side have two: did the modes move, or does the
 * kernel only take the slow one more often? Boots are the replicates here as everywhere.
 */
#ifndef KREGRESS_REPORTS_MODES_H
#define KREGRESS_REPORTS_MODES_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/comparison.h"
#include "common/strbuf.h"
#include "store/run_set.h"

struct mode_comparison {
	bool known;	       /* false: no side has two modes, or a mode lacks boots */
	double threshold;      /* samples above it are of the high mode */
	struct comparison low; /* of the boots' medians within the mode */
	struct comparison high;
	struct comparison share; /* of the boots' shares of the high mode, in percent points */
};

/* Splits both series at one threshold and compares them with Welch's test at `alpha`. */
struct mode_comparison mode_comparison_of(const struct series *base, const struct series *candidate,
					  double alpha);

/* Appends "by mode: low +0.3% (p=0.4), high +5.2% (p=0.001), share of the high mode 33% -> 50%". */
void mode_comparison_append(struct strbuf *out, const struct mode_comparison *modes);

#endif
