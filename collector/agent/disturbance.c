/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/disturbance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "collector/agent/input.h"

/* The line of all interrupts is long on a large machine; only its first number is wanted. */
#define STAT_MAX (4u << 20)

bool disturbance_parse(const char *stat, uint64_t *steal_ticks, uint64_t *interrupts)
{
	unsigned long long user, nice, system, idle, iowait, irq, softirq, steal = 0, total;
	const char *line = strstr(stat, "\nintr ");
	int fields = sscanf(stat, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice,
			    &system, &idle, &iowait, &irq, &softirq, &steal);

	if (fields < 4 || !line || sscanf(line, "\nintr %llu", &total) != 1)
		return false;
	*steal_ticks = steal;
	*interrupts = total;
	return true;
}

static uint64_t involuntary_switches(void)
{
	struct rusage own, children;

	if (getrusage(RUSAGE_SELF, &own) < 0 || getrusage(RUSAGE_CHILDREN, &children) < 0)
		return 0;
	return (uint64_t)own.ru_nivcsw + (uint64_t)children.ru_nivcsw;
}

struct disturbance disturbance_read(void)
{
	struct disturbance now = {0};
	struct timespec clock;
	size_t length;
	char *stat = input_read_file("/proc/stat", STAT_MAX, &length);

	now.known = stat && disturbance_parse(stat, &now.steal_ticks, &now.interrupts);
	free(stat);
	now.involuntary = involuntary_switches();
	clock_gettime(CLOCK_MONOTONIC, &clock);
	now.at_ns = (uint64_t)clock.tv_sec * 1000000000 + (uint64_t)clock.tv_nsec;
	return now;
}

struct disturbance disturbance_now(const struct run *run)
{
	return run->plan->clock_insn ? (struct disturbance){0} : disturbance_read();
}

bool disturbance_between(const struct disturbance *start, const struct disturbance *end,
			 struct record_disturbance *came)
{
	uint64_t ticks_per_s = (uint64_t)sysconf(_SC_CLK_TCK);

	if (!start->known || !end->known || !ticks_per_s)
		return false;
	*came = (struct record_disturbance){
		.duration_ns = end->at_ns - start->at_ns,
		.steal_ns = (end->steal_ticks - start->steal_ticks) * 1000000000 / ticks_per_s,
		.involuntary_switches = end->involuntary - start->involuntary,
		.interrupts = end->interrupts - start->interrupts,
	};
	return true;
}

void disturbance_record(const struct run *run, const struct disturbance *start,
			const char *benchmark, const char *params, uint64_t invocation,
			const struct record_disturbance *samples, size_t count)
{
	struct disturbance now = disturbance_now(run);
	struct record_disturbance came;

	if (disturbance_between(start, &now, &came))
		record_context(run->writer, benchmark, params, invocation, &came, samples,
			       samples ? count : 0);
}
