/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Findings of many series that are one change: those of one variant and machine class, in the same
 * direction, whose places fit. Pure.
 *
 * The surest of them leads: the group's id is made of its id. Others belong to it when the
 * intervals of both places meet and the places are at most FINDING_GROUP_REACH run sets apart.
 * Groups hence do not grow from member to member, and two changes a few nights apart, each surely
 * placed, stay two.
 */
#ifndef KREGRESS_STORE_FINDING_GROUP_H
#define KREGRESS_STORE_FINDING_GROUP_H

#include "store/finding.h"

#define FINDING_GROUP_REACH 5

/* A finding and its place among all run sets of the timeline, which not all series have part in. */
struct finding_spot {
	struct finding *finding;
	size_t index;
	size_t low;
	size_t high;
};

/*
 * Gives a group to those of the findings that have none (NULL). Findings that stand already are
 * there for others to join them; their groups stay. The spots are put into another order.
 */
void finding_group(struct finding_spot *spots, size_t count);

#endif
