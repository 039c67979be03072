/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages on the way, handed to whoever called: a library says what happens, the command line
 * decides where it is shown.
 */
#ifndef KREGRESS_COMMON_LOG_H
#define KREGRESS_COMMON_LOG_H

#include "common/cleanup.h"

enum log_level {
	LOG_PROGRESS, /* replaces the line before it; shown on a terminal only */
	LOG_NOTE,
	LOG_WARNING,
};

struct log {
	void (*write)(void *context, enum log_level level, const char *message);
	void *context;
};

/* `log` may be NULL: nothing is said then. */
void log_progress(const struct log *log, const char *format, ...) _printf_(2, 3);
void log_note(const struct log *log, const char *format, ...) _printf_(2, 3);
void log_warning(const struct log *log, const char *format, ...) _printf_(2, 3);

#endif
