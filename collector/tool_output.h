/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a tool printed in a boot becomes samples of that boot, through the importer of its format.
 */
#ifndef KREGRESS_COLLECTOR_TOOL_OUTPUT_H
#define KREGRESS_COLLECTOR_TOOL_OUTPUT_H

#include "common/error.h"
#include "store/run_set.h"

struct tool_output {
	const char *benchmark; /* "tool.hackbench" */
	const char *params;    /* as the agent names them, those of the plan included */
	uint32_t boot;
	uint32_t invocation;
	const char *text;
	size_t length;
};

/*
 * Adds the values to series of the tool's name. The importer's own names go into the parameters
 * where one output has several series: `part=...`. ERROR_DATA names the line that is wrong;
 * nothing is added then.
 */
int tool_output_add(struct run_set *set, const struct tool_output *output, struct error *err)
	__must_check;

#endif
