/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A value out of what a command printed in a format that `kregress import` reads. */
#ifndef KREGRESS_CLI_BISECTING_VALUE_H
#define KREGRESS_CLI_BISECTING_VALUE_H

#include "common/error.h"
#include "common/metric.h"

struct bisecting_value {
	const char *format; /* of an importer, or "auto" */
	const char *bench;  /* benchmark, with parameters in brackets if there are any; NULL: the
			     * only one */
	const char *metric; /* NULL: the only one */
	enum better better; /* where the output does not say */
};

/* A command_read (bisect/driver/command.h); `context` is a struct bisecting_value. */
int bisecting_value_import(void *context, const char *name, const char *text, size_t length,
			   double *value, struct error *err);

#endif
