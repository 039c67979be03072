/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What building an external module takes from a kernel's sources and objects, in one folder. */
#ifndef KREGRESS_BISECT_BUILD_KDIR_H
#define KREGRESS_BISECT_BUILD_KDIR_H

#include "bisect/build/build_tree.h"
#include "common/error.h"

/*
 * Digest of all that would be in it, from the tree that was just built: equal digests, equal
 * folders. Owned by the caller.
 */
int kdir_digest(const struct build_tree *tree, char **digest, struct error *err) __must_check;

/* Copies it into `folder`, which is made. */
int kdir_copy(const struct build_tree *tree, const char *folder, struct error *err) __must_check;

#endif
