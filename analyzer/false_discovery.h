/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benjamini & Hochberg, Journal of the Royal Statistical Society B 57 (1995). */
#ifndef KREGRESS_ANALYZER_FALSE_DISCOVERY_H
#define KREGRESS_ANALYZER_FALSE_DISCOVERY_H

#include <stddef.h>

/* q[i] is p[i] adjusted for `count` tests: rejecting all q below alpha holds the rate at alpha. */
void false_discovery_adjust(const double *p, double *q, size_t count);

#endif
