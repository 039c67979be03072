/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/build/config_text.h"

#include <string.h>

#include "common/text.h"

static const char unset_tail[] = " is not set";

/* Describe the compiler, which has a digest of its own. */
static bool is_about_compiler(const char *name)
{
	static const char *const beginnings[] = {"CC_", "GCC_", "CLANG_", "LD_",
						 "AS_", "LLD_", "RUSTC_", "PAHOLE_"};

	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (!strncmp(name, beginnings[i], strlen(beginnings[i])))
			return !strstr(name, "OPTIMIZE");
	return false;
}

/* "X=value" of a line, or NULL. Owned by the caller. */
static char *line_symbol(const char *line)
{
	size_t length = strlen(line);
	size_t tail = sizeof(unset_tail) - 1;

	if (!strncmp(line, "CONFIG_", 7) && strchr(line, '='))
		return xstrdup(line + 7);
	if (!strncmp(line, "# CONFIG_", 9) && length > 9 + tail &&
	    !strcmp(line + length - tail, unset_tail))
		return xasprintf("%.*s=n", (int)(length - 9 - tail), line + 9);
	return NULL;
}

static size_t name_length(const char *symbol)
{
	return strcspn(symbol, "=");
}

/* By name alone. */
static int compare_names(const char *left, const char *right)
{
	size_t left_length = name_length(left);
	size_t right_length = name_length(right);
	size_t shorter = left_length < right_length ? left_length : right_length;
	int order = strncmp(left, right, shorter);

	return order ? order : (left_length > right_length) - (left_length < right_length);
}

struct numbered {
	char *symbol;
	size_t line;
};

static int by_name_then_line(const void *left, const void *right)
{
	const struct numbered *a = left, *b = right;
	int order = compare_names(a->symbol, b->symbol);

	return order ? order : (a->line > b->line) - (a->line < b->line);
}

void config_symbols(const char *text, struct string_list *symbols)
{
	_cleanup_(string_list_release) struct string_list lines = {0};
	ARRAY_OF(struct numbered) found = {0};

	string_list_split(&lines, text, "\r\n");
	array_for_each (line, &lines) {
		char *symbol = line_symbol(*line);

		if (symbol && !is_about_compiler(symbol))
			*array_append(&found) = (struct numbered){symbol, found.count};
		else
			free(symbol);
	}
	if (found.count)
		qsort(found.items, found.count, sizeof(*found.items), by_name_then_line);
	for (size_t i = 0; i < found.count; i++) {
		if (i + 1 == found.count ||
		    compare_names(found.items[i].symbol, found.items[i + 1].symbol) != 0)
			string_list_add(symbols, found.items[i].symbol);
		free(found.items[i].symbol);
	}
	array_release(&found);
}

static const char *symbol_value(const char *symbol)
{
	const char *equals = strchr(symbol, '=');

	return equals ? equals + 1 : "";
}

char *config_digest(const char *text)
{
	_cleanup_(string_list_release) struct string_list symbols = {0};
	_cleanup_(strbuf_release) struct strbuf lines = STRBUF_INIT;
	struct strbuf digest = STRBUF_INIT;

	config_symbols(text, &symbols);
	array_for_each (symbol, &symbols)
		if (strcmp(symbol_value(*symbol), "n") != 0)
			strbuf_printf(&lines, "%s\n", *symbol);
	text_append_digest(&digest, strbuf_text(&lines), lines.length, 40);
	return strbuf_take(&digest);
}

static int by_name(const void *left, const void *right)
{
	return compare_names(*(char *const *)left, *(char *const *)right);
}

/* The value of the same symbol in the sorted list; "n" when it is not there. */
static const char *value_in(const struct string_list *symbols, char *symbol)
{
	char **found = symbols->count ? bsearch(&symbol, symbols->items, symbols->count,
						sizeof(*symbols->items), by_name)
				      : NULL;

	return found ? symbol_value(*found) : "n";
}

bool config_is_set(const char *text, const char *symbol)
{
	_cleanup_(string_list_release) struct string_list symbols = {0};
	_cleanup_free_ char *wanted = xstrdup(symbol);

	config_symbols(text, &symbols);
	return !strcmp(value_in(&symbols, wanted), "y");
}

size_t config_append_differences(struct strbuf *out, const char *wanted, const char *got)
{
	_cleanup_(string_list_release) struct string_list before = {0};
	_cleanup_(string_list_release) struct string_list after = {0};
	size_t count = 0;

	config_symbols(wanted, &before);
	config_symbols(got, &after);
	array_for_each (symbol, &before) {
		const char *old = symbol_value(*symbol);
		const char *new = value_in(&after, *symbol);

		if (!strcmp(old, new))
			continue;
		strbuf_printf(out, "%.*s: %s -> %s\n", (int)name_length(*symbol), *symbol, old,
			      new);
		count++;
	}
	return count;
}
