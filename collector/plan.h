/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a collection consists of: which benchmarks, how often, on which variants. */
#ifndef KREGRESS_COLLECTOR_PLAN_H
#define KREGRESS_COLLECTOR_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/config.h"
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
};

/* The suite's values, with the defaults in the place of what it leaves open. */
void plan_init(struct plan *plan, const struct suite_config *suite);
void plan_release(struct plan *plan);

/* ERROR_USAGE for counts that make no sense. */
int plan_check(const struct plan *plan, struct error *err) __must_check;

/*
 * The text that the agent reads (docs/agent-protocol.md). `module_path` is the module as the agent
 * sees it, or NULL. Owned by the caller.
 */
char *plan_agent_text(const struct plan *plan, bool count_instructions, const char *module_path,
		      const char *module_args);

/*
 * Appends what makes two collections the same: the plan and the variants' configuration with size
 * and time of their kernels. Hashed, it is the collection's plan digest.
 */
void plan_append_identity(struct strbuf *out, const struct plan *plan);
void variant_append_identity(struct strbuf *out, const struct variant_config *variant,
			     const struct target_config *target);

#endif
