/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Standardised effect: Hedges' g, the difference of the means in pooled standard deviations with
 * the exact small-sample correction. Source: Hedges, Journal of Educational Statistics 6 (1981).
 */
#ifndef KREGRESS_ANALYZER_EFFECT_H
#define KREGRESS_ANALYZER_EFFECT_H

#include <stdbool.h>

#include "analyzer/moments.h"

struct effect {
	double g;   /* positive when the candidate's mean is larger */
	bool known; /* false when a side has n < 2, or without variance */
};

struct effect effect_hedges(const struct moments *base, const struct moments *candidate);

#endif
