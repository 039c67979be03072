/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `ci` and `baseline` share: which baseline a run set belongs to, and making it one. */
#ifndef KREGRESS_CLI_BASELINE_H
#define KREGRESS_CLI_BASELINE_H

#include "cli/cli.h"
#include "store/baseline.h"

#define BASELINE_DEFAULT_NAME  "default"
#define BASELINE_DEFAULT_SUITE "core"

/* The machine class that a collection of the variant would have. Owned by the caller. */
int baseline_machine(const struct session *session, const struct variant_config *variant,
		     const char *suite, char **machine, struct error *err) __must_check;

/*
 * Makes the set the baseline of that name for its machine class and target and the suite. `commit`
 * NULL: the environment item kernel.commit, where there is one. A set with a failed boot or without
 * samples is refused (ERROR_DATA).
 */
int baseline_promote(struct store *store, const char *name, const char *suite, const char *commit,
		     const struct run_set *set, struct error *err) __must_check;

/* NULL when both sets ran the same kernel as far as their environments tell, else what differs. */
const char *baseline_kernel_difference(const struct run_set *left, const struct run_set *right);

/* How many boots of the set came to their end. */
size_t baseline_good_boots(const struct run_set *set);

/* Every boot came to its end, and there are samples. */
bool baseline_is_sound(const struct run_set *set);

/* The commands behind `baseline`, ended by NULL. */
extern const struct command *const baseline_commands[];

#endif
