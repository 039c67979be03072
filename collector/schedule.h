/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order of boots. Every block boots each variant once; blocks alternate between one order and
 * its reverse (ABBA ABBA ...), so that a linear drift of the machine falls on all variants alike.
 * The first order is drawn at random from the seed. Pure.
 */
#ifndef KREGRESS_COLLECTOR_SCHEDULE_H
#define KREGRESS_COLLECTOR_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

struct schedule_slot {
	uint32_t variant; /* 0 .. variants - 1; variants that share their boots are one */
	uint32_t block;	  /* 0 .. boots - 1: the boot's number within its variant */
	uint32_t slot;	  /* place in run order */
};

/* Fills variants * boots slots in run order. */
void schedule_fill(struct schedule_slot *slots, uint32_t variants, uint32_t boots, uint64_t seed);

/* The seed of what is drawn at random within the boot of that slot. */
uint64_t schedule_boot_seed(uint64_t seed, uint32_t slot);

#endif
