/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directives of a plan that describe states of the machine: `state` and `switch`. */
#ifndef KREGRESS_AGENT_PLAN_STATE_H
#define KREGRESS_AGENT_PLAN_STATE_H

#include "collector/agent/plan.h"

/* More than anybody compares at once. */
#define PLAN_STATES_MAX 64

/*
 * Takes a line: `state NAME` begins one, `switch NAME=VALUE` adds a setting to the last. -1: the
 * fault says what is wrong with it.
 */
int plan_state_take(struct plan *plan, const char *directive, char *value, struct fault *fault);

#endif
