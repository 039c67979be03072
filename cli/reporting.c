/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reporting.h"

#include <stdlib.h>
#include <string.h>

#include "collector/host.h"
#include "common/file.h"
#include "common/number.h"

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

int reporting_check(const struct reporting_options *options, struct error *err)
{
	struct report_options parsed = {0};

	return parse_options(options, &parsed, err);
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

int reporting_build(const struct session *session, const struct reporting_options *options,
		    const struct run_set_list *sets, struct report *report, struct error *err)
{
	_cleanup_free_ char *hostname = host_name();
	struct report_options parsed = {.hostname = hostname};
	_cleanup_(calibration_list_release) struct calibration_list calibrations = {0};
	_cleanup_free_ struct report_limit *limits = NULL;

	if (parse_options(options, &parsed, err) < 0)
		return -1;
	if (session->store && sets->items[0]->machine &&
	    store_load_calibrations(session->store, sets->items[0]->machine, &calibrations, err) <
		    0)
		return -1;
	parsed.calibrations = &calibrations;
	if (!options->limit) {
		limits = configured_limits(&session->config);
		parsed.limits = limits;
		parsed.limit_count = session->config.limits.count;
	}
	return report_build(sets->items[0], (const struct run_set *const *)sets->items + 1,
			    sets->count - 1, &parsed, report, err);
}

static int write_format(const struct report *report, const char *format, const char *path,
			bool *to_stdout, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf document = STRBUF_INIT;

	if (!path)
		return 0;
	*to_stdout |= !strcmp(path, "-");
	if (report_writer_find(format)->write(report, &document, err) < 0)
		return error_wrap(err, "%s report", format);
	return file_write(path, strbuf_text(&document), document.length, err);
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

static int write_all(const struct report *report, const struct reporting_options *options,
		     struct error *err)
{
	bool to_stdout = false;

	if (write_format(report, "junit", options->junit, &to_stdout, err) < 0 ||
	    write_format(report, "json", options->json, &to_stdout, err) < 0 ||
	    write_format(report, "markdown", options->markdown, &to_stdout, err) < 0 ||
	    write_format(report, "text", options->text, &to_stdout, err) < 0)
		return -1;
	return to_stdout ? 0 : write_format(report, "text", "-", &to_stdout, err);
}

int reporting_run(const struct session *session, const struct reporting_options *options,
		  const struct run_set_list *sets, struct error *err)
{
	struct report report;
	int result;

	if (reporting_build(session, options, sets, &report, err) < 0)
		return -1;
	result = write_all(&report, options, err);
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
