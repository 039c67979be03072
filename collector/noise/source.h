/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What makes measurements on a machine noisy, or impossible: a table of sources, one row each
 * (sources.c). Reading a source changes nothing.
 */
#ifndef KREGRESS_COLLECTOR_NOISE_SOURCE_H
#define KREGRESS_COLLECTOR_NOISE_SOURCE_H

#include "collector/noise/machine.h"

enum noise_state {
	NOISE_QUIET,
	NOISE_NOISY,
	NOISE_LACKING, /* a capability that is not there */
	NOISE_ABSENT,  /* this machine has no such thing, or does not tell */
};

struct noise_reading {
	enum noise_state state;
	char *value; /* as it is now, NULL when there is none */
};

struct noise_source {
	const char *name;
	const char *cost; /* what it does to measurements, a sentence */
	const char *path; /* pattern of the files that hold its value, or NULL */
	/* The value that these files ought to have; NULL: kregress does not set it. */
	const char *quiet;
	const char *accepts; /* further values that are as good, parted by blanks, or NULL */
	bool (*suits)(const char *value); /* the same as a function, or NULL */
	/* What to do by hand where kregress does not set it, or NULL. */
	const char *advice;
	/* The value to set here, when it depends on the machine. NULL: it cannot be set. */
	char *(*wanted)(const struct machine *machine);
	/* How its value is found and judged; NULL: by the files. */
	void (*read)(const struct machine *machine, struct noise_reading *reading);
};

extern const struct noise_source noise_sources[];
extern const size_t noise_source_count;

/* "quiet", "noisy", "missing", "-". */
const char *noise_state_name(enum noise_state state);

void noise_read(const struct machine *machine, const struct noise_source *source,
		struct noise_reading *reading);
void noise_reading_release(struct noise_reading *reading);

/* The value that --fix gives the source's files; NULL when it sets none. Owned by the caller. */
char *noise_wanted(const struct machine *machine, const struct noise_source *source);

/* Whether a value of one of its files needs no change. */
bool noise_is_quiet(const struct noise_source *source, const char *wanted, const char *value);

#endif
