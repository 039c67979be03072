/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The note of what was changed on a machine, so that it can be put back whatever happens: on disk
 * before the first change. It lies in /run, which a reboot empties: so is what it would restore.
 *
 * Text: "kregress-restore 1 held" (or "kept"), a line "PATH<TAB>OLD<TAB>NEW" for each change, and
 * "end". The lock (flock) on the file is held by kregress and its guard: while it is, the settings
 * are in use.
 */
#ifndef KREGRESS_COLLECTOR_NOISE_RESTORE_FILE_H
#define KREGRESS_COLLECTOR_NOISE_RESTORE_FILE_H

#include "collector/noise/machine.h"
#include "common/error.h"
#include "common/log.h"

#define RESTORE_FILE "/run/kregress/restore"

struct setting {
	const char *source; /* name of its source; NULL when read back from a file */
	char *path;
	char *old_value;
	char *new_value;
	int refused; /* errno of the write that set it, or 0 */
};

struct settings {
	bool kept; /* stays until it is asked back: not for the duration of a process */
	ARRAY_OF(struct setting) list;
};

void settings_release(struct settings *settings);

/*
 * Writes the file, locked, and syncs it. `*fd` holds the lock. Returns 1 when there is a file
 * already: somebody else has changed the machine.
 */
int restore_file_create(const struct machine *machine, const struct settings *settings, int *fd,
			struct error *err) __must_check;

/* Reads it; ERROR_DATA names the line that is wrong. */
int restore_file_read(const struct machine *machine, struct settings *settings, struct error *err)
	__must_check;

/*
 * Opens and locks it. Returns 0 with the lock in `*fd`, and 1 when there is no file or when it is
 * in use.
 */
int restore_file_take(const struct machine *machine, int *fd, struct error *err) __must_check;

/*
 * Puts back each value that is still as kregress set it, the last change first, and removes the
 * file. What somebody else has changed meanwhile is left alone, and warned about. `*restored`
 * counts.
 */
int settings_restore(const struct machine *machine, const struct settings *settings,
		     const struct log *log, size_t *restored, struct error *err) __must_check;

#endif
