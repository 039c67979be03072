/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON among other text, read with jansson. */
#ifndef KREGRESS_COLLECTOR_IMPORT_JSON_TEXT_H
#define KREGRESS_COLLECTOR_IMPORT_JSON_TEXT_H

#include <jansson.h>

#include "collector/import/tool.h"

struct json_documents {
	json_t **items;
	size_t count;
	size_t capacity;
};

/*
 * Reads the JSON objects or arrays that begin at the front of a line; text before, between and
 * behind them is left out. Errors name file and line. `exponents`: the tool writes numbers as
 * 1e-05; where it does not, one is taken for damage.
 */
int json_documents_read(struct json_documents *documents, const struct import_input *input,
			bool exponents, struct error *err) __must_check;
void json_documents_release(struct json_documents *documents);

/* The number at `key` of the object; false when there is none. */
bool json_number_at(const json_t *object, const char *key, double *value);

/* The text at `key` of the object, or NULL. */
const char *json_text_at(const json_t *object, const char *key);

/* True when the text is JSON with these two keys anywhere. `second` may be NULL. */
bool json_text_recognise(const char *text, size_t length, const char *first, const char *second);

/* As tool_add(), naming the file in errors: what was read is no longer a line. */
int json_add(struct tool_reader *reader, const struct tool_series *series, double value,
	     struct error *err) __must_check;

/* "NAME:1: cause", for what is wrong with a document as a whole. Returns -1. */
int json_fail(struct tool_reader *reader, struct error *err);

#endif
