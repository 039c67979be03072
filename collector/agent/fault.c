/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fault_set(struct fault *fault, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(fault->text, sizeof(fault->text), format, args);
	va_end(args);
	return -1;
}

int fault_set_errno(struct fault *fault, int errno_value, const char *format, ...)
{
	va_list args;
	size_t used;

	va_start(args, format);
	vsnprintf(fault->text, sizeof(fault->text), format, args);
	va_end(args);
	used = strlen(fault->text);
	snprintf(fault->text + used, sizeof(fault->text) - used, ": %s", strerror(errno_value));
	return -1;
}
