/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bisection that `kregress ci --bisect` begins after a regression. */
#ifndef KREGRESS_CLI_CI_BISECT_H
#define KREGRESS_CLI_CI_BISECT_H

#include "cli/cli.h"

/* What is searched, where; all borrowed. */
struct ci_bisection {
	const struct common_options *common;
	const char *repository; /* NULL: the one that holds the current folder */
	const char *good;	/* NULL in ci_bisect_check(): not known yet */
	const char *bad;
	const struct variant_config *variant;
	const char *label; /* "lock.spin [cpus=2]" */
	const char *metric;
	const char *suite;		   /* NULL: core */
	const char *budget;		   /* as written; NULL: an hour */
	const struct string_list *command; /* prints a value; empty: kernels are built */
	const char *json;		   /* a file for the bisection's report; NULL: none */
};

/*
 * Refuses what could not be searched, before anything is measured: no commit, no repository, and
 * without a command a variant that kernels cannot be built and booted as.
 */
int ci_bisect_check(const struct ci_bisection *bisection, const struct config *config,
		    struct error *err) __must_check;

/* Does `bisect start` and `bisect run`, which print the answer. Their exit code, or -1. */
int ci_bisect(const struct ci_bisection *bisection, struct error *err);

#endif
