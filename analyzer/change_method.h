/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a method of detection is: one row of the table in change_method.c. */
#ifndef KREGRESS_ANALYZER_CHANGE_METHOD_H
#define KREGRESS_ANALYZER_CHANGE_METHOD_H

#include "analyzer/change_search.h"

struct change_method_row {
	const char *name;
	bool goes_on; /* from the segmentation of fewer points */
	/* Fills `places` (room for n), ascending, with their intervals; returns how many. */
	size_t (*find)(struct change_search *search, struct change_place *places);
};

/* NULL for a method that is not in the table. */
const struct change_method_row *change_method_row(enum change_method method);

#endif
