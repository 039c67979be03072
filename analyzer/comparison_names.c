/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of verdicts, as reports and the command line spell them. */
#include "analyzer/comparison.h"

static const char *const verdict_names[] = {
	[VERDICT_INCONCLUSIVE] = "inconclusive",
	[VERDICT_REGRESSED] = "regressed",
	[VERDICT_IMPROVED] = "improved",
	[VERDICT_EQUIVALENT] = "equivalent",
	[VERDICT_FAILED] = "failed",
};

const char *verdict_name(enum verdict verdict)
{
	return verdict_names[verdict];
}
