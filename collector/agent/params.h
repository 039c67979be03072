/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parameters of a series: the benchmark's own, and those that the plan adds. */
#ifndef KREGRESS_AGENT_PARAMS_H
#define KREGRESS_AGENT_PARAMS_H

#include <stdint.h>

#include "collector/agent/pattern.h"
#include "collector/agent/plan.h"

/* "for=NAME[PARAMS],cpus=N,load=NAME,load-cpus=same" at its longest. */
#define PARAMS_MAX (BENCH_LABEL_MAX + 128)

/*
 * Appends what makes a series another one than that of one CPU without a load: cpus=N when
 * `copies` is above 1, and the plan's load.
 */
void params_add_plan(char params[PARAMS_MAX], const struct plan *plan, uint64_t copies);

#endif
