/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of `list` and `results` that docs/module.md describes. */
#ifndef KREGRESS_AGENT_KERNEL_RESULTS_H
#define KREGRESS_AGENT_KERNEL_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/agent/fault.h"
#include "collector/agent/pattern.h"

struct kernel_bench {
	char name[BENCH_LABEL_MAX]; /* without parameters */
	char params[BENCH_LABEL_MAX];
	const char *context;
	const char *summary; /* or why it is unavailable */
	bool available;
};

struct kernel_list {
	char *text; /* what the strings point into */
	struct kernel_bench *benches;
	size_t count;
};

/*
 * Takes the text over (malloc'ed, freed by kernel_list_release() or on failure). -1 and a fault
 * that names the line when a line has not its three columns.
 */
int kernel_list_parse(struct kernel_list *list, char *text, struct fault *fault);

void kernel_list_release(struct kernel_list *list);

/* A repetition on one CPU. */
struct kernel_row {
	uint64_t ns;
	uint64_t tsc;
	uint64_t insn;
	bool has_insn;
};

struct kernel_rows {
	struct kernel_row *rows;
	size_t count;
};

struct kernel_results {
	uint64_t loops;
	struct kernel_rows baseline;
	struct kernel_rows samples;
};

/*
 * Reads the results of the benchmark `label`, cutting `text`. -1 and a fault for the module's own
 * `error` line, for results of another benchmark, for a line that is none and for results that
 * are not whole. Release in both cases.
 */
int kernel_results_parse(struct kernel_results *results, const char *label, char *text,
			 struct fault *fault);

void kernel_results_release(struct kernel_results *results);

#endif
