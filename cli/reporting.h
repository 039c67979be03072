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
	const char *html;
	const char *text;
	const char *limit; /* as written; NULL: the configuration's */
	const char *alpha;
	const char *method;
	const char *adjust;
	bool effects;
	bool strict;
	bool leave_out_disturbed;
	const char *write; /* FORMAT=FILE,... */
	const char *junit_flavour;
	const char *inconclusive;
	const char *improvement;
	const char *attach;
	const char *source_file;
	const char *origin;
	const char *build_id;
	const char *culprit;
	const char *culprit_subject;
	const char *culprit_from; /* a report of a bisection */
	const char *culprit_probability;
	const char *reported_by;
};

/* How reports look; see reports/presentation.h. */
#define REPORTING_WRITER_OPTIONS(structure)                                                        \
	OPTION_ROW(structure, reporting.junit_flavour, OPTION_STRING, "junit-flavour", 0,          \
		   "FLAVOUR",                                                                      \
		   "JUnit as jenkins (default), rich (with file and properties of cases) or ant"), \
		OPTION_ROW(structure, reporting.inconclusive, OPTION_STRING, "inconclusive", 0,    \
			   "HOW", "JUnit shows open findings as skip (default), pass or fail"),    \
		OPTION_ROW(structure, reporting.improvement, OPTION_STRING, "improvement", 0,      \
			   "HOW", "JUnit shows improvements as pass (default), skip or fail"),     \
		OPTION_ROW(structure, reporting.attach, OPTION_STRING, "attach", 0, "FILE,...",    \
			   "JUnit: files that dashboards show with failed findings; {finding} "    \
			   "stands for its id"),                                                   \
		OPTION_ROW(                                                                        \
			structure, reporting.source_file, OPTION_STRING, "source-file", 0, "FILE", \
			"JUnit, rich: the file that annotations go to (default kregress.conf)"),   \
		OPTION_ROW(structure, reporting.origin, OPTION_STRING, "origin", 0, "NAME",        \
			   "KCIDB: name of the CI system (default kregress)"),                     \
		OPTION_ROW(structure, reporting.build_id, OPTION_STRING, "build-id", 0,            \
			   "ORIGIN:ID", "KCIDB: the build that was measured"),                     \
		OPTION_ROW(structure, reporting.culprit, OPTION_STRING, "culprit", 0, "COMMIT",    \
			   "what introduced the regression, a commit or GOOD..BAD"),               \
		OPTION_ROW(structure, reporting.culprit_subject, OPTION_STRING, "culprit-subject", \
			   0, "TEXT", "the commit's subject"),                                     \
		OPTION_ROW(structure, reporting.culprit_probability, OPTION_STRING,                \
			   "culprit-probability", 0, "RATE",                                       \
			   "how sure the bisection is of it, such as 97%"),                        \
		OPTION_ROW(structure, reporting.culprit_from, OPTION_STRING, "culprit-from", 0,    \
			   "FILE.json",                                                            \
			   "the culprit that a bisection found, as "                               \
			   "`kregress bisect status --json=FILE.json` wrote it"),                  \
		OPTION_ROW(structure, reporting.reported_by, OPTION_STRING, "reported-by", 0,      \
			   "NAME", "mail: 'Name <address>' for the Reported-by tag")

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
		OPTION_ROW(structure, reporting.leave_out_disturbed, OPTION_FLAG,                  \
			   "leave-out-disturbed", 0, NULL,                                         \
			   "judge without invocations that were disturbed from outside, where at " \
			   "least half of a boot's remain"),                                       \
		OPTION_ROW(structure, reporting.strict, OPTION_FLAG, "strict", 0, NULL,            \
			   "exit with 3 when a finding is inconclusive")

#define REPORTING_FILE_OPTIONS(structure)                                                          \
	OPTION_ROW(structure, reporting.junit, OPTION_STRING, "junit", 0, "FILE",                  \
		   "write JUnit XML"),                                                             \
		OPTION_ROW(structure, reporting.json, OPTION_OUTPUT, "json", 0, "FILE.json",       \
			   "write JSON, format kregress-comparison-1; in the place of the table "  \
			   "when no file is named"),                                               \
		OPTION_ROW(structure, reporting.html, OPTION_STRING, "html", 0, "FILE",            \
			   "write one HTML page with plots and all samples"),                      \
		OPTION_ROW(structure, reporting.markdown, OPTION_STRING, "markdown", 0, "FILE",    \
			   "write Markdown for a merge request"),                                  \
		OPTION_ROW(structure, reporting.text, OPTION_STRING, "text", 0, "FILE",            \
			   "write the text table to a file, too"),                                 \
		OPTION_ROW(structure, reporting.write, OPTION_STRING, "write", 0,                  \
			   "FORMAT=FILE,...",                                                      \
			   "write reports in the formats of `kregress report`"),                   \
		REPORTING_WRITER_OPTIONS(structure)

/*
 * Compares the sets, the first being the base, writes the files that were asked for, prints the
 * text table unless one of them is standard output. Returns the exit code, or -1.
 */
int reporting_run(const struct session *session, const struct reporting_options *options,
		  const struct run_set_list *sets, struct error *err);

/*
 * Writes the report as `format`, one of report_writers, to `path`; warns of what the format has no
 * place for. On a terminal the text has its width, and colours unless NO_COLOR is set.
 */
int reporting_write(const struct session *session, const struct report *report, const char *format,
		    const char *path, struct error *err) __must_check;

/* Fills in what the terminal on standard output can show: columns, and colours unless NO_COLOR. */
void reporting_suit_terminal(struct presentation *presentation);

/* True when one of the files that are asked for is standard output. */
bool reporting_uses_stdout(const struct reporting_options *options);

/* Writes the files that are asked for. */
int reporting_write_files(const struct session *session, const struct report *report,
			  const struct reporting_options *options, struct error *err) __must_check;

/*
 * Writes the files that are asked for, and the text table to standard output unless one of them is
 * standard output.
 */
int reporting_write_all(const struct session *session, const struct report *report,
			const struct reporting_options *options, struct error *err) __must_check;

/* ERROR_USAGE with the formats that there are. */
int reporting_unknown_format(const char *format, struct error *err);

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
