/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Descriptors that the removal may use at once. */
#define DEPTH 16

int folder_make_own(char path[PATH_MAX], struct fault *fault)
{
	const char *parent = getenv("TMPDIR");

	snprintf(path, PATH_MAX, "%s/kregress-agent-XXXXXX", parent && *parent ? parent : "/tmp");
	return mkdtemp(path) ? 0 : fault_set_errno(fault, errno, "%s", path);
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *walk)
{
	(void)info;
	(void)type;
	(void)walk;
	return remove(path);
}

void folder_remove_own(const char *path)
{
	nftw(path, remove_one, DEPTH, FTW_DEPTH | FTW_PHYS);
}
