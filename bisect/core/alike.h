/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups of sites whose weights are the same up to a step, so that one of them speaks for all. */
#ifndef KREGRESS_BISECT_CORE_ALIKE_H
#define KREGRESS_BISECT_CORE_ALIKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct alike_group {
	uint64_t key;
	bool used;
	bool known;  /* `bits` and `best` are set */
	double bits; /* what a value tells */
	double best; /* the most that a bit's worth was multiplied by so far */
};

struct alike;

struct alike *alike_new(double step) __attribute__((returns_nonnull));
void alike_free(struct alike *alike);

/*
 * The group of these weights; `known` is false in a new one. It stays valid until the next call.
 * Groups are told apart by a 64-bit hash of the rounded weights.
 */
struct alike_group *alike_find(struct alike *alike, const double *weights, size_t count)
	__attribute__((returns_nonnull));

#endif
