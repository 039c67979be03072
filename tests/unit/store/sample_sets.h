/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run sets that make use of every field, for the tests of the store and the exchange format. */
#ifndef KREGRESS_TESTS_SAMPLE_SETS_H
#define KREGRESS_TESTS_SAMPLE_SETS_H

#include "store/run_set.h"

/* Two interleaved sets of one collection and an imported one without boots' environment. */
void sample_sets_make(struct run_set_list *sets);

/* A set of `boots` boots with `samples` samples each, spread over four series. */
void plain_set_make(struct run_set *set, const char *variant, uint32_t boots, uint32_t samples);

/* Appends such a boot. */
void plain_set_grow(struct run_set *set, uint32_t samples);

#endif
