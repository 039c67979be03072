/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <string.h>

#include "cli/cli.h"
#include "collector/host.h"
#include "collector/import/source.h"

struct options {
	struct common_options common;
	const char *level;
	const char *metric;
	const char *unit;
	const char *better;
	const char *machine;
	const char *variant;
	const char *commit;
	bool dry_run;
};

static const struct option_spec specs[] = {
	OPTION_ROW(
		struct options, level, OPTION_STRING, "level", 'L', "LEVEL",
		"what each value repeats: boot (every value is an independent run, the default), "
		"invocation or iteration"),
	OPTION_ROW(struct options, metric, OPTION_STRING, "metric", 0, "METRIC",
		   "metric where the input states none"),
	OPTION_ROW(struct options, unit, OPTION_STRING, "unit", 'u', "UNIT",
		   "unit where the input states none"),
	OPTION_ROW(struct options, better, OPTION_STRING, "better", 0, "lower|higher",
		   "which way is good where the input does not say"),
	OPTION_ROW(struct options, variant, OPTION_STRING, "variant", 0, "NAME",
		   "variant of all files of tools' output, whose values then follow one another; "
		   "without it each file is one, named after the file"),
	OPTION_ROW(struct options, machine, OPTION_STRING, "machine", 0, "CLASS",
		   "machine class of the values"),
	OPTION_ROW(struct options, commit, OPTION_STRING, "commit", 0, "COMMIT",
		   "the commit that was measured, kept with every boot (kernel.commit)"),
	OPTION_ROW(struct options, dry_run, OPTION_FLAG, "dry-run", 0, NULL,
		   "read and check, store nothing"),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

static int fill_input(const struct options *options, struct import_input *input, struct error *err)
{
	if (options->level && !level_parse(options->level, &input->level)) {
		error_set(err, ERROR_USAGE, "option --level: '%s' is no level", options->level);
		return error_hint(err, "known levels: boot, invocation, iteration");
	}
	input->has_better = options->better != NULL;
	if (options->better && !better_parse(options->better, &input->better))
		return error_set(err, ERROR_USAGE,
				 "option --better: '%s' is neither lower nor "
				 "higher",
				 options->better);
	input->metric = options->metric;
	input->unit = options->unit;
	input->machine = options->machine;
	input->variant = options->variant;
	if (!options->variant || (*options->variant && !strchr(options->variant, '@')))
		return 0;
	error_set(err, ERROR_USAGE, "option --variant: '%s' cannot be a variant's name",
		  options->variant);
	return error_hint(err, "'@' separates a variant from the id of its run set");
}

static int print_sets(const struct run_set_list *sets, bool stored, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;

	array_for_each (item, sets) {
		const struct run_set *set = *item;
		size_t samples = 0;

		array_for_each (series, &set->series)
			samples += series->samples.count;
		strbuf_printf(&out, "%s %s@%.8s: %zu series, %zu samples, each a %s\n",
			      stored ? "imported" : "read", set->variant, set->id,
			      set->series.count, samples, level_name(set->level));
	}
	return print_text(strbuf_text(&out), err);
}

static void set_commit(const struct run_set_list *sets, const char *commit)
{
	array_for_each (set, sets)
		array_for_each (boot, &(*set)->boots)
			environment_set(&boot->environment, "kernel.commit", commit);
}

/* All files are read before anything is stored: all of it or nothing. */
static int import_files(const struct options *options, const struct string_list *words,
			struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_free_ char *now = host_utc_now();
	struct import_input input = {.created_at = now};

	if (fill_input(options, &input, err) < 0)
		return -1;
	for (size_t i = 1; i < words->count; i++)
		if (import_path(words->items[0], &input, words->items[i], &sets, err) < 0)
			return -1;
	set_commit(&sets, options->commit);
	if (session_open(&session, &options->common, !options->dry_run, err) < 0)
		return -1;
	if (!options->dry_run && store_add_run_sets(session.store, &sets, err) < 0)
		return -1;
	return print_sets(&sets, !options->dry_run, err);
}

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	struct options options = {0};

	if (options_parse(specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_import, &words, 2, SIZE_MAX, err) < 0)
		return -1;
	return import_files(&options, &words, err);
}

const struct command command_import = {
	.name = "import",
	.arguments = "FORMAT|auto FILE...",
	.summary = "store other tools' output as run sets",
	.description =
		"Reads the files (- is standard input) as FORMAT and stores what they hold: all of "
		"it, or, when anything is wrong with any of them, nothing. A folder of results, as "
		"LKP writes one for a run, is read file by file. docs/import.md says what each "
		"format gives.\n\n"
		"Formats of kregress: table (plain text tables of benchmarks and variants), csv, "
		"kregress-1 (what export writes), html-report.\n\n"
		"Formats of tools: cyclictest, dbench, find-bit, fio, fio-json, go-benchfmt, "
		"google-benchmark, hackbench, hyperfine, iperf3, kbuild, ktap, lkp-mail, "
		"lkp-stats, lmbench, netperf, oslat, perf-bench, perf-bench-simple, rcuscale, "
		"refscale, rt-json, schbench, stress-ng, stress-ng-yaml, sysbench, tbench, time, "
		"time-bench, vmalloc-test, will-it-scale.",
	.examples = "  kregress import table 2013.txt\n"
		    "  kregress import auto --variant voluntary hackbench-*.txt\n"
		    "  kregress compare voluntary preempt\n",
	.options = specs,
	.run = run,
};
