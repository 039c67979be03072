/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/exchange_json.h"

#include <string.h>

#include "common/number.h"
#include "common/text.h"

const char *const exchange_run_set_keys[] = {
	"type",	   "id",	 "collection", "variant", "target",
	"machine", "created_at", "seed",       "level",	  NULL,
};

const char *const exchange_boot_keys[] = {
	"type",		"boot",	      "block",	    "slot",	   "status",   "reason",
	"console_tail", "started_at", "duration_s", "environment", "failures", NULL,
};

const char *const exchange_series_keys[] = {
	"type", "series", "benchmark", "params", "metric", "unit", "better", NULL,
};

static void append_escaped(struct strbuf *out, unsigned char byte)
{
	if (byte == '"' || byte == '\\')
		strbuf_printf(out, "\\%c", byte);
	else if (byte == '\n')
		strbuf_append(out, "\\n");
	else if (byte == '\t')
		strbuf_append(out, "\\t");
	else if (byte < 0x20)
		strbuf_printf(out, "\\u%04x", byte);
	else
		strbuf_append_char(out, (char)byte);
}

void json_append_string(struct strbuf *out, const char *text)
{
	size_t length = strlen(text);
	size_t at = 0;

	strbuf_append_char(out, '"');
	while (at < length) {
		size_t good = at + text_utf8_error(text + at, length - at);

		for (; at < good; at++)
			append_escaped(out, (unsigned char)text[at]);
		if (at < length) {
			strbuf_append(out, "\xef\xbf\xbd");
			at++;
		}
	}
	strbuf_append_char(out, '"');
}

/* A real without fraction keeps a mark of being one, so that it is read as a real again. */
static void append_real(struct strbuf *out, double value)
{
	size_t start = out->length;

	number_append_exact(out, value);
	if (!strpbrk(out->text + start, ".e"))
		strbuf_append(out, ".0");
}

static void append_array(struct strbuf *out, const json_t *array)
{
	const json_t *item;
	size_t i;

	strbuf_append_char(out, '[');
	json_array_foreach (array, i, item) {
		if (i)
			strbuf_append_char(out, ',');
		json_append_value(out, item);
	}
	strbuf_append_char(out, ']');
}

static void append_member(struct strbuf *out, const char *key, const json_t *value)
{
	json_append_string(out, key);
	strbuf_append_char(out, ':');
	json_append_value(out, value);
}

static void append_object(struct strbuf *out, json_t *object)
{
	const char *separator = "";
	const char *key;
	json_t *item;

	strbuf_append_char(out, '{');
	json_object_foreach (object, key, item) {
		strbuf_append(out, separator);
		append_member(out, key, item);
		separator = ",";
	}
	strbuf_append_char(out, '}');
}

void json_append_value(struct strbuf *out, const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		/* Iterating needs a pointer that is not const and changes nothing. */
		append_object(out, (json_t *)(uintptr_t)value);
		break;
	case JSON_ARRAY:
		append_array(out, value);
		break;
	case JSON_STRING:
		json_append_string(out, json_string_value(value));
		break;
	case JSON_INTEGER:
		strbuf_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		break;
	case JSON_REAL:
		append_real(out, json_real_value(value));
		break;
	default:
		strbuf_append(out, json_is_true(value)	  ? "true"
				   : json_is_false(value) ? "false"
							  : "null");
	}
}

static bool is_known(const char *key, const char *const *known)
{
	for (; *known; known++)
		if (!strcmp(key, *known))
			return true;
	return false;
}

void json_append_extra(struct strbuf *out, const char *extra, const char *const *known)
{
	_cleanup_json_ json_t *object = NULL;
	const char *key;
	json_t *item;

	if (!extra)
		return;
	object = json_loads(extra, JSON_REJECT_DUPLICATES, NULL);
	json_object_foreach (object, key, item) {
		if (is_known(key, known))
			continue;
		strbuf_append_char(out, ',');
		append_member(out, key, item);
	}
}

char *json_collect_extra(json_t *object, const char *const *known)
{
	struct strbuf text = STRBUF_INIT;
	const char *key;
	json_t *item;

	json_object_foreach (object, key, item) {
		if (is_known(key, known))
			continue;
		strbuf_append_char(&text, text.length ? ',' : '{');
		append_member(&text, key, item);
	}
	if (!text.length)
		return NULL;
	strbuf_append_char(&text, '}');
	return strbuf_take(&text);
}
