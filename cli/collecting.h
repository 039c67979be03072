/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `run` and `ab` share: the plan from suite and options, and the collection. */
#ifndef KREGRESS_CLI_COLLECTING_H
#define KREGRESS_CLI_COLLECTING_H

#include "cli/cli.h"
#include "cli/reporting.h"

struct collecting_options {
	const char *suite;
	struct string_list bench;
	const char *boots;
	uint64_t boots_max;
	double budget_s;
	uint64_t repetitions;
	uint64_t invocations;
	double sample_time_s;
	const char *seed;
	uint64_t jobs;
	bool fresh;
	const char *load;
	const char *load_cpus;
	bool fix;
};

#define COLLECTING_OPTIONS(structure)                                                              \
	OPTION_ROW(structure, collecting.suite, OPTION_STRING, "suite", 's', "SUITE",              \
		   "what is measured: a suite of the configuration (default core)"),               \
		OPTION_ROW(structure, collecting.bench, OPTION_STRINGS, "bench", 'b', "PATTERN",   \
			   "benchmarks in the place of the suite's, by shell pattern; may be "     \
			   "given several times"),                                                 \
		OPTION_ROW(structure, collecting.boots, OPTION_STRING, "boots", 'n', "N|auto",     \
			   "boots of each variant (default: the suite's, else 6); auto goes on "   \
			   "until "                                                                \
			   "every series is decided"),                                             \
		OPTION_ROW(structure, collecting.boots_max, OPTION_UINT, "boots-max", 0, "N",      \
			   "at most so many boots with --boots auto (default 30)"),                \
		OPTION_ROW(structure, collecting.budget_s, OPTION_DURATION, "budget", 0, "TIME",   \
			   "with --boots auto: begin no block that would end later, such as 30m"), \
		OPTION_ROW(structure, collecting.repetitions, OPTION_UINT, "repetitions", 'r',     \
			   "N", "samples per invocation (default: the suite's, else 10)"),         \
		OPTION_ROW(structure, collecting.invocations, OPTION_UINT, "invocations", 'i',     \
			   "N",                                                                    \
			   "starts of each benchmark per boot (default: the suite's, else 1)"),    \
		OPTION_ROW(structure, collecting.sample_time_s, OPTION_DURATION, "sample-time", 0, \
			   "TIME",                                                                 \
			   "a sample takes at least so long (default: the suite's, else 1ms)"),    \
		OPTION_ROW(structure, collecting.load, OPTION_STRING, "load", 0, "LOAD",           \
			   "what keeps the machine busy meanwhile: none, messaging, disk, net, "   \
			   "timer (default: the suite's, else none)"),                             \
		OPTION_ROW(structure, collecting.load_cpus, OPTION_STRING, "load-cpus", 0,         \
			   "same|other",                                                           \
			   "the load's CPUs: those of the benchmarks, or the others (default)"),   \
		OPTION_ROW(structure, collecting.seed, OPTION_STRING, "seed", 0, "N",              \
			   "seed of the schedule (default: drawn at random, and printed)"),        \
		OPTION_ROW(structure, collecting.jobs, OPTION_UINT, "jobs", 'j', "N",              \
			   "boots at a time (default: one; where instructions are counted, one "   \
			   "per CPU)"),                                                            \
		OPTION_ROW(structure, collecting.fresh, OPTION_FLAG, "fresh", 0, NULL,             \
			   "begin anew instead of resuming an unfinished collection"),             \
		OPTION_ROW(structure, collecting.fix, OPTION_FLAG, "fix", 0, NULL,                 \
			   "make this machine quiet meanwhile, as `kregress doctor --fix` does")

/*
 * Collects the variants that `words` name. With --boots auto, series count as decided by the
 * judgement that `reporting` describes. The collection's id is owned by the caller, see collect.h.
 */
int collecting_run(struct session *session, const struct collecting_options *options,
		   const struct reporting_options *reporting, const struct string_list *words,
		   char **collection_id, struct error *err) __must_check;

#endif
