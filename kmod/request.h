/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one write to the file "run" asks for. */
#ifndef KREGRESS_REQUEST_H
#define KREGRESS_REQUEST_H

#include <linux/types.h>

struct bench;
struct results;

#define REQUEST_LOOPS_MAX (1UL << 30)

struct request {
	const struct bench *bench;
	u64 reps;
	u64 warmup;
	u64 loops; /* 0: calibrate */
	u64 time_ns;
	u64 cpus;
};

/*
 * Parses @text, which it takes apart, and fills @request in, with defaults for words not given.
 * The text of an error goes to @results.
 *
 * Return: 0; -EINVAL for a word that is unknown, doubled or out of range; -ENOENT for an unknown
 * benchmark; -EOPNOTSUPP for one that is unavailable here.
 */
int request_parse(char *text, struct request *request, struct results *results);

#endif
