/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/driver/json_field.h"

#include <string.h>

#include "common/alloc.h"
#include "common/text.h"

void field_set_text(json_t *object, const char *key, const char *text)
{
	_cleanup_(strbuf_release) struct strbuf clean = STRBUF_INIT;

	if (!text)
		return;
	if (text_utf8_error(text, strlen(text)) < strlen(text)) {
		text_append_visible(&clean, text);
		text = strbuf_text(&clean);
	}
	json_object_set_new(object, key, json_string(text));
}

void field_set_id(json_t *object, const char *key, const git_oid *id)
{
	json_object_set_new(object, key, json_string(git_oid_tostr_s(id)));
}

void field_set_number(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, json_real(value));
}

void field_set_flag(json_t *object, const char *key, bool flag)
{
	if (flag)
		json_object_set_new(object, key, json_true());
}

const char *field_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

char *field_copy(const json_t *object, const char *key)
{
	return xstrdup(field_text(object, key));
}

bool field_id(const json_t *object, const char *key, git_oid *id)
{
	const char *text = field_text(object, key);

	return text && strlen(text) == GIT_OID_HEXSZ && !git_oid_fromstr(id, text);
}

double field_number(const json_t *object, const char *key, double otherwise)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : otherwise;
}

bool field_flag(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

int field_name(const json_t *object, const char *key, const char *const *names)
{
	const char *text = field_text(object, key);

	for (int i = 0; text && names[i]; i++) {
		if (!strcmp(names[i], text))
			return i;
	}
	return -1;
}
