/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One boot under way: its process, its records, its end. Several can be under way at once; the
 * caller polls their descriptors. Whatever happens, boot_run_release() leaves no process and no
 * file behind.
 */
#ifndef KREGRESS_COLLECTOR_BOOT_RUN_H
#define KREGRESS_COLLECTOR_BOOT_RUN_H

#include <stdbool.h>

#include "collector/records.h"
#include "collector/schedule.h"
#include "collector/target.h"

struct boot_run {
	const struct prepared_variant *variant;
	struct schedule_slot slot;
	struct run_set set; /* one boot with its samples; a boot for each of the variant's states */
	struct record_reader reader;
	char *work; /* folder of its own */
	pid_t pid;
	int record_fd;	   /* readable end of the record stream; -1 when closed */
	double started_s;  /* monotonic */
	double deadline_s; /* given up then, unless a record comes first */
	bool silent;	   /* given up */
	bool over;	   /* boot_run_end() may be called */
	char *not_started; /* why the kernel did not come up; NULL when it did */
	int wait_status;   /* after boot_run_end(): of waitpid(2); -1: had to be killed */
};

/* Starts it. On failure nothing is left to release. */
int boot_run_start(struct boot_run *run, const struct prepared_variant *variant,
		   const struct plan *plan, const struct schedule_slot *slot, struct error *err)
	__must_check;

/* To be called when record_fd is readable, and whenever deadline_s has passed. */
void boot_run_service(struct boot_run *run);

/*
 * Ends the process and sets status, reason, console tail and duration of the boots of run->set.
 */
void boot_run_end(struct boot_run *run);
void boot_run_release(struct boot_run *run);

/* Services the runs until one of them is over or a signal came. ERROR_INTERRUPTED for the latter.
 */
int boot_runs_wait(struct boot_run *const *runs, size_t count, struct error *err) __must_check;

#endif
