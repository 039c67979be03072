/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/option.h"

#include <string.h>

#include "common/number.h"

static const struct option_spec *find_long(const struct option_spec *specs, const char *name,
					   size_t length)
{
	for (; specs->name; specs++)
		if (strlen(specs->name) == length && !strncmp(specs->name, name, length))
			return specs;
	return NULL;
}

static const struct option_spec *find_letter(const struct option_spec *specs, char letter)
{
	for (; specs->name; specs++)
		if (specs->letter == letter)
			return specs;
	return NULL;
}

static int store_value(const struct option_spec *spec, void *values, const char *text,
		       struct error *err)
{
	void *slot = (char *)values + spec->offset;
	int result = 0;

	switch (spec->kind) {
	case OPTION_FLAG:
		*(bool *)slot = true;
		break;
	case OPTION_STRING:
	case OPTION_OUTPUT:
		*(const char **)slot = text;
		break;
	case OPTION_STRINGS:
		string_list_add(slot, text);
		break;
	case OPTION_UINT:
		result = number_parse_uint(text, UINT64_MAX, slot, err);
		break;
	case OPTION_FRACTION:
		result = number_parse_fraction(text, slot, err);
		break;
	case OPTION_DURATION:
		result = number_parse_duration(text, slot, err);
		break;
	}
	if (result < 0) {
		error_wrap(err, "option --%s", spec->name);
		err->kind = ERROR_USAGE;
	}
	return result;
}

struct option_cursor {
	int argc;
	char *const *argv;
	int next;
};

/* Whether the next word is the file of an option that can do without one. */
static bool next_is_output(const struct option_spec *spec, const struct option_cursor *cursor)
{
	const char *ending = strrchr(spec->argument, '.');
	const char *word = cursor->next < cursor->argc ? cursor->argv[cursor->next] : "";
	size_t length = strlen(word);
	size_t tail = strlen(ending);

	return !strcmp(word, "-") || (length > tail && !strcmp(word + length - tail, ending));
}

/* Takes the option's argument from behind "=" or from the next word. */
static int parse_argument(const struct option_spec *spec, const char *attached,
			  struct option_cursor *cursor, void *values, struct error *err)
{
	if (spec->kind == OPTION_FLAG) {
		if (attached)
			return error_set(err, ERROR_USAGE, "option --%s takes no argument",
					 spec->name);
		return store_value(spec, values, NULL, err);
	}
	if (!attached && spec->kind == OPTION_OUTPUT && !next_is_output(spec, cursor))
		return store_value(spec, values, "-", err);
	if (!attached && cursor->next >= cursor->argc)
		return error_set(err, ERROR_USAGE, "option --%s needs an argument: %s", spec->name,
				 spec->argument);
	if (!attached)
		attached = cursor->argv[cursor->next++];
	return store_value(spec, values, attached, err);
}

static int parse_option(const struct option_spec *specs, const char *word,
			struct option_cursor *cursor, void *values, struct error *err)
{
	const struct option_spec *spec;
	const char *attached = NULL;

	if (word[1] == '-') {
		size_t length = strcspn(word + 2, "=");

		spec = find_long(specs, word + 2, length);
		if (word[2 + length] == '=')
			attached = word + 2 + length + 1;
	} else {
		spec = find_letter(specs, word[1]);
		if (word[2])
			attached = word + 2;
	}
	if (!spec)
		return error_set(err, ERROR_USAGE, "unknown option '%s'", word);
	return parse_argument(spec, attached, cursor, values, err);
}

int options_parse(const struct option_spec *specs, void *values, int argc, char *const *argv,
		  struct string_list *positional, struct error *err)
{
	struct option_cursor cursor = {argc, argv, 0};
	bool only_words = false;

	while (cursor.next < argc) {
		const char *word = argv[cursor.next++];

		if (!only_words && !strcmp(word, "--"))
			only_words = true;
		else if (only_words || word[0] != '-' || !word[1])
			string_list_add(positional, word);
		else if (parse_option(specs, word, &cursor, values, err) < 0)
			return -1;
	}
	return 0;
}

void option_append_usage(struct strbuf *out, const struct option_spec *spec)
{
	if (spec->letter)
		strbuf_printf(out, "-%c, ", spec->letter);
	strbuf_printf(out, "--%s", spec->name);
	if (spec->argument && spec->kind == OPTION_OUTPUT)
		strbuf_printf(out, "[=%s]", spec->argument);
	else if (spec->argument)
		strbuf_printf(out, " %s", spec->argument);
}
