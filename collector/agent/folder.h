/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A temporary folder for a benchmark's files. */
#ifndef KREGRESS_AGENT_FOLDER_H
#define KREGRESS_AGENT_FOLDER_H

#include <limits.h>

#include "collector/agent/fault.h"

/* Makes a folder of its own in $TMPDIR, by default /tmp. -1: the fault says why. */
int folder_make_own(char path[PATH_MAX], struct fault *fault);

/* Removes it and all that is in it. */
void folder_remove_own(const char *path);

#endif
