/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which benchmarks the patterns of a plan mean. */
#ifndef KREGRESS_AGENT_SELECTION_H
#define KREGRESS_AGENT_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/agent/kernel_results.h"
#include "collector/agent/plan.h"

/* True when one of the plan's patterns matches. */
bool selection_has(const struct plan *plan, const char *name, const char *params);

/*
 * True when the module is needed: a pattern could match in-kernel benchmarks. It cannot when it
 * is, without wildcards, a userland benchmark, or begins with one of the groups that exist in
 * userland only: `syscall.`, `signal.`, `ipc.`, `mem.`, `file.`, `tool.`.
 */
bool selection_needs_kernel(const struct plan *plan);

/* True when the pattern matches a benchmark of the userland table or of the list. */
bool selection_is_known(const char *pattern, const struct kernel_list *list);

/* True when the pattern matches one of the plan's other programs. */
bool selection_is_tool(const struct plan *plan, const char *pattern);

/* Writes the groups of both tables, sorted, parted by ", ". */
void selection_groups(const struct kernel_list *list, char *text, size_t size);

#endif
