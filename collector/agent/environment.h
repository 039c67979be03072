/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a measurement depends on beside the kernel: see docs/agent-protocol.md for the keys. */
#ifndef KREGRESS_AGENT_ENVIRONMENT_H
#define KREGRESS_AGENT_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/agent/record.h"

#define ENVIRONMENT_CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

/* Writes an `env` record for everything that can be read here; leaves out the rest. */
void environment_record(struct record_writer *writer, const char *debugfs);

/*
 * Takes the word between `open` and the bracket that closes it out of a list of choices such as
 * "always [madvise] never" or "none (voluntary) full". False when no word is marked.
 */
bool environment_marked_word(const char *list, char open, char *word, size_t size);

/* The preemption model of a kernel version text: "rt" of "#1 SMP PREEMPT_RT ...". False for none.
 */
bool environment_preempt_of_version(const char *version, char *word, size_t size);

#endif
