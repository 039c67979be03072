/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where kregress finds its own parts: named by the environment, else where this build put them,
 * else where they are installed.
 */
#ifndef KREGRESS_COLLECTOR_PATHS_H
#define KREGRESS_COLLECTOR_PATHS_H

#include "common/error.h"

/* The agent: $KREGRESS_AGENT, or the build's, or the installed one. Owned by the caller. */
int paths_agent(char **path, struct error *err) __must_check;

/* The module's source folder: $KREGRESS_KMOD, or the build's, or the installed one. */
int paths_kmod(char **path, struct error *err) __must_check;

#endif
