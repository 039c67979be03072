/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/agent/agent_process.h"

static const char *program;
static const char *const no_arguments[] = {NULL};

static json_t *run(const char *plan, int expected_code, const char *status)
{
	struct agent_process agent;
	json_t *records;

	agent_start(&agent, program, no_arguments, plan, -1);
	assert_int_equal(agent_wait(&agent), expected_code);
	assert_true(agent_left_nothing());
	records = agent_records(&agent, status);
	assert_non_null(records);
	close(agent.output_fd);
	return records;
}

static const char *text_of(json_t *record, const char *key)
{
	const char *text = json_string_value(json_object_get(record, key));

	assert_non_null(text);
	return text;
}

static void check_values(json_t *sample, size_t repetitions)
{
	json_t *values = json_object_get(sample, "values");

	assert_int_equal(json_array_size(values), repetitions);
	for (size_t i = 0; i < repetitions; i++) {
		double value = json_number_value(json_array_get(values, i));

		assert_true(isfinite(value) && value > 0);
	}
	assert_true(json_integer_value(json_object_get(sample, "loops")) > 0);
}

/* How many lines --list prints: one for each userland benchmark. */
static size_t listed(void)
{
	const char *const arguments[] = {"--list", NULL};
	struct agent_process agent;
	size_t lines = 0;
	char *text;

	agent_start(&agent, program, arguments, "", -1);
	assert_int_equal(agent_wait(&agent), 0);
	text = agent_output(&agent);
	for (char *rest, *line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		char name[128], metric[16], unit[16], better[16];
		bool rate;

		assert_int_equal(
			sscanf(line, "%127s\t%15s\t%15s\t%15s\t", name, metric, unit, better), 4);
		rate = !strcmp(metric, "rate");
		assert_true(rate || !strcmp(metric, "time"));
		assert_true(rate ? !strcmp(unit, "1/s") || !strcmp(unit, "B/s")
				 : !strcmp(unit, "ns/op") || !strcmp(unit, "s"));
		assert_string_equal(better, rate ? "higher" : "lower");
		lines++;
	}
	free(text);
	close(agent.output_fd);
	return lines;
}

static void test_all_userland_benchmarks(void **state)
{
	json_t *records = run("kregress-plan 1\nsample-time-ns 10000\nrepetitions 3\n"
			      "invocations 2\nbench *\nend\n",
			      0, "ok");
	size_t position = 0, samples = 0;
	json_t *sample;

	(void)state;
	while ((sample = agent_next(records, &position, "sample"))) {
		const char *metric = text_of(sample, "metric");

		check_values(sample, 3);
		if (!strcmp(metric, "p99") || !strcmp(metric, "max"))
			continue;
		assert_true(!strcmp(metric, "time") || !strcmp(metric, "rate"));
		assert_int_equal(json_integer_value(json_object_get(sample, "invocation")),
				 samples++ % 2);
	}
	position = 0;
	/* Real-time priority may be refused here; everything else must be there. */
	while ((sample = agent_next(records, &position, "unavailable"))) {
		assert_string_equal(text_of(sample, "params"), "interval=1ms,prio=80");
		samples += 2;
	}
	assert_true(listed() >= 60);
	assert_int_equal(samples, 2 * listed());
	json_decref(records);
}

static void test_environment(void **state)
{
	static const char *const keys[] = {"agent.version", "kernel.release", "cpu.count",
					   "machine.memory_kb"};
	json_t *records = run("kregress-plan 1\nbench syscall.null\nend\n", 0, "ok");

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t position = 0, found = 0;
		json_t *record;

		while ((record = agent_next(records, &position, "env")))
			if (!strcmp(text_of(record, "key"), keys[i]))
				found += *text_of(record, "value") != '\0';
		assert_int_equal(found, 1);
	}
	json_decref(records);
}

static void test_copies_on_two_cpus(void **state)
{
	json_t *records = run("kregress-plan 1\nsample-time-ns 1000\nrepetitions 3\ncpus 2\n"
			      "bench syscall.null\nbench file.lock\nbench ipc.pipe\n"
			      "bench sched.messaging[groups=1,fan=5]\nend\n",
			      0, "ok");
	size_t position = 0, samples = 0, spread = 0;
	json_t *record;

	(void)state;
	while ((record = agent_next(records, &position, "sample"))) {
		bool copies = strstr(text_of(record, "params"), "cpus=2") != NULL;

		check_values(record, copies ? 6 : 3);
		spread += !copies;
		samples++;
	}
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1) {
		assert_int_equal(samples, 4);
		assert_int_equal(spread, 1);
	} else {
		position = 0;
		record = agent_next(records, &position, "unavailable");
		assert_non_null(record);
		assert_non_null(strstr(text_of(record, "reason"), "1 CPUs only"));
	}
	json_decref(records);
}

static void test_load_is_named_and_ends(void **state)
{
	static const char *const loads[] = {"messaging", "net", "timer"};

	(void)state;
	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
		char plan[256], params[64];
		size_t position = 0;
		json_t *records, *sample;

		snprintf(plan, sizeof(plan),
			 "kregress-plan 1\nsample-time-ns 1000\nload %s\nload-cpus same\n"
			 "bench syscall.null\nend\n",
			 loads[i]);
		snprintf(params, sizeof(params), "load=%s,load-cpus=same", loads[i]);
		records = run(plan, 0, "ok");
		sample = agent_next(records, &position, "sample");
		assert_non_null(sample);
		assert_string_equal(text_of(sample, "params"), params);
		json_decref(records);
	}
}

/* Long and odd output comes in parts that put together are what was printed. */
static void test_tool_output(void **state)
{
	json_t *records = run("kregress-plan 1\ntool tool.seq stdout seq 1 6000\n"
			      "tool tool.none stdout no-such-program\ntool tool.bad time false\n"
			      "tool tool.true time true\nbench tool.*\nend\n",
			      1, "ok");
	char expected[40000], text[40000] = "";
	size_t position = 0, used = 0, parts = 0;
	json_t *record;

	(void)state;
	for (int i = 1; i <= 6000; i++)
		used += (size_t)snprintf(expected + used, sizeof(expected) - used, "%d\n", i);
	for (used = 0; (record = agent_next(records, &position, "output")); parts++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s",
					 text_of(record, "text"));
	assert_true(parts > 2);
	assert_string_equal(text, expected);
	position = 0;
	assert_string_equal(text_of(agent_next(records, &position, "unavailable"), "benchmark"),
			    "tool.none");
	record = agent_next(records, &position, "failed");
	assert_non_null(strstr(text_of(record, "reason"), "exit code 1"));
	record = agent_next(records, &position, "sample");
	assert_string_equal(text_of(record, "unit"), "s");
	json_decref(records);
}

#if defined(__x86_64__)
static void test_clock_insn(void **state)
{
	json_t *records = run("kregress-plan 1\nclock insn\nsample-time-ns 1000\nrepetitions 2\n"
			      "bench syscall.null\nbench sched.messaging[groups=1,fan=5]\nend\n",
			      0, "ok");
	size_t position = 0, samples = 0;
	json_t *sample;

	(void)state;
	for (; (sample = agent_next(records, &position, "sample")); samples++) {
		assert_string_equal(text_of(sample, "metric"), "insn");
		assert_string_equal(text_of(sample, "unit"), "insn/op");
		check_values(sample, 2);
	}
	assert_int_equal(samples, 2);
	json_decref(records);
}
#endif

static void test_unknown_pattern_fails_and_the_rest_runs(void **state)
{
	json_t *records = run("kregress-plan 1\nsample-time-ns 1000\nrepetitions 1\n"
			      "bench mm.frok\nbench syscall.null\nend\n",
			      1, "ok");
	size_t position = 0;
	json_t *failed = agent_next(records, &position, "failed");

	(void)state;
	assert_non_null(failed);
	assert_string_equal(text_of(failed, "benchmark"), "mm.frok");
	assert_non_null(strstr(text_of(failed, "reason"),
			       "file, ipc, lock, mem, mm, net, sched, signal, "
			       "syscall, timer"));
	assert_non_null(agent_next(records, &position, "sample"));
	json_decref(records);
}

static void check_error(const char *plan, int code, const char *message)
{
	json_t *records = run(plan, code, "failed");
	size_t position = 0;
	json_t *error = agent_next(records, &position, "error");

	assert_non_null(error);
	assert_non_null(strstr(text_of(error, "message"), message));
	assert_int_equal(position, json_array_size(records) - 1);
	position = 0;
	assert_null(agent_next(records, &position, "begin"));
	json_decref(records);
}

static void test_plans_that_cannot_be_run(void **state)
{
	(void)state;
	check_error("kregress-plan 1\nbench *\n", 2, "standard input:2: the plan is truncated");
	check_error("", 2, "the plan is empty");
	check_error("kregress-plan 1\nmodule /nonexistent/k.ko\nbench lock.*\nend\n", 3,
		    "module /nonexistent/k.ko cannot be read");
}

static void test_module_is_left_alone_for_userland(void **state)
{
	json_t *records = run("kregress-plan 1\nmodule /nonexistent/k.ko\nsample-time-ns 1000\n"
			      "repetitions 1\nbench syscall.*\nend\n",
			      0, "ok");

	(void)state;
	json_decref(records);
}

static void test_timeout_fails_and_the_rest_runs(void **state)
{
	/* A second of samples does not fit into a second. */
	json_t *records = run("kregress-plan 1\nsample-time-ns 1000000000\nrepetitions 2\n"
			      "timeout-s 1\nbench syscall.null\nbench ipc.pipe\nend\n",
			      1, "ok");
	size_t position = 0;

	(void)state;
	for (int i = 0; i < 2; i++) {
		json_t *failed = agent_next(records, &position, "failed");

		assert_non_null(failed);
		assert_string_equal(text_of(failed, "reason"),
				    "took longer than 1 s and was killed");
	}
	json_decref(records);
}

/* The process that runs the benchmark: the agent's only child. */
static pid_t child_of(pid_t pid)
{
	char path[64];
	int child = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	file = fopen(path, "r");
	assert_non_null(file);
	if (fscanf(file, "%d", &child) != 1)
		child = -1;
	fclose(file);
	return child;
}

#define LONG_PLAN                                                                                  \
	"kregress-plan 1\nsample-time-ns 1000000000\nrepetitions 20\nbench ipc.unix\nend\n"

static pid_t start_long_plan(struct agent_process *agent)
{
	pid_t child = -1;

	agent_start(agent, program, no_arguments, LONG_PLAN, -1);
	assert_true(agent_await(agent, "\"begin\""));
	for (int i = 0; i < 1000 && child < 0; i++) {
		child = child_of(agent->pid);
		usleep(10000);
	}
	assert_true(child > 0);
	return child;
}

static void test_killed_benchmark(void **state)
{
	struct agent_process agent;
	size_t position = 0;
	json_t *records, *failed;

	(void)state;
	assert_int_equal(kill(start_long_plan(&agent), SIGKILL), 0);
	assert_int_equal(agent_wait(&agent), 1);
	assert_true(agent_left_nothing());
	records = agent_records(&agent, "ok");
	assert_non_null(records);
	failed = agent_next(records, &position, "failed");
	assert_non_null(failed);
	assert_string_equal(text_of(failed, "reason"), "killed by signal 9 (Killed)");
	json_decref(records);
	close(agent.output_fd);
}

/* Beside each sample, what came from outside during it. */
static void test_context_of_each_repetition(void **state)
{
	json_t *records = run("kregress-plan 1\nsample-time-ns 1000000\nrepetitions 7\n"
			      "bench syscall.null\nend\n",
			      0, "ok");
	size_t position = 0, index;
	json_t *context = agent_next(records, &position, "context");
	json_t *samples = json_object_get(context, "samples"), *sample;
	json_int_t sum_ns = 0;

	(void)state;
	assert_int_equal(json_array_size(samples), 7);
	json_array_foreach (samples, index, sample) {
		json_int_t duration_ns = json_integer_value(json_array_get(sample, 0));

		assert_int_equal(json_array_size(sample), 4);
		/* A repetition lasts about the sample time, and surely half of it. */
		assert_true(duration_ns > 500000);
		sum_ns += duration_ns;
	}
	assert_true(sum_ns < json_integer_value(json_object_get(context, "duration_ns")));
	json_decref(records);
}

static void test_signals_end_it_cleanly(void **state)
{
	static const int signals[] = {SIGINT, SIGTERM};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct agent_process agent;
		size_t position = 0;
		json_t *records;

		start_long_plan(&agent);
		assert_int_equal(kill(agent.pid, signals[i]), 0);
		assert_int_equal(agent_wait(&agent), 3);
		assert_true(agent_left_nothing());
		records = agent_records(&agent, "failed");
		assert_non_null(records);
		assert_non_null(agent_next(records, &position, "error"));
		json_decref(records);
		close(agent.output_fd);
	}
}

static void test_reader_that_goes_away(void **state)
{
	struct agent_process agent;
	int fds[2];

	(void)state;
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	agent_start(&agent, program, no_arguments, LONG_PLAN, fds[1]);
	close(fds[0]);
	close(fds[1]);
	assert_int_equal(agent_wait(&agent), 3);
	assert_true(agent_left_nothing());
}

static void put(const char *root, const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/kregress/%s", root, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	fclose(file);
}

static void check_series(json_t *records, size_t *position, const char *benchmark,
			 const char *params, const char *metric, double value)
{
	json_t *sample = agent_next(records, position, "sample");

	assert_non_null(sample);
	assert_string_equal(text_of(sample, "benchmark"), benchmark);
	assert_string_equal(text_of(sample, "params"), params);
	assert_string_equal(text_of(sample, "metric"), metric);
	assert_true(json_number_value(json_array_get(json_object_get(sample, "values"), 0)) ==
		    value);
}

static json_t *run_with_module_files(const char *root, const char *plan)
{
	const char *arguments[] = {"--debugfs", root, NULL};
	struct agent_process agent;
	json_t *records;

	agent_start(&agent, program, arguments, plan, -1);
	assert_int_equal(agent_wait(&agent), 0);
	records = agent_records(&agent, "ok");
	assert_non_null(records);
	close(agent.output_fd);
	return records;
}

/* Plain files in the place of the module's. */
static void make_module_files(char *root)
{
	char path[128];

	assert_non_null(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/kregress", root);
	assert_int_equal(mkdir(path, 0700), 0);
	put(root, "list", "mm.kmalloc[size=64]\tpreemptible\tx\nmm.poke\tunavailable\tnot here\n");
	put(root, "run", "");
	put(root, "results",
	    "kregress-results\t1\nbench\tmm.kmalloc[size=64]\nloops\t8\n"
	    "baseline\t0\t0\t8\t16\t32\nsample\t0\t0\t80\t160\t320\nend\t2\n");
}

static void remove_module_files(const char *root)
{
	static const char *const names[] = {"/kregress/list", "/kregress/run", "/kregress/results"};
	char path[128];

	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s%s", root, names[i]);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/kregress", root);
	rmdir(path);
	rmdir(root);
}

static void test_module_rows_become_samples(void **state)
{
	char root[] = "/tmp/kregress-test-XXXXXX";
	size_t position = 0;
	json_t *records, *unavailable;

	(void)state;
	make_module_files(root);
	records = run_with_module_files(
		root, "kregress-plan 1\nrepetitions 1\ninvocations 2\nbench mm.kmalloc*\n"
		      "bench mm.poke\nend\n");
	check_series(records, &position, "mm.kmalloc", "size=64", "time", 10);
	check_series(records, &position, "mm.kmalloc", "size=64", "cycles", 20);
	check_series(records, &position, "mm.kmalloc", "size=64", "insn", 40);
	check_series(records, &position, "loop.empty", "for=mm.kmalloc[size=64]", "time", 1);
	check_series(records, &position, "loop.empty", "for=mm.kmalloc[size=64]", "cycles", 2);
	check_series(records, &position, "loop.empty", "for=mm.kmalloc[size=64]", "insn", 4);
	check_series(records, &position, "mm.kmalloc", "size=64", "time", 10);
	check_series(records, &position, "mm.kmalloc", "size=64", "cycles", 20);
	check_series(records, &position, "mm.kmalloc", "size=64", "insn", 40);
	assert_null(agent_next(records, &position, "sample"));
	position = 0;
	unavailable = agent_next(records, &position, "unavailable");
	assert_non_null(unavailable);
	assert_string_equal(text_of(unavailable, "reason"), "not here");
	json_decref(records);
	remove_module_files(root);
}

int main(int count, char **arguments)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_userland_benchmarks),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_copies_on_two_cpus),
		cmocka_unit_test(test_load_is_named_and_ends),
		cmocka_unit_test(test_tool_output),
#if defined(__x86_64__)
		cmocka_unit_test(test_clock_insn),
#endif
		cmocka_unit_test(test_unknown_pattern_fails_and_the_rest_runs),
		cmocka_unit_test(test_plans_that_cannot_be_run),
		cmocka_unit_test(test_module_is_left_alone_for_userland),
		cmocka_unit_test(test_timeout_fails_and_the_rest_runs),
		cmocka_unit_test(test_killed_benchmark),
		cmocka_unit_test(test_context_of_each_repetition),
		cmocka_unit_test(test_signals_end_it_cleanly),
		cmocka_unit_test(test_reader_that_goes_away),
		cmocka_unit_test(test_module_rows_become_samples),
	};

	if (count != 2) {
		fprintf(stderr, "usage: %s AGENT\n", arguments[0]);
		return 2;
	}
	program = arguments[1];
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
