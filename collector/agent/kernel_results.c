/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/kernel_results.h"

#include <stdlib.h>
#include <string.h>

#include "collector/agent/input.h"

#define COLUMNS_MAX 8

struct parser {
	struct kernel_results *results;
	const char *label;
	unsigned line;
	bool named;
	bool ended;
	struct fault *fault;
};

/* Cuts the line at its tabs; returns the number of columns, COLUMNS_MAX + 1 for more. */
static size_t split(char *line, char *columns[COLUMNS_MAX])
{
	size_t count = 0;

	for (char *next = line; next; line = next) {
		if (count == COLUMNS_MAX)
			return COLUMNS_MAX + 1;
		next = strchr(line, '\t');
		if (next)
			*next++ = '\0';
		columns[count++] = line;
	}
	return count;
}

static int bad(struct parser *parser, const char *what)
{
	return fault_set(parser->fault, "results line %u: %s", parser->line, what);
}

static int add_row(struct kernel_rows *rows, const struct kernel_row *row)
{
	/* Grows at powers of two. */
	if ((rows->count & (rows->count - 1)) == 0) {
		size_t room = rows->count ? 2 * rows->count : 1;
		struct kernel_row *bigger = reallocarray(rows->rows, room, sizeof(*row));

		if (!bigger)
			return -1;
		rows->rows = bigger;
	}
	rows->rows[rows->count++] = *row;
	return 0;
}

/* KIND REP CPU NS TSC INSN */
static int take_row(struct parser *parser, char **columns, size_t count)
{
	struct kernel_results *results = parser->results;
	struct kernel_row row = {0};
	uint64_t index;

	if (count != 6 || !input_parse_u64(columns[1], &index) ||
	    !input_parse_u64(columns[2], &index) || !input_parse_u64(columns[3], &row.ns) ||
	    !input_parse_u64(columns[4], &row.tsc))
		return bad(parser, "not a row of REP CPU NS TSC INSN");
	row.has_insn = strcmp(columns[5], "-") != 0;
	if (row.has_insn && !input_parse_u64(columns[5], &row.insn))
		return bad(parser, "INSN is neither a number nor '-'");
	if (!results->loops)
		return bad(parser, "a row before the loops");
	if (add_row(*columns[0] == 'b' ? &results->baseline : &results->samples, &row) < 0)
		return bad(parser, "out of memory");
	return 0;
}

static int take_bench(struct parser *parser, char **columns, size_t count)
{
	if (count != 2 || strcmp(columns[1], parser->label))
		return fault_set(parser->fault, "results line %u: results of '%s', not of '%s'",
				 parser->line, count > 1 ? columns[1] : "", parser->label);
	parser->named = true;
	return 0;
}

static int take_loops(struct parser *parser, char **columns, size_t count)
{
	if (count != 2 || !input_parse_u64(columns[1], &parser->results->loops) ||
	    !parser->results->loops)
		return bad(parser, "loops is no number above 0");
	return 0;
}

static int take_error(struct parser *parser, char **columns, size_t count)
{
	return fault_set(parser->fault, "%s", count > 1 ? columns[1] : "error without a message");
}

static int take_end(struct parser *parser, char **columns, size_t count)
{
	struct kernel_results *results = parser->results;
	uint64_t rows;

	if (count != 2 || !input_parse_u64(columns[1], &rows))
		return bad(parser, "end has no count");
	if (rows != results->baseline.count + results->samples.count)
		return fault_set(parser->fault,
				 "results line %u: end counts %llu rows, there are %zu",
				 parser->line, (unsigned long long)rows,
				 results->baseline.count + results->samples.count);
	parser->ended = true;
	return 0;
}

static int take_line(struct parser *parser, char *line)
{
	static const struct {
		const char *word;
		int (*take)(struct parser *parser, char **columns, size_t count);
	} kinds[] = {{"bench", take_bench}, {"loops", take_loops}, {"baseline", take_row},
		     {"sample", take_row},  {"error", take_error}, {"end", take_end}};
	char *columns[COLUMNS_MAX];
	size_t count = split(line, columns);

	if (parser->ended)
		return bad(parser, "text behind the end");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(columns[0], kinds[i].word))
			return kinds[i].take(parser, columns, count);
	return bad(parser, "unknown line");
}

static int check_whole(struct parser *parser)
{
	if (!parser->ended)
		return fault_set(parser->fault, "the results are truncated: they have no end line");
	if (!parser->named || !parser->results->samples.count)
		return fault_set(parser->fault, "the results hold no samples");
	return 0;
}

int kernel_results_parse(struct kernel_results *results, const char *label, char *text,
			 struct fault *fault)
{
	struct parser parser = {.results = results, .label = label, .fault = fault};
	bool complete;
	char *line;

	*results = (struct kernel_results){0};
	while ((line = input_next_line(&text, &complete))) {
		parser.line++;
		if (!complete)
			return bad(&parser, "cut in the middle");
		if (parser.line == 1 && strcmp(line, "kregress-results\t1"))
			return bad(&parser, "not the results of version 1");
		if (parser.line > 1 && take_line(&parser, line) < 0)
			return -1;
	}
	return check_whole(&parser);
}

void kernel_results_release(struct kernel_results *results)
{
	free(results->baseline.rows);
	free(results->samples.rows);
	*results = (struct kernel_results){0};
}

/* "NAME[PARAMS]" into its two parts. False when it is neither that nor "NAME", or too long. */
static bool split_label(const char *label, struct kernel_bench *bench)
{
	size_t length = strlen(label);
	size_t name = strcspn(label, "[");

	if (!name || length >= BENCH_LABEL_MAX || strpbrk(label, " "))
		return false;
	memcpy(bench->name, label, name);
	if (name == length)
		return true;
	if (label[length - 1] != ']' || length < name + 3)
		return false;
	memcpy(bench->params, label + name + 1, length - name - 2);
	return true;
}

static int add_bench(struct kernel_list *list, char *line)
{
	struct kernel_bench *bigger, *bench;
	char *columns[COLUMNS_MAX];

	if (split(line, columns) != 3)
		return -1;
	bigger = reallocarray(list->benches, list->count + 1, sizeof(*bigger));
	if (!bigger)
		return -1;
	list->benches = bigger;
	bench = &bigger[list->count];
	*bench = (struct kernel_bench){.context = columns[1], .summary = columns[2]};
	bench->available = strcmp(columns[1], "unavailable") != 0;
	if (!split_label(columns[0], bench))
		return -1;
	list->count++;
	return 0;
}

int kernel_list_parse(struct kernel_list *list, char *text, struct fault *fault)
{
	unsigned number = 0;
	char *cursor = text;
	bool complete;
	char *line;

	*list = (struct kernel_list){.text = text};
	while ((line = input_next_line(&cursor, &complete))) {
		number++;
		if (complete && add_bench(list, line) == 0)
			continue;
		kernel_list_release(list);
		return fault_set(fault, "list line %u: not NAME, CONTEXT and SUMMARY", number);
	}
	return 0;
}

void kernel_list_release(struct kernel_list *list)
{
	free(list->text);
	free(list->benches);
	*list = (struct kernel_list){0};
}
