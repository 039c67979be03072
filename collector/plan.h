/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a collection consists of: which benchmarks, how often, on which variants. */
#ifndef KREGRESS_COLLECTOR_PLAN_H
#define KREGRESS_COLLECTOR_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/config.h"
#include "collector/tools.h"
#include "common/strbuf.h"

struct plan {
	struct string_list bench; /* shell patterns, for the agent */
	uint64_t boots;		  /* of each variant */
	uint64_t invocations;
	uint64_t repetitions;
	uint64_t warmup;
	uint64_t cpus;
	double sample_time_s;
	double timeout_s;
	char *load;	     /* name of a background load; NULL: none */
	bool load_same_cpus; /* it runs on the CPUs of the benchmarks instead of the others */
	char *kbuild_tree;   /* source tree for tool.kbuild, or NULL */
	struct string_list kbuild_files; /* what else a guest needs to build it */
	uint64_t state_seed; /* of the order of states within a boot; no part of the identity */
	uint32_t block;	     /* the boot's number within its variant; no part of the identity */
};

/* A state of the machine that benchmarks are run in by turns. */
struct plan_state {
	const char *name;
	const struct string_list *switches; /* each NAME=VALUE */
};

/* What a plan's text for the agent depends on besides the plan: where it will run. */
struct plan_place {
	bool count_instructions;
	uint64_t guest_cpus;	 /* of a guest without a file system of its own; 0: no such guest */
	uint64_t plant;		 /* instructions put into each userland operation */
	const char *module_path; /* the module as the agent sees it, or NULL */
	const char *module_args;
	const struct plan_state *states;
	size_t state_count; /* 0: the machine stays as it is */
};

/* What the plan gives to tools in a place. Borrows from the plan. */
struct tool_place plan_tool_place(const struct plan *plan, uint64_t guest_cpus);

/* The suite's values, with the defaults in the place of what it leaves open. */
void plan_init(struct plan *plan, const struct suite_config *suite);

/*
 * Sets the background load by name; NULL leaves it, "none" removes it. `cpus` is "same", "other"
 * or NULL, which leaves it. ERROR_USAGE names the loads.
 */
int plan_set_load(struct plan *plan, const char *load, const char *cpus, struct error *err)
	__must_check;

void plan_release(struct plan *plan);

/* ERROR_USAGE for counts that make no sense. */
int plan_check(const struct plan *plan, struct error *err) __must_check;

/*
 * The text that the agent reads (docs/agent-protocol.md). `module_path` is the module as the agent
 * sees it, or NULL. Owned by the caller.
 */
char *plan_agent_text(const struct plan *plan, bool count_instructions, const char *module_path,
		      const char *module_args);

/* The same for any place. */
char *plan_place_text(const struct plan *plan, const struct plan_place *place);

/*
 * Appends what makes two collections the same: the plan and the variants' configuration with size
 * and time of their kernels. Hashed, it is the collection's plan digest.
 */
void plan_append_identity(struct strbuf *out, const struct plan *plan);
void variant_append_identity(struct strbuf *out, const struct variant_config *variant,
			     const struct target_config *target);

#endif
