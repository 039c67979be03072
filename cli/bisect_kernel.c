/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bisect_kernel.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/comparison.h"
#include "bisect/build/identity.h"
#include "bisect/build/kernel_builds.h"
#include "bisect/build/make_output.h"
#include "collector/boot_run.h"
#include "collector/host.h"
#include "collector/module_build.h"
#include "common/file.h"
#include "common/text.h"

static const double boot_guess_s = 20;

struct bisect_kernel {
	struct bisect_kernel_options options;
	const struct variant_config *template;
	const struct target_config *target;
	const struct metric *metric;
	struct kernel_builds *builds;
	struct plan plan;
	char *module_cache;
	char *console_folder;
	char *collection;
	size_t jobs;
	double boot_seconds; /* sum over the boots that gave a value */
	size_t boots;
	/* Of the first of those boots: what past results have to agree with. */
	char *machine;
	struct environment environment;
	struct past_conditions past;
};

/* The template with this build in it. Strings are the template's or the build's. */
static struct variant_config variant_of_build(const struct bisect_kernel *kernel,
					      const struct built_kernel *built)
{
	struct variant_config variant = *kernel->template;

	variant.kernel = built->image;
	variant.kernel_config = built->config;
	variant.kdir = kernel->template->module ? NULL : built->kdir;
	return variant;
}

/*
 * Builds kregress.ko, and makes it part of the identity: a change of an inline function may show
 * there alone. 0 with *broken set: the commit's headers do not suit it.
 */
static int add_module(const struct bisect_kernel *kernel, const struct built_kernel *built,
		      char **identity, char **broken, struct error *err)
{
	_cleanup_free_ char *module = NULL, *code = NULL, *both = NULL;
	struct make_failure failure;
	struct strbuf digest = STRBUF_INIT;

	if (kernel->template->module)
		return 0;
	if (module_build(built->kdir, kernel->module_cache, kernel->options.log, &module, err) <
	    0) {
		if (err->kind != ERROR_HARNESS)
			return -1;
		failure = make_failure_read(err->message, built->kdir);
		if (!failure.lab_cause && strstr(failure.first_error, "error"))
			*broken = xasprintf("kregress.ko does not build: %s", failure.first_error);
		make_failure_release(&failure);
		if (*broken)
			error_clear(err);
		return *broken ? 0 : -1;
	}
	if (!*identity)
		return 0;
	if (identity_of_module(module, &code, err) < 0)
		return -1;
	both = xasprintf("%s %s", *identity, code);
	text_append_digest(&digest, both, strlen(both), 40);
	free(*identity);
	*identity = strbuf_take(&digest);
	return 0;
}

static int build(void *context, const git_oid *commit, struct build_result *result,
		 struct error *err)
{
	struct bisect_kernel *kernel = context;
	_cleanup_(built_kernel_release) struct built_kernel built = {0};
	double started_s = host_monotonic_s();

	if (kernel_builds_make(kernel->builds, commit, result, &built, err) < 0)
		return -1;
	if (result->state == BUILD_READY &&
	    add_module(kernel, &built, &result->identity, &result->reason, err) < 0) {
		build_result_release(result);
		return -1;
	}
	if (result->reason)
		result->state = BUILD_BROKEN;
	result->duration_s = host_monotonic_s() - started_s;
	return 0;
}

static bool is_built(void *context, const git_oid *commit)
{
	struct bisect_kernel *kernel = context;

	return kernel_builds_have(kernel->builds, commit);
}

static void build_ahead(void *context, const git_oid *commits, size_t count)
{
	struct bisect_kernel *kernel = context;

	kernel_builds_ahead(kernel->builds, commits, count);
}

/* The boot's value; false when the series has no samples there. */
static bool boot_value(const struct bisect_kernel *kernel, const struct run_set *set, double *value)
{
	const struct series *series = run_set_find(set, kernel->options.benchmark,
						   kernel->options.params, kernel->metric->name);
	_cleanup_free_ double *values = NULL, *scratch = NULL;
	size_t count = series ? series->samples.count : 0;

	if (!count)
		return false;
	values = xcalloc(count, sizeof(*values));
	scratch = xcalloc(count, sizeof(*scratch));
	for (size_t i = 0; i < count; i++)
		values[i] = series->samples.items[i].value;
	*value = boot_location(values, count, kernel->metric->deterministic, scratch);
	return true;
}

/* Why a boot gave no value. Owned by the caller. */
static char *why_no_value(const struct bisect_kernel *kernel, const struct boot *boot)
{
	if (boot->status == BOOT_FAILED)
		return xstrdup(boot->reason);
	array_for_each (failure, &boot->failures)
		if (!strcmp(failure->benchmark, kernel->options.benchmark))
			return xasprintf("%s: %s", failure->benchmark, failure->reason);
	return xasprintf("the kernel booted, but %s gave no %s values", kernel->options.benchmark,
			 kernel->metric->name);
}

/* What is known of the console, kept for the user. NULL when there is nothing to keep. */
static char *keep_console(const struct bisect_kernel *kernel, const git_oid *commit,
			  const struct boot *boot)
{
	_cleanup_(error_clear) struct error ignored = {0};
	char *path;

	if (!boot->console_tail || folder_make(kernel->console_folder, &ignored) < 0)
		return NULL;
	path = xasprintf("%s/%s.console", kernel->console_folder, git_oid_tostr_s(commit));
	if (file_write(path, boot->console_tail, strlen(boot->console_tail), &ignored) == 0)
		return path;
	free(path);
	return NULL;
}

/* QEMU itself failed, before the guest could say anything: a kernel cannot cause that. */
static bool is_lab_failure(const struct boot_run *run)
{
	return run->set.boots.items[0].status == BOOT_FAILED && !run->reader.count &&
	       run->wait_status > 0 && !strstr(run->set.boots.items[0].reason, "kernel");
}

static int store_boot(const struct bisect_kernel *kernel, const struct prepared_variant *variant,
		      struct run_set *set, const git_oid *commit, struct error *err)
{
	struct environment *environment = &set->boots.items[0].environment;

	environment_set(environment, "kernel.commit", git_oid_tostr_s(commit));
	environment_set(environment, "kernel.build_digest", kernel_builds_digest(kernel->builds));
	replace_string(&set->collection, kernel->collection);
	replace_string(&set->target, variant->target_config->name);
	replace_string(&set->machine, variant->machine);
	replace_string(&set->created_at, set->boots.items[0].started_at);
	set->level = LEVEL_BOOT;
	return store_add_run_set(kernel->options.store, set, err);
}

static void note_conditions(struct bisect_kernel *kernel, const struct run_set *set)
{
	if (kernel->machine)
		return;
	array_for_each (item, &set->boots.items[0].environment)
		environment_set(&kernel->environment, item->key, item->value);
	kernel->machine = xstrdup(set->machine);
	kernel->past = (struct past_conditions){kernel->machine, &kernel->environment};
}

/* From a boot that is over to a measurement. */
static int take_boot(struct bisect_kernel *kernel, struct boot_run *run, const git_oid *commit,
		     struct measurement *measurement, struct error *err)
{
	const struct boot *boot;

	boot_run_end(run);
	boot = &run->set.boots.items[0];
	if (is_lab_failure(run))
		return error_set(err, ERROR_HARNESS, "%s", boot->reason);
	if (store_boot(kernel, run->variant, &run->set, commit, err) < 0)
		return -1;
	measurement->duration_s = boot->duration_s;
	measurement->run_set_id = xstrdup(run->set.id);
	measurement->state = MEASURED_VALUE;
	if (boot->status == BOOT_OK && boot_value(kernel, &run->set, &measurement->value)) {
		kernel->boot_seconds += boot->duration_s;
		kernel->boots++;
		note_conditions(kernel, &run->set);
		return 0;
	}
	measurement->state = MEASURED_BROKEN;
	measurement->reason = why_no_value(kernel, boot);
	measurement->log_path = keep_console(kernel, commit, boot);
	return 0;
}

struct boots {
	ARRAY_OF(struct boot_run *) active;
	struct measurement_list taken;
	uint32_t started;
};

static void boots_release(struct boots *boots)
{
	array_for_each (run, &boots->active) {
		boot_run_release(*run);
		free(*run);
	}
	array_release(&boots->active);
	measurement_list_release(&boots->taken);
}

static int start_boot(const struct bisect_kernel *kernel, const struct prepared_variant *variant,
		      struct boots *boots, struct error *err)
{
	struct schedule_slot slot = {.block = boots->started, .slot = boots->started};
	struct boot_run *run = xcalloc(1, sizeof(*run));

	if (boot_run_start(run, variant, &kernel->plan, &slot, err) < 0) {
		free(run);
		return -1;
	}
	boots->started++;
	*array_append(&boots->active) = run;
	return 0;
}

/* Ends those that are over. */
static int take_boots(struct bisect_kernel *kernel, struct boots *boots, const git_oid *commit,
		      struct error *err)
{
	size_t kept = 0;
	int result = 0;

	for (size_t i = 0; i < boots->active.count; i++) {
		struct boot_run *run = boots->active.items[i];

		if (!run->over || result < 0) {
			boots->active.items[kept++] = run;
			continue;
		}
		result = take_boot(kernel, run, commit, array_append(&boots->taken), err);
		boot_run_release(run);
		free(run);
	}
	boots->active.count = kept;
	return result;
}

static bool has_broken(const struct boots *boots)
{
	array_for_each (taken, &boots->taken)
		if (taken->state == MEASURED_BROKEN)
			return true;
	return false;
}

/* Boots until there are enough, or one was broken: it will not get better. */
static int boot_all(struct bisect_kernel *kernel, const struct prepared_variant *variant,
		    const git_oid *commit, size_t count, struct boots *boots, struct error *err)
{
	for (;;) {
		while (boots->started < count && boots->active.count < kernel->jobs &&
		       !has_broken(boots))
			if (start_boot(kernel, variant, boots, err) < 0)
				return -1;
		if (!boots->active.count)
			return 0;
		log_progress(kernel->options.log, "booting %.12s: %zu of %zu",
			     git_oid_tostr_s(commit), boots->taken.count + 1, count);
		if (boot_runs_wait(boots->active.items, boots->active.count, err) < 0 ||
		    take_boots(kernel, boots, commit, err) < 0)
			return -1;
	}
}

/* Values where there are any, else the first failure alone. */
static void hand_over(const struct bisect_kernel *kernel, struct boots *boots,
		      struct measurement_list *list)
{
	size_t values = 0;

	array_for_each (taken, &boots->taken)
		values += taken->state == MEASURED_VALUE;
	array_for_each (taken, &boots->taken) {
		if (values && taken->state == MEASURED_BROKEN)
			log_warning(kernel->options.log, "one boot of several failed: %s",
				    taken->reason);
		if (taken->state != (values ? MEASURED_VALUE : MEASURED_BROKEN))
			continue;
		*array_append(list) = *taken;
		*taken = (struct measurement){0};
		if (!values)
			break;
	}
}

static int measure(void *context, const git_oid *commit, size_t count,
		   struct measurement_list *list, struct error *err)
{
	struct bisect_kernel *kernel = context;
	_cleanup_(built_kernel_release) struct built_kernel built = {0};
	_cleanup_(build_result_release) struct build_result ready = {0};
	_cleanup_(prepared_variant_release) struct prepared_variant variant = {0};
	_cleanup_(boots_release) struct boots boots = {0};
	struct variant_config config;

	if (kernel_builds_make(kernel->builds, commit, &ready, &built, err) < 0)
		return -1;
	if (ready.state != BUILD_READY)
		return error_set(err, ERROR_HARNESS, "%.12s no longer builds: %s",
				 git_oid_tostr_s(commit), ready.reason);
	config = variant_of_build(kernel, &built);
	variant.config = &config;
	variant.target_config = kernel->target;
	variant.target = target_find(kernel->target->kind);
	variant.label = xasprintf("%s-%.12s", config.name, git_oid_tostr_s(commit));
	if (prepare_variant(&variant, kernel->options.config, &kernel->plan, kernel->options.log,
			    err) < 0 ||
	    boot_all(kernel, &variant, commit, count, &boots, err) < 0)
		return -1;
	hand_over(kernel, &boots, list);
	return 0;
}

static double build_cost_s(void *context, const git_oid *commit)
{
	struct bisect_kernel *kernel = context;

	return kernel_builds_cost_s(kernel->builds, commit);
}

static double measure_cost_s(void *context)
{
	const struct bisect_kernel *kernel = context;
	double boot_s = kernel->boots ? kernel->boot_seconds / (double)kernel->boots : boot_guess_s;

	return boot_s / (double)kernel->jobs;
}

static int choose_metric(struct bisect_kernel *kernel, struct error *err)
{
	const char *name = kernel->options.metric;
	bool counts = kernel->target->icount;

	if (!name)
		name = counts ? "insn" : "time";
	kernel->metric = metric_find(name);
	if (!kernel->metric)
		return error_set(err, ERROR_USAGE, "no metric is named %s", name);
	if (counts == !strcmp(name, "insn"))
		return 0;
	error_set(err, ERROR_USAGE, "target %s cannot give %s", kernel->target->name, name);
	return error_hint(err, counts ? "with icount = true only insn is measured"
				      : "insn needs icount = true in the target's section");
}

static int choose_target(struct bisect_kernel *kernel, struct error *err)
{
	const struct bisect_kernel_options *options = &kernel->options;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	kernel->template = config_variant(options->config, options->variant, err);
	if (!kernel->template)
		return -1;
	kernel->target = config_target(options->config, kernel->template->target, err);
	if (!kernel->target)
		return -1;
	if (!target_find(kernel->target->kind) || strcmp(kernel->target->kind, "qemu") != 0) {
		error_set(err, ERROR_USAGE, "variant %s: its target %s does not boot kernels",
			  kernel->template->name, kernel->target->name);
		return error_hint(err, "a target of kind qemu is needed");
	}
	if (!kernel->template->kernel_config) {
		error_set(err, ERROR_USAGE, "variant %s has no base configuration",
			  kernel->template->name);
		return error_hint(err, "set variant.%s.config to the .config to build with",
				  kernel->template->name);
	}
	kernel->jobs = options->jobs		? (size_t)options->jobs
		       : kernel->target->icount ? (size_t)(cpus > 0 ? cpus : 1)
						: 1;
	return choose_metric(kernel, err);
}

/* The plan for one series: its pattern is the benchmark's name. */
static int make_plan(struct bisect_kernel *kernel, struct error *err)
{
	kernel->plan = *kernel->options.plan;
	kernel->plan.bench = (struct string_list){0};
	kernel->plan.boots = 1;
	string_list_add(&kernel->plan.bench, kernel->options.benchmark);
	return plan_check(&kernel->plan, err);
}

static int open_builds(struct bisect_kernel *kernel, struct error *err)
{
	const struct bisect_kernel_options *options = &kernel->options;
	const char *cache = options->cache ? options->cache : options->config->cache;
	_cleanup_(string_list_release) struct string_list arguments = {0};
	_cleanup_(strbuf_release) struct strbuf digest = STRBUF_INIT;
	_cleanup_free_ char *repository = realpath(options->repository, NULL);
	_cleanup_free_ char *folder = NULL;
	struct kernel_builds_options builds = {
		.repository = options->repository,
		.more_objects = options->more_objects,
		.base_config = kernel->template->kernel_config,
		.make_arguments = &arguments,
		.cache_limit_bytes = options->config->build_cache_mb << 20,
		.log = options->log,
	};

	if (kernel->template->make)
		string_list_split(&arguments, kernel->template->make, " \t");
	if (!repository)
		repository = xstrdup(options->repository);
	text_append_digest(&digest, repository, strlen(repository), 12);
	folder = xasprintf("%s/bisect/%s", cache, strbuf_text(&digest));
	kernel->module_cache = xstrdup(cache);
	kernel->console_folder = xasprintf("%s/consoles", folder);
	builds.folder = folder;
	return kernel_builds_open(&builds, &kernel->builds, err);
}

int bisect_kernel_open(const struct bisect_kernel_options *options, struct bisect_kernel **kernel,
		       struct measurer *measurer, struct error *err)
{
	struct bisect_kernel *opened = xcalloc(1, sizeof(*opened));

	opened->options = *options;
	if (!opened->options.params)
		opened->options.params = "";
	opened->collection = run_set_make_id();
	if (choose_target(opened, err) < 0 || make_plan(opened, err) < 0 ||
	    open_builds(opened, err) < 0) {
		bisect_kernel_close(opened);
		return -1;
	}
	*kernel = opened;
	*measurer = (struct measurer){
		.context = opened,
		.build = build,
		.is_built = is_built,
		/* Compiling beside a boot changes times, but not instruction counts. */
		.build_ahead = opened->target->icount ? build_ahead : NULL,
		.measure = measure,
		.build_cost_s = build_cost_s,
		.measure_cost_s = measure_cost_s,
	};
	return 0;
}

void bisect_kernel_close(struct bisect_kernel *kernel)
{
	if (!kernel)
		return;
	kernel_builds_close(kernel->builds);
	string_list_release(&kernel->plan.bench);
	free(kernel->module_cache);
	free(kernel->console_folder);
	free(kernel->collection);
	free(kernel->machine);
	environment_release(&kernel->environment);
	free(kernel);
}

const struct past_conditions *bisect_kernel_past(const struct bisect_kernel *kernel)
{
	return &kernel->past;
}

const struct metric *bisect_kernel_metric(const struct bisect_kernel *kernel)
{
	return kernel->metric;
}
