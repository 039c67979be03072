/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a machine finds where there is nothing to find, per series: results of `kregress calibrate`,
 * kept in the store and shown beside later effects.
 */
#ifndef KREGRESS_STORE_CALIBRATION_H
#define KREGRESS_STORE_CALIBRATION_H

#include "common/error.h"
#include "store/store.h"

struct calibration {
	char *machine; /* machine class */
	char *benchmark;
	char *params;
	char *metric;
	char *variant;		 /* the kernel it was measured with */
	char *created_at;	 /* UTC */
	uint32_t boots;		 /* a side */
	double false_alarm_frac; /* of A/A comparisons with p below alpha */
	double noise_floor_frac; /* change that a share alpha of A/A comparisons exceeds */
	double alpha;
};

struct calibration_list {
	struct calibration *items;
	size_t count;
	size_t capacity;
};

/* Stores them all or none; what is there for the same machine and series is replaced. */
int store_put_calibrations(struct store *store, const struct calibration_list *list,
			   struct error *err) __must_check;

/* All of that machine class. */
int store_load_calibrations(struct store *store, const char *machine, struct calibration_list *list,
			    struct error *err) __must_check;

/* The one for a series, or NULL. */
const struct calibration *calibration_find(const struct calibration_list *list,
					   const char *benchmark, const char *params,
					   const char *metric);

void calibration_list_release(struct calibration_list *list);

#endif
