/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/log.h"

#include <stdarg.h>

#include "common/alloc.h"

static void log_write(const struct log *log, enum log_level level, const char *format, va_list args)
	_printf_(3, 0);

static void log_write(const struct log *log, enum log_level level, const char *format, va_list args)
{
	_cleanup_free_ char *message = NULL;

	if (!log || !log->write)
		return;
	message = xvasprintf(format, args);
	log->write(log->context, level, message);
}

#define DEFINE_LOG(name, level)                                                                    \
	void name(const struct log *log, const char *format, ...)                                  \
	{                                                                                          \
		va_list args;                                                                      \
                                                                                                   \
		va_start(args, format);                                                            \
		log_write(log, level, format, args);                                               \
		va_end(args);                                                                      \
	}

DEFINE_LOG(log_progress, LOG_PROGRESS)
DEFINE_LOG(log_note, LOG_NOTE)
DEFINE_LOG(log_warning, LOG_WARNING)
