/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/import/lkp.h"

#include <stddef.h>
#include <string.h>

#include "common/array.h"

static const char *const higher[] = {
	"throughput", "ops",  "rate", "bandwidth", "per_sec", "MB/s", "MBps", "bps",
	"_bw_",	      "iops", "_tps", "score",	   "Mbps",    "GB_",  "tput", "rps",
};

static const char *const lower[] = {
	"time", "latency", "_us",    "_ns",	 "_ms",	   "usec",
	"nsec", "clat",	   "faults", "switches", "stddev",
};

bool lkp_direction(const char *name, enum better *better)
{
	const char *dot = strchr(name, '.');
	const char *text = dot ? dot + 1 : name;

	/* GNU time's own "percent" and "file_system" rows say neither. */
	if (!strncmp(text, "time.", 5) && (strstr(text, "percent") || strstr(text, "file_system")))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(lower); i++)
		if (strstr(text, lower[i])) {
			*better = BETTER_LOWER;
			return true;
		}
	for (size_t i = 0; i < ARRAY_SIZE(higher); i++)
		if (strstr(text, higher[i])) {
			*better = BETTER_HIGHER;
			return true;
		}
	return false;
}

bool lkp_is_monitor(const char *name)
{
	static const char *const monitors[] = {
		"vmstat.",	  "proc-vmstat.", "mpstat.",	  "meminfo.",	"numa-",
		"perf-",	  "slabinfo.",	  "sched_debug.", "turbostat.", "iostat.",
		"cpuidle.",	  "interrupts.",  "softirqs.",	  "boot-time.", "uptime.",
		"kmsg.",	  "dmesg.",	  "buddyinfo.",	  "diskstats.", "pagetypeinfo.",
		"latency_stats.",
	};

	for (size_t i = 0; i < ARRAY_SIZE(monitors); i++)
		if (!strncmp(name, monitors[i], strlen(monitors[i])))
			return true;
	return false;
}
