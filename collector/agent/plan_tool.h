/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directives of a plan that describe other programs: `tool` and what belongs to it. */
#ifndef KREGRESS_AGENT_PLAN_TOOL_H
#define KREGRESS_AGENT_PLAN_TOOL_H

#include "collector/agent/plan.h"

/*
 * Takes a line: `tool NAME[PARAMS] stdout|stderr|time PROGRAM ARGUMENTS` begins one, `tool-...`
 * adds to the last. -1: the fault says what is wrong with it.
 */
int plan_tool_take(struct plan *plan, const char *directive, char *value, struct fault *fault);

#endif
