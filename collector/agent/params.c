/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/params.h"

#include <stdio.h>
#include <string.h>

static void add(char params[PARAMS_MAX], const char *key, const char *value)
{
	size_t used = strlen(params);

	snprintf(params + used, PARAMS_MAX - used, "%s%s=%s", used ? "," : "", key, value);
}

void params_add_plan(char params[PARAMS_MAX], const struct plan *plan, uint64_t copies)
{
	char number[24];

	snprintf(number, sizeof(number), "%llu", (unsigned long long)copies);
	if (copies > 1)
		add(params, "cpus", number);
	if (plan->load)
		add(params, "load", plan->load);
	if (plan->load && plan->load_same_cpus)
		add(params, "load-cpus", "same");
}
