/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `compare`, `ab` and `report` share: limits, the comparison, the files, the exit code. */
#ifndef KREGRESS_CLI_REPORTING_H
#define KREGRESS_CLI_REPORTING_H

#include "cli/cli.h"
#include "reports/report.h"

struct reporting_options {
	const char *junit;
	const char *json;
	const char *markdown;
	const char *text;
	const char *limit; /* as written; NULL: the configuration's */
	const char *alpha;
	const char *method;
	const char *adjust;
	bool effects;
	bool strict;
};

#define REPORTING_JUDGE_OPTIONS(structure)                                                         \
	OPTION_ROW(structure, reporting.limit, OPTION_STRING, "limit", 'l', "CHANGE",              \
		   "practical limit for every benchmark, such as 2% or 0.02; 0 counts any change " \
		   "that is certain (default: [limit] of the configuration, else 2%)"),            \
		OPTION_ROW(structure, reporting.alpha, OPTION_STRING, "alpha", 'a', "RATE",        \
			   "false discovery rate and error level (default 0.05)"),                 \
		OPTION_ROW(structure, reporting.method, OPTION_STRING, "method", 'm', "METHOD",    \
			   "auto (default), welch, mann-whitney, permutation, brunner-munzel, "    \
			   "ks, yuen, paired, "                                                    \
			   "signed-rank, block-permutation or exact"),                             \
		OPTION_ROW(                                                                        \
			structure, reporting.adjust, OPTION_STRING, "adjust", 0, "HOW",            \
			"for many series: bh (false discovery rate, the default), by (the same "   \
			"under any dependence) or holm (no false alarm at all)"),                  \
		OPTION_ROW(                                                                        \
			structure, reporting.effects, OPTION_FLAG, "effects", 0, NULL,             \
			"size every change in more ways in the JSON: medians, geometric means, "   \
			"bootstrap, Cliff's delta, spread, quantiles"),                            \
		OPTION_ROW(structure, reporting.strict, OPTION_FLAG, "strict", 0, NULL,            \
			   "exit with 3 when a finding is inconclusive")

#define REPORTING_FILE_OPTIONS(structure)                                                          \
	OPTION_ROW(structure, reporting.junit, OPTION_STRING, "junit", 0, "FILE",                  \
		   "write JUnit XML"),                                                             \
		OPTION_ROW(structure, reporting.json, OPTION_OUTPUT, "json", 0, "FILE.json",       \
			   "write JSON, format kregress-comparison-1; in the place of the table "  \
			   "when no file is named"),                                               \
		OPTION_ROW(structure, reporting.markdown, OPTION_STRING, "markdown", 0, "FILE",    \
			   "write Markdown for a merge request"),                                  \
		OPTION_ROW(structure, reporting.text, OPTION_STRING, "text", 0, "FILE",            \
			   "write the text table to a file, too")

/*
 * Compares the sets, the first being the base, writes the files that were asked for, prints the
 * text table unless one of them is standard output. Returns the exit code, or -1.
 */
int reporting_run(const struct session *session, const struct reporting_options *options,
		  const struct run_set_list *sets, struct error *err);

/* Refuses options that cannot be read, with ERROR_USAGE. */
int reporting_check(const struct reporting_options *options, struct error *err) __must_check;

/* Only builds the report. The caller releases it. */
int reporting_build(const struct session *session, const struct reporting_options *options,
		    const struct run_set_list *sets, struct report *report, struct error *err)
	__must_check;

/* 1 a regression, else 4 a failure, else 3 something inconclusive if strict, else 0. */
int reporting_exit_code(const struct report *report, bool strict);

/* Loads what the words name into the list, in their order. */
int load_sets(struct store *store, const struct string_list *words, struct run_set_list *sets,
	      struct error *err) __must_check;

#endif
