/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/option.h"

struct values {
	bool flag;
	const char *name;
	struct string_list list;
	uint64_t count;
	double limit_frac;
	const char *json;
	double time_s;
};

static const struct option_spec specs[] = {
	OPTION_ROW(struct values, flag, OPTION_FLAG, "flag", 'f', NULL, "a flag"),
	OPTION_ROW(struct values, name, OPTION_STRING, "name", 'n', "NAME", "a text"),
	OPTION_ROW(struct values, list, OPTION_STRINGS, "list", 'l', "WORD", "texts"),
	OPTION_ROW(struct values, count, OPTION_UINT, "count", 'c', "N", "a number"),
	OPTION_ROW(struct values, limit_frac, OPTION_FRACTION, "limit", 0, "FRACTION", "a part"),
	OPTION_ROW(struct values, json, OPTION_OUTPUT, "json", 'j', "FILE.json", "a file"),
	OPTION_ROW(struct values, time_s, OPTION_DURATION, "time", 't', "TIME", "a time"),
	OPTION_END,
};

struct parsed {
	struct values values;
	struct string_list words;
	struct error err;
	int result;
};

static void parsed_release(struct parsed *parsed)
{
	string_list_release(&parsed->values.list);
	string_list_release(&parsed->words);
	error_clear(&parsed->err);
}

/* Parses a line that blanks cut into words; "_" stands for an empty word. */
static void parse(struct parsed *parsed, char *line)
{
	char *argv[16];
	int argc = 0;

	*parsed = (struct parsed){0};
	for (char *word; (word = strsep(&line, " "));) {
		assert_in_range(argc, 0, (int)ARRAY_SIZE(argv) - 1);
		if (!strcmp(word, "_"))
			*word = '\0';
		argv[argc++] = word;
	}
	parsed->result =
		options_parse(specs, &parsed->values, argc, argv, &parsed->words, &parsed->err);
}

/* The parsed line lives as long as the block: strings of it point into argv. */
#define PARSE(into, text)                                                                          \
	char line_[] = text;                                                                       \
	_cleanup_(parsed_release) struct parsed into;                                              \
	parse(&(into), line_);                                                                     \
	if ((into).result < 0)                                                                     \
	fail_msg("%s", (into).err.message)

static void assert_words(const struct parsed *parsed, size_t count, const char *first)
{
	assert_int_equal(parsed->words.count, count);
	if (count)
		assert_string_equal(parsed->words.items[0], first);
}

static void each_kind_with_a_separate_word(void **state)
{
	PARSE(p, "--flag --name A --list x --list y --count 12 --limit 2% --time 250ms w");

	(void)state;
	assert_true(p.values.flag);
	assert_string_equal(p.values.name, "A");
	assert_int_equal(p.values.list.count, 2);
	assert_string_equal(p.values.list.items[0], "x");
	assert_string_equal(p.values.list.items[1], "y");
	assert_int_equal(p.values.count, 12);
	assert_true(p.values.limit_frac == 0.02);
	assert_true(p.values.time_s == 0.25);
	assert_null(p.values.json);
	assert_words(&p, 1, "w");
}

static void each_kind_behind_the_equals_sign(void **state)
{
	PARSE(p,
	      "--name=A=B --list=x --count=18446744073709551615 --limit=0.05 --time=1m --json=o");

	(void)state;
	assert_false(p.values.flag);
	assert_string_equal(p.values.name, "A=B");
	assert_int_equal(p.values.list.count, 1);
	assert_true(p.values.count == UINT64_MAX);
	assert_true(p.values.limit_frac == 0.05);
	assert_true(p.values.time_s == 60);
	assert_string_equal(p.values.json, "o");
	assert_words(&p, 0, NULL);
}

static void letters_with_a_separate_or_attached_value(void **state)
{
	{
		PARSE(p, "-f -n A -lx -l y -c7 -t 3 w");
		assert_true(p.values.flag);
		assert_string_equal(p.values.name, "A");
		assert_int_equal(p.values.list.count, 2);
		assert_string_equal(p.values.list.items[0], "x");
		assert_string_equal(p.values.list.items[1], "y");
		assert_int_equal(p.values.count, 7);
		assert_true(p.values.time_s == 3);
		assert_words(&p, 1, "w");
	}
	{
		PARSE(p, "-n--flag -jout");
		assert_string_equal(p.values.name, "--flag");
		assert_false(p.values.flag);
		assert_string_equal(p.values.json, "out");
	}
	(void)state;
}

static void the_last_value_counts(void **state)
{
	PARSE(p, "--count 1 -c2 --name a --name b --name= --flag --flag");

	(void)state;
	assert_int_equal(p.values.count, 2);
	assert_string_equal(p.values.name, "");
	assert_true(p.values.flag);
}

static void an_output_takes_the_next_word_only_when_it_is_a_file(void **state)
{
	static const struct {
		const char *line;
		const char *json;
		size_t words;
		const char *first;
	} cases[] = {
		{"--json", "-", 0, NULL},
		{"--json -", "-", 0, NULL},
		{"--json out.json", "out.json", 0, NULL},
		{"--json dir/a.b.json base", "dir/a.b.json", 1, "base"},
		{"--json base new", "-", 2, "base"},
		{"--json .json", "-", 1, ".json"},
		{"--json out.jsonl", "-", 1, "out.jsonl"},
		{"--json --flag", "-", 0, NULL},
		{"--json -- out.json", "-", 1, "out.json"},
		{"--json=base new", "base", 1, "new"},
		{"--json= new", "", 1, "new"},
		{"-j out.json new", "out.json", 1, "new"},
		{"-j new", "-", 1, "new"},
		{"-jnew", "new", 0, NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *line = xstrdup(cases[i].line);
		_cleanup_(parsed_release) struct parsed p;

		parse(&p, line);
		assert_int_equal(p.result, 0);
		assert_string_equal(p.values.json, cases[i].json);
		assert_words(&p, cases[i].words, cases[i].first);
	}
}

static void words_may_stand_anywhere_and_all_are_words_behind_dashes(void **state)
{
	PARSE(p, "one - --count 3 two -- --count 4 -f -- _");

	(void)state;
	assert_int_equal(p.values.count, 3);
	assert_false(p.values.flag);
	assert_int_equal(p.words.count, 8);
	assert_string_equal(p.words.items[1], "-");
	assert_string_equal(p.words.items[2], "two");
	assert_string_equal(p.words.items[3], "--count");
	assert_string_equal(p.words.items[5], "-f");
	assert_string_equal(p.words.items[6], "--");
	assert_string_equal(p.words.items[7], "");
}

static void no_words_at_all(void **state)
{
	_cleanup_(parsed_release) struct parsed p = {0};

	(void)state;
	p.result = options_parse(specs, &p.values, 0, NULL, &p.words, &p.err);
	assert_int_equal(p.result, 0);
	assert_words(&p, 0, NULL);
}

static void refusals_name_the_option(void **state)
{
	static const struct {
		const char *line;
		const char *message;
	} cases[] = {
		{"--nosuch", "unknown option '--nosuch'"},
		{"--nosuch=1", "unknown option '--nosuch=1'"},
		{"--", NULL},
		{"--=x", "unknown option '--=x'"},
		{"--coun 1", "unknown option '--coun'"},
		{"--counts 1", "unknown option '--counts'"},
		{"-x", "unknown option '-x'"},
		{"-c", "option --count needs an argument: N"},
		{"--name", "option --name needs an argument: NAME"},
		{"w --time", "option --time needs an argument: TIME"},
		{"--flag=yes", "option --flag takes no argument"},
		{"--flag=", "option --flag takes no argument"},
		{"-fx", "option --flag takes no argument"},
		{"--count x", "option --count: 'x' is not a whole number"},
		{"--count=", "option --count: "},
		{"--count -1", "option --count: '-1' is not a whole number"},
		{"--count 18446744073709551616", "option --count: '18446744073709551616'"},
		{"--limit much", "option --limit: 'much' is not a fraction"},
		{"--time soon", "option --time: 'soon' is not a duration"},
		{"--time=-1", "option --time: '-1' is not a duration"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *line = xstrdup(cases[i].line);
		_cleanup_(parsed_release) struct parsed p;

		parse(&p, line);
		if (!cases[i].message) {
			assert_int_equal(p.result, 0);
			continue;
		}
		if (p.result != -1)
			fail_msg("'%s' was accepted", cases[i].line);
		assert_int_equal(p.err.kind, ERROR_USAGE);
		if (!strstr(p.err.message, cases[i].message))
			fail_msg("'%s' is not in '%s'", cases[i].message, p.err.message);
	}
}

static void usage_as_help_shows_it(void **state)
{
	static const char *const expected[] = {
		"-f, --flag",	    "-n, --name NAME",	      "-l, --list WORD", "-c, --count N",
		"--limit FRACTION", "-j, --json[=FILE.json]", "-t, --time TIME",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		_cleanup_(strbuf_release) struct strbuf usage = STRBUF_INIT;

		option_append_usage(&usage, &specs[i]);
		assert_string_equal(strbuf_text(&usage), expected[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_with_a_separate_word),
		cmocka_unit_test(each_kind_behind_the_equals_sign),
		cmocka_unit_test(letters_with_a_separate_or_attached_value),
		cmocka_unit_test(the_last_value_counts),
		cmocka_unit_test(an_output_takes_the_next_word_only_when_it_is_a_file),
		cmocka_unit_test(words_may_stand_anywhere_and_all_are_words_behind_dashes),
		cmocka_unit_test(no_words_at_all),
		cmocka_unit_test(refusals_name_the_option),
		cmocka_unit_test(usage_as_help_shows_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
