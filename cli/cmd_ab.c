/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>

#include "cli/collecting.h"
#include "cli/reporting.h"

struct options {
	struct common_options common;
	struct collecting_options collecting;
	struct reporting_options reporting;
};

static const struct option_spec specs[] = {
	COLLECTING_OPTIONS(struct options),
	REPORTING_FILE_OPTIONS(struct options),
	REPORTING_JUDGE_OPTIONS(struct options),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

static int report_collection(struct session *session, const struct options *options,
			     const char *collection_id, struct error *err)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};

	if (store_load_collection(session->store, collection_id, &sets, err) < 0)
		return -1;
	return reporting_run(session, &options->reporting, &sets, err);
}

/*
 * When boots failed there is still a report to give, with the failure in it: a dashboard must
 * show the broken kernel as an error. The collection's own error decides the exit code.
 */
static void report_failure(struct session *session, const struct options *options,
			   const char *collection_id)
{
	_cleanup_(error_clear) struct error second = {0};

	if (report_collection(session, options, collection_id, &second) < 0)
		log_warning(&session->log, "no report: %s", second.message);
}

static int collect_and_report(struct session *session, const struct options *options,
			      const struct string_list *words, struct error *err)
{
	_cleanup_free_ char *collection_id = NULL;

	if (collecting_run(session, &options->collecting, &options->reporting, words,
			   &collection_id, err) == 0)
		return report_collection(session, options, collection_id, err);
	if (collection_id && err->kind == ERROR_HARNESS)
		report_failure(session, options, collection_id);
	return -1;
}

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(string_list_release) struct string_list words = {0};
	struct options options = {0};
	int result = -1;

	if (options_parse(specs, &options, argc, argv, &words, err) == 0 &&
	    check_words(&command_ab, &words, 2, SIZE_MAX, err) == 0 &&
	    session_open(&session, &options.common, true, err) == 0)
		result = collect_and_report(&session, &options, &words, err);
	string_list_release(&options.collecting.bench);
	return result;
}

const struct command command_ab = {
	.name = "ab",
	.arguments = "BASE NEW...",
	.summary = "run, compare and report: the main job",
	.description = "Collects the variants interleaved, compares each NEW with BASE over boots, "
		       "prints the "
		       "table of verdicts and writes the reports that are asked for.\n\n"
		       "The exit code tells the verdict: 0 no regression, 1 a regression.",
	.examples = "  kregress ab voluntary full --boots 6 --junit junit.xml\n",
	.options = specs,
	.run = run,
};
