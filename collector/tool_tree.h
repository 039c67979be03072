/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a guest needs to build a source tree: the tree and a compiler, as files of this machine. */
#ifndef KREGRESS_COLLECTOR_TOOL_TREE_H
#define KREGRESS_COLLECTOR_TOOL_TREE_H

#include "common/array.h"
#include "common/error.h"

/* A larger tree does not go into a guest, which keeps it in memory. */
#define TOOL_TREE_MAX_MIB 256

/*
 * Adds the absolute paths of all files below `tree` but for folders named .git, of make, a shell,
 * gcc with its parts and headers, and of the few other programs that a Makefile cannot do without.
 * `more` names what else the tree takes: programs, files, and folders with all that is in them;
 * paths that begin with a slash, or programs in $PATH. ERROR_USAGE when one of them is nowhere, the
 * tree is too large or cannot be read.
 */
int tool_tree_list_files(const char *tree, const struct string_list *more,
			 struct string_list *paths, struct error *err) __must_check;

#endif
