/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <string.h>

#include "cli/baseline.h"
#include "cli/table_out.h"

struct options {
	struct common_options common;
	const char *suite;
	const char *machine;
	const char *target;
	const char *name;
	const char *commit;
	bool json;
};

#define WHICH_OPTIONS                                                                              \
	OPTION_ROW(struct options, suite, OPTION_STRING, "suite", 's', "SUITE",                    \
		   "only those of this suite"),                                                    \
		OPTION_ROW(struct options, machine, OPTION_STRING, "machine", 0, "CLASS",          \
			   "only those of this machine class"),                                    \
		OPTION_ROW(struct options, target, OPTION_STRING, "target", 0, "TARGET",           \
			   "only those of this target")

#define JSON_OPTION OPTION_ROW(struct options, json, OPTION_FLAG, "json", 0, NULL, "print JSON")

static bool fits(const struct baseline *baseline, const struct options *options)
{
	return (!options->name || !strcmp(options->name, baseline->name)) &&
	       (!options->suite || !strcmp(options->suite, baseline->suite)) &&
	       (!options->machine || !strcmp(options->machine, baseline->machine)) &&
	       (!options->target || !strcmp(options->target, baseline->target));
}

static int open_words(const struct command *command, const struct option_spec *specs, int argc,
		      char **argv, size_t least, size_t most, struct session *session,
		      struct options *options, struct string_list *words, struct error *err)
{
	if (options_parse(specs, options, argc, argv, words, err) < 0 ||
	    check_words(command, words, least, most, err) < 0)
		return -1;
	return session_open(session, &options->common, true, err);
}

/* list */

static const struct option_spec list_specs[] = {
	JSON_OPTION,
	WHICH_OPTIONS,
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static int print_list(struct session *session, const struct options *options, struct error *err)
{
	static const char *const columns[] = {"baseline", "machine", "target", "suite",
					      "run set",  "commit",  "set",    NULL};
	_cleanup_(baseline_list_release) struct baseline_list list = {0};
	_cleanup_(table_out_release) struct table_out table = table_out_new(columns);

	if (store_list_baselines(session->store, &list, err) < 0)
		return -1;
	array_for_each (item, &list) {
		_cleanup_free_ char *set = xasprintf("%s@%.8s", item->variant, item->run_set);
		_cleanup_free_ char *commit = xasprintf("%.12s", or_empty(item->commit));

		if (fits(item, options))
			table_out_add(&table, (const char *const[]){item->name, item->machine,
								    item->target, item->suite, set,
								    commit, item->set_at});
	}
	return table_out_print(&table, options->json, err);
}

static int run_list(int argc, char **argv, struct error *err);

static const struct command command_list_baselines = {
	.name = "baseline list",
	.arguments = "",
	.summary = "list the baselines",
	.description = "One line for each name, machine class, target and suite.",
	.examples = "  kregress baseline list --json\n",
	.options = list_specs,
	.run = run_list,
};

static int run_list(int argc, char **argv, struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(string_list_release) struct string_list words = {0};
	struct options options = {0};

	if (open_words(&command_list_baselines, list_specs, argc, argv, 0, 0, &session, &options,
		       &words, err) < 0)
		return -1;
	return print_list(&session, &options, err);
}

/* set */

static const struct option_spec set_specs[] = {
	OPTION_ROW(struct options, name, OPTION_STRING, "baseline", 0, "NAME",
		   "its name (default " BASELINE_DEFAULT_NAME ")"),
	OPTION_ROW(struct options, suite, OPTION_STRING, "suite", 's', "SUITE",
		   "the suite that the run set was collected with (default core)"),
	OPTION_ROW(struct options, commit, OPTION_STRING, "commit", 0, "COMMIT",
		   "the commit that its kernel was built from"),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

static int run_set_baseline(int argc, char **argv, struct error *err);

static const struct command command_set_baseline = {
	.name = "baseline set",
	.arguments = "RUNSET",
	.summary = "make a stored run set the baseline",
	.description =
		"RUNSET is written as for compare: a variant stands for its newest set. It becomes "
		"the baseline of that name for its machine class, its target and the suite, in the "
		"place of any other. A set with a failed boot is refused.",
	.examples = "  kregress baseline set voluntary --suite core --commit v6.1\n",
	.options = set_specs,
	.run = run_set_baseline,
};

static int run_set_baseline(int argc, char **argv, struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(string_list_release) struct string_list words = {0};
	struct options options = {.name = BASELINE_DEFAULT_NAME, .suite = BASELINE_DEFAULT_SUITE};
	struct run_set set;
	int status;

	if (open_words(&command_set_baseline, set_specs, argc, argv, 1, 1, &session, &options,
		       &words, err) < 0 ||
	    store_load(session.store, words.items[0], &set, err) < 0)
		return -1;
	status = baseline_promote(session.store, options.name, options.suite, options.commit, &set,
				  err);
	if (status == 0)
		log_note(&session.log,
			 "%s@%.8s is the baseline '%s' of suite %s on target %s, machine "
			 "class '%s'",
			 set.variant, set.id, options.name, options.suite, set.target, set.machine);
	run_set_release(&set);
	return status;
}

/* show and remove */

static const struct option_spec show_specs[] = {
	JSON_OPTION,
	WHICH_OPTIONS,
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

static const struct option_spec remove_specs[] = {
	WHICH_OPTIONS,
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

/* The only one that fits, or NULL with ERROR_USAGE. */
static const struct baseline *only_one(const struct baseline_list *list,
				       const struct options *options, struct error *err)
{
	const struct baseline *found = NULL;
	size_t count = 0;

	array_for_each (item, list)
		if (fits(item, options) && !count++)
			found = item;
	if (count == 1)
		return found;
	if (count) {
		error_set(err, ERROR_USAGE, "%zu baselines '%s' fit", count, options->name);
		error_hint(err, "say which: --suite, --target, --machine; 'kregress baseline list' "
				"shows them");
	} else {
		error_set(err, ERROR_USAGE, "there is no such baseline '%s'", options->name);
		error_hint(err, "'kregress baseline list' shows what there is");
	}
	return NULL;
}

static int show_one(struct session *session, const struct baseline *baseline, bool json,
		    struct error *err)
{
	static const char *const columns[] = {"baseline", "machine", "target", "suite",
					      "run set",  "commit",  "set",    "kernel",
					      "boots",	  "series",  NULL};
	_cleanup_(table_out_release) struct table_out table = table_out_new(columns);
	_cleanup_free_ char *name = xasprintf("%s@%s", baseline->variant, baseline->run_set);
	_cleanup_free_ char *boots = NULL, *series = NULL;
	const char *kernel = NULL;
	struct run_set set;
	int status;

	if (store_load(session->store, name, &set, err) < 0)
		return -1;
	if (set.boots.count)
		kernel = environment_get(&set.boots.items[0].environment, "kernel.release");
	boots = xasprintf("%zu", set.boots.count);
	series = xasprintf("%zu", set.series.count);
	table_out_add(&table,
		      (const char *const[]){baseline->name, baseline->machine, baseline->target,
					    baseline->suite, name, or_empty(baseline->commit),
					    baseline->set_at, or_empty(kernel), boots, series});
	status = table_out_print(&table, json, err);
	run_set_release(&set);
	return status;
}

static int remove_one(struct session *session, const struct baseline *baseline, struct error *err)
{
	struct baseline_key key = {baseline->name, baseline->machine, baseline->target,
				   baseline->suite};

	if (store_remove_baseline(session->store, &key, err) < 0)
		return -1;
	log_note(&session->log, "removed; its run set %s@%.8s stays in the store",
		 baseline->variant, baseline->run_set);
	return 0;
}

static int on_one(const struct command *command, const struct option_spec *specs, int argc,
		  char **argv, bool remove, struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(baseline_list_release) struct baseline_list list = {0};
	struct options options = {0};
	const struct baseline *found;

	if (open_words(command, specs, argc, argv, 0, 1, &session, &options, &words, err) < 0 ||
	    store_list_baselines(session.store, &list, err) < 0)
		return -1;
	options.name = words.count ? words.items[0] : BASELINE_DEFAULT_NAME;
	found = only_one(&list, &options, err);
	if (!found)
		return -1;
	return remove ? remove_one(&session, found, err)
		      : show_one(&session, found, options.json, err);
}

static int run_show(int argc, char **argv, struct error *err);
static int run_remove(int argc, char **argv, struct error *err);

static const struct command command_show_baseline = {
	.name = "baseline show",
	.arguments = "[NAME]",
	.summary = "show a baseline and its run set",
	.description = "NAME is \"" BASELINE_DEFAULT_NAME "\" unless it is given. Where several "
		       "have that name, the options say which.",
	.examples = "",
	.options = show_specs,
	.run = run_show,
};

static const struct command command_remove_baseline = {
	.name = "baseline remove",
	.arguments = "[NAME]",
	.summary = "let a run set be no baseline any more",
	.description = "The run set itself stays in the store. Where several have that name, the "
		       "options say which.",
	.examples = "",
	.options = remove_specs,
	.run = run_remove,
};

static int run_show(int argc, char **argv, struct error *err)
{
	return on_one(&command_show_baseline, show_specs, argc, argv, false, err);
}

static int run_remove(int argc, char **argv, struct error *err)
{
	return on_one(&command_remove_baseline, remove_specs, argc, argv, true, err);
}

/* baseline */

const struct command *const baseline_commands[] = {
	&command_list_baselines,
	&command_set_baseline,
	&command_show_baseline,
	&command_remove_baseline,
	NULL,
};

static const struct option_spec specs[] = {OPTION_END};

static int run(int argc, char **argv, struct error *err)
{
	for (size_t i = 0; argc > 0 && baseline_commands[i]; i++)
		if (!strcmp(strchr(baseline_commands[i]->name, ' ') + 1, argv[0]))
			return baseline_commands[i]->run(argc - 1, argv + 1, err);
	if (argc > 0)
		error_set(err, ERROR_USAGE, "baseline: '%s' is no command", argv[0]);
	else
		error_set(err, ERROR_USAGE, "baseline: a command is missing");
	return error_hint(err, "commands: list set show remove");
}

const struct command command_baseline = {
	.name = "baseline",
	.arguments = "COMMAND ...",
	.summary = "choose what `ci` holds candidates against",
	.description =
		"A baseline is a stored run set with a name. There is one for each name, machine "
		"class, target and suite, and it changes only by 'kregress baseline set' or by "
		"'kregress ci --promote'.",
	.examples = "  kregress baseline set voluntary\n"
		    "  kregress baseline list\n",
	.options = specs,
	.run = run,
	.children = baseline_commands,
};
