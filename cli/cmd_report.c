/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <string.h>

#include "cli/report_check.h"
#include "cli/reporting.h"

struct options {
	struct common_options common;
	struct reporting_options reporting;
	const char *output;
	const char *consumer;
	bool json;
};

static const struct option_spec specs[] = {
	OPTION_ROW(struct options, output, OPTION_STRING, "output", 'o', "FILE",
		   "where to write (default: standard output)"),
	OPTION_ROW(struct options, consumer, OPTION_STRING, "consumer", 0, "NAME",
		   "check: only what this dashboard makes of the file"),
	OPTION_ROW(struct options, json, OPTION_FLAG, "json", 0, NULL, "check: print as JSON"),
	REPORTING_WRITER_OPTIONS(struct options),
	REPORTING_JUDGE_OPTIONS(struct options),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

/* The newest collection that has something to compare. */
static int load_newest_collection(struct store *store, struct run_set_list *sets, struct error *err)
{
	_cleanup_(run_set_summary_list_release) struct run_set_summary_list list = {0};

	if (store_list(store, &list, err) < 0)
		return -1;
	for (size_t i = list.count; i > 1; i--) {
		const char *collection = list.items[i - 1].collection;

		if (collection && list.items[i - 2].collection &&
		    !strcmp(collection, list.items[i - 2].collection))
			return store_load_collection(store, collection, sets, err);
	}
	error_set(err, ERROR_USAGE, "the store holds no collection of several variants");
	return error_hint(err, "name the run sets: kregress report FORMAT BASE NEW...");
}

static int load_comparison(struct store *store, const struct string_list *words,
			   struct run_set_list *sets, struct error *err)
{
	const struct string_list named = {words->items + 1, words->count - 1, 0};

	if (!named.count)
		return load_newest_collection(store, sets, err);
	if (named.count == 1) {
		error_set(err, ERROR_USAGE, "a comparison needs a base and at least one more set");
		return error_hint(err, "usage: kregress report FORMAT [BASE NEW...]");
	}
	return load_sets(store, &named, sets, err);
}

static int write_report(const struct session *session, const struct options *options,
			const struct report_writer *writer, const struct run_set_list *sets,
			struct error *err)
{
	struct report report;
	int result;

	if (reporting_build(session, &options->reporting, sets, &report, err) < 0)
		return -1;
	result = reporting_write(session, &report, writer->name, options->output, err);
	if (result == 0)
		result = reporting_exit_code(&report, options->reporting.strict);
	report_release(&report);
	return result;
}

static int check(const struct string_list *words, const struct options *options, struct error *err)
{
	const struct string_list paths = {words->items + 1, words->count - 1, 0};

	if (check_words(&command_report, words, 2, SIZE_MAX, err) < 0)
		return -1;
	return report_check_files(&paths, options->consumer, options->json, err);
}

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	struct options options = {.output = "-"};
	const struct report_writer *writer;

	if (options_parse(specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_report, &words, 1, SIZE_MAX, err) < 0)
		return -1;
	if (!strcmp(words.items[0], "check"))
		return check(&words, &options, err);
	writer = report_writer_find(words.items[0]);
	if (!writer)
		return reporting_unknown_format(words.items[0], err);
	if (session_open(&session, &options.common, true, err) < 0 ||
	    load_comparison(session.store, &words, &sets, err) < 0)
		return -1;
	return write_report(&session, &options, writer, &sets, err);
}

const struct command command_report = {
	.name = "report",
	.arguments = "FORMAT [BASE NEW...] | check FILE...",
	.summary = "write a comparison in a report format, or check a report",
	.description =
		"Writes the comparison of the named run sets, or of the newest collection with its "
		"first variant as the base, as FORMAT. The exit code is that of compare. Without a "
		"known FORMAT the error lists all of them.\n\n"
		"`kregress report check FILE` reads a report, of kregress or any JUnit, without "
		"network, and says of each dashboard what it shows, drops and refuses. The exit "
		"code is 4 when one refuses the file or hides a failure.",
	.examples = "  kregress report junit -o junit.xml\n"
		    "  kregress report markdown voluntary full\n"
		    "  kregress report mail --culprit 85e511df3cec --culprit-probability 97%\n"
		    "  kregress report check junit.xml --consumer gitlab\n",
	.options = specs,
	.run = run,
};
