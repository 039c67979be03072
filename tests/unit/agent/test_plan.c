/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "collector/agent/plan.h"

#define HEAD "kregress-plan 1\n"

static int parse(struct plan *plan, const char *text, struct fault *fault)
{
	return plan_parse(plan, "p", text, strlen(text), fault);
}

static void test_defaults(void **state)
{
	struct fault fault;
	struct plan plan;

	(void)state;
	assert_int_equal(parse(&plan, HEAD "bench lock.*\nend\n", &fault), 0);
	assert_null(plan.module);
	assert_string_equal(plan.module_args, "");
	assert_false(plan.clock_insn);
	assert_int_equal(plan.sample_time_ns, 1000000);
	assert_int_equal(plan.repetitions, 10);
	assert_int_equal(plan.warmup, 1);
	assert_int_equal(plan.invocations, 1);
	assert_int_equal(plan.cpus, 1);
	assert_int_equal(plan.timeout_s, 60);
	assert_int_equal(plan.pattern_count, 1);
	assert_string_equal(plan.patterns[0], "lock.*");
	plan_release(&plan);
}

static void test_all_directives(void **state)
{
	static const char text[] = "# made by a test\n" HEAD "\n"
				   "module /kregress/kregress.ko\n"
				   "module-args a=1 b=2\n"
				   "clock insn\n"
				   "  sample-time-ns \t 2000 \n"
				   "repetitions 3\n"
				   "warmup 0\n"
				   "invocations 4\n"
				   "cpus 2\n"
				   "timeout-s 7\n"
				   "bench mm.fork\n"
				   "# in between\n"
				   "bench sched.messaging[groups=1,fan=5]\n"
				   "end\n"
				   "# behind\n\n";
	struct fault fault;
	struct plan plan;

	(void)state;
	assert_int_equal(parse(&plan, text, &fault), 0);
	assert_string_equal(plan.module, "/kregress/kregress.ko");
	assert_string_equal(plan.module_args, "a=1 b=2");
	assert_true(plan.clock_insn);
	assert_int_equal(plan.sample_time_ns, 2000);
	assert_int_equal(plan.repetitions, 3);
	assert_int_equal(plan.warmup, 0);
	assert_int_equal(plan.invocations, 4);
	assert_int_equal(plan.cpus, 2);
	assert_int_equal(plan.timeout_s, 7);
	assert_int_equal(plan.pattern_count, 2);
	assert_string_equal(plan.patterns[1], "sched.messaging[groups=1,fan=5]");
	plan_release(&plan);
}

static void test_last_line_needs_no_newline(void **state)
{
	struct fault fault;
	struct plan plan;

	(void)state;
	assert_int_equal(parse(&plan, HEAD "bench x\nend", &fault), 0);
	plan_release(&plan);
}

static void test_refusals_name_the_line(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"", "p:0: the plan is empty"},
		{"# nothing\n", "p:1: the plan is empty"},
		{"kregress-plan 2\n", "p:1: the first line must be 'kregress-plan 1', not "
				      "'kregress-plan 2'"},
		{HEAD "bench x\n", "p:2: the plan is truncated: it has no end line"},
		{HEAD "bench x\nen", "p:3: unknown directive 'en'"},
		{HEAD "end\n", "p:2: the plan ends without a bench line"},
		{HEAD "bench x\nend now\n", "p:3: end takes no value, not 'now'"},
		{HEAD "bench x\nend\nbench y\n", "p:4: text after the end line: 'bench y'"},
		{HEAD "bench\nend\n", "p:2: bench needs one pattern, not ''"},
		{HEAD "bench a b\nend\n", "p:2: bench needs one pattern, not 'a b'"},
		{HEAD "\nspeed 3\n", "p:3: unknown directive 'speed'"},
		{HEAD "clock cycles\n", "p:2: clock must be 'time' or 'insn', not 'cycles'"},
		{HEAD "module kregress.ko\n",
		 "p:2: module needs an absolute path, not 'kregress.ko'"},
		{HEAD "module-args a=1\n", "p:2: module-args must follow a module line"},
		{HEAD "clock time\nclock time\n", "p:3: given twice: 'clock'"},
		{HEAD "bench x\nwarmup 1\n",
		 "p:3: must stand before the first bench line: 'warmup'"},
		{HEAD "repetitions 0\n",
		 "p:2: repetitions must be a whole number from 1 to 2000, not '0'"},
		{HEAD "repetitions 2001\n",
		 "p:2: repetitions must be a whole number from 1 to 2000, not '2001'"},
		{HEAD "warmup -1\n", "p:2: warmup must be a whole number from 0 to 100, not '-1'"},
		{HEAD "cpus 1.5\n", "p:2: cpus must be a whole number from 1 to 4096, not '1.5'"},
		{HEAD "timeout-s\n",
		 "p:2: timeout-s must be a whole number from 1 to 86400, not ''"},
		{HEAD "sample-time-ns 99999999999999999999999\n",
		 "p:2: sample-time-ns must be a whole number from 1 to 1000000000, not "
		 "'99999999999999999999999'"},
		{HEAD "repetitions 1000\ncpus 3\nbench x\nend\n",
		 "p: repetitions times cpus must not be above 2000: raise invocations instead"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fault fault = {""};
		struct plan plan;

		assert_int_equal(parse(&plan, cases[i].text, &fault), -1);
		assert_string_equal(fault.text, cases[i].message);
	}
}

static void test_nul_byte_is_refused(void **state)
{
	static const char text[] = HEAD "bench x\0y\nend\n";
	struct fault fault;
	struct plan plan;

	(void)state;
	assert_int_equal(plan_parse(&plan, "p", text, sizeof(text) - 1, &fault), -1);
	assert_string_equal(fault.text, "p: the plan holds a NUL byte");
}

static void test_load_and_plant(void **state)
{
	struct fault fault;
	struct plan plan;

	(void)state;
	assert_int_equal(parse(&plan, HEAD "bench a\nend\n", &fault), 0);
	assert_int_equal(plan.plant, 0);
	assert_null(plan.load);
	assert_false(plan.load_same_cpus);
	plan_release(&plan);
	assert_int_equal(
		parse(&plan, HEAD "plant 64\nload net\nload-cpus same\nbench a\nend\n", &fault), 0);
	assert_int_equal(plan.plant, 64);
	assert_string_equal(plan.load, "net");
	assert_true(plan.load_same_cpus);
	plan_release(&plan);
}

static void test_tools(void **state)
{
	struct fault fault;
	struct plan plan;

	(void)state;
	assert_int_equal(parse(&plan,
			       HEAD "tool tool.a[x=1,y=2] stderr  prog -a  b\n"
				    "tool-before make clean\ntool-beside server\n"
				    "tool-package p\ntool tool.b time true\ntool-lacks a tree\n"
				    "bench tool.*\nend\n",
			       &fault),
			 0);
	assert_int_equal(plan.tool_count, 2);
	assert_string_equal(plan.tools[0].name, "tool.a");
	assert_string_equal(plan.tools[0].params, "x=1,y=2");
	assert_int_equal(plan.tools[0].capture, TOOL_STDERR);
	assert_string_equal(plan.tools[0].command, "prog -a  b");
	assert_string_equal(plan.tools[0].before, "make clean");
	assert_string_equal(plan.tools[0].beside, "server");
	assert_string_equal(plan.tools[0].package, "p");
	assert_null(plan.tools[0].lacks);
	assert_string_equal(plan.tools[1].name, "tool.b");
	assert_string_equal(plan.tools[1].params, "");
	assert_int_equal(plan.tools[1].capture, TOOL_TIME);
	assert_string_equal(plan.tools[1].lacks, "a tree");
	plan_release(&plan);
}

static void test_wrong_loads_and_tools(void **state)
{
	static const char *const lines[] = {
		"plant 65",
		"plant -1",
		"load cpu",
		"load",
		"load-cpus all",
		"tool",
		"tool tool.a",
		"tool tool.a stdout",
		"tool tool.a out prog",
		"tool tool.a[x=1 stdout prog",
		"tool [x=1] time prog",
		"tool-before make",
		"load net\nload net",
		"plant 1\nplant 1",
		"tool tool.a time true\ntool-lacks",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct fault fault;
		struct plan plan;
		char text[256];

		snprintf(text, sizeof(text), HEAD "%s\nbench a\nend\n", lines[i]);
		assert_int_equal(parse(&plan, text, &fault), -1);
		assert_int_equal(strncmp(fault.text, "p:", 2), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_load_and_plant),
		cmocka_unit_test(test_tools),
		cmocka_unit_test(test_wrong_loads_and_tools),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_all_directives),
		cmocka_unit_test(test_last_line_needs_no_newline),
		cmocka_unit_test(test_refusals_name_the_line),
		cmocka_unit_test(test_nul_byte_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
