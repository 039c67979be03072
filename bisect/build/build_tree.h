/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The place where kernels are built, one after the other: sources in a working tree of its own
 * (bisect/driver/checkout.h), objects in a folder beside it. Going from one commit to the next
 * changes the files that differ, and make compiles what depends on them.
 *
 * A make runs in the background until somebody waits for it. One that does not end by itself leaves
 * a mark; object files since that mark are removed before the next one, for a compiler that is
 * killed leaves half a file that make takes for a whole one.
 */
#ifndef KREGRESS_BISECT_BUILD_BUILD_TREE_H
#define KREGRESS_BISECT_BUILD_BUILD_TREE_H

#include <git2.h>
#include <stdbool.h>
#include <sys/types.h>

#include "bisect/driver/checkout.h"
#include "common/array.h"
#include "common/error.h"
#include "common/log.h"

struct build_tree {
	struct checkout checkout; /* FOLDER/source */
	char *objects;		  /* FOLDER/objects */
	char *mark;		  /* FOLDER/unfinished */
	char *log_folder;	  /* FOLDER/logs */
	int lock_fd;
	struct string_list arguments; /* for every make */
	const char *base_config;      /* text of .config, not owned */

	/* The build under way, or the one that ended last. */
	git_oid commit;
	char *log_path;
	pid_t pid; /* of make; -1: none */
	double started_s;
	bool was_used; /* a build has ended here since the tree was opened */
};

struct build_tree_options {
	const struct history *history; /* the user's repository; only its objects are read */
	const char *more_objects;      /* another folder of objects, or NULL */
	const char *folder;	       /* made when missing */
	const char *base_config;       /* must stay valid */
	const struct string_list *make_arguments; /* the user's: CC=gcc-12 */
	uint64_t jobs;				  /* of make; 0: as many as CPUs */
};

enum build_tree_state {
	BUILD_TREE_BUILT,
	BUILD_TREE_BROKEN, /* the commit does not build */
};

/* ERROR_HARNESS when another process builds there. On failure nothing is left to close. */
int build_tree_open(struct build_tree *tree, const struct build_tree_options *options,
		    struct error *err) __must_check;

/* Ends what is under way. */
void build_tree_close(struct build_tree *tree);

/*
 * Begins to build a commit; what was under way is given up. Configures at once: when that fails
 * because of the commit, *broken gets the reason (owned by the caller) and no make is started.
 */
int build_tree_start(struct build_tree *tree, const git_oid *commit, char **broken,
		     struct error *err) __must_check;

/*
 * Waits for the end of what was started. BUILD_TREE_BROKEN sets *reason, owned by the caller;
 * -1 is trouble of this machine, or a signal: then the build is given up.
 */
int build_tree_wait(struct build_tree *tree, enum build_tree_state *state, char **reason,
		    struct error *err) __must_check;

/* Whether something is under way that has not ended yet. */
bool build_tree_is_busy(struct build_tree *tree);

/* Gives up what is under way. */
void build_tree_stop(struct build_tree *tree);

#endif
