/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/table_out.h"
#include "collector/paths.h"
#include "collector/tools.h"
#include "common/process.h"

struct options {
	struct common_options common;
	bool json;
};

static const struct option_spec specs[] = {
	OPTION_ROW(struct options, json, OPTION_FLAG, "json", 0, NULL, "print JSON"),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

struct kernel_benchmark {
	const char *name;
	const char *params;
	const char *summary;
};

/* Taken from the module's tables by scripts/kernel-benchmarks when kregress is built. */
static const struct kernel_benchmark kernel_benchmarks[] = {
#include "kernel_benchmarks.inc"
};

static void list_kernel(struct table_out *listing, const char *reason)
{
	for (size_t i = 0; i < ARRAY_SIZE(kernel_benchmarks); i++) {
		const struct kernel_benchmark *bench = &kernel_benchmarks[i];
		_cleanup_free_ char *label = series_label(bench->name, bench->params);

		table_out_add(listing, (const char *const[]){label, "kernel", "time cycles insn",
							     "lower", reason, bench->summary});
	}
}

/* A line of `kregress-agent --list`: NAME, METRIC, UNIT, BETTER, SUMMARY between tabs. */
static void list_agent_line(struct table_out *listing, const char *line)
{
	_cleanup_(string_list_release) struct string_list fields = {0};
	_cleanup_free_ char *metric = NULL;

	string_list_split(&fields, line, "\t");
	if (fields.count != 5)
		return;
	metric = xasprintf("%s (%s)", fields.items[1], fields.items[2]);
	table_out_add(listing, (const char *const[]){fields.items[0], "userland", metric,
						     fields.items[3], "yes", fields.items[4]});
}

static int list_userland(struct table_out *listing, struct error *err)
{
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_(string_list_release) struct string_list lines = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_free_ char *agent = NULL;

	if (paths_agent(&agent, err) < 0)
		return -1;
	string_list_add(&argv, agent);
	string_list_add(&argv, "--list");
	if (process_run_read(&argv, 30, &text, err) < 0)
		return -1;
	string_list_split(&lines, strbuf_text(&text), "\n");
	array_for_each (line, &lines)
		list_agent_line(listing, *line);
	return 0;
}

static void list_tools(struct table_out *listing)
{
	for (const struct tool *tool = tools; tool->name; tool++) {
		_cleanup_free_ char *label = series_label(tool->name, tool->params);
		_cleanup_free_ char *missing = tool_missing_reason(tool);

		table_out_add(listing,
			      (const char *const[]){label, "userland",
						    tool->format ? "as printed" : "time (s)",
						    tool->format ? "" : "lower",
						    missing ? missing : "yes", tool->command});
	}
}

/* Whether in-kernel benchmarks can run on this machine itself, or why not. */
static const char *local_kernel_reason(void)
{
	if (access("/sys/kernel/debug/kregress/run", W_OK) == 0)
		return "yes";
	if (geteuid() != 0)
		return "here: no (needs root); in a guest: yes";
	return "here: with kdir set; in a guest: yes";
}

static int list_benchmarks(struct session *session, struct table_out *listing, struct error *err)
{
	static const char *const columns[] = {"benchmark", "where",   "metrics", "better",
					      "runs",	   "summary", NULL};

	(void)session;
	listing->columns = columns;
	list_kernel(listing, local_kernel_reason());
	if (list_userland(listing, err) < 0)
		return -1;
	list_tools(listing);
	return 0;
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static int list_variants(struct session *session, struct table_out *listing, struct error *err)
{
	static const char *const columns[] = {"variant", "target", "kernel", "append", NULL};

	(void)err;
	listing->columns = columns;
	array_for_each (variant, &session->config.variants)
		table_out_add(listing, (const char *const[]){variant->name, variant->target,
							     or_empty(variant->kernel),
							     or_empty(variant->append)});
	return 0;
}

static int list_runs(struct session *session, struct table_out *listing, struct error *err)
{
	static const char *const columns[] = {"run set", "collection", "created", "target",
					      "boots",	 "failed",     "samples", NULL};
	_cleanup_(run_set_summary_list_release) struct run_set_summary_list list = {0};

	listing->columns = columns;
	if (store_open(session->config.store, &session->store, err) < 0 ||
	    store_list(session->store, &list, err) < 0)
		return -1;
	array_for_each (set, &list) {
		_cleanup_free_ char *name = xasprintf("%s@%.8s", set->variant, set->id);
		_cleanup_free_ char *collection = xasprintf("%.8s", or_empty(set->collection));
		_cleanup_free_ char *boots = xasprintf("%u", set->boots_ok + set->boots_failed);
		_cleanup_free_ char *failed = xasprintf("%u", set->boots_failed);
		_cleanup_free_ char *samples = xasprintf("%llu", (unsigned long long)set->samples);

		table_out_add(listing,
			      (const char *const[]){name, collection, or_empty(set->created_at),
						    or_empty(set->target), boots, failed, samples});
	}
	return 0;
}

static const struct {
	const char *name;
	int (*list)(struct session *session, struct table_out *listing, struct error *err);
} lists[] = {
	{"benchmarks", list_benchmarks},
	{"variants", list_variants},
	{"runs", list_runs},
};

static int run_list(const char *what, const struct options *options, struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	struct table_out listing = table_out_new(NULL);
	int result = -1;

	if (session_open(&session, &options->common, false, err) < 0)
		goto out;
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		if (strcmp(lists[i].name, what) != 0)
			continue;
		result = lists[i].list(&session, &listing, err);
		if (result == 0)
			result = table_out_print(&listing, options->json, err);
		goto out;
	}
	error_set(err, ERROR_USAGE, "'%s' cannot be listed", what);
	error_hint(err, "known lists: benchmarks, variants, runs");
out:
	table_out_release(&listing);
	return result;
}

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	struct options options = {0};

	if (options_parse(specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_list, &words, 0, 1, err) < 0)
		return -1;
	return run_list(words.count ? words.items[0] : "benchmarks", &options, err);
}

const struct command command_list = {
	.name = "list",
	.arguments = "[benchmarks|variants|runs]",
	.summary = "list benchmarks, configured variants, or stored run sets",
	.description =
		"Without an argument: the benchmarks with their metrics, and whether they can "
		"run on this machine itself. A benchmark that a kernel cannot offer says so, "
		"with its reason, in the report of a run on that kernel.",
	.examples = "  kregress list\n"
		    "  kregress list runs --json\n",
	.options = specs,
	.run = run,
};
