/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <string.h>

#include "cli/reporting.h"
#include "common/file.h"

struct options {
	struct common_options common;
	struct reporting_options reporting;
	const char *output;
};

static const struct option_spec specs[] = {
	OPTION_ROW(struct options, output, OPTION_STRING, "output", 'o', "FILE",
		   "where to write (default: standard output)"),
	REPORTING_JUDGE_OPTIONS(struct options),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

static const struct report_writer *find_writer(const char *format, struct error *err)
{
	const struct report_writer *writer = report_writer_find(format);
	_cleanup_(strbuf_release) struct strbuf known = STRBUF_INIT;

	if (writer)
		return writer;
	for (writer = report_writers; writer->name; writer++)
		strbuf_printf(&known, " %s", writer->name);
	error_set(err, ERROR_USAGE, "'%s' is no report format", format);
	error_hint(err, "known formats:%s", strbuf_text(&known));
	return NULL;
}

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
	_cleanup_(strbuf_release) struct strbuf document = STRBUF_INIT;
	struct report report;
	int result;

	if (reporting_build(session, &options->reporting, sets, &report, err) < 0)
		return -1;
	result = writer->write(&report, &document, err);
	if (result == 0)
		result = file_write(options->output, strbuf_text(&document), document.length, err);
	if (result == 0)
		result = reporting_exit_code(&report, options->reporting.strict);
	report_release(&report);
	return result;
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
	writer = find_writer(words.items[0], err);
	if (!writer || session_open(&session, &options.common, true, err) < 0 ||
	    load_comparison(session.store, &words, &sets, err) < 0)
		return -1;
	return write_report(&session, &options, writer, &sets, err);
}

const struct command command_report = {
	.name = "report",
	.arguments = "FORMAT [BASE NEW...]",
	.summary = "write a comparison in a report format",
	.description =
		"Writes the comparison of the named run sets, or of the newest collection with its "
		"first variant as the base, as FORMAT: text, junit, json or markdown. The exit "
		"code is "
		"that of compare.",
	.examples = "  kregress report junit -o junit.xml\n"
		    "  kregress report markdown voluntary full\n",
	.options = specs,
	.run = run,
};
