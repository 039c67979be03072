/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdlib.h>

#include "cli/reporting.h"
#include "common/file.h"
#include "store/exchange.h"

struct options {
	struct common_options common;
	const char *output;
};

static const struct option_spec specs[] = {
	OPTION_ROW(struct options, output, OPTION_STRING, "output", 'o', "FILE",
		   "where to write (default: standard output)"),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

/* Everything in the store, by id. */
static int load_all(struct store *store, struct run_set_list *sets, struct error *err)
{
	_cleanup_(run_set_summary_list_release) struct run_set_summary_list list = {0};
	_cleanup_(string_list_release) struct string_list ids = {0};

	if (store_list(store, &list, err) < 0)
		return -1;
	array_for_each (summary, &list)
		string_list_add(&ids, summary->id);
	return load_sets(store, &ids, sets, err);
}

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(strbuf_release) struct strbuf document = STRBUF_INIT;
	struct options options = {.output = "-"};

	if (options_parse(specs, &options, argc, argv, &words, err) < 0 ||
	    session_open(&session, &options.common, true, err) < 0)
		return -1;
	if ((words.count ? load_sets(session.store, &words, &sets, err)
			 : load_all(session.store, &sets, err)) < 0)
		return -1;
	exchange_write(&document, &sets);
	return file_write(options.output, strbuf_text(&document), document.length, err);
}

const struct command command_export = {
	.name = "export",
	.arguments = "[RUN-SET...]",
	.summary = "write run sets as JSON Lines (kregress-1)",
	.description =
		"Writes the named run sets, or all of the store, with every raw sample and the "
		"environment of every boot. `kregress import kregress-1` reads it back.",
	.examples = "  kregress export voluntary full -o results.jsonl\n",
	.options = specs,
	.run = run,
};
