/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/self.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

char *self_path(void)
{
	char *path = calloc(1, PATH_MAX);

	if (path && readlink(SELF_LINK, path, PATH_MAX - 1) >= 0)
		return path;
	free(path);
	return NULL;
}
