/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A confidence interval that may not exist. */
#ifndef KREGRESS_ANALYZER_INTERVAL_H
#define KREGRESS_ANALYZER_INTERVAL_H

#include <stdbool.h>

struct interval {
	double low;
	double high;
	bool known; /* false: could not be computed; low and high are 0 then */
};

#endif
