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
	REPORTING_JUDGE_OPTIONS(struct options),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

static void describe_set(struct strbuf *out, const struct run_set *set)
{
	size_t ok = 0, samples = 0;

	array_for_each (boot, &set->boots)
		ok += boot->status == BOOT_OK;
	array_for_each (series, &set->series)
		samples += series->samples.count;
	strbuf_printf(out, "%s@%.8s: %zu boot%s (%zu failed), %zu series, %zu samples\n",
		      set->variant, set->id, set->boots.count, set->boots.count == 1 ? "" : "s",
		      set->boots.count - ok, set->series.count, samples);
}

static int print_collection(struct session *session, const char *collection_id, struct error *err)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	size_t failed = 0;

	if (store_load_collection(session->store, collection_id, &sets, err) < 0)
		return -1;
	array_for_each (set, &sets) {
		describe_set(&out, *set);
		array_for_each (boot, &(*set)->boots)
			failed += boot->status != BOOT_OK;
	}
	if (print_text(strbuf_text(&out), err) < 0)
		return -1;
	return failed ? EXIT_FAILED : EXIT_OK;
}

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_free_ char *collection_id = NULL;
	struct options options = {0};
	int result = -1;

	if (options_parse(specs, &options, argc, argv, &words, err) == 0 &&
	    check_words(&command_run, &words, 1, SIZE_MAX, err) == 0 &&
	    session_open(&session, &options.common, true, err) == 0 &&
	    collecting_run(&session, &options.collecting, &options.reporting, &words,
			   &collection_id, err) == 0)
		result = print_collection(&session, collection_id, err);
	string_list_release(&options.collecting.bench);
	return result;
}

const struct command command_run = {
	.name = "run",
	.arguments = "VARIANT...",
	.summary = "collect samples; several variants are interleaved",
	.description =
		"Boots each variant as often as the suite says, in blocks of alternating order "
		"(ABBA), "
		"runs the benchmarks in each boot, and stores every boot's samples as soon as it "
		"is "
		"over.\n\n"
		"A run that was interrupted is resumed by the same command. The variant \"local\" "
		"is "
		"the machine itself with its running kernel; others come from kregress.conf.",
	.examples = "  kregress run local --bench 'ipc.*' --boots 3\n"
		    "  kregress run voluntary full --suite core\n",
	.options = specs,
	.run = run,
};
