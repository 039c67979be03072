/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One search for changes over a series that grows: the model, what the segmentation keeps, and the
 * same for the next basis of the noise, prepared a few points at a time before it counts. Nothing
 * of the result depends on how far the preparation has come, or on whether there was any.
 */
#ifndef KREGRESS_ANALYZER_CHANGE_SEARCH_H
#define KREGRESS_ANALYZER_CHANGE_SEARCH_H

#include "analyzer/change_place.h"
#include "analyzer/change_segmentation.h"

struct change_search {
	struct change_model model;
	struct change_segmentation segmentation; /* for the method that goes on from it */
	size_t kept;		    /* leading points that are as they were at the last search */
	size_t searched;	    /* points at the last search */
	struct change_search *next; /* owned; NULL while none was prepared */
};

/* NULL settings: the defaults. */
void change_search_init(struct change_search *search, const struct change_settings *settings);
void change_search_release(struct change_search *search);

/*
 * Changes among all points of the model, which are 2 or more, by the method of its settings; fills
 * `places` (room for n), ascending, with their intervals; returns how many.
 */
size_t change_search_find(struct change_search *search, struct change_place *places);

#endif
