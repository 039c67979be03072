/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of a journal's record; internal to bisect/driver. */
#ifndef KREGRESS_BISECT_DRIVER_JSON_FIELD_H
#define KREGRESS_BISECT_DRIVER_JSON_FIELD_H

#include <git2.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* NULL sets nothing. */
void field_set_text(json_t *object, const char *key, const char *text);
void field_set_id(json_t *object, const char *key, const git_oid *id);
/* `value` is finite. */
void field_set_number(json_t *object, const char *key, double value);
/* False sets nothing. */
void field_set_flag(json_t *object, const char *key, bool flag);

/* The text, or NULL where there is none. */
const char *field_text(const json_t *object, const char *key);
/* A copy, or NULL. */
char *field_copy(const json_t *object, const char *key);
bool field_id(const json_t *object, const char *key, git_oid *id);
double field_number(const json_t *object, const char *key, double otherwise);
bool field_flag(const json_t *object, const char *key);

/* Index of the member's text in the names (ended by NULL), or -1. */
int field_name(const json_t *object, const char *key, const char *const *names);

#endif
