/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/agent/kernel_runner.h"
#include "collector/agent/stop.h"

/* A folder in the place of debugfs, with plain files in the place of the module's. */
static char root[64];
static const char *const files[] = {"list", "run", "results"};

static void path_of(char path[128], const char *name)
{
	snprintf(path, 128, "%s/kregress%s%s", root, *name ? "/" : "", name);
}

static void put(const char *name, const char *text)
{
	char path[128];
	FILE *file;

	path_of(path, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static int make_root(void **state)
{
	char path[128];

	(void)state;
	snprintf(root, sizeof(root), "/tmp/kregress-test-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	path_of(path, "");
	return mkdir(path, 0700);
}

static int remove_root(void **state)
{
	char path[128];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		path_of(path, files[i]);
		unlink(path);
	}
	path_of(path, "");
	rmdir(path);
	return rmdir(root);
}

static void test_list(void **state)
{
	struct kernel_list list;
	struct fault fault;

	(void)state;
	assert_false(kernel_runner_present(root));
	assert_int_equal(kernel_runner_list(root, &list, &fault), -1);
	assert_non_null(strstr(fault.text, "mount -t debugfs none"));
	put("list", "lock.spin\tpreempt-off\tx\n");
	assert_true(kernel_runner_present(root));
	assert_int_equal(kernel_runner_list(root, &list, &fault), 0);
	assert_int_equal(list.count, 1);
	kernel_list_release(&list);
}

static const struct kernel_bench bench = {.name = "mm.kmalloc", .params = "size=64"};
static const struct plan plan = {
	.sample_time_ns = 5000, .repetitions = 2, .warmup = 3, .cpus = 1, .timeout_s = 60};

#define RESULTS "kregress-results\t1\nbench\tmm.kmalloc[size=64]\nloops\t8\n"

static void test_run_writes_the_words_and_takes_the_rows(void **state)
{
	char path[128], words[256] = "";
	struct kernel_outcome outcome;
	FILE *file;

	(void)state;
	put("run", "");
	put("results", RESULTS "sample\t0\t0\t80\t160\t-\nsample\t1\t0\t88\t168\t-\nend\t2\n");
	kernel_runner_run(root, &bench, &plan, &outcome);
	assert_int_equal(outcome.outcome, CHILD_DONE);
	assert_int_equal(outcome.results.loops, 8);
	assert_int_equal(outcome.results.samples.rows[1].ns, 88);
	kernel_results_release(&outcome.results);
	path_of(path, "run");
	file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(words, sizeof(words), file));
	fclose(file);
	assert_string_equal(words, "bench=mm.kmalloc[size=64] reps=2 warmup=3 loops=0 "
				   "time_ns=5000 cpus=1");
}

static void assert_fails(const char *reason)
{
	struct kernel_outcome outcome;

	kernel_runner_run(root, &bench, &plan, &outcome);
	assert_int_equal(outcome.outcome, CHILD_FAILED);
	assert_string_equal(outcome.fault.text, reason);
	kernel_results_release(&outcome.results);
}

static void test_failures_say_why(void **state)
{
	(void)state;
	/* Without the file `run` the write is refused; the module's own words go first. */
	put("results", RESULTS "error\tmm.kmalloc[size=64]: no memory\n");
	assert_fails("mm.kmalloc[size=64]: no memory");
	put("results", RESULTS "sample\t0\t0\t80\t160\t-\nsample\t1\t0\t88\t168\t-\nend\t2\n");
	assert_fails("the module refused the run: No such file or directory");
	put("run", "");
	put("results", RESULTS "sample\t0\t0\t80\t160\t-\nend\t1\n");
	assert_fails("the module gave 1 rows where 2 were asked for");
	put("results", "kregress-results\t1\nbench\tlock.spin\n");
	assert_fails("results line 2: results of 'lock.spin', not of 'mm.kmalloc[size=64]'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_list, make_root, remove_root),
		cmocka_unit_test_setup_teardown(test_run_writes_the_words_and_takes_the_rows,
						make_root, remove_root),
		cmocka_unit_test_setup_teardown(test_failures_say_why, make_root, remove_root),
	};

	stop_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
