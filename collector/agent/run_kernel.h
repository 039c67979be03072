/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The invocations of an in-kernel benchmark and their records. */
#ifndef KREGRESS_AGENT_RUN_KERNEL_H
#define KREGRESS_AGENT_RUN_KERNEL_H

#include "collector/agent/kernel_runner.h"
#include "collector/agent/run.h"

/*
 * False when it failed: that is in the records then, and no further invocation is tried. One that
 * this kernel cannot offer is recorded as such and is no failure.
 */
bool run_kernel(struct run *run, const struct kernel_bench *bench);

#endif
