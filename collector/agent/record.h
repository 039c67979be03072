/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the records of docs/agent-protocol.md: one JSON object a line, ASCII, numbered.
 *
 * A writer whose channel failed is broken: it writes nothing more, and whoever uses it ends its
 * work. No half record follows a broken one.
 */
#ifndef KREGRESS_AGENT_RECORD_H
#define KREGRESS_AGENT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORD_MAX 65536

struct record_writer {
	int fd;	      /* the caller's */
	bool drain;   /* a serial line: wait until each record has left */
	uint64_t seq; /* of the next record */
	bool broken;
	size_t used;
	char line[RECORD_MAX];
};

/* What a series is. */
struct record_series {
	const char *benchmark;
	const char *params; /* "" when there are none */
	const char *metric;
	const char *unit;
	const char *better; /* "lower" or "higher" */
};

void record_writer_init(struct record_writer *writer, int fd, bool drain);

void record_hello(struct record_writer *writer, const char *version);
void record_env(struct record_writer *writer, const char *key, const char *value);
void record_begin(struct record_writer *writer, const char *benchmark, const char *params);

/* Every value must be finite; a record with one that is not is not written and breaks the writer.
 */
void record_sample(struct record_writer *writer, const struct record_series *series,
		   uint64_t invocation, uint64_t loops, const double *values, size_t count);

/*
 * What another program printed: one record for each part of at most RECORD_OUTPUT_PART bytes, cut
 * between lines where possible; the last one says so.
 */
#define RECORD_OUTPUT_PART 8192
void record_output(struct record_writer *writer, const char *benchmark, const char *params,
		   uint64_t invocation, const char *text, size_t length);

/* What came from outside while an invocation, or a repetition of one, ran. */
struct record_disturbance {
	uint64_t duration_ns; /* with what is done around it, such as an invocation's set-up */
	uint64_t steal_ns;    /* CPU time that the hypervisor gave to others; of all CPUs */
	uint64_t involuntary_switches;
	uint64_t interrupts; /* of all CPUs */
};

/* So many repetitions fit into one record; of more, none is written. */
#define RECORD_CONTEXTS_MAX 500

/* `samples` are the repetitions, `count` of them; 0: nothing is known of them. */
void record_context(struct record_writer *writer, const char *benchmark, const char *params,
		    uint64_t invocation, const struct record_disturbance *disturbance,
		    const struct record_disturbance *samples, size_t count);

/* What follows was under that state of the plan, until the next such record. */
void record_state(struct record_writer *writer, uint64_t state, const char *name);

void record_unavailable(struct record_writer *writer, const char *benchmark, const char *params,
			const char *reason);
void record_failed(struct record_writer *writer, const char *benchmark, const char *params,
		   const char *reason);
void record_log(struct record_writer *writer, const char *message);
void record_error(struct record_writer *writer, const char *message);
void record_end(struct record_writer *writer, bool ok);

#endif
