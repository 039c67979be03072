/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run gave, and the file "results". */
#ifndef KREGRESS_RESULTS_H
#define KREGRESS_RESULTS_H

#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/types.h>

#include "bench.h"

/* The two halves of the rows. */
enum results_kind {
	RESULTS_BASELINE,
	RESULTS_SAMPLE,
	RESULTS_KINDS,
};

/* One repetition on one CPU; ns, tsc and insn are for the whole of it. */
struct results_row {
	u64 ns;
	u64 tsc;
	u64 insn;
	unsigned int cpu;
	bool has_insn;
};

struct results {
	struct kref ref;
	char bench[BENCH_NAME_MAX]; /* empty: not known */
	unsigned long loops;	    /* 0: not known */
	unsigned int reps;
	unsigned int cpus;
	struct results_row *rows; /* RESULTS_KINDS x reps x cpus */
	bool failed;
	bool names_known; /* the error is followed by the names of all benchmarks */
	char message[256];
};

/* Return: empty results with one reference, or NULL. */
struct results *results_new(void);

/* Makes room for the rows. Return: 0 or -ENOMEM. */
int results_reserve(struct results *results, unsigned int reps, unsigned int cpus);

struct results_row *results_row(struct results *results, enum results_kind kind, unsigned int rep,
				unsigned int index);

/* Sets the text of the error. Return: @err. */
__printf(3, 4) int results_fail(struct results *results, int err, const char *format, ...);

/* Makes @results those of the last run and takes over the caller's reference. */
void results_publish(struct results *results);

/* Drops the results of the last run, when the module goes. */
void results_forget(void);

extern const struct file_operations results_fops;

#endif
