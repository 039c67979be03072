/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The journal of a bisection: an append-only file of JSON Lines, synced after every record. A line
 * is {"seq":N,"type":...,...,"sum":"16 hex digits"}: the sequence number counts from 1, the sum is
 * the digest (text_append_digest) of the line's bytes before `,"sum"`. docs/bisect-journal.md lists
 * the records.
 *
 * What a kill or a full disk tears is the last line, and only that; it was never acted upon.
 */
#ifndef KREGRESS_BISECT_DRIVER_JOURNAL_H
#define KREGRESS_BISECT_DRIVER_JOURNAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "common/strbuf.h"

struct journal {
	char *path;
	int fd;		 /* -1 when opened for reading only, or not open */
	uint64_t next;	 /* sequence number of the next record */
	uint64_t length; /* bytes in the file */
	char *torn;	 /* what was cut off or left out at the end, or NULL */
};

#define JOURNAL_INIT                                                                               \
	{                                                                                          \
		NULL, -1, 1, 0, NULL                                                               \
	}

/* Appends the line of a record, with its line feed. `record` must not hold seq or sum. */
void journal_format(struct strbuf *out, uint64_t seq, const json_t *record);

/*
 * Reads the lines of a journal into a new array of objects. `name` is for messages. A last line
 * that is torn (no line feed, or no JSON) is left out: *good_length is where it begins, else
 * `length`. Any other damage is ERROR_DATA with "NAME:LINE: ...".
 */
int journal_parse(const char *name, const char *text, size_t length, json_t **records,
		  size_t *good_length, struct error *err) __must_check;

/* Makes `path` anew with these records, in the place of what was there; old content or new. */
int journal_write(const char *path, const json_t *records, struct error *err) __must_check;

/*
 * Opens and reads. Returns 1, 0 when there is none, or -1. `writable` cuts a torn line off; the
 * caller holds the lock then. *records is a new array.
 */
int journal_open(struct journal *journal, const char *path, bool writable, json_t **records,
		 struct error *err) __must_check;
void journal_close(struct journal *journal);

/*
 * Appends a record (borrowed) and syncs. Refused when the file is not the one that was opened:
 * somebody removed or replaced it. When the disk is full the file stays as it was.
 */
int journal_append(struct journal *journal, const json_t *record, struct error *err) __must_check;

#endif
