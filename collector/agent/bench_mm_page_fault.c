/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/mman.h>
#include <unistd.h>

#include "collector/agent/user_bench.h"

/* Pages mapped at once: enough to make the two reads of the clock vanish. */
#define BATCH 256

static int touch_batch(struct bench_run *run, uint64_t pages, size_t page)
{
	size_t size = (size_t)pages * page;
	volatile char *memory =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return bench_fail(run, "mmap");
	/* One fault a page, whatever the machine does with huge pages. Refused without them: fine.
	 */
	madvise((void *)memory, size, MADV_NOHUGEPAGE);
	stopwatch_start(&run->watch);
	for (size_t at = 0; at < size; at += page) {
		plant(run->plant);
		memory[at] = 1;
	}
	stopwatch_stop(&run->watch);
	if (munmap((void *)memory, size) < 0)
		return bench_fail(run, "munmap");
	return 0;
}

int bench_mm_page_fault_run(struct bench_run *run, uint64_t loops)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	while (loops) {
		uint64_t pages = loops < BATCH ? loops : BATCH;

		if (touch_batch(run, pages, page) < 0)
			return -1;
		loops -= pages;
	}
	return 0;
}
