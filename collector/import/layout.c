/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/import/layout.h"

#include <string.h>
#include <strings.h>

#include "collector/import/measure.h"
#include "collector/import/unit.h"
#include "common/number.h"

bool word_is_corner(const char *word)
{
	static const char *const corners[] = {"benchmark", "bench", "test", "workload"};

	for (size_t i = 0; i < ARRAY_SIZE(corners); i++)
		if (!strcasecmp(word, corners[i]))
			return true;
	return false;
}

static bool is_number(const char *word)
{
	_cleanup_(error_clear) struct error ignored = {0};
	double value;

	return number_parse(word, &value, &ignored) == 0;
}

static bool is_benchmark_word(const char *word)
{
	enum better better;

	return direction_suggested(word, "", &better);
}

static bool ends_in_colon(const struct table_line *line)
{
	return line->colon == line->words.count;
}

static bool ends_in_brackets(const struct table_line *line)
{
	return line->brackets && line->brackets_at == line->words.count;
}

static bool second_is_numeric(const struct table_line *line)
{
	return line->words.count > 1 && word_is_numeric(line->words.items[1]);
}

static bool ends_in_stated_unit(const struct table_line *line)
{
	_cleanup_free_ char *text = table_line_join(line, 0, line->words.count, ' ');

	return import_label_states_unit(text);
}

/* The marks by which a user says that a line names a benchmark. */
static bool is_marked(const struct table_line *line)
{
	return ends_in_colon(line) || ends_in_brackets(line) || ends_in_stated_unit(line);
}

bool table_starts_with_values(const struct table_lines *lines)
{
	const struct table_line *head = &lines->items[0];

	return !is_marked(head) &&
	       (head->colon || (second_is_numeric(head) && head->words.count > 2));
}

/* Values at the end of the line, remarks left out. */
static size_t count_values(const struct table_line *line)
{
	size_t count = 0;

	for (size_t i = line->words.count; i-- > 1;) {
		const char *word = line->words.items[i];

		if (*word == '(')
			continue;
		if (!word_is_numeric(word))
			break;
		count++;
	}
	return count;
}

static bool any_number(const struct table_line *line)
{
	for (size_t i = 0; i < line->words.count; i++)
		if (is_number(line->words.items[i]))
			return true;
	return false;
}

/* A later line that can name a benchmark only, so that the table consists of blocks. */
static bool looks_like_benchmark(const struct table_line *line, size_t columns)
{
	return !line->colon && !second_is_numeric(line) && count_values(line) != columns &&
	       (line->words.count == 1 || strcmp(line->words.items[1], "-") != 0);
}

/* Without a sure sign: benchmarks' names, then the number of values in the rows. */
static enum table_layout guess_layout(const struct table_lines *lines)
{
	const struct table_line *head = &lines->items[0];
	size_t columns = head->words.count;
	bool named_head = is_benchmark_word(head->words.items[0]);
	bool named_row = false, fits = false;

	for (size_t i = 1; i < lines->count; i++) {
		const struct table_line *line = &lines->items[i];

		if (looks_like_benchmark(line, columns))
			return LAYOUT_BLOCKS;
		named_row |= is_benchmark_word(line->words.items[0]);
		fits |= count_values(line) == columns;
	}
	if (named_head != named_row)
		return named_head ? LAYOUT_BLOCKS : LAYOUT_COLUMNS;
	return fits ? LAYOUT_COLUMNS : LAYOUT_BLOCKS;
}

enum table_layout table_layout_find(const struct table_lines *lines)
{
	const struct table_line *head = &lines->items[0];

	if (ends_in_brackets(head) || ends_in_colon(head))
		return LAYOUT_BLOCKS;
	if (head->words.count > 1 && word_is_corner(head->words.items[0]))
		return LAYOUT_COLUMNS;
	if (head->words.count == 1 || lines->count == 1 || is_marked(head) || any_number(head))
		return LAYOUT_BLOCKS;
	if (head->indent != lines->items[1].indent)
		return head->indent > lines->items[1].indent ? LAYOUT_COLUMNS : LAYOUT_BLOCKS;
	return guess_layout(lines);
}

char *table_line_variant(const struct table_line *line)
{
	return table_line_join(line, 0, line->colon ? line->colon : 1, '_');
}

/* Where the lines of values are indented, a line that is not names a benchmark. */
static bool stands_out(const struct table_lines *lines, size_t index)
{
	size_t indent = lines->items[0].indent;

	return lines->count > 1 && lines->items[1].indent > indent &&
	       lines->items[index].indent <= indent;
}

/* The next line begins with a variant that the block already has. */
static bool next_repeats(const struct table_lines *lines, size_t index,
			 const struct table_block_state *state)
{
	const struct table_line *next = &lines->items[index + 1];
	_cleanup_free_ char *variant = NULL;

	if (index + 1 == lines->count)
		return false;
	variant = table_line_variant(next);
	return string_list_contains(&state->in_block, variant);
}

static bool is_variant(const struct table_block_state *state, const char *name)
{
	return string_list_contains(&state->variants, name) ||
	       string_list_contains(&state->in_block, name);
}

/*
 * A name and one number, as in "tbench 8": another variant of the block, unless the next line
 * starts the variants over; then what it looks like decides.
 */
static enum line_kind judge_name_and_number(const struct table_lines *lines, size_t index,
					    const struct table_block_state *state)
{
	const struct table_line *line = &lines->items[index];

	if (line->words.count != 2 || line->colon || !is_number(line->words.items[1]) ||
	    is_variant(state, line->words.items[0]) || !next_repeats(lines, index, state))
		return LINE_VALUES;
	if (state->fewest_values > 1 || line->after_blank ||
	    is_benchmark_word(line->words.items[0]))
		return LINE_BENCHMARK;
	return state->in_block.count > 1 ? LINE_AMBIGUOUS : LINE_VALUES;
}

bool table_line_is_guessed(const struct table_lines *lines, size_t index)
{
	return index > 0 && !is_marked(&lines->items[index]) && !stands_out(lines, index);
}

enum line_kind table_line_kind(const struct table_lines *lines, size_t index,
			       const struct table_block_state *state)
{
	const struct table_line *line = &lines->items[index];

	if (!table_line_is_guessed(lines, index))
		return LINE_BENCHMARK;
	if (line->colon)
		return LINE_VALUES;
	if (second_is_numeric(line))
		return judge_name_and_number(lines, index, state);
	if (line->words.count > 1 && is_variant(state, line->words.items[0]))
		return LINE_VALUES;
	return LINE_BENCHMARK;
}
