/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which order the run sets of a history are taken, and from which on. */
#ifndef KREGRESS_CLI_HISTORY_ORDER_H
#define KREGRESS_CLI_HISTORY_ORDER_H

#include "bisect/history.h"
#include "common/error.h"
#include "reports/history.h"
#include "store/timeline.h"

enum order_choice {
	ORDER_AUTO, /* by commits where all run sets have one that the repository knows */
	ORDER_TIME,
	ORDER_COMMITS,
};

struct history_ordering {
	enum order_choice choice;
	struct history history; /* the repository; NULL inside: there is none */
	char *no_repository;	/* why not */
	char *since_time;	/* UTC, as in timeline_set.created_at, or NULL */
	char *since_revision;	/* as asked for, or NULL */
	git_oid since_commit;	/* of since_revision */
};

/*
 * `choice`: "auto", "time", "commits" or NULL. `repository`: a folder in it; NULL: this folder's,
 * if it is in one. `since`: NULL, a time (2026-11-30 or 2026-11-30T20:33:07Z, UTC) or a revision.
 * ERROR_USAGE for what cannot be.
 */
int history_ordering_open(struct history_ordering *ordering, const char *choice,
			  const char *repository, const char *since, struct error *err)
	__must_check;
void history_ordering_release(struct history_ordering *ordering);

/*
 * Puts the sets in order and takes those before `since` out. `*note` says which order it is and
 * why; owned by the caller. ERROR_USAGE when the order that was asked for, or the revision, cannot
 * be had for this timeline.
 */
int history_ordering_apply(const struct history_ordering *ordering, struct timeline *timeline,
			   enum history_order *order, char **note, struct error *err) __must_check;

#endif
