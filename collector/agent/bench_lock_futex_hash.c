/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits on words that have changed already, so that they return at once; after perf bench futex
 * hash. What is measured is the way into the table of futexes and back. */
#include <errno.h>
#include <stdlib.h>

#include "collector/agent/futex.h"
#include "collector/agent/user_bench.h"

#define FUTEXES 1024

int bench_lock_futex_hash_setup(struct bench_run *run)
{
	run->data = calloc(FUTEXES, sizeof(uint32_t));
	return run->data ? 0 : bench_fail(run, "memory");
}

int bench_lock_futex_hash_run(struct bench_run *run, uint64_t loops)
{
	uint32_t *words = run->data;

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		uint32_t *word = &words[i % FUTEXES];

		plant(run->plant);
		if (syscall(SYS_futex, word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0) ==
			    0 ||
		    errno != EAGAIN)
			return bench_fail(run, "futex");
	}
	stopwatch_stop(&run->watch);
	return 0;
}
