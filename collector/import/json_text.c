/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/import/json_text.h"

#include <string.h>

#include "common/text.h"

void json_documents_release(struct json_documents *documents)
{
	array_for_each (document, documents)
		json_decref(*document);
	array_release(documents);
}

static size_t line_at(const char *text, const char *at)
{
	size_t line = 1;

	for (; text < at; text++)
		line += *text == '\n';
	return line;
}

/* The front of the next line that a document begins at, or NULL. */
static const char *find_document(const char *text, const char *end, bool at_front)
{
	while (text < end) {
		const char *newline;

		if (at_front) {
			const char *first = text;

			while (first < end && (*first == ' ' || *first == '\t'))
				first++;
			if (first < end && (*first == '{' || *first == '['))
				return first;
		}
		newline = memchr(text, '\n', (size_t)(end - text));
		if (!newline)
			return NULL;
		text = newline + 1;
		at_front = true;
	}
	return NULL;
}

/* Skips a string that begins at `at`. */
static const char *skip_string(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		if (*at == '\\')
			at++;
	return at < end ? at + 1 : end;
}

/* The first number with an exponent outside of strings, or NULL. */
static const char *find_exponent(const char *at, const char *end)
{
	while (at < end) {
		if (*at == '"') {
			at = skip_string(at, end);
			continue;
		}
		if ((*at == 'e' || *at == 'E') && at[-1] >= '0' && at[-1] <= '9')
			return at;
		at++;
	}
	return NULL;
}

static int check_exponents(const struct import_input *input, const char *start, const char *end,
			   struct error *err)
{
	const char *exponent = find_exponent(start, end);

	if (!exponent)
		return 0;
	error_set(err, ERROR_DATA,
		  "%s:%zu: a number with an exponent, which this tool does not write", input->name,
		  line_at(input->text, exponent));
	return error_hint(err, "the file is damaged: run the tool again");
}

static int bad_document(const struct import_input *input, const char *start,
			const json_error_t *problem, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf shown = STRBUF_INIT;
	int line = problem->line > 0 ? problem->line : 1;

	text_append_visible(&shown, problem->text);
	error_set(err, ERROR_DATA, "%s:%zu: %s", input->name,
		  line_at(input->text, start) + (size_t)line - 1, strbuf_text(&shown));
	return error_hint(err, "the file is damaged or not complete: run the tool again");
}

static int read_document(struct json_documents *documents, const struct import_input *input,
			 bool exponents, const char **at, struct error *err)
{
	const char *end = input->text + input->length;
	json_error_t problem;
	json_t *document = json_loadb(*at, (size_t)(end - *at),
				      JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &problem);

	if (!document)
		return bad_document(input, *at, &problem, err);
	*array_append(documents) = document;
	if (!exponents && check_exponents(input, *at, *at + problem.position, err) < 0)
		return -1;
	*at += problem.position;
	return 0;
}

int json_documents_read(struct json_documents *documents, const struct import_input *input,
			bool exponents, struct error *err)
{
	const char *end = input->length ? input->text + input->length : NULL;
	const char *at = input->length ? find_document(input->text, end, true) : NULL;

	*documents = (struct json_documents){0};
	while (at) {
		if (read_document(documents, input, exponents, &at, err) < 0) {
			json_documents_release(documents);
			return -1;
		}
		at = find_document(at, end, false);
	}
	if (documents->count)
		return 0;
	error_set(err, ERROR_DATA, "%s:1: there is no JSON in the file", input->name);
	return error_hint(err, "give the file that the tool wrote as JSON");
}

bool json_number_at(const json_t *object, const char *key, double *value)
{
	const json_t *number = json_object_get(object, key);

	if (!json_is_number(number))
		return false;
	*value = json_number_value(number);
	return true;
}

const char *json_text_at(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

bool json_text_recognise(const char *text, size_t length, const char *first, const char *second)
{
	_cleanup_free_ char *one = xasprintf("\"%s\"", first);
	_cleanup_free_ char *other = second ? xasprintf("\"%s\"", second) : NULL;

	return length && find_document(text, text + length, true) &&
	       tool_text_holds(text, length, one) &&
	       (!other || tool_text_holds(text, length, other));
}

int json_fail(struct tool_reader *reader, struct error *err)
{
	reader->line = 1;
	return tool_fail(reader, err);
}

int json_add(struct tool_reader *reader, const struct tool_series *series, double value,
	     struct error *err)
{
	return tool_add(reader, series, value, err) < 0 ? json_fail(reader, err) : 0;
}
