/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <sys/random.h>

#include "bisect/driver/git_log.h"
#include "cli/bisecting.h"
#include "cli/bisecting_finding.h"
#include "collector/host.h"
#include "common/file.h"
#include "common/number.h"
#include "common/text.h"

struct options {
	struct common_options common;
	const char *repository;
	const char *term_bad;
	const char *term_good;
	bool first_parent;
	bool no_checkout;
	bool flaky;
	uint64_t steps;
	const char *bench;
	const char *metric;
	const char *better;
	const char *variant;
	const char *prior;
	const char *seed;
	const char *finding;
};

static const struct option_spec specs[] = {
	OPTION_ROW(struct options, repository, OPTION_STRING, "repository", 'R', "DIRECTORY",
		   "the git repository (default: the one that holds this folder)"),
	OPTION_ROW(struct options, first_parent, OPTION_FLAG, "first-parent", 0, NULL,
		   "follow first parents only: merges count as one change"),
	OPTION_ROW(struct options, term_bad, OPTION_STRING, "term-bad", 0, "WORD",
		   "the word for bad commits, such as slow"),
	OPTION_ROW(struct options, term_bad, OPTION_STRING, "term-new", 0, "WORD",
		   "the same as --term-bad"),
	OPTION_ROW(struct options, term_good, OPTION_STRING, "term-good", 0, "WORD",
		   "the word for good commits, such as fast"),
	OPTION_ROW(struct options, term_good, OPTION_STRING, "term-old", 0, "WORD",
		   "the same as --term-good"),
	OPTION_ROW(
		struct options, no_checkout, OPTION_FLAG, "no-checkout", 0, NULL,
		"no working tree: a command finds the commit's id in $KREGRESS_COMMIT (always so "
		"in a bare repository)"),
	OPTION_ROW(struct options, flaky, OPTION_FLAG, "flaky", 0, NULL,
		   "the command may pass and fail at the same commit: repeat it, and weigh"),
	OPTION_ROW(struct options, steps, OPTION_UINT, "steps", 0, "1|2",
		   "look for so many changes (default 1)"),
	OPTION_ROW(struct options, finding, OPTION_STRING, "finding", 0, "ID",
		   "take good, bad, benchmark, metric, direction and variant from this finding of "
		   "`kregress history`; other options go before it"),
	OPTION_ROW(struct options, bench, OPTION_STRING, "bench", 'b', "BENCHMARK",
		   "what is measured: a benchmark, with its parameters in brackets"),
	OPTION_ROW(struct options, metric, OPTION_STRING, "metric", 'm', "METRIC",
		   "its metric: time, insn, ..."),
	OPTION_ROW(struct options, better, OPTION_STRING, "better", 0, "lower|higher",
		   "which way is good (default: the metric's, else lower)"),
	OPTION_ROW(struct options, variant, OPTION_STRING, "variant", 'V', "VARIANT",
		   "build and boot kernels as this variant of the configuration says"),
	OPTION_ROW(
		struct options, prior, OPTION_STRING, "prior-nothing", 0, "PROBABILITY",
		"how likely it is beforehand that nothing made it slow (default 1/3 for values)"),
	OPTION_ROW(struct options, seed, OPTION_STRING, "seed", 0, "N",
		   "seed of what is drawn at random (default: drawn, and recorded)"),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

/* A number that is none is the user's, not the data's. */
static int wrong_option(const char *option, struct error *err)
{
	err->kind = ERROR_USAGE;
	return error_wrap(err, "%s", option);
}

static int fill_seed(const struct options *options, struct bisect_options *start, struct error *err)
{
	if (options->seed && number_parse_uint(options->seed, UINT64_MAX, &start->seed, err) < 0)
		return wrong_option("--seed", err);
	if (options->seed)
		return 0;
	if (getrandom(&start->seed, sizeof(start->seed), 0) != (ssize_t)sizeof(start->seed))
		start->seed = 1;
	return 0;
}

static int fill_prior(const struct options *options, struct bisect_options *start,
		      struct error *err)
{
	start->prior_nothing = -1;
	if (!options->prior)
		return 0;
	if (number_parse_fraction(options->prior, &start->prior_nothing, err) < 0)
		return wrong_option("--prior-nothing", err);
	if (start->prior_nothing >= 0 && start->prior_nothing < 1)
		return 0;
	return error_set(err, ERROR_USAGE, "--prior-nothing %s: from 0 to below 1", options->prior);
}

static int fill_better(const struct options *options, struct bisect_options *start,
		       struct error *err)
{
	const struct metric *metric = options->metric ? metric_find(options->metric) : NULL;

	if (metric) {
		start->has_better = true;
		start->better = metric->better;
	}
	if (!options->better)
		return 0;
	start->has_better = true;
	if (better_parse(options->better, &start->better))
		return 0;
	return error_set(err, ERROR_USAGE, "--better %s: say lower or higher", options->better);
}

static int fill_options(const struct options *options, const struct history *history,
			struct bisect_options *start, struct error *err)
{
	start->repository = xstrdup(git_repository_path(history->repository));
	start->started_at = host_utc_now();
	start->term_bad = xstrdup(options->term_bad);
	start->term_good = xstrdup(options->term_good);
	start->first_parent = options->first_parent;
	start->no_checkout =
		options->no_checkout || git_repository_is_bare(history->repository) == 1;
	start->flaky = options->flaky;
	start->steps = options->steps ? options->steps : 1;
	start->bench = xstrdup(options->bench);
	start->metric = xstrdup(options->metric);
	start->variant = xstrdup(options->variant);
	if (start->steps > 2)
		return error_set(err, ERROR_USAGE, "--steps %llu: one change or two",
				 (unsigned long long)start->steps);
	if (start->steps > 1 && start->flaky)
		return error_set(err, ERROR_USAGE,
				 "--steps 2 needs values, but --flaky is pass and fail");
	if (fill_better(options, start, err) < 0 || fill_seed(options, start, err) < 0 ||
	    fill_prior(options, start, err) < 0)
		return -1;
	return terms_check(start->term_bad, start->term_good, err);
}

static int add_paths(struct bisect_options *start, int count, char **paths, struct error *err)
{
	for (int i = 0; i < count; i++) {
		if (text_utf8_error(paths[i], strlen(paths[i])) < strlen(paths[i]))
			return error_set(err, ERROR_USAGE, "a path that is not UTF-8");
		string_list_add(&start->paths, paths[i]);
	}
	return 0;
}

static int add_marks(const struct history *history, const struct string_list *words,
		     json_t *records, struct error *err)
{
	for (size_t i = 0; i < words->count; i++) {
		struct mark mark = {.kind = i ? MARK_GOOD : MARK_BAD};

		if (history_resolve(history, words->items[i], &mark.commit, err) < 0)
			return -1;
		json_array_append_new(records, record_mark(&mark));
	}
	return 0;
}

/* What the records amount to is looked at before anything is written. */
static int try_records(const json_t *records, const struct history *history, struct error *err)
{
	_cleanup_(bisection_release) struct bisection bisection = {0};
	_cleanup_(view_release) struct view view = {.range = {.dag = DAG_INIT}};

	if (bisection_apply_all(&bisection, records, "start", err) < 0)
		return -1;
	return view_load(&view, &bisection, history, err);
}

static int begin(struct bisecting *bisecting, const json_t *records, const struct history *history,
		 struct error *err)
{
	_cleanup_(view_release) struct view view = {.range = {.dag = DAG_INIT}};

	if (try_records(records, history, err) < 0 || bisecting_lock(bisecting, err) < 0 ||
	    bisecting_create(bisecting, records, err) < 0 ||
	    view_load(&view, &bisecting->bisection, &bisecting->history, err) < 0)
		return -1;
	return bisecting_say(bisecting, &view, err);
}

static int start(struct bisecting *bisecting, const struct options *options,
		 const struct string_list *words, int path_count, char **paths, struct error *err)
{
	_cleanup_(history_release) struct history history = {NULL};
	_cleanup_(bisection_release) struct bisection draft = {0};
	json_t *records = json_array();
	int code = -1;

	if (history_open(&history, options->repository ? options->repository : ".", err) == 0 &&
	    fill_options(options, &history, &draft.options, err) == 0 &&
	    add_paths(&draft.options, path_count, paths, err) == 0) {
		json_array_append_new(records, record_start(&draft.options));
		if (add_marks(&history, words, records, err) == 0)
			code = begin(bisecting, records, &history, err);
	}
	json_decref(records);
	return code;
}

static const char *either(const char *first, const char *second)
{
	return first ? first : second;
}

/* Completes the command line from the finding, whose texts the options then point to. */
static int take_finding(const struct session *session, struct options *options,
			struct bisecting_finding *found, struct string_list *words,
			struct error *err)
{
	if (!options->finding)
		return 0;
	if (words->count) {
		error_set(err, ERROR_USAGE, "--finding names good and bad already");
		return error_hint(err, "leave '%s' out", words->items[0]);
	}
	if (bisecting_finding_load(session, options->finding, found, err) < 0)
		return -1;
	string_list_add(words, found->bad);
	string_list_add(words, found->good);
	options->bench = either(options->bench, found->bench);
	options->metric = either(options->metric, found->metric);
	options->better = either(options->better, better_name(found->better));
	options->variant = either(options->variant, found->variant);
	log_note(&session->log, "finding %s: %s %s, good %.12s, bad %.12s", found->id,
		 options->bench, options->metric, found->good, found->bad);
	return 0;
}

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(bisecting_finding_release) struct bisecting_finding found = {0};
	struct bisecting bisecting;
	struct options options = {0};
	int path_count;
	char **paths;
	int code;

	split_at_dashes(&argc, argv, &path_count, &paths);
	if (options_parse(specs, &options, argc, argv, &words, err) < 0 ||
	    bisecting_open(&bisecting, &options.common, BISECTING_WRITE, err) < 0)
		return -1;
	/* A finding's variant may be gone meanwhile; one that is asked for must be there. */
	code = options.variant && !config_variant(&bisecting.session.config, options.variant, err)
		       ? -1
		       : 0;
	if (code == 0)
		code = take_finding(&bisecting.session, &options, &found, &words, err);
	if (code == 0)
		code = start(&bisecting, &options, &words, path_count, paths, err);
	bisecting_close(&bisecting);
	return code;
}

const struct command command_bisect_start = {
	.name = "bisect start",
	.arguments = "[BAD [GOOD...]] [-- PATH...]",
	.summary = "begin a bisection, in the place of any other",
	.description = "Fixes what is searched. The first revision is bad, the others are good; "
		       "they may be named later. With paths, only commits that touch them are "
		       "candidates.",
	.examples = "  kregress bisect start HEAD v6.1 -- kernel/locking\n"
		    "  kregress bisect start --term-new slow --term-old fast\n"
		    "  kregress bisect start --finding 1f3a\n",
	.options = specs,
	.run = run,
};

/* reset */

struct reset_options {
	struct common_options common;
};

static const struct option_spec reset_specs[] = {
	COMMON_OPTIONS(struct reset_options),
	OPTION_END,
};

/* A journal that is damaged must not be in the way. */
static int remove_folder(struct bisecting *bisecting, struct error *err)
{
	if (!file_exists(bisecting->folder)) {
		log_note(&bisecting->session.log, "no bisection is going on here");
		return 0;
	}
	if (bisecting_lock(bisecting, err) < 0)
		return -1;
	return folder_remove(bisecting->folder, err);
}

static int run_reset(int argc, char **argv, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	struct bisecting bisecting;
	struct reset_options options = {0};
	int code;

	if (options_parse(reset_specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_bisect_reset, &words, 0, 0, err) < 0 ||
	    bisecting_open_folder(&bisecting, &options.common, err) < 0)
		return -1;
	code = remove_folder(&bisecting, err);
	bisecting_close(&bisecting);
	return code;
}

const struct command command_bisect_reset = {
	.name = "bisect reset",
	.arguments = "",
	.summary = "end the bisection and remove its files",
	.description = "Removes the journal, the working tree and the logs. Samples in the store "
		       "and kernels in the cache stay.",
	.examples = "",
	.options = reset_specs,
	.run = run_reset,
};
