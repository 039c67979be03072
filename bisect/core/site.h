/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What has been seen at one commit. A site is a commit of the range or a good commit outside it.
 * A value is the location of one boot (see analyzer/quantile.h): the unit of replication.
 */
#ifndef KREGRESS_BISECT_CORE_SITE_H
#define KREGRESS_BISECT_CORE_SITE_H

#include <stdbool.h>
#include <stddef.h>

struct site {
	size_t values;
	double mean;	/* of the values */
	double squares; /* sum of squared deviations from the mean */
	size_t passes;	/* outcomes of a pass/fail script */
	size_t fails;
	bool skipped; /* cannot be built or booted: no evidence, and still a candidate */
};

/* Adds one value, by Welford's update. */
void site_add_value(struct site *site, double value);

static inline bool site_has_evidence(const struct site *site)
{
	return site->values + site->passes + site->fails > 0;
}

#endif
