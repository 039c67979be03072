/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading files and taking their text apart. */
#ifndef KREGRESS_AGENT_INPUT_H
#define KREGRESS_AGENT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads the descriptor to its end. Returns a NUL-terminated buffer that the caller frees, or NULL
 * with errno set; EFBIG when there are more than `limit` bytes.
 */
char *input_read(int fd, size_t limit, size_t *length);

/* The same for a file. */
char *input_read_file(const char *path, size_t limit, size_t *length);

/*
 * Reads the beginning of a small file of procfs or sysfs into `buffer`, without the white space
 * at its end. False when it cannot be read or is empty.
 */
bool input_read_value(const char *path, char *buffer, size_t size);

/*
 * Cuts the next line off `*cursor` (its newline becomes NUL) and moves on. NULL at the end.
 * `*complete` tells whether a newline ended the line.
 */
char *input_next_line(char **cursor, bool *complete);

/* Reads a whole string of decimal digits; false for anything else and on overflow. */
bool input_parse_u64(const char *text, uint64_t *value);

#endif
