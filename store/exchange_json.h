/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON pieces that the reader and the writer of the exchange format share; internal to store/. */
#ifndef KREGRESS_STORE_EXCHANGE_JSON_H
#define KREGRESS_STORE_EXCHANGE_JSON_H

#include <stdbool.h>

#include <jansson.h>

#include "common/strbuf.h"

#define EXCHANGE_FORMAT "kregress-1"

/* The keys that this version knows in lines whose other keys are kept; each list ends with NULL. */
extern const char *const exchange_run_set_keys[];
extern const char *const exchange_boot_keys[];
extern const char *const exchange_series_keys[];

/* Appends a JSON string; a byte that is not UTF-8 becomes U+FFFD. */
void json_append_string(struct strbuf *out, const char *text);

/* Appends the value on one line; every number reads back as the same number. */
void json_append_value(struct strbuf *out, const json_t *value);

/*
 * Appends `,"key":value` for the members of the object in `extra` (JSON text or NULL) whose keys
 * are not in `known`. Text that is no JSON object appends nothing.
 */
void json_append_extra(struct strbuf *out, const char *extra, const char *const *known);

/* The members of `object` whose keys are not in `known`, as JSON text, or NULL. Owned by the
 * caller. */
char *json_collect_extra(json_t *object, const char *const *known);

static inline void cleanup_json_(json_t **value)
{
	json_decref(*value);
}
#define _cleanup_json_ _cleanup_(cleanup_json_)

#endif
