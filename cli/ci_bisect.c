/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/ci_bisect.h"

#include <string.h>

#include "cli/bisecting.h"

static const char default_budget[] = "1h";

/* Building kernels needs a template to build from. */
static int check_variant(const struct config *config, const struct variant_config *variant,
			 struct error *err)
{
	const struct target_config *target = config_target(config, variant->target, err);

	if (!target)
		return -1;
	if (!strcmp(target->kind, "qemu") && variant->kernel_config)
		return 0;
	error_set(err, ERROR_USAGE,
		  "--bisect cannot build and boot kernels as variant '%s': it needs a target of "
		  "kind qemu and the key config",
		  variant->name);
	return error_hint(err,
			  "set variant.%s.config, or give a command that prints a value: --bisect "
			  "-- COMMAND",
			  variant->name);
}

int ci_bisect_check(const struct ci_bisection *bisection, const struct config *config,
		    struct error *err)
{
	_cleanup_(history_release) struct history history = {NULL};
	git_oid id;

	if (!bisection->bad) {
		error_set(err, ERROR_USAGE,
			  "--bisect needs to know what the candidate was built from");
		return error_hint(err, "give --commit COMMIT, here and when the baseline is set");
	}
	if (!bisection->command->count && check_variant(config, bisection->variant, err) < 0)
		return -1;
	if (history_open(&history, bisection->repository ? bisection->repository : ".", err) < 0)
		return error_wrap(err, "--bisect");
	return history_resolve(&history, bisection->bad, &id, err);
}

static void add_pair(struct string_list *words, const char *option, const char *value)
{
	if (!value)
		return;
	string_list_add(words, option);
	string_list_add(words, value);
}

static void add_common(struct string_list *words, const struct common_options *common)
{
	add_pair(words, "--config", common->config);
	add_pair(words, "--store", common->store);
	if (common->quiet)
		string_list_add(words, "--quiet");
}

static int call(const struct command *command, const struct string_list *words, struct error *err)
{
	return command->run((int)words->count, words->items, err);
}

static int start(const struct ci_bisection *bisection, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};

	add_common(&words, bisection->common);
	add_pair(&words, "--repository", bisection->repository);
	add_pair(&words, "--bench", bisection->label);
	add_pair(&words, "--metric", bisection->metric);
	add_pair(&words, "--variant", bisection->variant->name);
	string_list_add(&words, bisection->bad);
	string_list_add(&words, bisection->good);
	return call(&command_bisect_start, &words, err);
}

static int go_on(const struct ci_bisection *bisection, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};

	add_common(&words, bisection->common);
	add_pair(&words, "--budget", bisection->budget ? bisection->budget : default_budget);
	add_pair(&words, "--json", bisection->json);
	if (!bisection->command->count) {
		add_pair(&words, "--suite", bisection->suite);
		return call(&command_bisect_run, &words, err);
	}
	string_list_add(&words, "--value");
	string_list_add(&words, "--");
	array_for_each (word, bisection->command)
		string_list_add(&words, *word);
	return call(&command_bisect_run, &words, err);
}

int ci_bisect(const struct ci_bisection *bisection, struct error *err)
{
	return start(bisection, err) < 0 ? -1 : go_on(bisection, err);
}
