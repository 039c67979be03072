/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>

#include "bisect/driver/command.h"
#include "bisect/driver/driver.h"
#include "cli/bisect_kernel.h"
#include "cli/bisecting.h"
#include "cli/bisecting_value.h"
#include "collector/host.h"
#include "collector/import/importer.h"
#include "common/file.h"
#include "common/number.h"

struct options {
	struct common_options common;
	struct bisecting_files files;
	bool value;
	const char *import;
	const char *bench;
	const char *metric;
	const char *better;
	uint64_t jobs;
	double budget_s;
	bool verify;
	const char *proof;
	const char *variant;
	const char *suite;
	const char *limit;
	bool no_revert;
};

static const struct option_spec specs[] = {
	OPTION_ROW(struct options, value, OPTION_FLAG, "value", 0, NULL,
		   "the command prints a value: the number alone on its last line, or the only "
		   "number"),
	OPTION_ROW(struct options, import, OPTION_STRING, "import", 0, "FORMAT|auto",
		   "the command prints what `kregress import` reads; the value is the median"),
	OPTION_ROW(struct options, bench, OPTION_STRING, "bench", 'b', "BENCHMARK",
		   "which benchmark, where there are several"),
	OPTION_ROW(struct options, metric, OPTION_STRING, "metric", 'm', "METRIC",
		   "which metric of it"),
	OPTION_ROW(struct options, better, OPTION_STRING, "better", 0, "lower|higher",
		   "which way is good (default: the metric's, else lower)"),
	OPTION_ROW(struct options, variant, OPTION_STRING, "variant", 'V', "VARIANT",
		   "without a command: build and boot kernels as this variant of the configuration "
		   "says (default: the start's)"),
	OPTION_ROW(struct options, suite, OPTION_STRING, "suite", 's', "SUITE",
		   "repetitions and times of this suite (default core)"),
	OPTION_ROW(struct options, jobs, OPTION_UINT, "jobs", 'j', "N",
		   "build likely next commits in the background, boot several kernels at a time"),
	OPTION_ROW(struct options, budget_s, OPTION_DURATION, "budget", 0, "TIME",
		   "begin nothing that would end later; exit with 3 then"),
	OPTION_ROW(struct options, verify, OPTION_FLAG, "verify", 0, NULL,
		   "pass and fail: run the command at good and bad first; exit with 5 when they do "
		   "not differ (values are always verified)"),
	OPTION_ROW(struct options, proof, OPTION_STRING, "proof", 0, "N",
		   "values a side in the closing proof, culprit against parent and bad against bad "
		   "with the culprit reverted (default 6; 0: no proof)"),
	OPTION_ROW(struct options, limit, OPTION_STRING, "limit", 'l', "CHANGE",
		   "the change that the proof has to exceed (default 0: any that is certain)"),
	OPTION_ROW(struct options, no_revert, OPTION_FLAG, "no-revert", 0, NULL,
		   "do not try the revert"),
	BISECTING_FILE_OPTIONS(struct options),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

/* What a run opens. */
struct run {
	struct bisecting bisecting;
	struct checkout checkout;
	struct store *store;
	struct measurer measurer;
	struct command_measurer *command;
	struct bisect_kernel *kernel;
	struct plan plan;
	struct bisecting_value value;
	struct string_list argv;
	char *bench; /* of kernels, without its parameters */
	char *params;
	char *objects; /* of the working tree: reverts are there */
	char *logs;
	char *here;
	char *machine;
	struct past_conditions past;
	struct driver driver;
};

static void run_release(struct run *run)
{
	driver_release(&run->driver);
	command_measurer_free(run->command);
	if (run->kernel)
		bisect_kernel_close(run->kernel);
	plan_release(&run->plan);
	free(run->bench);
	free(run->params);
	free(run->objects);
	checkout_close(&run->checkout);
	if (run->store)
		store_close(run->store);
	string_list_release(&run->argv);
	free(run->logs);
	free(run->here);
	free(run->machine);
	bisecting_close(&run->bisecting);
}

static bool has_outcomes(const struct bisection *bisection)
{
	array_for_each (mark, &bisection->marks) {
		if (mark->by_run && mark->kind != MARK_SKIP)
			return true;
	}
	array_for_each (item, &bisection->observations) {
		if (item->state != MEASURED_VALUE)
			return true;
	}
	return false;
}

static int find_better(const struct options *options, const struct bisection *bisection,
		       enum better *better, struct error *err)
{
	const char *name = options->metric ? options->metric : bisection->options.metric;
	const struct metric *metric = name ? metric_find(name) : NULL;

	*better = metric ? metric->better : BETTER_LOWER;
	if (bisection->options.has_better)
		*better = bisection->options.better;
	if (options->better && !better_parse(options->better, better))
		return error_set(err, ERROR_USAGE, "--better %s: say lower or higher",
				 options->better);
	return 0;
}

static int begin_measuring(struct run *run, const struct options *options, const char *name,
			   struct error *err)
{
	const struct bisection *bisection = &run->bisecting.bisection;
	const struct metric *metric = name ? metric_find(name) : NULL;
	enum better better;

	if (find_better(options, bisection, &better, err) < 0)
		return -1;
	if (bisection->measures && bisection->better != better && options->better)
		return error_set(err, ERROR_USAGE, "this bisection has begun with --better %s",
				 better_name(bisection->better));
	if (bisection->measures)
		return 0;
	return bisecting_record(
		&run->bisecting,
		record_measures(metric && metric->deterministic, better, options->bench, name),
		err);
}

/* Values and outcomes are not mixed: neither says what the other would have been. */
static int choose_kind(struct run *run, const struct options *options, const char *metric,
		       struct error *err)
{
	const struct bisection *bisection = &run->bisecting.bisection;
	bool values = options->value || options->import || run->kernel;

	if (values && (has_outcomes(bisection) || bisection->options.flaky)) {
		error_set(err, ERROR_USAGE, "this bisection goes by pass and fail, not by values");
		return error_hint(err, "start it again to measure values");
	}
	if (!values && bisection->measures) {
		error_set(err, ERROR_USAGE, "this bisection goes by values");
		return error_hint(err, "say --value or --import FORMAT");
	}
	if (!values && bisection->options.steps > 1) {
		error_set(err, ERROR_USAGE, "--steps 2 needs values, not pass and fail");
		return error_hint(err, "say --value or --import FORMAT, or start without --steps");
	}
	return values ? begin_measuring(run, options, metric, err) : 0;
}

static int open_checkout(struct run *run, struct error *err)
{
	_cleanup_free_ char *path = bisecting_path(&run->bisecting, "worktree");

	return checkout_open(&run->checkout, path, &run->bisecting.history, err);
}

static git_oid first_good(const struct bisection *bisection)
{
	array_for_each (mark, &bisection->marks) {
		if (mark->kind == MARK_GOOD)
			return mark->commit;
	}
	return (git_oid){{0}};
}

static int open_command(struct run *run, const struct options *options, struct error *err)
{
	const struct bisection *bisection = &run->bisecting.bisection;
	struct command_options command = {.argv = &run->argv};

	run->logs = bisecting_path(&run->bisecting, "logs");
	run->here = getcwd(NULL, 0);
	if (!run->here)
		return error_set_errno(err, ERROR_IO, errno, "current folder");
	if (folder_make(run->logs, err) < 0 || open_checkout(run, err) < 0)
		return -1;
	command.folder = run->logs;
	command.start_folder = run->here;
	command.checkout = bisection->options.no_checkout ? NULL : &run->checkout;
	command.good = first_good(bisection);
	if (options->value || options->import) {
		run->value = (struct bisecting_value){
			.format = options->import,
			.bench = options->bench ? options->bench : bisection->options.bench,
			.metric = options->metric ? options->metric : bisection->options.metric,
			.better = bisection->better,
		};
		command.read = options->import ? bisecting_value_import : command_read_number;
		command.read_context = &run->value;
	}
	run->command = command_measurer_new(&command, &run->measurer);
	return 0;
}

/* The store is opened only where it can hold past results of the same series. */
static int open_store(struct run *run, struct error *err)
{
	const struct bisection *bisection = &run->bisecting.bisection;
	const char *path = run->bisecting.session.config.store;

	if (!bisection->measures || !bisection->options.bench || !bisection->options.metric ||
	    (!strstr(path, "://") && !file_exists(path)))
		return 0;
	run->machine = host_machine_class();
	run->past.machine = run->machine;
	return store_open(path, &run->store, err);
}

/* "lock.spin [cpus=2]" is benchmark and parameters. */
static void split_bench(struct run *run, const char *label)
{
	const char *bracket = strchr(label, '[');
	size_t length = bracket ? (size_t)(bracket - label) : strlen(label);

	while (length && label[length - 1] == ' ')
		length--;
	run->bench = xstrndup(label, length);
	run->params = bracket ? xstrndup(bracket + 1, strcspn(bracket + 1, "]")) : xstrdup("");
}

static int plan_kernels(struct run *run, const struct options *options, struct error *err)
{
	const struct suite_config *suite = config_suite(
		&run->bisecting.session.config, options->suite ? options->suite : "core", err);

	if (!suite)
		return -1;
	plan_init(&run->plan, suite);
	return 0;
}

/* Kernels are built and booted as a variant of the configuration says. */
static int open_kernel(struct run *run, const struct options *options, struct error *err)
{
	const struct bisect_options *start = &run->bisecting.bisection.options;
	const char *label = options->bench ? options->bench : start->bench;
	struct bisect_kernel_options kernel = {
		.config = &run->bisecting.session.config,
		.log = &run->bisecting.session.log,
		.variant = options->variant ? options->variant : start->variant,
		.repository = start->repository,
		.metric = options->metric ? options->metric : start->metric,
		.jobs = options->jobs,
		.plan = &run->plan,
	};

	if (!kernel.variant || !label) {
		error_set(err, ERROR_USAGE, "neither a command nor a %s to build and boot",
			  kernel.variant ? "benchmark" : "variant");
		return error_hint(err,
				  "kregress bisect run -- COMMAND, or --variant VARIANT --bench "
				  "BENCHMARK");
	}
	split_bench(run, label);
	if (plan_kernels(run, options, err) < 0 || open_checkout(run, err) < 0 ||
	    store_open(run->bisecting.session.config.store, &run->store, err) < 0)
		return -1;
	run->objects = xasprintf("%s/.git/objects", run->checkout.path);
	kernel.more_objects = run->objects;
	kernel.store = run->store;
	kernel.benchmark = run->bench;
	kernel.params = run->params;
	if (bisect_kernel_open(&kernel, &run->kernel, &run->measurer, err) < 0)
		return -1;
	return choose_kind(run, options, bisect_kernel_metric(run->kernel)->name, err);
}

static int open_measurer(struct run *run, const struct options *options, struct error *err)
{
	const char *metric =
		options->metric ? options->metric : run->bisecting.bisection.options.metric;

	if (!run->argv.count)
		return open_kernel(run, options, err);
	if (choose_kind(run, options, metric, err) < 0 || open_command(run, options, err) < 0)
		return -1;
	return open_store(run, err);
}

static int read_settings(const struct options *options, struct driver_settings *settings,
			 struct error *err)
{
	uint64_t count = 6;

	if (options->proof && number_parse_uint(options->proof, 1000, &count, err) < 0) {
		error_wrap(err, "--proof");
		err->kind = ERROR_USAGE;
		return -1;
	}
	*settings = (struct driver_settings){
		.jobs = options->jobs ? (size_t)options->jobs : 1,
		.budget_s = options->budget_s,
		.verify = options->verify,
		.proof_values = (size_t)count,
		.alpha = 0.05,
		.now_s = host_monotonic_s,
		.utc_now = host_utc_now,
	};
	if (options->limit &&
	    number_parse_fraction(options->limit, &settings->limit_frac, err) < 0) {
		error_wrap(err, "--limit");
		err->kind = ERROR_USAGE;
		return -1;
	}
	return 0;
}

static void fill_driver(struct run *run, const struct options *options)
{
	struct driver_settings settings = run->driver.settings;

	run->driver = (struct driver){
		.bisection = &run->bisecting.bisection,
		.journal = &run->bisecting.journal,
		.history = &run->bisecting.history,
		.measurer = &run->measurer,
		.checkout = options->no_revert ? NULL : &run->checkout,
		.store = run->store,
		.past = run->kernel ? bisect_kernel_past(run->kernel) : &run->past,
		.log = &run->bisecting.session.log,
		.settings = settings,
		.view = {.range = {.dag = DAG_INIT}},
	};
}

static int say_end(struct run *run, const struct options *options, enum driver_end end,
		   struct error *err)
{
	struct bisecting *bisecting = &run->bisecting;
	int code;

	if (bisecting_write_files(bisecting, &run->driver.view, &options->files, err) < 0)
		return -1;
	if (options->files.json && !strcmp(options->files.json, "-"))
		code = bisecting_exit_code(view_next(&run->driver.view, NULL).stage);
	else
		code = bisecting_say(bisecting, &run->driver.view, err);
	if (code < 0)
		return -1;
	if (end == DRIVER_NOT_REPRODUCED)
		return EXIT_NOT_REPRODUCED;
	return end == DRIVER_BUDGET ? EXIT_INCONCLUSIVE : code;
}

static int run_bisection(struct run *run, const struct options *options, struct error *err)
{
	enum driver_end end = DRIVER_SETTLED;

	/* Before anything is written: options that are wrong leave the bisection as it is. */
	if (read_settings(options, &run->driver.settings, err) < 0 ||
	    open_measurer(run, options, err) < 0)
		return -1;
	fill_driver(run, options);
	if (driver_run(&run->driver, &end, err) < 0) {
		if (err->kind == ERROR_INTERRUPTED)
			error_hint(err, "what was measured is kept; `kregress bisect run` goes on");
		return -1;
	}
	return say_end(run, options, end, err);
}

static int check_command(const struct options *options, const struct string_list *words,
			 int word_count, struct error *err)
{
	if (words->count) {
		error_set(err, ERROR_USAGE, "'%s': the command stands behind --", words->items[0]);
		return error_hint(err, "kregress bisect run [OPTION...] -- COMMAND [ARGUMENT...]");
	}
	if (options->value && options->import)
		return error_set(err, ERROR_USAGE, "--value and --import exclude each other");
	if (options->import && strcmp(options->import, "auto") != 0 &&
	    !importer_find(options->import)) {
		error_set(err, ERROR_USAGE, "--import: no format is named '%s'", options->import);
		return error_hint(err, "`kregress help import` lists the formats");
	}
	if ((options->value || options->import) && !word_count)
		return error_set(err, ERROR_USAGE, "--value and --import need a command");
	return 0;
}

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	struct run run = {.bisecting = {.lock_fd = -1}};
	struct options options = {0};
	int rest_count;
	char **rest;
	int code;

	split_at_dashes(&argc, argv, &rest_count, &rest);
	if (options_parse(specs, &options, argc, argv, &words, err) < 0 ||
	    check_command(&options, &words, rest_count, err) < 0 ||
	    bisecting_open_started(&run.bisecting, &options.common, BISECTING_WRITE, err) < 0)
		return -1;
	run.driver.view.range.dag = (struct dag)DAG_INIT;
	for (int i = 0; i < rest_count; i++)
		string_list_add(&run.argv, rest[i]);
	code = run_bisection(&run, &options, err);
	run_release(&run);
	return code;
}

const struct command command_bisect_run = {
	.name = "bisect run",
	.arguments = "[-- COMMAND [ARGUMENT...]]",
	.summary = "search by running a command, or by building and booting kernels",
	.description =
		"Without a command, kernels are built and booted as --variant says, and --bench is "
		"measured there.\n\n"
		"Runs the command at one commit after the other, in a working tree of the "
		"bisection's own, until the answer is certain.\n\n"
		"Exit status of the command, as with `git bisect run`: 0 good; 125 cannot be "
		"tested; 1 to 127 otherwise bad (126 and 127 only where the good commit does not "
		"give the same); 128 and more stop the search. With --value and --import a status "
		"other than 0 says that there is no value.\n\n"
		"Exits with 0 when the commit is found, 2 when only skipped commits are left, 3 "
		"when the budget is spent or a merge base is bad, 5 when the regression does not "
		"reproduce, 4 when the command or the state fails. Stopped at any time, it goes on "
		"when called again.",
	.examples = "  kregress bisect run -- make check\n"
		    "  kregress bisect run --value -- sh -c 'make -s && ./bench'\n"
		    "  kregress bisect run --variant small --bench lock.spin --jobs 2\n"
		    "  kregress bisect run --import table --bench hackbench -- ./suite\n",
	.options = specs,
	.run = run,
};
