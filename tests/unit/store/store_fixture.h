/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A store of its own for each test: a file, or a schema in the database that the environment
 * variable KREGRESS_TEST_POSTGRES names.
 */
#ifndef KREGRESS_TESTS_STORE_FIXTURE_H
#define KREGRESS_TESTS_STORE_FIXTURE_H

#include "store/store.h"

/* Set by the setup function, removed by the teardown function. */
extern char *fixture_folder;
extern char *fixture_path; /* of a store that does not exist yet, or its URL */

/* What messages call it. */
const char *fixture_name(void);

int fixture_setup(void **state);
int fixture_teardown(void **state);

/* Opens the store; fails the test with the message when that does not work. */
struct store *fixture_open(void);

/* Fails the test, showing the message, unless `status` is 0. */
void assert_success(int status, const struct error *err);

#endif
