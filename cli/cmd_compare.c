/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>

#include "cli/reporting.h"

struct options {
	struct common_options common;
	struct reporting_options reporting;
};

static const struct option_spec specs[] = {
	REPORTING_FILE_OPTIONS(struct options),
	REPORTING_JUDGE_OPTIONS(struct options),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	struct options options = {0};

	if (options_parse(specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_compare, &words, 2, SIZE_MAX, err) < 0 ||
	    session_open(&session, &options.common, true, err) < 0 ||
	    load_sets(session.store, &words, &sets, err) < 0)
		return -1;
	return reporting_run(&session, &options.reporting, &sets, err);
}

const struct command command_compare = {
	.name = "compare",
	.arguments = "BASE NEW...",
	.summary = "compare stored run sets",
	.description =
		"Compares each NEW with BASE. A run set is named by its variant (the newest set of "
		"it), by VARIANT@PREFIX with the beginning of the set's or its collection's id, or "
		"by "
		"the beginning of the set's id.\n\n"
		"The replicates are boots: a set with a single boot gives no verdict but "
		"inconclusive, "
		"with the number of boots that would settle it.",
	.examples = "  kregress compare voluntary full\n"
		    "  kregress compare voluntary full --limit 0 --json\n",
	.options = specs,
	.run = run,
};
