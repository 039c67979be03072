/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two formats of stress-ng share. */
#ifndef KREGRESS_COLLECTOR_IMPORT_STRESS_NG_H
#define KREGRESS_COLLECTOR_IMPORT_STRESS_NG_H

#include "collector/import/tool.h"

/* Bogo operations per second of real time ("rate") and of processor time ("cpu-rate"). */
int stress_ng_add_rates(struct tool_reader *reader, const char *stressor, double real, double cpu,
			struct error *err) __must_check;

/*
 * A metric of one stressor, described as "write128 MB/sec", "MB per sec pipe write rate" or
 * "nanoseconds per longjmp call", the words also joined by dashes. What states neither a rate nor a
 * time is left out, as its direction is not known.
 */
int stress_ng_add_other(struct tool_reader *reader, const char *stressor, const char *what,
			double value, struct error *err) __must_check;

#endif
