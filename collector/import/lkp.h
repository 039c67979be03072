/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How LKP, the framework behind the kernel test robot, names what it measures. */
#ifndef KREGRESS_COLLECTOR_IMPORT_LKP_H
#define KREGRESS_COLLECTOR_IMPORT_LKP_H

#include <stdbool.h>

#include "common/metric.h"

/*
 * The direction that the name of a statistic suggests, as "throughput" of "hackbench.throughput".
 * False when it suggests none.
 */
bool lkp_direction(const char *name, enum better *better);

/* True for a statistic of a monitor that runs beside every test: "vmstat.system.cs". */
bool lkp_is_monitor(const char *name);

#endif
