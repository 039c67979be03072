/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The agent's memory stays where it is over a million samples. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/agent/agent_process.h"

#define INVOCATIONS 500
#define REPETITIONS 2000

/* What the first invocations may add: buffers that are made once. */
#define ALLOWED_KB 256

static const char *program;

/* Kilobytes that are resident, or -1 when the process is gone. */
static long resident_kb(pid_t pid)
{
	char path[64], line[256];
	long kb = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmRSS: %ld", &kb) == 1)
			break;
	if (file)
		fclose(file);
	return kb;
}

/* Waits until the output has that many bytes; false when it stops growing for a minute. */
static bool await_bytes(const struct agent_process *agent, off_t bytes)
{
	struct stat info;

	for (int idle = 0; idle < 6000; idle++) {
		off_t before;

		if (fstat(agent->output_fd, &info) < 0 || info.st_size >= bytes)
			return info.st_size >= bytes;
		before = info.st_size;
		usleep(10000);
		if (fstat(agent->output_fd, &info) == 0 && info.st_size > before)
			idle = 0;
	}
	return false;
}

/* The largest size until the process ends, and how often it was looked at. */
static long watch_to_end(pid_t pid, size_t *looks)
{
	long largest_kb = -1;

	for (int i = 0; i < 12000; i++) {
		long kb = resident_kb(pid);

		if (kb < 0)
			break;
		(*looks)++;
		if (kb > largest_kb)
			largest_kb = kb;
		usleep(5000);
	}
	return largest_kb;
}

static void test_a_million_samples(void **state)
{
	static const char *const no_arguments[] = {NULL};
	struct agent_process agent;
	char plan[256];
	size_t position = 0, samples = 0, looks = 0;
	long early_kb, late_kb;
	json_t *records, *sample;

	(void)state;
	snprintf(plan, sizeof(plan),
		 "kregress-plan 1\nsample-time-ns 1\nrepetitions %d\ninvocations %d\n"
		 "bench syscall.null\nend\n",
		 REPETITIONS, INVOCATIONS);
	agent_start(&agent, program, no_arguments, plan, -1);
	/* A value takes at least two bytes, so these are sure to come. */
	assert_true(await_bytes(&agent, 200000));
	early_kb = resident_kb(agent.pid);
	late_kb = watch_to_end(agent.pid, &looks);
	assert_true(early_kb > 0 && late_kb > 0);
	print_message("resident: %ld kB after the first 200 kB of records, at most %ld kB after "
		      "that (%zu looks)\n",
		      early_kb, late_kb, looks);
	assert_true(looks > 10);
	assert_true(late_kb <= early_kb + ALLOWED_KB);
	assert_int_equal(agent_wait(&agent), 0);
	records = agent_records(&agent, "ok");
	assert_non_null(records);
	while ((sample = agent_next(records, &position, "sample")))
		samples += json_array_size(json_object_get(sample, "values"));
	assert_int_equal(samples, INVOCATIONS * REPETITIONS);
	json_decref(records);
	close(agent.output_fd);
}

int main(int count, char **arguments)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_million_samples),
	};

	if (count != 2) {
		fprintf(stderr, "usage: %s AGENT\n", arguments[0]);
		return 2;
	}
	program = arguments[1];
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
