/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reporting.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "collector/host.h"
#include "common/file.h"
#include "common/number.h"
#include "store/disturbance.h"

static int parse_rate(const char *text, const char *option, double most, double *value,
		      struct error *err)
{
	if (number_parse_fraction(text, value, err) < 0) {
		err->kind = ERROR_USAGE;
		return error_wrap(err, "option --%s", option);
	}
	if (*value < 0 || *value >= most)
		return error_set(err, ERROR_USAGE, "option --%s: '%s' is not from 0 to below %g%%",
				 option, text, 100 * most);
	return 0;
}

static int parse_options(const struct reporting_options *options, struct report_options *parsed,
			 struct error *err)
{
	parsed->limit_frac = 0.02;
	parsed->alpha = 0.05;
	parsed->method = METHOD_AUTO;
	if (options->limit && parse_rate(options->limit, "limit", 1, &parsed->limit_frac, err) < 0)
		return -1;
	if (options->alpha && parse_rate(options->alpha, "alpha", 0.5, &parsed->alpha, err) < 0)
		return -1;
	if (parsed->alpha <= 0)
		return error_set(err, ERROR_USAGE, "option --alpha: must be above 0");
	parsed->effects = options->effects;
	if (options->adjust && !adjustment_parse(options->adjust, &parsed->adjustment)) {
		error_set(err, ERROR_USAGE, "option --adjust: '%s' is none of bh, by, holm",
			  options->adjust);
		return -1;
	}
	if (options->method && !method_parse(options->method, &parsed->method)) {
		_cleanup_(strbuf_release) struct strbuf known = STRBUF_INIT;

		for (int method = METHOD_AUTO; method < METHOD_NONE; method++)
			strbuf_printf(&known, " %s", method_name((enum method)method));
		error_set(err, ERROR_USAGE, "option --method: '%s' is no method", options->method);
		return error_hint(err, "known methods:%s", strbuf_text(&known));
	}
	return 0;
}

static int parse_shown(const char *text, const char *option, enum shown_as *shown,
		       struct error *err)
{
	if (!text || shown_as_parse(text, shown))
		return 0;
	return error_set(err, ERROR_USAGE, "option --%s: '%s' is none of pass, skip, fail", option,
			 text);
}

static int parse_junit(const struct reporting_options *options, struct presentation *presentation,
		       struct error *err)
{
	if (options->junit_flavour &&
	    !junit_flavour_parse(options->junit_flavour, &presentation->junit_flavour))
		return error_set(err, ERROR_USAGE,
				 "option --junit-flavour: '%s' is none of jenkins, rich, ant",
				 options->junit_flavour);
	if (options->attach && attachment_check(options->attach, err) < 0)
		return error_wrap(err, "option --attach");
	presentation->attachments = options->attach;
	presentation->source_file = options->source_file;
	return parse_shown(options->inconclusive, "inconclusive", &presentation->inconclusive,
			   err) < 0 ||
			       parse_shown(options->improvement, "improvement",
					   &presentation->improvement, err) < 0
		       ? -1
		       : 0;
}

static int parse_culprit(const struct reporting_options *options, struct culprit *culprit,
			 struct error *err)
{
	if (options->culprit && !commit_is_valid(options->culprit)) {
		error_set(err, ERROR_USAGE, "option --culprit: '%s' is no commit",
			  options->culprit);
		return error_hint(err, "give 12 to 40 hex digits, or GOOD..BAD");
	}
	if (options->culprit_from && options->culprit)
		return error_set(err, ERROR_USAGE,
				 "options --culprit and --culprit-from exclude one another");
	culprit->commit = options->culprit;
	culprit->subject = options->culprit_subject;
	if (!options->culprit_probability)
		return 0;
	return parse_rate(options->culprit_probability, "culprit-probability", 1.000001,
			  &culprit->probability_frac, err);
}

/* What a bisection found, into the report that then owns it. */
static int load_culprit(const struct reporting_options *options, struct found_culprit *found,
			struct culprit *shown, struct error *err)
{
	if (!options->culprit_from)
		return 0;
	if (found_culprit_load(options->culprit_from, found, err) < 0)
		return error_wrap(err, "option --culprit-from");
	*shown = found_culprit_show(found);
	return 0;
}

static int check_culprit(const struct reporting_options *options, struct error *err)
{
	_cleanup_(found_culprit_release) struct found_culprit found = {0};
	struct culprit shown;

	return load_culprit(options, &found, &shown, err);
}

static int parse_presentation(const struct reporting_options *options,
			      struct presentation *presentation, struct error *err)
{
	if (options->origin && !origin_is_valid(options->origin))
		return error_set(err, ERROR_USAGE, "option --origin: '%s' is not of [a-z0-9_] only",
				 options->origin);
	if (options->build_id && !origin_id_is_valid(options->build_id))
		return error_set(err, ERROR_USAGE, "option --build-id: '%s' is not ORIGIN:ID",
				 options->build_id);
	presentation->origin = options->origin;
	presentation->build_id = options->build_id;
	presentation->reported_by = options->reported_by;
	return parse_junit(options, presentation, err) < 0 ||
			       parse_culprit(options, &presentation->culprit, err) < 0
		       ? -1
		       : 0;
}

/* The writer and file of each FORMAT=FILE in turn. */
static int split_write(const char *item, const struct report_writer **writer, const char **path,
		       struct error *err)
{
	const char *equals = strchr(item, '=');
	_cleanup_free_ char *format = xstrndup(item, equals ? (size_t)(equals - item) : 0);

	if (!equals || !equals[1]) {
		error_set(err, ERROR_USAGE, "option --write: '%s' is not FORMAT=FILE", item);
		return -1;
	}
	*writer = report_writer_find(format);
	*path = equals + 1;
	if (*writer)
		return 0;
	reporting_unknown_format(format, err);
	return -1;
}

static int check_write(const struct reporting_options *options, struct error *err)
{
	_cleanup_(string_list_release) struct string_list items = {0};
	const struct report_writer *writer;
	const char *path;

	if (options->write)
		string_list_split(&items, options->write, ",");
	array_for_each (item, &items)
		if (split_write(*item, &writer, &path, err) < 0)
			return -1;
	return 0;
}

int reporting_unknown_format(const char *format, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf known = STRBUF_INIT;

	for (const struct report_writer *writer = report_writers; writer->name; writer++)
		strbuf_printf(&known, " %s", writer->name);
	error_set(err, ERROR_USAGE, "'%s' is no report format", format);
	return error_hint(err, "known formats:%s", strbuf_text(&known));
}

int reporting_check(const struct reporting_options *options, struct error *err)
{
	struct presentation presentation = {0};
	struct report_options parsed = {0};

	return parse_options(options, &parsed, err) < 0 ||
			       parse_presentation(options, &presentation, err) < 0 ||
			       check_write(options, err) < 0 || check_culprit(options, err) < 0
		       ? -1
		       : 0;
}

/* Owned by the caller. */
static struct report_limit *configured_limits(const struct config *config)
{
	struct report_limit *limits = xcalloc(config->limits.count, sizeof(*limits));

	for (size_t i = 0; i < config->limits.count; i++)
		limits[i] = (struct report_limit){config->limits.items[i].pattern,
						  config->limits.items[i].change_frac};
	return limits;
}

/* In memory only: the store keeps every sample. */
static void leave_out_disturbed(const struct session *session, const struct run_set_list *sets)
{
	array_for_each (set, sets) {
		size_t left_out = disturbance_leave_out(*set);

		if (left_out)
			log_note(&session->log, "%s: %zu samples of disturbed invocations left out",
				 (*set)->variant, left_out);
	}
}

int reporting_build(const struct session *session, const struct reporting_options *options,
		    const struct run_set_list *sets, struct report *report, struct error *err)
{
	_cleanup_free_ char *hostname = host_name();
	struct report_options parsed = {.hostname = hostname};
	struct presentation presentation = {0};
	_cleanup_(calibration_list_release) struct calibration_list calibrations = {0};
	_cleanup_free_ struct report_limit *limits = NULL;

	if (parse_options(options, &parsed, err) < 0 ||
	    parse_presentation(options, &presentation, err) < 0 || check_write(options, err) < 0)
		return -1;
	if (session->store && sets->items[0]->machine &&
	    store_load_calibrations(session->store, sets->items[0]->machine, &calibrations, err) <
		    0)
		return -1;
	parsed.calibrations = &calibrations;
	if (options->leave_out_disturbed)
		leave_out_disturbed(session, sets);
	if (!options->limit) {
		limits = configured_limits(&session->config);
		parsed.limits = limits;
		parsed.limit_count = session->config.limits.count;
	}
	if (report_build(sets->items[0], (const struct run_set *const *)sets->items + 1,
			 sets->count - 1, &parsed, report, err) < 0)
		return -1;
	report->presentation = presentation;
	if (load_culprit(options, &report->found, &report->presentation.culprit, err) < 0) {
		report_release(report);
		return -1;
	}
	if (report->presentation.culprit.commit)
		report_note_culprit(report);
	return 0;
}

void reporting_suit_terminal(struct presentation *presentation)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	const char *columns = getenv("COLUMNS");
	_cleanup_(error_clear) struct error ignored = {0};
	struct winsize size;
	uint64_t width = 0;

	presentation->colour = !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
	if (columns && number_parse_uint(columns, 10000, &width, &ignored) == 0 && width)
		presentation->columns = (size_t)width;
	else if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		presentation->columns = size.ws_col;
}

int reporting_write(const struct session *session, const struct report *report, const char *format,
		    const char *path, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf document = STRBUF_INIT;
	struct report shown = *report;
	size_t left_out = report_left_out(report, format);

	if (!strcmp(path, "-") && isatty(STDOUT_FILENO))
		reporting_suit_terminal(&shown.presentation);
	if (report_writer_find(format)->write(&shown, &document, err) < 0)
		return error_wrap(err, "%s report", format);
	if (left_out)
		log_warning(&session->log, "%s: %zu finding%s that the format has no place for",
			    format, left_out, left_out == 1 ? "" : "s");
	return file_write(path, strbuf_text(&document), document.length, err);
}

static int write_format(const struct session *session, const struct report *report,
			const char *format, const char *path, bool *to_stdout, struct error *err)
{
	if (!path)
		return 0;
	*to_stdout |= !strcmp(path, "-");
	return reporting_write(session, report, format, path, err);
}

static int write_listed(const struct session *session, const struct report *report,
			const struct reporting_options *options, bool *to_stdout, struct error *err)
{
	_cleanup_(string_list_release) struct string_list items = {0};
	const struct report_writer *writer;
	const char *path;

	if (options->write)
		string_list_split(&items, options->write, ",");
	array_for_each (item, &items)
		if (split_write(*item, &writer, &path, err) < 0 ||
		    write_format(session, report, writer->name, path, to_stdout, err) < 0)
			return -1;
	return 0;
}

static bool never_came_up(const struct report_variant *variant)
{
	return variant->boots_failed && !variant->boots_ok;
}

static bool has_failure(const struct report *report)
{
	if (report_count(report, VERDICT_FAILED) || never_came_up(&report->base))
		return true;
	array_for_each (variant, &report->variants)
		if (never_came_up(variant))
			return true;
	return false;
}

int reporting_exit_code(const struct report *report, bool strict)
{
	if (report_count(report, VERDICT_REGRESSED))
		return EXIT_REGRESSION;
	if (has_failure(report))
		return EXIT_FAILED;
	if (strict && report_count(report, VERDICT_INCONCLUSIVE))
		return EXIT_INCONCLUSIVE;
	return EXIT_OK;
}

bool reporting_uses_stdout(const struct reporting_options *options)
{
	const char *const files[] = {options->junit, options->json, options->html,
				     options->markdown, options->text};
	_cleanup_(string_list_release) struct string_list items = {0};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (files[i] && !strcmp(files[i], "-"))
			return true;
	if (options->write)
		string_list_split(&items, options->write, ",");
	array_for_each (item, &items)
		if (strchr(*item, '=') && !strcmp(strchr(*item, '=') + 1, "-"))
			return true;
	return false;
}

static int write_files(const struct session *session, const struct report *report,
		       const struct reporting_options *options, bool *to_stdout, struct error *err)
{
	if (write_format(session, report, "junit", options->junit, to_stdout, err) < 0 ||
	    write_format(session, report, "json", options->json, to_stdout, err) < 0 ||
	    write_format(session, report, "html", options->html, to_stdout, err) < 0 ||
	    write_format(session, report, "markdown", options->markdown, to_stdout, err) < 0 ||
	    write_format(session, report, "text", options->text, to_stdout, err) < 0)
		return -1;
	return write_listed(session, report, options, to_stdout, err);
}

int reporting_write_files(const struct session *session, const struct report *report,
			  const struct reporting_options *options, struct error *err)
{
	bool to_stdout = false;

	return write_files(session, report, options, &to_stdout, err);
}

int reporting_write_all(const struct session *session, const struct report *report,
			const struct reporting_options *options, struct error *err)
{
	bool to_stdout = false;

	if (write_files(session, report, options, &to_stdout, err) < 0)
		return -1;
	return to_stdout ? 0 : write_format(session, report, "text", "-", &to_stdout, err);
}

int reporting_run(const struct session *session, const struct reporting_options *options,
		  const struct run_set_list *sets, struct error *err)
{
	struct report report;
	int result;

	if (reporting_build(session, options, sets, &report, err) < 0)
		return -1;
	result = reporting_write_all(session, &report, options, err);
	if (result == 0)
		result = reporting_exit_code(&report, options->strict);
	report_release(&report);
	return result;
}

int load_sets(struct store *store, const struct string_list *words, struct run_set_list *sets,
	      struct error *err)
{
	array_for_each (word, words) {
		struct run_set *set = xcalloc(1, sizeof(*set));

		if (store_load(store, *word, set, err) < 0) {
			free(set);
			return -1;
		}
		run_set_list_add(sets, set);
	}
	return 0;
}
