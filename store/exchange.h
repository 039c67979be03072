/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exchange format `kregress-1`: JSON Lines, described by docs/kregress-1.schema.json (one
 * schema, each line is an instance of it) and docs/exchange.md. Every number is finite, every unit
 * explicit; keys that this version does not know are kept and written again.
 */
#ifndef KREGRESS_STORE_EXCHANGE_H
#define KREGRESS_STORE_EXCHANGE_H

#include "common/error.h"
#include "common/strbuf.h"
#include "store/run_set.h"

/* Appends the sets as one document. */
void exchange_write(struct strbuf *out, const struct run_set_list *sets);

/*
 * Reads a document of `length` bytes. `name` is the file's name for messages. Refused with
 * ERROR_DATA and "NAME:LINE: ...": a line that is not a JSON object, duplicate keys, NaN or
 * infinite numbers, ill-formed UTF-8, a missing or wrong header, an unknown format version, a
 * missing key or one of the wrong type, a boot or series that was not announced, mixed units, a
 * missing end line, an end line whose count is wrong, negative time. Nothing is returned then.
 */
int exchange_read(const char *name, const char *text, size_t length, struct run_set_list *sets,
		  struct error *err) __must_check;

#endif
