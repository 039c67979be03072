/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Targets: where a variant is booted. A target is one file and one row in the table. It starts a
 * process whose standard output is the agent's record stream; everything after that, from reading
 * records to giving up, is the same for all of them (boot_run.h).
 */
#ifndef KREGRESS_COLLECTOR_TARGET_H
#define KREGRESS_COLLECTOR_TARGET_H

#include <sys/types.h>

#include "collector/config.h"
#include "collector/plan.h"
#include "common/log.h"
#include "store/run_set.h"

/* A variant made ready: its parts exist, and it is known how it will run. */
struct prepared_variant {
	const struct variant_config *config;
	const struct target_config *target_config;
	const struct target *target;
	char *label;	  /* the run set's name: the variant's, with "#2" when it is there twice */
	char *agent;	  /* program */
	char *module;	  /* kregress.ko, or NULL */
	char *accel;	  /* qemu: "kvm" or "tcg" */
	char *machine;	  /* machine class */
	enum level level; /* what a boot is a replicate of: LEVEL_BOOT when it really boots */
	struct environment environment; /* what the host knows: qemu's version, digests, ... */
	/* What shares its boots: this variant first. Owned; empty: it has the boots for itself. */
	ARRAY_OF(const struct prepared_variant *) sharing;
};

/* How many states of the machine a boot of it goes through by turns: at least 1. */
size_t variant_state_count(const struct prepared_variant *variant);

/* What a boot leaves behind besides its records; files in the boot's work folder. */
#define BOOT_CONSOLE_FILE "console" /* the guest's console */
#define BOOT_ERRORS_FILE  "errors"  /* what QEMU, or a local agent, says on stderr */

struct target {
	const char *kind;
	/* Checks the parts and fills module, accel, machine and environment. */
	int (*prepare)(struct prepared_variant *variant, const struct plan *plan,
		       const struct config *config, const struct log *log, struct error *err);
	/*
	 * Starts a boot of the variant in the empty folder `work`; `record_fd` is where the
	 * process has to write its records. ERROR_HARNESS when it cannot be started. May take as
	 * long as a machine takes to boot; a signal ends it with ERROR_INTERRUPTED. Returns 1 when
	 * the variant's kernel did not come up, with the reason in `err`: that is a failed boot,
	 * and the target is ready for the next one.
	 */
	int (*launch)(const struct prepared_variant *variant, const struct plan *plan,
		      const char *work, int record_fd, pid_t *pid, struct error *err);
	/*
	 * At the end of a collection, once for each target: puts the machine back as the
	 * configuration asks. NULL: there is nothing to put back.
	 */
	int (*finish)(const struct prepared_variant *variant, const struct log *log,
		      struct error *err);
	const char *process_name; /* for messages: "QEMU" */
	bool one_at_a_time;	  /* a boot takes the whole machine */
};

extern const struct target target_local;
extern const struct target target_qemu;
extern const struct target target_ssh;

/* The target of that kind; config_load() has let no other through. */
const struct target *target_find(const char *kind);

/*
 * The agent's plan for the variant. `module_path` is the module as the agent sees it, or NULL;
 * with `guest_cpus`, only what the collector puts there is there. Owned by the caller.
 */
char *variant_plan_text(const struct prepared_variant *variant, const struct plan *plan,
			const char *module_path, uint64_t guest_cpus);

/* Makes a variant ready. ERROR_USAGE for wrong configuration, ERROR_HARNESS for missing parts. */
int prepare_variant(struct prepared_variant *variant, const struct config *config,
		    const struct plan *plan, const struct log *log, struct error *err) __must_check;
void prepared_variant_release(struct prepared_variant *variant);

#endif
