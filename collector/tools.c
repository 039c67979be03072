/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/tools.h"

#include <string.h>
#include <unistd.h>

#include "collector/shared_libraries.h"
#include "collector/tool_tree.h"
#include "common/file.h"
#include "common/text.h"

#define HACKBENCH                                                                                  \
	.name = "tool.hackbench", .capture = "stdout", .format = "hackbench", .package = "rt-tests"
#define TBENCH                                                                                     \
	.name = "tool.tbench", .capture = "stdout", .format = "tbench", .beside = "tbench_srv",    \
	.package = "dbench", .files = {"/usr/share/dbench/client.txt"}
#define PERF_BENCH                                                                                 \
	.name = "tool.perf_bench", .capture = "stdout", .format = "perf-bench",                    \
	.package = "linux-perf"
#define CYCLICTEST                                                                                 \
	.name = "tool.cyclictest", .capture = "stdout", .format = "cyclictest",                    \
	.package = "rt-tests"
/* Its metrics are in the log, on standard error. */
#define STRESS_NG                                                                                  \
	.name = "tool.stress_ng", .capture = "stderr", .format = "stress-ng", .package = "stress-ng"
#define SYSBENCH                                                                                   \
	.name = "tool.sysbench", .capture = "stdout", .format = "sysbench", .package = "sysbench"
#define FIO .name = "tool.fio", .capture = "stdout", .format = "fio-json", .package = "fio"

const struct tool tools[] = {
	{HACKBENCH, .params = "groups=4,loops=100", .command = "hackbench -g 4 -l 100"},
	{HACKBENCH, .params = "groups=4,loops=100,ipc=pipe", .command = "hackbench -p -g 4 -l 100"},
	{HACKBENCH, .params = "groups=4,loops=100,mode=thread",
	 .command = "hackbench -T -g 4 -l 100"},
	{TBENCH, .params = "clients=2",
	 .command = "tbench -t 5 -c /usr/share/dbench/client.txt 2 127.0.0.1"},
	{TBENCH, .params = "clients=8",
	 .command = "tbench -t 5 -c /usr/share/dbench/client.txt 8 127.0.0.1"},
	{PERF_BENCH, .params = "test=sched_pipe", .command = "perf bench sched pipe -l 20000"},
	{PERF_BENCH, .params = "test=sched_messaging",
	 .command = "perf bench sched messaging -g 4 -l 100"},
	{PERF_BENCH, .params = "test=syscall_basic",
	 .command = "perf bench syscall basic -l 1000000"},
	{PERF_BENCH, .params = "test=mem_memcpy",
	 .command = "perf bench mem memcpy -f default -s 8MB -l 20"},
	{PERF_BENCH, .params = "test=futex_hash", .command = "perf bench futex hash -t 2 -r 2 -s"},
	{CYCLICTEST, .params = "interval=1ms,loops=1000,prio=80",
	 .command = "cyclictest -q -t 1 -i 1000 -l 1000 -p 80"},
	{STRESS_NG, .params = "stressor=switch",
	 .command = "stress-ng --switch 1 -t 3 --metrics-brief"},
	{STRESS_NG, .params = "stressor=mmap",
	 .command = "stress-ng --mmap 1 --mmap-bytes 16m -t 3 --metrics-brief"},
	{STRESS_NG, .params = "stressor=fork",
	 .command = "stress-ng --fork 1 -t 3 --metrics-brief"},
	{SYSBENCH, .params = "test=cpu", .command = "sysbench cpu --time=3 run"},
	{SYSBENCH, .params = "test=threads",
	 .command = "sysbench threads --threads=4 --time=3 run"},
	{FIO, .params = "rw=randread,bs=4k",
	 .command = "fio --name=randread --rw=randread --bs=4k --size=16m --ioengine=psync "
		    "--time_based --runtime=3 --output-format=json"},
	{FIO, .params = "rw=write,bs=64k",
	 .command = "fio --name=write --rw=write --bs=64k --size=16m --ioengine=psync "
		    "--time_based --runtime=3 --output-format=json"},
	{
		.name = "tool.kbuild",
		.params = "",
		.capture = "time",
		.before = "make -s -C @TREE@ clean",
		.command = "make -s -C @TREE@ -j @JOBS@",
		.package = "make",
	},
	{.name = NULL},
};

const struct tool *tool_find(const char *name, const char *params)
{
	for (const struct tool *tool = tools; tool->name; tool++)
		if (!strcmp(tool->name, name) && (!params || !strcmp(tool->params, params)))
			return tool;
	return NULL;
}

char *tool_missing_reason(const struct tool *tool)
{
	_cleanup_free_ char *program = xstrndup(tool->command, strcspn(tool->command, " "));
	_cleanup_free_ char *path = shared_libraries_find_program(program);

	return path ? NULL : xasprintf("no: package %s is not installed", tool->package);
}

/* Brackets of parameters are literal: fnmatch(3) takes them for a set of characters. */
static char *escape_brackets(const char *pattern)
{
	const char *bracket = strchr(pattern, '[');

	if (!bracket || !strchr(bracket, '='))
		return xstrdup(pattern);
	return xasprintf("%.*s\\%s", (int)(bracket - pattern), pattern, bracket);
}

static bool is_matched(const struct tool *tool, const char *pattern)
{
	_cleanup_free_ char *label =
		*tool->params ? xasprintf("%s[%s]", tool->name, tool->params) : xstrdup(tool->name);
	_cleanup_free_ char *escaped = escape_brackets(pattern);

	return text_matches(pattern, tool->name) || text_matches(escaped, label);
}

bool tool_is_wanted(const struct tool *tool, const struct string_list *patterns)
{
	array_for_each (pattern, patterns)
		if (!strncmp(*pattern, "tool.", 5) && is_matched(tool, *pattern))
			return true;
	return false;
}

static void append_command(struct strbuf *out, const char *directive, const char *command,
			   const struct tool_place *place)
{
	if (!command)
		return;
	strbuf_append(out, directive);
	while (*command) {
		if (!strncmp(command, "@TREE@", 6)) {
			strbuf_append(out, place->kbuild_tree ? place->kbuild_tree : ".");
			command += 6;
		} else if (!strncmp(command, "@JOBS@", 6)) {
			strbuf_printf(out, "%llu",
				      place->guest_cpus
					      ? (unsigned long long)place->guest_cpus
					      : (unsigned long long)sysconf(_SC_NPROCESSORS_ONLN));
			command += 6;
		} else {
			strbuf_append_char(out, *command++);
		}
	}
	strbuf_append_char(out, '\n');
}

static bool takes_tree(const struct tool *tool)
{
	return strstr(tool->command, "@TREE@");
}

static const char *what_lacks(const struct tool *tool, const struct tool_place *place)
{
	if (takes_tree(tool) && !place->kbuild_tree)
		return "no source tree is given: set kbuild-tree in the suite";
	if (takes_tree(tool) && strpbrk(place->kbuild_tree, " \t"))
		return "the path of the source tree has a blank";
	return NULL;
}

void tools_append_plan(struct strbuf *out, const struct string_list *patterns,
		       const struct tool_place *place)
{
	for (const struct tool *tool = tools; tool->name; tool++) {
		const char *lacks = what_lacks(tool, place);

		if (!tool_is_wanted(tool, patterns))
			continue;
		strbuf_printf(out, "tool %s[%s] %s ", tool->name, tool->params, tool->capture);
		append_command(out, "", tool->command, place);
		append_command(out, "tool-before ", tool->before, place);
		append_command(out, "tool-beside ", tool->beside, place);
		strbuf_printf(out, "tool-package %s\n", tool->package);
		if (lacks)
			strbuf_printf(out, "tool-lacks %s\n", lacks);
	}
}

static int add_program(const char *command, struct string_list *paths, struct error *err)
{
	_cleanup_free_ char *program = NULL;

	if (!command)
		return 0;
	program = xstrndup(command, strcspn(command, " "));
	return shared_libraries_add_program(program, paths, err);
}

static void add_data(const struct tool *tool, struct string_list *paths)
{
	for (size_t i = 0; i < TOOL_FILES_MAX && tool->files[i]; i++)
		if (file_exists(tool->files[i]) && !string_list_contains(paths, tool->files[i]))
			string_list_add(paths, tool->files[i]);
}

static int list_files(const struct tool *tool, const struct tool_place *place,
		      struct string_list *paths, struct error *err)
{
	if (takes_tree(tool))
		return what_lacks(tool, place)
			       ? 0
			       : tool_tree_list_files(place->kbuild_tree, place->kbuild_files,
						      paths, err);
	if (add_program(tool->command, paths, err) < 0 ||
	    add_program(tool->before, paths, err) < 0 || add_program(tool->beside, paths, err) < 0)
		return -1;
	add_data(tool, paths);
	return 0;
}

int tools_list_files(const struct string_list *patterns, const struct tool_place *place,
		     struct string_list *paths, struct error *err)
{
	for (const struct tool *tool = tools; tool->name; tool++)
		if (tool_is_wanted(tool, patterns) && list_files(tool, place, paths, err) < 0)
			return error_wrap(err, "%s", tool->name);
	return 0;
}
