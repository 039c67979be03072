/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Other people's benchmarks as benchmarks of a suite: `tool.hackbench[groups=4,loops=100]`. The
 * agent runs the program; what it prints is read by the importer of its format (tool_output.h).
 *
 * A tool is one row. Tools take seconds, so only patterns that begin with "tool." ask for them.
 */
#ifndef KREGRESS_COLLECTOR_TOOLS_H
#define KREGRESS_COLLECTOR_TOOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/array.h"
#include "common/error.h"
#include "common/strbuf.h"

/* More further programs and files than these, no tool needs. */
#define TOOL_FILES_MAX 4

struct tool {
	const char *name;   /* "tool.hackbench" */
	const char *params; /* "groups=4,loops=100" */
	const char
		*capture; /* "stdout" or "stderr": where the result is; "time": how long it takes */
	/* Words parted by blanks; `@TREE@` and `@JOBS@` stand for the suite's kbuild-tree and the
	 * number of CPUs where it runs. */
	const char *command;
	const char *before;  /* run first, not measured; NULL: none */
	const char *beside;  /* runs meanwhile, a server; NULL: none */
	const char *format;  /* importer of what it prints; NULL with the capture "time" */
	const char *package; /* Debian's */
	const char *files[TOOL_FILES_MAX]; /* that it reads, with absolute paths */
};

/* Where tools run, and what they are given; all borrowed. */
struct tool_place {
	uint64_t guest_cpus;			/* 0: on a machine with its own file system */
	const char *kbuild_tree;		/* absolute; NULL: none is given */
	const struct string_list *kbuild_files; /* what building it in a guest takes besides */
};

/* Ended by an entry whose name is NULL. */
extern const struct tool tools[];

/* The row of that name and, unless NULL, parameters; or NULL. */
const struct tool *tool_find(const char *name, const char *params);

/* Its program is not installed here: "no: package rt-tests is not installed". NULL: it is. Owned by
 * the caller. */
char *tool_missing_reason(const struct tool *tool);

/* True when one of the patterns asks for the tool: with NAME, or NAME[PARAMS], by fnmatch(3). */
bool tool_is_wanted(const struct tool *tool, const struct string_list *patterns);

/* Appends the lines of the agent's plan for the tools that the patterns ask for. */
void tools_append_plan(struct strbuf *out, const struct string_list *patterns,
		       const struct tool_place *place);

/*
 * Adds the absolute paths of all files of this machine that a guest needs for the tools that the
 * patterns ask for: programs, their shared libraries, their loader, their data, a tree to build. A
 * program that is not installed adds nothing: the agent reports it.
 */
int tools_list_files(const struct string_list *patterns, const struct tool_place *place,
		     struct string_list *paths, struct error *err) __must_check;

#endif
