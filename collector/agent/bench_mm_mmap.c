/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/mman.h>
#include <unistd.h>

#include "collector/agent/user_bench.h"

int bench_mm_mmap_run(struct bench_run *run, uint64_t loops)
{
	size_t size = run->bench->size;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		volatile char *memory;

		plant(run->plant);
		memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			      0);

		if (memory == MAP_FAILED)
			return bench_fail(run, "mmap");
		for (size_t at = 0; at < size; at += page)
			memory[at] = 1;
		if (munmap((void *)memory, size) < 0)
			return bench_fail(run, "munmap");
	}
	stopwatch_stop(&run->watch);
	return 0;
}
