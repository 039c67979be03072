/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading, writing and copying memory, after bw_mem of lmbench. A loop goes over all of a block. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/agent/user_bench.h"

/* Words of a run that is unrolled by hand, so that every compiler does the same accesses. */
#define RUN 8

/* Two blocks of the row's size, both touched. */
int bench_mem_setup(struct bench_run *run)
{
	size_t size = run->bench->size;
	uint64_t *words =
		mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (words == MAP_FAILED)
		return bench_fail(run, "mmap");
	for (size_t i = 0; i < 2 * size / sizeof(*words); i++)
		words[i] = i + 1;
	run->data = words;
	return 0;
}

static size_t word_count(const struct bench_run *run)
{
	return run->bench->size / sizeof(uint64_t);
}

static uint64_t sum_words(const volatile uint64_t *words, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i += RUN)
		sum += words[i] + words[i + 1] + words[i + 2] + words[i + 3] + words[i + 4] +
		       words[i + 5] + words[i + 6] + words[i + 7];
	return sum;
}

int bench_mem_read_run(struct bench_run *run, uint64_t loops)
{
	uint64_t count = word_count(run), sum = 0;

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		sum += sum_words(run->data, count);
	}
	stopwatch_stop(&run->watch);
	if (sum != loops * (count * (count + 1) / 2))
		return bench_wrong(run, "what was read is not what was written");
	return 0;
}

static void fill_words(volatile uint64_t *words, size_t count, uint64_t value)
{
	for (size_t i = 0; i < count; i += RUN) {
		words[i] = value;
		words[i + 1] = value;
		words[i + 2] = value;
		words[i + 3] = value;
		words[i + 4] = value;
		words[i + 5] = value;
		words[i + 6] = value;
		words[i + 7] = value;
	}
}

int bench_mem_write_run(struct bench_run *run, uint64_t loops)
{
	uint64_t *words = run->data;
	size_t count = word_count(run);

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		fill_words(words, count, i);
	}
	stopwatch_stop(&run->watch);
	if (words[0] != loops - 1 || words[count - 1] != loops - 1)
		return bench_wrong(run, "what was written is not there");
	return 0;
}

int bench_mem_copy_run(struct bench_run *run, uint64_t loops)
{
	uint64_t *words = run->data;
	size_t size = run->bench->size;

	memset(words + word_count(run), 0, size);
	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		memcpy(words + word_count(run), words, size);
		/* The copy is used: no compiler may leave it out. */
		__asm__ volatile("" : : "r"(words) : "memory");
	}
	stopwatch_stop(&run->watch);
	if (memcmp(words, words + word_count(run), size) != 0)
		return bench_wrong(run, "the copy differs");
	return 0;
}
