/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The invocations of another program and their records. */
#ifndef KREGRESS_AGENT_RUN_TOOL_H
#define KREGRESS_AGENT_RUN_TOOL_H

#include "collector/agent/run.h"

/* False when it failed: that is in the records then, and no further invocation is tried. */
bool run_tool(struct run *run, const struct plan_tool *tool);

#endif
