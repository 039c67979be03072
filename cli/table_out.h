/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of text, printed as aligned columns or as a JSON array of objects. */
#ifndef KREGRESS_CLI_TABLE_OUT_H
#define KREGRESS_CLI_TABLE_OUT_H

#include <stdbool.h>

#include <jansson.h>

#include "common/error.h"

struct table_out {
	json_t *rows;
	const char *const *columns; /* names, ended by NULL; at most 10 */
};

struct table_out table_out_new(const char *const *columns);
void table_out_release(struct table_out *table);

/* As many values as there are columns. */
void table_out_add(struct table_out *table, const char *const *values);

int table_out_print(const struct table_out *table, bool json, struct error *err) __must_check;

#endif
