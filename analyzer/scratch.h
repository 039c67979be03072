/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scratch memory for the numerics; the process aborts when memory runs out. */
#ifndef KREGRESS_ANALYZER_SCRATCH_H
#define KREGRESS_ANALYZER_SCRATCH_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static inline void scratch_free_(void *pointer)
{
	free(*(void **)pointer);
}

#define _scratch_ __attribute__((cleanup(scratch_free_)))

/* Zeroed room for `count` objects of `size` bytes, never NULL. */
static inline void *scratch_new(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		abort();
	return memory;
}

static inline double *scratch_copy(const double *values, size_t n)
{
	double *copy = scratch_new(n, sizeof(*copy));

	if (n)
		memcpy(copy, values, n * sizeof(*copy));
	return copy;
}

#endif
