/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A git repository made from a small graph of named commits, for tests. */
#ifndef KREGRESS_TESTS_BISECT_REPOSITORY_H
#define KREGRESS_TESTS_BISECT_REPOSITORY_H

#include <git2.h>
#include <stdbool.h>

#include "common/array.h"
#include "common/error.h"

struct made_commit {
	char *name;
	struct string_list parents; /* names, made before */
	char *touches;		    /* path it changes; NULL: a file of its own below "all" */
	bool ours;		    /* a merge that takes nothing from its other parents */
	size_t *content;	    /* per path: index + 1 of the commit that wrote it, 0: absent */
	git_oid id;
};

struct made_repository {
	char *path;
	git_repository *repository;
	struct string_list paths;
	ARRAY_OF(struct made_commit) commits;
};

/* Makes an empty repository with the branch "main" in a new temporary folder. */
int made_repository_init(struct made_repository *made, struct error *err);

/* Removes the folder too. */
void made_repository_release(struct made_repository *made);

/* Adds "NAME PARENT... [touch=PATH] [ours]"; a merge takes of each path what was written last. */
int made_repository_add(struct made_repository *made, const char *line, struct error *err);

/* The commit of that name, or NULL. */
const struct made_commit *made_repository_find(const struct made_repository *made,
					       const char *name);

/* True when `ancestor` is `commit` or comes before it. */
bool made_repository_is_ancestor(const struct made_repository *made,
				 const struct made_commit *ancestor,
				 const struct made_commit *commit);

/*
 * Runs git in the repository, without the user's configuration; `*output` gets both streams, owned
 * by the caller. Returns the exit status, or -1 when it could not be run.
 */
int made_repository_git(const struct made_repository *made, const struct string_list *arguments,
			char **output);

#endif
