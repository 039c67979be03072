/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An interval around nothing, as two designs read the cycle counter on this machine: with CPUID to
 * let nothing pass, and ordered by LFENCE as kregress.ko does. What an interval costs goes into
 * every measured one; how it varies is what the design cannot resolve.
 */
#include <cpuid.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

enum { INTERVALS = 20000 };

static uint64_t by_cpuid(void)
{
	unsigned int a, b, c, d, processor;
	uint64_t start, end;

	__cpuid(0, a, b, c, d);
	start = __rdtsc();
	end = __rdtscp(&processor);
	__cpuid(0, a, b, c, d);
	return end - start;
}

static uint64_t by_lfence(void)
{
	uint64_t start;

	_mm_lfence();
	start = __rdtsc();
	_mm_lfence();
	return __rdtsc() - start;
}

static const struct design {
	const char *name;
	uint64_t (*interval)(void);
} designs[] = {
	{"CPUID; RDTSC .. RDTSCP; CPUID", by_cpuid},
	{"LFENCE; RDTSC .. LFENCE; RDTSC", by_lfence},
};

static int compare_cycles(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

static uint64_t at(const uint64_t *sorted, double share)
{
	return sorted[(size_t)(share * (INTERVALS - 1))];
}

/* Cycles from the first interval to behind the last, for each: what one more costs in all. */
static void measure(const struct design *design)
{
	static uint64_t cycles[INTERVALS];
	uint64_t start = __rdtsc(), total;

	for (size_t i = 0; i < INTERVALS; i++)
		cycles[i] = design->interval();
	total = __rdtsc() - start;
	qsort(cycles, INTERVALS, sizeof(*cycles), compare_cycles);
	printf("| %s | %" PRIu64 " | %" PRIu64 " .. %" PRIu64 " | %" PRIu64 " | %" PRIu64 " |\n",
	       design->name, at(cycles, .5), at(cycles, .05), at(cycles, .95), at(cycles, .99),
	       total / INTERVALS);
}

int main(void)
{
	puts("| interval around nothing | cycles, median | middle 90% | 99% | with all it costs |\n"
	     "|---|---|---|---|---|");
	for (size_t i = 0; i < sizeof(designs) / sizeof(*designs); i++)
		measure(&designs[i]);
	return 0;
}
