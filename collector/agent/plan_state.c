/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/plan_state.h"

#include <stdlib.h>
#include <string.h>

static int take_state(struct plan *plan, const char *name, struct fault *fault)
{
	const char **states;

	if (!*name)
		return fault_set(fault, "state needs a name, not");
	if (plan->state_count == PLAN_STATES_MAX)
		return fault_set(fault, "at most %d states are possible, one more is",
				 PLAN_STATES_MAX);
	states = reallocarray(plan->states, plan->state_count + 1, sizeof(*states));
	if (!states)
		return fault_set(fault, "out of memory");
	plan->states = states;
	states[plan->state_count++] = name;
	return 0;
}

/* Two values for one name within a state would leave its state to chance. */
static bool is_set_already(const struct plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->switch_count; i++)
		if (plan->switches[i].state == plan->state_count - 1 &&
		    !strcmp(plan->switches[i].name, name))
			return true;
	return false;
}

static int add_switch(struct plan *plan, const char *name, const char *value, struct fault *fault)
{
	struct plan_switch *switches =
		reallocarray(plan->switches, plan->switch_count + 1, sizeof(*switches));

	if (!switches)
		return fault_set(fault, "out of memory");
	plan->switches = switches;
	switches[plan->switch_count++] = (struct plan_switch){plan->state_count - 1, name, value};
	return 0;
}

static int take_switch(struct plan *plan, char *text, struct fault *fault)
{
	char *equals = strchr(text, '=');

	if (!plan->state_count)
		return fault_set(fault, "switch needs a state line before it, not");
	if (!equals || equals == text || !equals[1])
		return fault_set(fault, "switch needs NAME=VALUE, not");
	*equals = '\0';
	if (is_set_already(plan, text))
		return fault_set(fault, "one state sets twice");
	return add_switch(plan, text, equals + 1, fault);
}

int plan_state_take(struct plan *plan, const char *directive, char *value, struct fault *fault)
{
	return !strcmp(directive, "state") ? take_state(plan, value, fault)
					   : take_switch(plan, value, fault);
}
