/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values for the JSON formats: whatever comes in, the document is one that every reader takes. */
#ifndef KREGRESS_REPORTS_JSON_VALUE_H
#define KREGRESS_REPORTS_JSON_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "common/error.h"
#include "common/strbuf.h"

/* A string with ill-formed bytes as \xNN; NULL gives null. */
json_t *json_text(const char *text);

/* The first `limit` bytes of it. */
json_t *json_text_head(const char *text, size_t limit);

/* A finite number; null when it is not known or not finite. */
json_t *json_number(double value, bool known);
json_t *json_count(size_t count);

/* Takes `root` over and appends it, 15 significant digits a number, with a line feed behind. */
int json_append(struct strbuf *out, json_t *root, struct error *err) __must_check;

#endif
