/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of verdicts and methods, as reports and the command line spell them. */
#include "analyzer/comparison.h"

#include <string.h>

static const char *const verdict_names[] = {
	[VERDICT_INCONCLUSIVE] = "inconclusive",
	[VERDICT_REGRESSED] = "regressed",
	[VERDICT_IMPROVED] = "improved",
	[VERDICT_EQUIVALENT] = "equivalent",
	[VERDICT_FAILED] = "failed",
};

static const char *const method_names[] = {
	[METHOD_AUTO] = "auto",	  [METHOD_WELCH] = "welch", [METHOD_MANN_WHITNEY] = "mann-whitney",
	[METHOD_EXACT] = "exact", [METHOD_NONE] = "none",
};

const char *verdict_name(enum verdict verdict)
{
	return verdict_names[verdict];
}

const char *method_name(enum method method)
{
	return method_names[method];
}

bool method_parse(const char *text, enum method *method)
{
	for (int i = METHOD_AUTO; i < METHOD_NONE; i++) {
		if (strcmp(text, method_names[i]) == 0) {
			*method = (enum method)i;
			return true;
		}
	}
	return false;
}
