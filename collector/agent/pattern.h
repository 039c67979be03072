/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shell patterns over the names of benchmarks. */
#ifndef KREGRESS_AGENT_PATTERN_H
#define KREGRESS_AGENT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* Room for NAME[PARAMS], including the NUL. */
#define BENCH_LABEL_MAX 256

/* Writes NAME[PARAMS], or NAME where `params` is empty. */
void bench_label(char label[BENCH_LABEL_MAX], const char *name, const char *params);

/*
 * True when fnmatch(3) matches the pattern with NAME or with NAME[PARAMS]. Brackets that hold a
 * '=' are parameters and literal, not a set of characters; wildcards inside them still work.
 */
bool pattern_matches(const char *pattern, const char *name, const char *params);

#endif
