/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/pingpong.h"

#include <stdlib.h>
#include <unistd.h>

#include "collector/agent/worker.h"

/* Each byte differs from the one before it, so that a stale answer shows. */
static char expected_answer(uint64_t i)
{
	return (char)('a' + i % 16);
}

static void answer(void *context)
{
	struct pingpong *ends = context;
	char byte;

	while (read(ends->partner_read_fd, &byte, 1) == 1 &&
	       write(ends->partner_write_fd, &byte, 1) == 1)
		;
}

int pingpong_start(struct bench_run *run, const struct pingpong *ends)
{
	struct pingpong *kept = malloc(sizeof(*kept));

	if (!kept)
		return bench_fail(run, "memory");
	*kept = *ends;
	run->data = kept;
	if (worker_pin_to_one_cpu() < 0)
		return bench_fail(run, "sched_setaffinity");
	return worker_start(answer, kept) < 0 ? bench_fail(run, "fork") : 0;
}

int pingpong_run(struct bench_run *run, uint64_t loops)
{
	struct pingpong *ends = run->data;

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		char byte = expected_answer(i);

		plant(run->plant);
		if (write(ends->write_fd, &byte, 1) != 1 || read(ends->read_fd, &byte, 1) != 1)
			return bench_fail(run, "round trip");
		if (byte != expected_answer(i))
			return bench_wrong(run, "the answer is not the byte that was sent");
	}
	stopwatch_stop(&run->watch);
	return 0;
}
