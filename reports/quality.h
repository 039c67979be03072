/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the samples of one side of a finding are like: where their variance comes from, and what
 * speaks against taking them at their face value. Nothing here drops a value or changes a verdict;
 * it tells the reader what would help and what to distrust.
 */
#ifndef KREGRESS_REPORTS_QUALITY_H
#define KREGRESS_REPORTS_QUALITY_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/autocorrelation.h"
#include "analyzer/bimodal.h"
#include "analyzer/drift.h"
#include "analyzer/variance_components.h"
#include "common/strbuf.h"
#include "store/run_set.h"

struct data_quality {
	struct variance_components components;	/* of all samples */
	struct drift drift;			/* of the boots' values, in run order */
	struct autocorrelation autocorrelation; /* of the boots' values, in run order */
	/* Samples outside the fences of their set; they stay in. Not of deterministic metrics. */
	size_t outliers;
	size_t warm_up; /* samples before a steady state, left out of the boots' values */
	size_t samples;
	struct modes modes; /* known only where the dip test finds two */
	double dip_p;	    /* 1 when not tested */
};

/*
 * Describes a series (NULL: nothing is known of it). `boot_values`, in the order of
 * boots, are those that are compared; `warm_up` is how many samples were left out of them. `alpha`
 * is the level of the tests for drift and modes.
 */
struct data_quality data_quality_of(const struct series *series, const double *boot_values,
				    size_t n_boots, size_t warm_up, double alpha);

/* Appends "; most of the variance is between boots (82%): more boots help" and the like. */
void data_quality_append_advice(struct strbuf *out, const struct data_quality *quality);

/*
 * Appends what to distrust, as a sentence about `side` ("base" or the variant's name); nothing
 * when there is nothing.
 */
void data_quality_append_warnings(struct strbuf *out, const struct data_quality *quality,
				  const char *side, double alpha);

#endif
