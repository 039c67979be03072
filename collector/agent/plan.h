/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plan of docs/agent-protocol.md. */
#ifndef KREGRESS_AGENT_PLAN_H
#define KREGRESS_AGENT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/agent/fault.h"

#define PLAN_SIZE_MAX 65536

/* A record of at most 64 KiB holds that many values. */
#define PLAN_VALUES_MAX 2000

/* What of another program's run becomes a record. */
enum tool_capture {
	TOOL_STDOUT,
	TOOL_STDERR,
	TOOL_TIME, /* how long it takes; its output is dropped */
};

/* Another program that is run as a benchmark. */
struct plan_tool {
	const char *name;
	const char *params; /* "" when there are none */
	enum tool_capture capture;
	char *command;	     /* words parted by blanks */
	char *before;	     /* run to its end first, not measured; NULL: none */
	char *beside;	     /* runs meanwhile, such as a server; NULL: none */
	const char *package; /* where to get it, for messages; NULL: unknown */
	const char *lacks;   /* why it cannot run; NULL: it can */
};

/* What a state of the machine sets: a value behind a name such as `preempt` or `sysctl:NAME`. */
struct plan_switch {
	size_t state; /* number of its state */
	const char *name;
	const char *value;
};

struct plan {
	char *text;		 /* what the strings below point into */
	const char *module;	 /* NULL when there is none */
	const char *module_args; /* "" when there are none */
	bool clock_insn;	 /* the time stamp counter counts instructions */
	uint64_t sample_time_ns;
	uint64_t repetitions;
	uint64_t warmup;
	uint64_t invocations;
	uint64_t cpus;
	uint64_t timeout_s;
	uint64_t plant;	     /* instructions put into each userland operation, to be found */
	const char *load;    /* what runs in the background; NULL: nothing */
	bool load_same_cpus; /* ... on the CPUs of the benchmark instead of the others */
	const char **patterns;
	size_t pattern_count;
	struct plan_tool *tools;
	size_t tool_count;
	/* States that the benchmarks are run in by turns; none: as the machine is. */
	const char **states; /* their names */
	size_t state_count;
	struct plan_switch *switches; /* ordered by state */
	size_t switch_count;
	uint64_t state_seed; /* of the order of the states */
	/* Starts of each benchmark but tools; with several states, each repetition is one. */
	uint64_t rounds;
};

/*
 * Reads a plan of `length` bytes; `name` is the file's name for messages. On failure -1, `fault`
 * says "NAME:LINE: ...", and there is nothing to release.
 */
int plan_parse(struct plan *plan, const char *name, const char *text, size_t length,
	       struct fault *fault);

void plan_release(struct plan *plan);

#endif
