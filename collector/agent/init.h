/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The agent as process 1 of an initramfs. */
#ifndef KREGRESS_AGENT_INIT_H
#define KREGRESS_AGENT_INIT_H

#include <stdbool.h>

#define INIT_PLAN    "/kregress/plan"
#define INIT_CHANNEL "/dev/ttyS1"

/* True when this process is number 1 and was started as `init`. */
bool init_is_wanted(const char *program);

/* Mounts what is needed, runs INIT_PLAN with its records on INIT_CHANNEL, powers off. */
_Noreturn void init_main(char **arguments);

#endif
