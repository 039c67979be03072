/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/plan_tool.h"

#include <stdlib.h>
#include <string.h>

/* Cuts the text behind its first word; returns what follows, without blanks before it. */
static char *cut_word(char *text)
{
	char *rest = text + strcspn(text, " \t");

	if (*rest)
		*rest++ = '\0';
	return rest + strspn(rest, " \t");
}

static int take_capture(struct plan_tool *tool, const char *word)
{
	static const char *const names[] = {
		[TOOL_STDOUT] = "stdout", [TOOL_STDERR] = "stderr", [TOOL_TIME] = "time"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], word) != 0)
			continue;
		tool->capture = (enum tool_capture)i;
		return 0;
	}
	return -1;
}

/* "NAME[PARAMS]" in place. */
static int take_label(struct plan_tool *tool, char *label)
{
	char *bracket = strchr(label, '[');
	size_t length = strlen(label);

	tool->name = label;
	tool->params = "";
	if (!bracket)
		return *label ? 0 : -1;
	if (bracket == label || label[length - 1] != ']')
		return -1;
	label[length - 1] = '\0';
	*bracket = '\0';
	tool->params = bracket + 1;
	return 0;
}

static int begin(struct plan *plan, char *value, struct fault *fault)
{
	struct plan_tool *tools =
		reallocarray(plan->tools, plan->tool_count + 1, sizeof(*plan->tools));
	char *capture = cut_word(value);
	char *command = cut_word(capture);
	struct plan_tool *tool;

	if (!tools)
		return fault_set(fault, "out of memory");
	plan->tools = tools;
	tool = &tools[plan->tool_count];
	*tool = (struct plan_tool){.command = command};
	if (take_label(tool, value) < 0 || take_capture(tool, capture) < 0 || !*command)
		return fault_set(fault, "tool needs NAME[PARAMS], stdout, stderr or time, and a "
					"program, not");
	plan->tool_count++;
	return 0;
}

int plan_tool_take(struct plan *plan, const char *directive, char *value, struct fault *fault)
{
	struct plan_tool *tool = plan->tool_count ? &plan->tools[plan->tool_count - 1] : NULL;

	if (!strcmp(directive, "tool"))
		return begin(plan, value, fault);
	if (!tool || !*value)
		return fault_set(fault, "%s needs a value, and a tool line before it, not",
				 directive);
	if (!strcmp(directive, "tool-before"))
		tool->before = value;
	else if (!strcmp(directive, "tool-beside"))
		tool->beside = value;
	else if (!strcmp(directive, "tool-package"))
		tool->package = value;
	else
		tool->lacks = value;
	return 0;
}
