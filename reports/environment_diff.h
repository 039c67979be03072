/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What differs between the environments of two sides, in which the cause may lie. */
#ifndef KREGRESS_REPORTS_ENVIRONMENT_DIFF_H
#define KREGRESS_REPORTS_ENVIRONMENT_DIFF_H

#include "reports/report.h"

/* Borrowed texts; NULL on the side that does not know the key. */
struct environment_difference {
	const char *key;
	const char *base;
	const char *candidate;
};

struct environment_diff {
	ARRAY_OF(struct environment_difference) items; /* ordered by key */
	size_t same;				       /* keys with one value on both sides */
};

/* The variants outlive the result, which the caller releases. */
struct environment_diff environment_diff_of(const struct report_variant *base,
					    const struct report_variant *candidate);
void environment_diff_release(struct environment_diff *diff);

#endif
