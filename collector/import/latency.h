/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Latencies of rt-tests: the smallest, the mean and the largest of each thread. */
#ifndef KREGRESS_COLLECTOR_IMPORT_LATENCY_H
#define KREGRESS_COLLECTOR_IMPORT_LATENCY_H

#include "collector/import/tool.h"

struct latency {
	double min_us, avg_us, max_us;
};

/* Adds the three as "latency-min", "latency-avg" and "latency-max". Refuses any other order. */
int latency_add(struct tool_reader *reader, const char *benchmark, const char *params,
		const struct latency *latency, struct error *err) __must_check;

#endif
