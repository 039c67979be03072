/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/metric.h"

#include <stddef.h>
#include <string.h>

const struct metric metrics[] = {
	{"time", "ns/op", BETTER_LOWER, false, "wall-clock time per operation"},
	{"cycles", "cycles/op", BETTER_LOWER, false, "time stamp counter ticks per operation"},
	{"insn", "insn/op", BETTER_LOWER, true, "instructions executed per operation"},
	{"rate", "1/s", BETTER_HIGHER, false, "operations per second"},
	{0},
};

const struct metric *metric_find(const char *name)
{
	for (const struct metric *metric = metrics; metric->name; metric++)
		if (!strcmp(metric->name, name))
			return metric;
	return NULL;
}

const char *better_name(enum better better)
{
	return better == BETTER_HIGHER ? "higher" : "lower";
}

bool better_parse(const char *text, enum better *better)
{
	if (!strcmp(text, "lower"))
		*better = BETTER_LOWER;
	else if (!strcmp(text, "higher"))
		*better = BETTER_HIGHER;
	else
		return false;
	return true;
}
