/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "collector/agent/kernel_results.h"

#define HEAD "kregress-results\t1\nbench\tlock.spin\nloops\t1024\n"
#define ROWS "baseline\t0\t0\t500\t1500\t-\nsample\t0\t0\t2048\t4096\t7168\n"

static int parse(struct kernel_results *results, const char *text, struct fault *fault)
{
	char copy[4096];

	snprintf(copy, sizeof(copy), "%s", text);
	return kernel_results_parse(results, "lock.spin", copy, fault);
}

static void test_whole_results(void **state)
{
	struct kernel_results results;
	struct fault fault;

	(void)state;
	assert_int_equal(parse(&results, HEAD ROWS "sample\t1\t0\t2050\t4100\t-\nend\t3\n", &fault),
			 0);
	assert_int_equal(results.loops, 1024);
	assert_int_equal(results.baseline.count, 1);
	assert_int_equal(results.baseline.rows[0].ns, 500);
	assert_int_equal(results.baseline.rows[0].tsc, 1500);
	assert_false(results.baseline.rows[0].has_insn);
	assert_int_equal(results.samples.count, 2);
	assert_true(results.samples.rows[0].has_insn);
	assert_int_equal(results.samples.rows[0].insn, 7168);
	assert_int_equal(results.samples.rows[1].tsc, 4100);
	assert_false(results.samples.rows[1].has_insn);
	kernel_results_release(&results);
}

static void test_many_rows(void **state)
{
	char text[65536] = HEAD;
	struct kernel_results results;
	struct fault fault;
	size_t used = strlen(text);

	(void)state;
	for (int i = 0; i < 1000; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "sample\t%d\t0\t%d\t2\t3\n", i, i);
	snprintf(text + used, sizeof(text) - used, "end\t1000\n");
	assert_int_equal(kernel_results_parse(&results, "lock.spin", text, &fault), 0);
	assert_int_equal(results.samples.count, 1000);
	assert_int_equal(results.samples.rows[999].ns, 999);
	kernel_results_release(&results);
}

static void test_damage(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"", "the results are truncated: they have no end line"},
		{HEAD ROWS, "the results are truncated: they have no end line"},
		{HEAD ROWS "end\t2", "results line 6: cut in the middle"},
		{HEAD ROWS "samp", "results line 6: cut in the middle"},
		{HEAD ROWS "end\t3\n", "results line 6: end counts 3 rows, there are 2"},
		{HEAD ROWS "end\n", "results line 6: end has no count"},
		{HEAD ROWS "end\t2\nend\t2\n", "results line 7: text behind the end"},
		{HEAD "end\t0\n", "the results hold no samples"},
		{"kregress-results\t2\n", "results line 1: not the results of version 1"},
		{"kregress-results\t1\nbench\tlock.mutex\n",
		 "results line 2: results of 'lock.mutex', not of 'lock.spin'"},
		{"kregress-results\t1\nloops\t0\n", "results line 2: loops is no number above 0"},
		{"kregress-results\t1\nsample\t0\t0\t1\t2\t3\n",
		 "results line 2: a row before the loops"},
		{HEAD "sample\t0\t0\t-5\t2\t3\n",
		 "results line 4: not a row of REP CPU NS TSC INSN"},
		{HEAD "sample\t0\t0\t5\t99999999999999999999\t3\n",
		 "results line 4: not a row of REP CPU NS TSC INSN"},
		{HEAD "sample\t0\t0\t5\t2\n", "results line 4: not a row of REP CPU NS TSC INSN"},
		{HEAD "sample\t0\t0\t5\t2\t3\t4\n",
		 "results line 4: not a row of REP CPU NS TSC INSN"},
		{HEAD "sample\t0\t0\t5\t2\t3\t4\t5\t6\t7\n",
		 "results line 4: not a row of REP CPU NS TSC INSN"},
		{HEAD "sample\t0\t0\t5\t2\tnan\n",
		 "results line 4: INSN is neither a number nor '-'"},
		{HEAD "average\t7\n", "results line 4: unknown line"},
		{"kregress-results\t1\nerror\tno such benchmark; known: lock.spin\n",
		 "no such benchmark; known: lock.spin"},
		{HEAD ROWS "error\tstopped by a signal\n", "stopped by a signal"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kernel_results results;
		struct fault fault = {""};

		assert_int_equal(parse(&results, cases[i].text, &fault), -1);
		assert_string_equal(fault.text, cases[i].message);
		kernel_results_release(&results);
	}
}

static void test_list(void **state)
{
	char *text = strdup("lock.spin\tpreempt-off\tspin_lock + spin_unlock\n"
			    "mm.kmalloc[size=256]\tpreemptible\tkmalloc + kfree\n"
			    "text.poke\tunavailable\tno symbol text_poke\n");
	struct kernel_list list;
	struct fault fault;

	(void)state;
	assert_int_equal(kernel_list_parse(&list, text, &fault), 0);
	assert_int_equal(list.count, 3);
	assert_string_equal(list.benches[0].name, "lock.spin");
	assert_string_equal(list.benches[0].params, "");
	assert_string_equal(list.benches[0].context, "preempt-off");
	assert_true(list.benches[0].available);
	assert_string_equal(list.benches[1].name, "mm.kmalloc");
	assert_string_equal(list.benches[1].params, "size=256");
	assert_false(list.benches[2].available);
	assert_string_equal(list.benches[2].summary, "no symbol text_poke");
	kernel_list_release(&list);
}

static void test_bad_lists(void **state)
{
	static const char *const cases[] = {
		"a.b\tpreemptible\tx\nlock.spin\n",
		"a.b\tpreemptible\tx\n\tpreemptible\tx\n",
		"a.b\tpreemptible\tx\na.b[\tpreemptible\tx\n",
		"a.b\tpreemptible\tx\na.b[]\tpreemptible\tx\n",
		"a.b\tpreemptible\tx\nc.d\tpreemptible\tcut",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kernel_list list;
		struct fault fault = {""};

		assert_int_equal(kernel_list_parse(&list, strdup(cases[i]), &fault), -1);
		assert_string_equal(fault.text, "list line 2: not NAME, CONTEXT and SUMMARY");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole_results), cmocka_unit_test(test_many_rows),
		cmocka_unit_test(test_damage),	      cmocka_unit_test(test_list),
		cmocka_unit_test(test_bad_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
