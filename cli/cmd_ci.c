/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "cli/baseline.h"
#include "cli/ci_bisect.h"
#include "cli/collecting.h"
#include "cli/reporting.h"
#include "common/file.h"

struct ci_options {
	struct common_options common;
	struct collecting_options collecting;
	struct reporting_options reporting;
	const char *baseline;
	const char *remeasure;
	const char *commit;
	const char *repository;
	const char *bisect_budget;
	bool promote;
	bool bisect;
};

static const struct option_spec specs[] = {
	OPTION_ROW(struct ci_options, baseline, OPTION_STRING, "baseline", 0, "NAME",
		   "the baseline's name (default " BASELINE_DEFAULT_NAME ")"),
	OPTION_ROW(struct ci_options, remeasure, OPTION_STRING, "remeasure", 0, "auto|always|never",
		   "boot the baseline's variant again, interleaved with the candidate: auto "
		   "(default) where its kernel image is there, always or never"),
	OPTION_ROW(struct ci_options, promote, OPTION_FLAG, "promote", 0, NULL,
		   "make the candidate the baseline when the exit code is 0"),
	OPTION_ROW(struct ci_options, commit, OPTION_STRING, "commit", 0, "COMMIT",
		   "the commit that the candidate was built from; kept with a new baseline"),
	OPTION_ROW(struct ci_options, bisect, OPTION_FLAG, "bisect", 0, NULL,
		   "after a regression, search the commit between the baseline's and --commit; a "
		   "command behind -- prints a value for each commit, without one kernels are "
		   "built and booted as VARIANT says"),
	OPTION_ROW(struct ci_options, bisect_budget, OPTION_STRING, "bisect-budget", 0, "TIME",
		   "the bisection begins nothing that would end later (default 1h)"),
	OPTION_ROW(struct ci_options, repository, OPTION_STRING, "repository", 'R', "DIRECTORY",
		   "the git repository to bisect (default: the one that holds this folder)"),
	COLLECTING_OPTIONS(struct ci_options),
	REPORTING_FILE_OPTIONS(struct ci_options),
	REPORTING_JUDGE_OPTIONS(struct ci_options),
	COMMON_OPTIONS(struct ci_options),
	OPTION_END,
};

/* One run of the command. */
struct ci {
	struct session session;
	struct ci_options options;
	struct string_list command; /* behind -- */
	const struct variant_config *variant;
	const char *suite;
	char *machine;
	bool has_baseline;
	struct baseline baseline;
	struct run_set *stored; /* the baseline's samples, or NULL */
	bool remeasured;
	char *boots;		  /* in the place of --boots auto */
	struct run_set_list sets; /* base and candidate, or the candidate alone */
	char *worst;		  /* label of the series with the largest regression, or NULL */
	char *worst_metric;
	bool reported;
	struct report report;
};

static void ci_release(struct ci *ci)
{
	string_list_release(&ci->options.collecting.bench);
	string_list_release(&ci->command);
	free(ci->machine);
	baseline_release(&ci->baseline);
	if (ci->stored)
		run_set_release(ci->stored);
	free(ci->stored);
	free(ci->boots);
	run_set_list_release(&ci->sets);
	free(ci->worst);
	free(ci->worst_metric);
	if (ci->reported)
		report_release(&ci->report);
	session_close(&ci->session);
}

/* The only variant of the configuration; "local" stands in when there is no other. */
static int choose_variant(struct ci *ci, const struct string_list *words, struct error *err)
{
	const struct config *config = &ci->session.config;
	const char *name = words->count ? words->items[0] : NULL;
	size_t others = 0;

	array_for_each (variant, &config->variants) {
		if (!words->count && strcmp(variant->name, "local") != 0) {
			name = variant->name;
			others++;
		}
	}
	if (others > 1) {
		error_set(err, ERROR_USAGE,
			  "the configuration has %zu variants: which is the "
			  "candidate?",
			  others);
		return error_hint(err, "kregress ci [OPTION...] VARIANT");
	}
	ci->variant = config_variant(config, name ? name : "local", err);
	return ci->variant ? 0 : -1;
}

static int find_baseline(struct ci *ci, struct error *err)
{
	struct baseline_key key = {ci->options.baseline, NULL, ci->variant->target, ci->suite};
	int found;

	if (baseline_machine(&ci->session, ci->variant, ci->suite, &ci->machine, err) < 0)
		return -1;
	session_clear_progress(&ci->session);
	key.machine = ci->machine;
	found = store_find_baseline(ci->session.store, &key, &ci->baseline, err);
	ci->has_baseline = found > 0;
	return found < 0 ? -1 : 0;
}

static int load_baseline(struct ci *ci, struct error *err)
{
	_cleanup_free_ char *name = NULL;
	struct run_set *set;

	if (!ci->has_baseline)
		return 0;
	name = xasprintf("%s@%s", ci->baseline.variant, ci->baseline.run_set);
	set = xcalloc(1, sizeof(*set));
	if (store_load(ci->session.store, name, set, err) < 0) {
		free(set);
		return -1;
	}
	ci->stored = set;
	return 0;
}

/* Why the baseline's variant cannot be booted beside the candidate; NULL: it can. Owned. */
static char *no_remeasure_reason(const struct ci *ci)
{
	const struct variant_config *found = NULL;

	array_for_each (variant, &ci->session.config.variants)
		if (!strcmp(variant->name, ci->baseline.variant))
			found = variant;
	if (!found)
		return xasprintf("the configuration has no variant '%s'", ci->baseline.variant);
	if (found == ci->variant)
		return xstrdup("it is the candidate's own variant");
	if (strcmp(found->target, ci->variant->target) != 0)
		return xasprintf("variant '%s' is on target '%s' now", found->name, found->target);
	if (!found->kernel)
		return xasprintf("variant '%s' has no kernel image", found->name);
	if (access(found->kernel, R_OK) < 0)
		return xasprintf("kernel image %s: %s", found->kernel, strerror(errno));
	return NULL;
}

static int choose_remeasure(struct ci *ci, struct error *err)
{
	const char *how = ci->options.remeasure;
	_cleanup_free_ char *reason = NULL;

	if (strcmp(how, "auto") != 0 && strcmp(how, "always") != 0 && strcmp(how, "never") != 0)
		return error_set(err, ERROR_USAGE,
				 "option --remeasure: '%s' is none of auto, always, never", how);
	if (!ci->has_baseline || !strcmp(how, "never"))
		return 0;
	reason = no_remeasure_reason(ci);
	ci->remeasured = !reason;
	if (reason && !strcmp(how, "always"))
		return error_set(err, ERROR_USAGE, "the baseline '%s' cannot be measured again: %s",
				 ci->baseline.name, reason);
	if (reason)
		log_note(&ci->session.log, "the baseline is not measured again: %s", reason);
	return 0;
}

/*
 * Looking at a comparison while it grows is sound for interleaved boots only; else as many boots
 * are made as the baseline has.
 */
static void settle_boots(struct ci *ci)
{
	struct collecting_options *collecting = &ci->options.collecting;

	if (!collecting->boots || strcmp(collecting->boots, "auto") != 0 || ci->remeasured)
		return;
	if (ci->stored)
		ci->boots = xasprintf("%zu", baseline_good_boots(ci->stored));
	collecting->boots = ci->boots;
	collecting->boots_max = 0;
	collecting->budget_s = 0;
	log_note(&ci->session.log,
		 "--boots auto needs boots that are interleaved with the baseline's: making %s",
		 ci->boots ? "as many as the baseline has" : "the suite's number of boots");
}

static int collect_sets(struct ci *ci, char **collection_id, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};

	if (ci->remeasured)
		string_list_add(&words, ci->baseline.variant);
	string_list_add(&words, ci->variant->name);
	return collecting_run(&ci->session, &ci->options.collecting, &ci->options.reporting, &words,
			      collection_id, err);
}

/* The image under the variant's name may be another one by now. */
static void check_remeasured(struct ci *ci)
{
	const char *differs;

	if (!ci->remeasured)
		return;
	differs = baseline_kernel_difference(ci->stored, ci->sets.items[0]);
	if (!differs)
		return;
	log_warning(&ci->session.log,
		    "variant '%s' is not the baseline's kernel any more (%s differs): comparing "
		    "with the stored samples",
		    ci->baseline.variant, differs);
	run_set_release(ci->sets.items[0]);
	free(ci->sets.items[0]);
	ci->sets.items[0] = take_pointer(ci->stored);
	ci->remeasured = false;
}

/* Base and candidate in the list, or the candidate alone. */
static int load_collected(struct ci *ci, const char *collection_id, struct error *err)
{
	if (ci->stored && !ci->remeasured)
		run_set_list_add(&ci->sets, take_pointer(ci->stored));
	if (store_load_collection(ci->session.store, collection_id, &ci->sets, err) < 0)
		return -1;
	check_remeasured(ci);
	return 0;
}

static void note_base(const struct ci *ci, struct report *report)
{
	const struct baseline *base = &ci->baseline;
	char *note;

	if (ci->remeasured)
		note = xasprintf("baseline '%s', set %s: its kernel was booted again, interleaved "
				 "with the candidate",
				 base->name, base->set_at);
	else
		note = xasprintf("baseline '%s', set %s: stored samples of an earlier collection, "
				 "as boots cannot be interleaved with the past; a small change may "
				 "be the machine's",
				 base->name, base->set_at);
	*array_append(&report->notes) = note;
}

/* The size of the change, as a logarithm; a change from or to 0 is the largest of all. */
static double distance(const struct comparison *comparison)
{
	return comparison->ratio_known && comparison->ratio > 0 ? fabs(log(comparison->ratio))
								: INFINITY;
}

/* What a bisection would go after. */
static void note_worst(struct ci *ci, const struct report *report)
{
	const struct report_series *found = NULL;
	double most = -1;

	array_for_each (series, &report->series) {
		const struct comparison *comparison = &series->findings.items[0].comparison;

		if (series->context || comparison->verdict != VERDICT_REGRESSED ||
		    !(distance(comparison) > most))
			continue;
		most = distance(comparison);
		found = series;
	}
	if (!found)
		return;
	ci->worst = series_label(found->benchmark, found->params);
	ci->worst_metric = xstrdup(found->metric);
}

static int report_sets(struct ci *ci, struct error *err)
{
	const struct reporting_options *options = &ci->options.reporting;
	int code;

	if (reporting_build(&ci->session, options, &ci->sets, &ci->report, err) < 0)
		return -1;
	ci->reported = true;
	note_base(ci, &ci->report);
	code = reporting_write_all(&ci->session, &ci->report, options, err);
	if (code == 0)
		code = reporting_exit_code(&ci->report, options->strict);
	if (code == EXIT_REGRESSION)
		note_worst(ci, &ci->report);
	return code;
}

/* Without a baseline there is nothing to judge; only what cannot be a baseline is a failure. */
static int report_first(struct ci *ci, struct error *err)
{
	const struct run_set *set = ci->sets.items[0];
	_cleanup_free_ char *text = xasprintf(
		"no baseline '%s' for suite %s on target %s, machine class '%s': nothing to "
		"compare %s@%.8s with (%zu boots, %zu series), so no verdict and no report\n",
		ci->options.baseline, ci->suite, set->target, set->machine, set->variant, set->id,
		set->boots.count, set->series.count);

	if (print_text(text, err) < 0)
		return -1;
	if (!ci->options.promote)
		log_note(&ci->session.log,
			 "make it the baseline: kregress baseline set %s@%.8s --baseline %s "
			 "--suite %s (or ci --promote)",
			 set->variant, set->id, ci->options.baseline, ci->suite);
	return baseline_is_sound(set) ? EXIT_OK : EXIT_FAILED;
}

static int promote(struct ci *ci, struct error *err)
{
	const struct run_set *set = ci->sets.items[ci->sets.count - 1];

	if (baseline_promote(ci->session.store, ci->options.baseline, ci->suite, ci->options.commit,
			     set, err) < 0)
		return -1;
	log_note(&ci->session.log, "%s@%.8s is the baseline '%s' now", set->variant, set->id,
		 ci->options.baseline);
	return 0;
}

static struct ci_bisection bisection_of(const struct ci *ci)
{
	const struct ci_options *options = &ci->options;

	return (struct ci_bisection){
		.common = &options->common,
		.repository = options->repository,
		.good = ci->baseline.commit,
		.bad = options->commit,
		.variant = ci->variant,
		.label = ci->worst,
		.metric = ci->worst_metric,
		.suite = options->collecting.suite,
		.budget = options->bisect_budget,
		.command = &ci->command,
	};
}

/* The files that were written before the search tell what it found. */
static int report_culprit(struct ci *ci, const char *json, struct error *err)
{
	if (found_culprit_load(json, &ci->report.found, err) < 0)
		return -1;
	ci->report.presentation.culprit = found_culprit_show(&ci->report.found);
	report_note_culprit(&ci->report);
	return reporting_write_files(&ci->session, &ci->report, &ci->options.reporting, err);
}

static int search(struct ci *ci, struct ci_bisection *bisection, const char *folder,
		  struct error *err)
{
	_cleanup_free_ char *json = path_below(folder, "bisect.json");
	int code;

	bisection->json = json;
	log_note(&ci->session.log, "bisecting %s (%s) between %.12s and %.12s", bisection->label,
		 bisection->metric, bisection->good, bisection->bad);
	code = ci_bisect(bisection, err);
	if (code < 0)
		return error_wrap(err, "the bisection failed");
	if (code == EXIT_OK && report_culprit(ci, json, err) < 0)
		return error_wrap(err, "the reports do not name the culprit");
	return 0;
}

/* The verdict stands whatever becomes of the search. */
static void bisect(struct ci *ci)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(error_clear) struct error second = {0};
	_cleanup_free_ char *folder = NULL;
	struct ci_bisection bisection = bisection_of(ci);

	if (!bisection.good) {
		log_warning(&ci->session.log,
			    "no bisection: it is not known what the baseline was built from; set "
			    "it with --commit");
		return;
	}
	if (folder_make_temporary(&folder, &err) < 0 || search(ci, &bisection, folder, &err) < 0)
		log_warning(&ci->session.log, "%s%s%s", err.message, err.hint ? "; " : "",
			    err.hint ? err.hint : "");
	if (folder && folder_remove(folder, &second) < 0)
		log_warning(&ci->session.log, "%s", second.message);
}

static int finish(struct ci *ci, struct error *err)
{
	int code = ci->has_baseline ? report_sets(ci, err) : report_first(ci, err);

	if (code == EXIT_OK && ci->options.promote && promote(ci, err) < 0)
		return -1;
	if (code == EXIT_REGRESSION && ci->options.bisect && ci->worst)
		bisect(ci);
	return code;
}

/* A kernel that does not boot has its place in the reports, too; the error decides the code. */
static int finish_failed(struct ci *ci, const char *collection_id, const struct error *failure)
{
	_cleanup_(error_clear) struct error second = {0};

	if (collection_id && failure->kind == ERROR_HARNESS && ci->has_baseline &&
	    (load_collected(ci, collection_id, &second) < 0 || report_sets(ci, &second) < 0))
		log_warning(&ci->session.log, "no report: %s", second.message);
	return -1;
}

static int check_bisect(const struct ci *ci, struct error *err)
{
	const struct ci_options *options = &ci->options;
	struct ci_bisection bisection = bisection_of(ci);

	if (options->bisect && reporting_uses_stdout(&options->reporting))
		return error_set(err, ERROR_USAGE,
				 "--bisect prints its answer: name files for the reports");
	if (options->bisect)
		return ci_bisect_check(&bisection, &ci->session.config, err);
	if (!ci->command.count && !options->repository && !options->bisect_budget)
		return 0;
	return error_set(err, ERROR_USAGE,
			 "--repository, --bisect-budget and a command go with --bisect");
}

static int prepare(struct ci *ci, const struct string_list *words, struct error *err)
{
	ci->suite = ci->options.collecting.suite ? ci->options.collecting.suite
						 : BASELINE_DEFAULT_SUITE;
	if (choose_variant(ci, words, err) < 0 ||
	    reporting_check(&ci->options.reporting, err) < 0 || check_bisect(ci, err) < 0 ||
	    find_baseline(ci, err) < 0 || choose_remeasure(ci, err) < 0 ||
	    load_baseline(ci, err) < 0)
		return -1;
	settle_boots(ci);
	return 0;
}

static int run_ci(struct ci *ci, const struct string_list *words, struct error *err)
{
	_cleanup_free_ char *collection_id = NULL;

	if (prepare(ci, words, err) < 0)
		return -1;
	if (collect_sets(ci, &collection_id, err) < 0)
		return finish_failed(ci, collection_id, err);
	if (load_collected(ci, collection_id, err) < 0)
		return -1;
	return finish(ci, err);
}

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	struct ci ci = {.options = {.baseline = BASELINE_DEFAULT_NAME, .remeasure = "auto"}};
	int rest_count, code = -1;
	char **rest;

	split_at_dashes(&argc, argv, &rest_count, &rest);
	for (int i = 0; i < rest_count; i++)
		string_list_add(&ci.command, rest[i]);
	if (options_parse(specs, &ci.options, argc, argv, &words, err) == 0 &&
	    check_words(&command_ci, &words, 0, 1, err) == 0 &&
	    session_open(&ci.session, &ci.options.common, true, err) == 0)
		code = run_ci(&ci, &words, err);
	ci_release(&ci);
	return code;
}

const struct command command_ci = {
	.name = "ci",
	.arguments = "[VARIANT] [-- COMMAND [ARGUMENT...]]",
	.summary = "a pipeline's step: candidate against the stored baseline",
	.description =
		"Collects VARIANT (the only one of the configuration, when it is left out) and "
		"compares it with the baseline of the same machine class, target and suite. The "
		"baseline's kernel is booted again, interleaved with the candidate, where the "
		"configuration still has its variant with a kernel image; otherwise its stored "
		"samples are used, and the report says so.\n\n"
		"The exit code is the verdict. Without a baseline nothing is judged: the exit code "
		"is 0, and --promote makes the candidate the baseline. A baseline never changes by "
		"itself; see 'kregress baseline'.\n\n"
		"With --bisect a regression is followed by a bisection of the series that changed "
		"most. It takes the place of any other bisection of this store.",
	.examples = "  kregress ci candidate --junit junit.xml --html report.html\n"
		    "  kregress ci candidate --promote --commit v6.1\n"
		    "  kregress ci candidate --commit HEAD --bisect --bisect-budget 4h\n",
	.options = specs,
	.run = run,
};
