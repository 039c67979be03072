/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A token that goes round a ring of processes on one CPU over pipes, after lat_ctx of lmbench: each
 * process goes over its own memory before it passes the token on. A loop is one trip, which is as
 * many switches as there are processes. The pipe's own cost is part of the value.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/agent/user_bench.h"
#include "collector/agent/worker.h"

struct place {
	int from, to;
	size_t words;
	volatile uint64_t *memory; /* "size" of the params; NULL for none */
	uint64_t plant;
};

static void touch(const struct place *place)
{
	for (size_t i = 0; i < place->words; i++)
		place->memory[i]++;
}

static void pass_on(void *context)
{
	struct place *place = context;
	uint64_t token;

	while (read(place->from, &token, sizeof(token)) == sizeof(token)) {
		plant(place->plant);
		touch(place);
		token++;
		if (write(place->to, &token, sizeof(token)) != sizeof(token))
			return;
	}
}

static int take_memory(struct bench_run *run, struct place *place)
{
	place->words = run->bench->size / sizeof(uint64_t);
	place->memory = place->words ? calloc(place->words, sizeof(uint64_t)) : NULL;
	return place->words && !place->memory ? bench_fail(run, "memory") : 0;
}

/* run->data is the measurer's place, the first of the ring. */
int bench_sched_context_setup(struct bench_run *run)
{
	struct place *first = calloc(1, sizeof(*first));
	struct place next;
	int ends[2];

	if (!first || pipe(ends) < 0)
		return bench_setup_fail(run, "pipe");
	run->data = first;
	if (worker_pin_to_one_cpu() < 0)
		return bench_fail(run, "sched_setaffinity");
	first->plant = next.plant = run->plant;
	first->to = ends[1];
	next.from = ends[0];
	for (unsigned i = 1; i < run->bench->fan; i++) {
		if (pipe(ends) < 0)
			return bench_setup_fail(run, "pipe");
		next.to = ends[1];
		/* Each one's memory is touched, and thus its own, once the token has come. */
		if (take_memory(run, &next) < 0)
			return -1;
		if (worker_start(pass_on, &next) < 0)
			return bench_fail(run, "fork");
		free((void *)next.memory);
		next.from = ends[0];
	}
	first->from = next.from;
	return take_memory(run, first);
}

int bench_sched_context_run(struct bench_run *run, uint64_t loops)
{
	struct place *place = run->data;
	uint64_t token = 0;

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(place->plant);
		touch(place);
		if (write(place->to, &token, sizeof(token)) != sizeof(token) ||
		    read(place->from, &token, sizeof(token)) != sizeof(token))
			return bench_fail(run, "token");
	}
	stopwatch_stop(&run->watch);
	if (token != loops * (run->bench->fan - 1))
		return bench_wrong(run, "the token skipped a process");
	return 0;
}
