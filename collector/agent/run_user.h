/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The invocations of a userland benchmark and their records. */
#ifndef KREGRESS_AGENT_RUN_USER_H
#define KREGRESS_AGENT_RUN_USER_H

#include "collector/agent/run.h"
#include "collector/agent/user_bench.h"

/* False when it failed: that is in the records then, and no further invocation is tried. */
bool run_user(struct run *run, const struct user_bench *bench);

#endif
