/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/json_value.h"

#include <math.h>
#include <string.h>

#include "common/text.h"
#include "reports/format.h"

/* The most that show 0.05 as 0.05; what lies behind is no one's measurement. */
#define NUMBER_DIGITS 15

/* Larger numbers, rounded to that many digits, are beyond the range of double. */
#define LARGEST_NUMBER 1.79769313486231e308

json_t *json_text(const char *text)
{
	_cleanup_(strbuf_release) struct strbuf visible = STRBUF_INIT;
	size_t length;

	if (!text)
		return json_null();
	length = strlen(text);
	if (text_utf8_error(text, length) == length)
		return json_string(text);
	text_append_visible(&visible, text);
	return json_string(strbuf_text(&visible));
}

json_t *json_text_head(const char *text, size_t limit)
{
	_cleanup_(strbuf_release) struct strbuf visible = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf head = STRBUF_INIT;

	text_append_visible(&visible, text);
	format_head(&head, strbuf_text(&visible), limit);
	return json_string(strbuf_text(&head));
}

json_t *json_number(double value, bool known)
{
	if (!known || !isfinite(value))
		return json_null();
	return json_real(fmax(-LARGEST_NUMBER, fmin(value, LARGEST_NUMBER)));
}

json_t *json_count(size_t count)
{
	return json_integer((json_int_t)count);
}

static int append_bytes(const char *bytes, size_t length, void *out)
{
	strbuf_append_bytes(out, bytes, length);
	return 0;
}

int json_append(struct strbuf *out, json_t *root, struct error *err)
{
	int result = json_dump_callback(root, append_bytes, out,
					JSON_INDENT(2) | JSON_REAL_PRECISION(NUMBER_DIGITS));

	json_decref(root);
	if (result < 0)
		return error_set(err, ERROR_DATA, "the report cannot be written as JSON");
	strbuf_append_char(out, '\n');
	return 0;
}
