/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A working tree of the bisection's own: a repository that borrows the objects of the user's
 * (objects/info/alternates) and has its HEAD, index and files in a folder of its own. Nothing is
 * written into the user's repository, not even a worktree's entry; commits that a bisection makes
 * for itself (reverts) live here only. It has no branches or tags.
 */
#ifndef KREGRESS_BISECT_DRIVER_CHECKOUT_H
#define KREGRESS_BISECT_DRIVER_CHECKOUT_H

#include <git2.h>

#include "bisect/history.h"
#include "common/error.h"

struct checkout {
	git_repository *repository;
	char *path; /* the folder with the files, absolute */
};

/* Opens the working tree at `path`, made when missing. ERROR_IO, ERROR_USAGE. */
int checkout_open(struct checkout *checkout, const char *path, const struct history *history,
		  struct error *err) __must_check;
void checkout_close(struct checkout *checkout);

/*
 * Puts the files of `commit` there and detaches HEAD at it. Files that git does not track stay, so
 * that a build can go on from the last one; changes to tracked ones are dropped.
 */
int checkout_switch(struct checkout *checkout, const git_oid *commit, struct error *err)
	__must_check;

/*
 * Makes a commit that is `tip` with `culprit` reverted. Returns 1, 0 when the revert does not apply
 * cleanly or changes nothing (*reason, owned, says why), or -1. The commit is the same every time.
 */
int checkout_revert(struct checkout *checkout, const git_oid *tip, const git_oid *culprit,
		    git_oid *reverted, char **reason, struct error *err) __must_check;

#endif
