/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fails the running test unless two run sets are the same in every field. */
#ifndef KREGRESS_TESTS_EQUAL_SETS_H
#define KREGRESS_TESTS_EQUAL_SETS_H

#include "store/run_set.h"

void assert_sets_equal(const struct run_set *a, const struct run_set *b);
void assert_lists_equal(const struct run_set_list *a, const struct run_set_list *b);

#endif
