/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The level and the limit of a comparison, held to what they may be. */
#ifndef KREGRESS_ANALYZER_LEVEL_H
#define KREGRESS_ANALYZER_LEVEL_H

#include "analyzer/comparison.h"

struct level {
	double alpha;
	double limit_frac;
};

static inline struct level level_of(const struct comparison_input *input)
{
	struct level level = {.alpha = 0.05};

	if (input->alpha > 0 && input->alpha < 1)
		level.alpha = input->alpha;
	if (input->limit_frac > 0)
		level.limit_frac = input->limit_frac < 1e6 ? input->limit_frac : 1e6;
	return level;
}

#endif
