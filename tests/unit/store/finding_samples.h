/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings for the tests of their store, lives and groups. */
#ifndef KREGRESS_TESTS_FINDING_SAMPLES_H
#define KREGRESS_TESTS_FINDING_SAMPLES_H

#include "store/finding.h"

/* A detected change of mm.fork at point `index`, without id, group, state and times. */
struct finding seen_make(size_t index, bool regression);

/* A finding of mm.fork as it is stored, in the state FINDING_NEW, in a group of its own. */
struct finding finding_make(const char *id);

#endif
