/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of report_build(), a file each. */
#ifndef KREGRESS_REPORTS_BUILD_H
#define KREGRESS_REPORTS_BUILD_H

#include "reports/report.h"

/* What is compared. */
struct report_input {
	const struct run_set *base;
	const struct run_set *const *variants;
	size_t count;
	const struct report_options *options;
};

/* Appends the series of all sets, ordered, each with one empty finding per variant. */
void report_gather_series(struct report *report, const struct report_input *input);

/* The limit for a benchmark: the last pattern that matches, else the default. */
double report_limit_for(const struct report_options *options, const char *benchmark,
			const char *params);

/*
 * Appends one value per boot that has samples of the series, those of failed boots included, with
 * the boot's block, and returns how many samples there are. `*warm_up` grows by those of them that
 * come before an invocation's steady state and are left out of the values. A NULL series has none.
 */
size_t report_boot_values(const struct run_set *set, const struct series *series,
			  struct value_list *values, struct block_list *blocks, size_t *warm_up);

/*
 * Says why a finding cannot be compared, when it cannot: sets problem, problem_text and verdict.
 * `candidate` is the variant's series or NULL; values are already in place.
 */
void report_find_problem(const struct report *report, const struct report_input *input,
			 const struct report_series *series, struct report_finding *finding,
			 const struct series *candidate);

/* Describes a set: provenance, environment, failed boots. */
void report_describe_variant(struct report_variant *variant, const struct run_set *set);

/* What the reader has to know about how the sets were made. */
void report_gather_notes(struct report *report, const struct report_input *input);

#endif
