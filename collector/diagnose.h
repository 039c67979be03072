/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a boot failed, in one sentence that names the cause and says what to do. */
#ifndef KREGRESS_COLLECTOR_DIAGNOSE_H
#define KREGRESS_COLLECTOR_DIAGNOSE_H

#include "collector/records.h"

struct boot_evidence {
	const char *process; /* "QEMU" */
	const struct record_reader *reader;
	const char *console; /* the end of the console */
	const char *errors;  /* the end of what the process itself said */
	double silent_s;     /* given up after so long without a record; 0: was not */
	int wait_status;     /* of waitpid(2); -1: we had to kill it */
};

/* Owned by the caller. The nearest cause wins: a panic explains a broken record stream. */
char *boot_diagnose(const struct boot_evidence *evidence);

#endif
