/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a finding of the history tells a bisection. */
#ifndef KREGRESS_CLI_BISECTING_FINDING_H
#define KREGRESS_CLI_BISECTING_FINDING_H

#include "cli/cli.h"
#include "common/metric.h"

/* Owned texts. */
struct bisecting_finding {
	char *id;
	char *good; /* commits: of the last run set surely before the change, */
	char *bad;  /* and of the first surely after it */
	char *bench;
	char *metric;
	char *variant; /* NULL: the configuration does not have it */
	enum better better;
};

/*
 * Loads the finding whose id begins with `prefix`, or of a group its surest member. ERROR_USAGE
 * when there is none, when its commits are not recorded, and when both sides ran the same commit.
 */
int bisecting_finding_load(const struct session *session, const char *prefix,
			   struct bisecting_finding *found, struct error *err) __must_check;
void bisecting_finding_release(struct bisecting_finding *found);

#endif
