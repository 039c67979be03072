/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A planted change: instructions that do nothing, put into an operation to see whether a
 * comparison finds them. Without one the same code runs, so that the difference is the plant alone.
 */
#ifndef KREGRESS_AGENT_PLANT_H
#define KREGRESS_AGENT_PLANT_H

#include <stdint.h>

#define PLANT_MAX 64

#if defined(__x86_64__)
/* Jumps into a row of PLANT_MAX one-byte instructions, `count` before its end. */
static inline void plant(uint64_t count)
{
	uint64_t target;

	__asm__ volatile("leaq 1f(%%rip), %0\n\t"
			 "subq %1, %0\n\t"
			 "jmp *%0\n\t"
			 ".skip 64, 0x90\n"
			 "1:"
			 : "=&r"(target)
			 : "r"(count)
			 : "cc");
}
#else
static inline void plant(uint64_t count)
{
	while (count--)
		__asm__ volatile("");
}
#endif

#endif
