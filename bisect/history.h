/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A git repository as bisection sees it: revisions, merge bases, and the commits of good..bad as
 * dense arrays. Reads only; nothing in the repository changes.
 */
#ifndef KREGRESS_BISECT_HISTORY_H
#define KREGRESS_BISECT_HISTORY_H

#include <git2.h>
#include <stdbool.h>
#include <stdint.h>

#include "bisect/core/dag.h"
#include "common/array.h"
#include "common/error.h"

struct history {
	git_repository *repository;
};

/* A list of commit ids. */
struct commit_ids {
	git_oid *items;
	size_t count;
	size_t capacity;
};

struct commit_note {
	char *subject;	       /* first paragraph as one line, bytes as in the commit */
	char *author;	       /* "Name <address>" */
	int64_t author_time_s; /* since 1970, UTC */
	int author_offset_min; /* of the author's clock from UTC */
};

struct range_options {
	bool first_parent;	  /* follow first parents of merges only */
	struct string_list paths; /* files or folders, from the top; none: all commits */
};

/* Commit i has index i in `dag`; the last one is bad. */
struct range {
	struct dag dag; /* closed */
	struct commit_ids ids;
	struct commit_ids trees; /* equal trees build the same */
	/*
	 * With paths: bad itself does not touch them. It is there all the same; a search that names
	 * it says that no commit touching the paths made it slow.
	 */
	bool bad_is_beside_paths;
	/*
	 * Commits that plain bisection tests first because a good commit is no ancestor of bad:
	 * merge bases of bad and the good commits, without those that are good themselves.
	 */
	struct commit_ids merge_bases;
};

/*
 * Opens the repository that holds `path`. Refused with what to do: none there, shallow, partial
 * clone, SHA-256 objects, reftable references, owned by somebody else.
 */
int history_open(struct history *history, const char *path, struct error *err) __must_check;
void history_release(struct history *history);

/* The commit that a revision means; tags are peeled. ERROR_USAGE for anything else. */
int history_resolve(const struct history *history, const char *revision, git_oid *id,
		    struct error *err) __must_check;

/* Appends the commit of a revision, or all those of "A..B". */
int history_resolve_all(const struct history *history, const char *revisions,
			struct commit_ids *ids, struct error *err) __must_check;

int history_describe(const struct history *history, const git_oid *id, struct commit_note *note,
		     struct error *err) __must_check;
void commit_note_release(struct commit_note *note);

/*
 * Loads the commits reachable from `bad` and from no good one. With paths, history is simplified as
 * by git: a merge that has at the paths what one parent has is followed there only, and commits
 * that change nothing there are left out. ERROR_USAGE when nothing is left, and when bad is an
 * ancestor of a good commit. `options` may be NULL.
 */
int range_load(struct range *range, const struct history *history, const git_oid *bad,
	       const struct commit_ids *goods, const struct range_options *options,
	       struct error *err) __must_check;
void range_release(struct range *range);

/* Index of a commit in the range; false when it is not there. Linear time. */
bool range_find(const struct range *range, const git_oid *id, size_t *index);

#endif
