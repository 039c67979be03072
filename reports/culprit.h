/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a finished bisection found, read from its report for those that name the culprit. */
#ifndef KREGRESS_REPORTS_CULPRIT_H
#define KREGRESS_REPORTS_CULPRIT_H

#include "common/error.h"
#include "common/strbuf.h"
#include "reports/presentation.h"

/* A culprit with texts of its own; all zero is none. */
struct found_culprit {
	char *commit;
	char *subject;
	double probability_frac;
	bool confirmed; /* against its parent */
	bool restored;	/* by a revert on the tip */
};

/*
 * Reads a file of format kregress-bisect-1 (docs/bisect.schema.json). ERROR_DATA when it is no
 * such file, or the bisection has not found one commit.
 */
int found_culprit_load(const char *path, struct found_culprit *found, struct error *err)
	__must_check;
void found_culprit_release(struct found_culprit *found);

/* The same for a presentation, which borrows the texts. */
struct culprit found_culprit_show(const struct found_culprit *found);

/* "97.6%", never rounded up to certainty. */
void culprit_append_certainty(struct strbuf *out, double probability_frac);
/* "it is slower than its parent, and a revert restores the tip"; nothing without a proof. */
void culprit_append_proof(struct strbuf *out, const struct culprit *culprit);
/* All that is known, in a sentence for people. Owned by the caller. */
char *culprit_describe(const struct culprit *culprit);

#endif
