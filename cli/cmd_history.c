/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <unistd.h>

#include "cli/history_csv.h"
#include "cli/history_run.h"
#include "cli/reporting.h"
#include "collector/host.h"
#include "common/file.h"
#include "common/number.h"

struct options {
	struct common_options common;
	const char *metric;
	const char *variant;
	const char *machine;
	const char *since;
	const char *order;
	const char *repository;
	const char *csv;
	const char *better;
	const char *alpha;
	const char *method;
	uint64_t min_segment;
	bool dry_run;
	const char *junit;
	const char *json;
	const char *html;
	const char *markdown;
	const char *text;
	const char *write;
	const char *junit_flavour;
};

static const struct option_spec specs[] = {
	OPTION_ROW(struct options, metric, OPTION_STRING, "metric", 'm', "METRIC",
		   "only this metric"),
	OPTION_ROW(struct options, variant, OPTION_STRING, "variant", 'V', "VARIANT",
		   "only the run sets of this variant"),
	OPTION_ROW(struct options, machine, OPTION_STRING, "machine", 0, "CLASS",
		   "only machine classes that match this shell pattern"),
	OPTION_ROW(struct options, since, OPTION_STRING, "since", 0, "REV|TIME",
		   "only run sets of this revision and what came after it, or from this time (UTC) "
		   "on: 2026-11-30 or 2026-11-30T20:33:07Z"),
	OPTION_ROW(struct options, order, OPTION_STRING, "order", 0, "auto|time|commits",
		   "order of the run sets: by the commit graph where the repository knows the "
		   "commits of all of them, else by time (auto, the default), or as said"),
	OPTION_ROW(struct options, repository, OPTION_STRING, "repository", 'R', "DIRECTORY",
		   "the git repository of the commits (default: the one that holds this folder)"),
	OPTION_ROW(struct options, csv, OPTION_STRING, "csv", 0, "FILE",
		   "take a column of numbers, one a line (-: standard input), in the place of the "
		   "store; nothing is remembered"),
	OPTION_ROW(struct options, better, OPTION_STRING, "better", 0, "lower|higher",
		   "with --csv: which way is good (default lower)"),
	OPTION_ROW(struct options, alpha, OPTION_STRING, "alpha", 'a', "RATE",
		   "chance of any change in a series without one, and false discovery rate over "
		   "all series (default 0.05)"),
	OPTION_ROW(struct options, method, OPTION_STRING, "method", 0, "METHOD",
		   "segmentation (default), e-divisive or rank"),
	OPTION_ROW(struct options, min_segment, OPTION_UINT, "min-segment", 0, "N",
		   "fewest run sets between two changes and at the ends (default 3)"),
	OPTION_ROW(struct options, dry_run, OPTION_FLAG, "dry-run", 0, NULL,
		   "look only: the findings in the store stay as they are"),
	OPTION_ROW(struct options, junit, OPTION_STRING, "junit", 0, "FILE",
		   "write JUnit XML, a case per series"),
	OPTION_ROW(
		struct options, json, OPTION_OUTPUT, "json", 0, "FILE.json",
		"write JSON, format kregress-history-1 (with --csv: the change points alone); in "
		"the place of the text when no file is named"),
	OPTION_ROW(struct options, html, OPTION_STRING, "html", 0, "FILE",
		   "write one HTML page with a plot of every series that changed"),
	OPTION_ROW(struct options, markdown, OPTION_STRING, "markdown", 0, "FILE",
		   "write Markdown for a merge request"),
	OPTION_ROW(struct options, text, OPTION_STRING, "text", 0, "FILE",
		   "write the text to a file, too"),
	OPTION_ROW(struct options, write, OPTION_STRING, "write", 0, "FORMAT=FILE,...",
		   "write reports: text, json, junit, html, markdown"),
	OPTION_ROW(struct options, junit_flavour, OPTION_STRING, "junit-flavour", 0, "FLAVOUR",
		   "JUnit as jenkins (default), rich or ant"),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

static int unknown_format(const char *format, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf known = STRBUF_INIT;

	for (const struct history_writer *writer = history_writers; writer->name; writer++)
		strbuf_printf(&known, " %s", writer->name);
	error_set(err, ERROR_USAGE, "option --write: '%s' is no format of a history", format);
	return error_hint(err, "known formats:%s", strbuf_text(&known));
}

/* The parts of FORMAT=FILE; *format is the caller's. */
static int split_write(const char *item, char **format, const char **path, struct error *err)
{
	const char *equals = strchr(item, '=');

	if (!equals || !equals[1])
		return error_set(err, ERROR_USAGE, "option --write: '%s' is not FORMAT=FILE", item);
	*format = xstrndup(item, (size_t)(equals - item));
	*path = equals + 1;
	return history_writer_find(*format) ? 0 : unknown_format(*format, err);
}

static int check_write(const struct options *options, struct error *err)
{
	_cleanup_(string_list_release) struct string_list items = {0};

	if (options->write)
		string_list_split(&items, options->write, ",");
	array_for_each (item, &items) {
		_cleanup_free_ char *format = NULL;
		const char *path = NULL;

		if (split_write(*item, &format, &path, err) < 0)
			return -1;
	}
	return 0;
}

static int parse_alpha(const struct options *options, double *alpha, struct error *err)
{
	*alpha = CHANGE_ALPHA;
	if (!options->alpha)
		return 0;
	if (number_parse_fraction(options->alpha, alpha, err) < 0) {
		err->kind = ERROR_USAGE;
		return error_wrap(err, "option --alpha");
	}
	if (*alpha > 0 && *alpha < 0.5)
		return 0;
	return error_set(err, ERROR_USAGE, "option --alpha: '%s' is not above 0 and below 50%%",
			 options->alpha);
}

static int parse_settings(const struct options *options, struct change_settings *settings,
			  struct error *err)
{
	if (parse_alpha(options, &settings->alpha, err) < 0)
		return -1;
	if (options->method && !change_method_parse(options->method, &settings->method))
		return error_set(err, ERROR_USAGE,
				 "option --method: '%s' is none of segmentation, e-divisive, rank",
				 options->method);
	if (options->min_segment == 1 || options->min_segment > 1000000)
		return error_set(err, ERROR_USAGE,
				 "option --min-segment: %llu is not from 2 to "
				 "1000000",
				 (unsigned long long)options->min_segment);
	settings->min_segment = (size_t)options->min_segment;
	return 0;
}

static int parse_better(const struct options *options, enum better *better, struct error *err)
{
	*better = BETTER_LOWER;
	if (options->better && !options->csv)
		return error_set(err, ERROR_USAGE,
				 "option --better goes with --csv: the store "
				 "knows which way is good");
	if (!options->better || better_parse(options->better, better))
		return 0;
	return error_set(err, ERROR_USAGE, "option --better: '%s' is neither lower nor higher",
			 options->better);
}

/* What chooses among stored series says nothing about a file. */
static int check_csv(const struct options *options, const struct string_list *words,
		     struct error *err)
{
	const struct {
		const char *name, *value;
	} refused[] = {
		{"--metric", options->metric},
		{"--variant", options->variant},
		{"--machine", options->machine},
		{"--since", options->since},
		{"--order", options->order},
		{"--repository", options->repository},
		{"SERIES", words->count ? words->items[0] : NULL},
	};

	for (size_t i = 0; options->csv && i < ARRAY_SIZE(refused); i++)
		if (refused[i].value)
			return error_set(err, ERROR_USAGE,
					 "%s does not go with --csv: a file is one series",
					 refused[i].name);
	return 0;
}

static int fill_head(const struct options *options, const struct change_settings *settings,
		     struct history_report *report, struct error *err)
{
	char *now = host_utc_now();

	now[strcspn(now, "Z")] = '\0';
	report->created_at = now;
	report->hostname = host_name();
	report->since = xstrdup(options->since);
	report->alpha = settings->alpha;
	report->method = settings->method;
	if (!options->junit_flavour ||
	    junit_flavour_parse(options->junit_flavour, &report->presentation.junit_flavour))
		return 0;
	return error_set(err, ERROR_USAGE,
			 "option --junit-flavour: '%s' is none of jenkins, rich, ant",
			 options->junit_flavour);
}

static int write_format(const struct options *options, const struct history_report *report,
			const char *format, const char *path, bool *to_stdout, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf document = STRBUF_INIT;
	struct history_report shown = *report;

	if (!path)
		return 0;
	if (!strcmp(path, "-")) {
		*to_stdout = true;
		if (isatty(STDOUT_FILENO))
			reporting_suit_terminal(&shown.presentation);
	}
	if (options->csv && !strcmp(format, "json"))
		history_csv_append_json(&shown, &document);
	else if (history_writer_find(format)->write(&shown, &document, err) < 0)
		return error_wrap(err, "%s report", format);
	return file_write(path, strbuf_text(&document), document.length, err);
}

static int write_listed(const struct options *options, const struct history_report *report,
			bool *to_stdout, struct error *err)
{
	_cleanup_(string_list_release) struct string_list items = {0};

	if (options->write)
		string_list_split(&items, options->write, ",");
	array_for_each (item, &items) {
		_cleanup_free_ char *format = NULL;
		const char *path = NULL;

		if (split_write(*item, &format, &path, err) < 0 ||
		    write_format(options, report, format, path, to_stdout, err) < 0)
			return -1;
	}
	return 0;
}

static int write_all(const struct options *options, const struct history_report *report,
		     struct error *err)
{
	const char *const files[][2] = {
		{"junit", options->junit},	 {"json", options->json}, {"html", options->html},
		{"markdown", options->markdown}, {"text", options->text},
	};
	bool to_stdout = false;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (write_format(options, report, files[i][0], files[i][1], &to_stdout, err) < 0)
			return -1;
	if (write_listed(options, report, &to_stdout, err) < 0)
		return -1;
	return to_stdout ? 0 : write_format(options, report, "text", "-", &to_stdout, err);
}

static int run_csv(const struct options *options, const struct change_settings *settings,
		   enum better better, struct history_report *report, struct error *err)
{
	report->source = xstrdup(options->csv);
	if (history_csv_read(options->csv, settings, better, report, err) < 0)
		return -1;
	history_report_derive(report);
	return write_all(options, report, err);
}

static int evaluate(struct history_run *run, const struct options *options, const char *series,
		    struct session *session, struct history_report *report, struct error *err)
{
	_cleanup_(history_ordering_release) struct history_ordering ordering = {0};
	const struct history_selection selection = {series, options->metric, options->variant,
						    options->machine};

	if (history_ordering_open(&ordering, options->order, options->repository, options->since,
				  err) < 0 ||
	    history_run_open(run, session, &selection, &ordering, err) < 0 ||
	    history_run_detect(run, err) < 0)
		return -1;
	if (ordering.history.repository)
		report->repository = xstrdup(git_repository_path(ordering.history.repository));
	history_run_judge(run);
	if (!options->dry_run && store_put_findings(session->store, &run->findings, err) < 0)
		return error_hint(err, "--dry-run looks without remembering");
	session_clear_progress(session);
	return 0;
}

static int run_store(const struct options *options, const struct change_settings *settings,
		     const char *series, struct history_report *report, struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(history_run_release) struct history_run run = {.settings = *settings};

	if (session_open(&session, &options->common, true, err) < 0)
		return -1;
	/* The address of a server may hold a password. */
	report->source =
		xstrdup(store_is_url(session.config.store) ? "PostgreSQL" : session.config.store);
	if (evaluate(&run, options, series, &session, report, err) < 0)
		return -1;
	history_run_report(&run, report);
	history_report_derive(report);
	if (write_all(options, report, err) < 0)
		return -1;
	return history_run_alerts(&run) ? EXIT_REGRESSION : EXIT_OK;
}

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(history_report_release) struct history_report report = {0};
	struct change_settings settings = {0};
	struct options options = {0};
	enum better better;

	if (options_parse(specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_history, &words, 0, 1, err) < 0 ||
	    check_csv(&options, &words, err) < 0 || parse_better(&options, &better, err) < 0 ||
	    check_write(&options, err) < 0 || parse_settings(&options, &settings, err) < 0 ||
	    fill_head(&options, &settings, &report, err) < 0)
		return -1;
	if (options.csv)
		return run_csv(&options, &settings, better, &report, err);
	return run_store(&options, &settings, words.count ? words.items[0] : NULL, &report, err);
}

const struct command command_history = {
	.name = "history",
	.arguments = "[SERIES]",
	.summary = "find change points in the run sets of months",
	.description =
		"Looks at each series of each variant and machine class over all finished run "
		"sets: where its level, its trend or its spread changes, by how much, and how sure "
		"the place is. SERIES is a shell pattern of benchmarks, such as 'lock.*' or "
		"'sched.pipe [groups=4]'; without it all are looked at.\n\n"
		"A change of level or trend that is sure (false discovery rate over all series "
		"looked at) is remembered as a finding with an id of its own; seen again in "
		"another night, it is the same finding. Changes of many series at one place are "
		"one finding with members. `kregress findings` shows them and takes what is "
		"decided about them.\n\n"
		"Exits with 1 while a regression is new or reopened: until it is acknowledged, "
		"known or fixed.",
	.examples = "  kregress history --junit junit.xml --html history.html\n"
		    "  kregress history 'lock.*' --variant voluntary --since v6.1\n"
		    "  kregress history --csv numbers.csv --json\n",
	.options = specs,
	.run = run,
};
