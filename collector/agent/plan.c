/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/plan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "collector/agent/input.h"
#include "collector/agent/load.h"
#include "collector/agent/plan_state.h"
#include "collector/agent/plan_tool.h"
#include "collector/agent/plant.h"

struct parser {
	struct plan *plan;
	const char *name;
	unsigned line;
	unsigned seen; /* a bit per directive of the table */
	bool started;  /* the first line was read */
	bool ended;
	struct fault *fault;
};

struct directive {
	const char *name;
	/* Takes the text behind the name; what it refuses is named in the parser's fault. */
	int (*take)(struct parser *parser, const struct directive *directive, char *value);
	size_t offset; /* of the number in struct plan */
	uint64_t min, max;
};

static int refuse(struct parser *parser, const char *what, const char *value)
{
	return fault_set(parser->fault, "%s:%u: %s%s%s%s", parser->name, parser->line, what,
			 value ? " '" : "", value ? value : "", value ? "'" : "");
}

static int take_number(struct parser *parser, const struct directive *directive, char *value)
{
	uint64_t *field = (uint64_t *)(void *)((char *)parser->plan + directive->offset);

	if (input_parse_u64(value, field) && *field >= directive->min && *field <= directive->max)
		return 0;
	return fault_set(
		parser->fault, "%s:%u: %s must be a whole number from %llu to %llu, not '%s'",
		parser->name, parser->line, directive->name, (unsigned long long)directive->min,
		(unsigned long long)directive->max, value);
}

static int take_clock(struct parser *parser, const struct directive *directive, char *value)
{
	(void)directive;
	parser->plan->clock_insn = !strcmp(value, "insn");
	if (parser->plan->clock_insn || !strcmp(value, "time"))
		return 0;
	return refuse(parser, "clock must be 'time' or 'insn', not", value);
}

static int take_module(struct parser *parser, const struct directive *directive, char *value)
{
	(void)directive;
	if (value[0] != '/')
		return refuse(parser, "module needs an absolute path, not", value);
	parser->plan->module = value;
	return 0;
}

static int take_module_args(struct parser *parser, const struct directive *directive, char *value)
{
	(void)directive;
	if (!parser->plan->module)
		return refuse(parser, "module-args must follow a module line", NULL);
	parser->plan->module_args = value;
	return 0;
}

static int take_load(struct parser *parser, const struct directive *directive, char *value)
{
	(void)directive;
	if (!load_find(value))
		return refuse(parser, "load must be one of " LOAD_NAMES ", not", value);
	parser->plan->load = value;
	return 0;
}

static int take_load_cpus(struct parser *parser, const struct directive *directive, char *value)
{
	(void)directive;
	parser->plan->load_same_cpus = !strcmp(value, "same");
	if (parser->plan->load_same_cpus || !strcmp(value, "other"))
		return 0;
	return refuse(parser, "load-cpus must be 'same' or 'other', not", value);
}

static int take_tool(struct parser *parser, const struct directive *directive, char *value)
{
	struct fault fault;

	if (plan_tool_take(parser->plan, directive->name, value, &fault) == 0)
		return 0;
	return refuse(parser, fault.text, value);
}

static int take_state(struct parser *parser, const struct directive *directive, char *value)
{
	struct fault fault;

	if (plan_state_take(parser->plan, directive->name, value, &fault) == 0)
		return 0;
	return refuse(parser, fault.text, value);
}

static int take_bench(struct parser *parser, const struct directive *directive, char *value)
{
	struct plan *plan = parser->plan;
	const char **patterns;

	(void)directive;
	if (!*value || strpbrk(value, " \t"))
		return refuse(parser, "bench needs one pattern, not", value);
	patterns = reallocarray(plan->patterns, plan->pattern_count + 1, sizeof(*patterns));
	if (!patterns)
		return refuse(parser, "out of memory", NULL);
	plan->patterns = patterns;
	patterns[plan->pattern_count++] = value;
	return 0;
}

static int take_end(struct parser *parser, const struct directive *directive, char *value)
{
	(void)directive;
	if (*value)
		return refuse(parser, "end takes no value, not", value);
	if (!parser->plan->pattern_count)
		return refuse(parser, "the plan ends without a bench line", NULL);
	parser->ended = true;
	return 0;
}

#define NUMBER(text, field, low, high)                                                             \
	{                                                                                          \
		.name = text, .take = take_number, .offset = offsetof(struct plan, field),         \
		.min = low, .max = high                                                            \
	}

static const struct directive directives[] = {
	{.name = "module", .take = take_module},
	{.name = "module-args", .take = take_module_args},
	{.name = "clock", .take = take_clock},
	NUMBER("sample-time-ns", sample_time_ns, 1, 1000000000),
	NUMBER("repetitions", repetitions, 1, PLAN_VALUES_MAX),
	NUMBER("warmup", warmup, 0, 100),
	NUMBER("invocations", invocations, 1, 10000),
	NUMBER("cpus", cpus, 1, 4096),
	NUMBER("timeout-s", timeout_s, 1, 86400),
	NUMBER("plant", plant, 0, PLANT_MAX),
	{.name = "load", .take = take_load},
	{.name = "load-cpus", .take = take_load_cpus},
	{.name = "tool", .take = take_tool},
	{.name = "tool-before", .take = take_tool},
	{.name = "tool-beside", .take = take_tool},
	{.name = "tool-package", .take = take_tool},
	{.name = "tool-lacks", .take = take_tool},
	{.name = "state", .take = take_state},
	{.name = "switch", .take = take_state},
	NUMBER("state-seed", state_seed, 0, UINT64_MAX),
	{.name = "bench", .take = take_bench},
	{.name = "end", .take = take_end},
};

#define DIRECTIVE_COUNT (sizeof(directives) / sizeof(directives[0]))

/* Cuts the line after its first word; returns what stands behind it, without blanks around. */
static char *split_word(char *line)
{
	char *value = line + strcspn(line, " \t");

	if (*value)
		*value++ = '\0';
	return value + strspn(value, " \t");
}

static bool may_repeat(const struct directive *directive)
{
	return directive->take == take_bench || directive->take == take_tool ||
	       directive->take == take_state;
}

static int take_directive(struct parser *parser, size_t index, char *value)
{
	const struct directive *directive = &directives[index];
	unsigned bit = 1u << index;

	if (!may_repeat(directive) && (parser->seen & bit))
		return refuse(parser, "given twice:", directive->name);
	if (directive->take != take_bench && directive->take != take_end &&
	    parser->plan->pattern_count)
		return refuse(parser, "must stand before the first bench line:", directive->name);
	parser->seen |= bit;
	return directive->take(parser, directive, value);
}

static int parse_first_line(struct parser *parser, const char *line)
{
	parser->started = true;
	if (!strcmp(line, "kregress-plan 1"))
		return 0;
	return refuse(parser, "the first line must be 'kregress-plan 1', not", line);
}

static int parse_line(struct parser *parser, char *line)
{
	size_t length = strlen(line);
	char *value;

	while (length && isspace((unsigned char)line[length - 1]))
		line[--length] = '\0';
	line += strspn(line, " \t");
	if (!*line || *line == '#')
		return 0;
	if (!parser->started)
		return parse_first_line(parser, line);
	if (parser->ended)
		return refuse(parser, "text after the end line:", line);
	value = split_word(line);
	for (size_t i = 0; i < DIRECTIVE_COUNT; i++)
		if (!strcmp(line, directives[i].name))
			return take_directive(parser, i, value);
	return refuse(parser, "unknown directive", line);
}

static int check_whole(struct parser *parser)
{
	const struct plan *plan = parser->plan;

	if (!parser->started)
		return refuse(parser, "the plan is empty", NULL);
	if (!parser->ended)
		return refuse(parser, "the plan is truncated: it has no end line", NULL);
	if (plan->repetitions * plan->cpus > PLAN_VALUES_MAX)
		return fault_set(parser->fault,
				 "%s: repetitions times cpus must not be above %d: raise "
				 "invocations instead",
				 parser->name, PLAN_VALUES_MAX);
	return 0;
}

/* Every repetition is a start of its own where states take turns, so that they do so often. */
static void set_rounds(struct plan *plan)
{
	plan->rounds = plan->invocations;
	if (plan->state_count < 2)
		return;
	plan->rounds *= plan->repetitions;
	plan->repetitions = 1;
}

static int parse_lines(struct parser *parser)
{
	char *cursor = parser->plan->text;
	bool complete;
	char *line;

	while ((line = input_next_line(&cursor, &complete))) {
		parser->line++;
		if (parse_line(parser, line) < 0)
			return -1;
	}
	if (check_whole(parser) < 0)
		return -1;
	set_rounds(parser->plan);
	return 0;
}

int plan_parse(struct plan *plan, const char *name, const char *text, size_t length,
	       struct fault *fault)
{
	struct parser parser = {.plan = plan, .name = name, .fault = fault};

	*plan = (struct plan){
		.module_args = "",
		.sample_time_ns = 1000000,
		.repetitions = 10,
		.warmup = 1,
		.invocations = 1,
		.cpus = 1,
		.timeout_s = 60,
	};
	if (memchr(text, '\0', length))
		return fault_set(fault, "%s: the plan holds a NUL byte", name);
	plan->text = strndup(text, length);
	if (!plan->text)
		return fault_set(fault, "%s: out of memory", name);
	if (parse_lines(&parser) == 0)
		return 0;
	plan_release(plan);
	return -1;
}

void plan_release(struct plan *plan)
{
	free(plan->text);
	free(plan->patterns);
	free(plan->tools);
	free(plan->states);
	free(plan->switches);
	*plan = (struct plan){0};
}
