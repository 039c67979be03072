/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings that are files, states made of them, and their being put back however the agent ends. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/agent/plan_state.h"
#include "collector/agent/states.h"
#include "tests/unit/agent/agent_process.h"

#define ROUNDS 40

static const char *program;
static char folder[] = "/tmp/kregress-states-XXXXXX";

static void path_of(char path[128], const char *name)
{
	snprintf(path, 128, "%s/%s", folder, name);
}

static void write_file(const char *name, const char *text)
{
	char path[128];
	FILE *file;

	path_of(path, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static bool file_holds(const char *name, const char *text)
{
	char path[128], found[64] = "";
	size_t length;
	FILE *file;

	path_of(path, name);
	file = fopen(path, "r");
	assert_non_null(file);
	length = fread(found, 1, sizeof(found) - 1, file);
	fclose(file);
	found[length] = '\0';
	return !strcmp(found, text);
}

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
	static const char *const names[] = {"a", "b", "debug/sched/preempt", "debug/sched",
					    "debug"};
	char path[128];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		path_of(path, names[i]);
		if (unlink(path) < 0)
			rmdir(path);
	}
	return rmdir(folder);
}

static void assert_value(const char *text, const char *expected)
{
	char value[SETTING_VALUE_MAX];

	setting_value_of(text, value);
	assert_string_equal(value, expected);
}

static void test_values(void **state)
{
	(void)state;
	assert_value("none (voluntary) full\n", "voluntary");
	assert_value("always [madvise] never\n", "madvise");
	assert_value("60\n", "60");
	assert_value("4096\t131072  6291456\n", "4096 131072 6291456");
	/* One word in parentheses is a value, not a choice; so are two. */
	assert_value("(none)\n", "(none)");
	assert_value("(a) (b)", "(a) (b)");
	assert_value("() x", "() x");
	assert_value(" \n", "");
}

static void assert_refused(int result, const struct fault *fault, const char *part)
{
	assert_int_equal(result, -1);
	if (!strstr(fault->text, part))
		fail_msg("'%s' lacks '%s'", fault->text, part);
}

static void test_settings_that_are_not_there(void **state)
{
	struct setting setting;
	struct fault fault;
	char path[128];

	(void)state;
	assert_refused(setting_open(&setting, "preempted", folder, &fault), &fault, "none of");
	assert_refused(setting_open(&setting, "sysctl:../x", folder, &fault), &fault, "none of");
	assert_refused(setting_open(&setting, "sysctl:kernel.no.such", folder, &fault), &fault,
		       "/proc/sys/kernel/no/such");
	assert_refused(setting_open(&setting, "preempt", folder, &fault), &fault,
		       "mount -t debugfs none");
	path_of(path, "debug");
	assert_int_equal(mkdir(path, 0700), 0);
	path_of(path, "debug/sched");
	assert_int_equal(mkdir(path, 0700), 0);
	path_of(path, "debug");
	assert_refused(setting_open(&setting, "preempt", path, &fault), &fault,
		       "CONFIG_PREEMPT_DYNAMIC");
	write_file("debug/sched/preempt", "none (voluntary) full\n");
	assert_int_equal(setting_open(&setting, "preempt", path, &fault), 0);
	assert_string_equal(setting.found, "voluntary");
	assert_int_equal(setting_check(&setting, "full", &fault), 0);
	assert_refused(setting_check(&setting, "lazy", &fault), &fault,
		       "'lazy' is none of: none voluntary full");
	assert_refused(setting_check(&setting, "(voluntary)", &fault), &fault, "is none of");
}

static void test_a_value_that_does_not_stick(void **state)
{
	struct setting setting;
	struct fault fault;

	(void)state;
	/* The kernel takes the number, and reads it back without the zero. */
	assert_int_equal(setting_open(&setting, "sysctl:net.ipv4.ip_default_ttl", folder, &fault),
			 0);
	if (setting_check(&setting, setting.found, &fault) < 0)
		return;
	assert_refused(setting_put(&setting, "065", &fault), &fault, "after '065' was written");
	assert_int_equal(setting_put(&setting, setting.found, &fault), 0);
	assert_refused(setting_put(&setting, "many", &fault), &fault, "'many' was refused");
}

static void parse(struct plan *plan, const char *text)
{
	struct fault fault;

	if (plan_parse(plan, "p", text, strlen(text), &fault) < 0)
		fail_msg("%s", fault.text);
}

static void test_order_is_balanced(void **state)
{
	size_t order[3], first[3] = {0}, before[3], plan_orders = 0;
	struct states states;
	struct fault fault;
	struct plan plan;

	(void)state;
	parse(&plan, "kregress-plan 1\nstate-seed 9\nstate x\nstate y\nstate z\nbench a\nend\n");
	assert_int_equal(states_open(&states, &plan, NULL, folder, &fault), 0);
	for (uint64_t round = 0; round < ROUNDS; round++) {
		memcpy(before, order, sizeof(before));
		states_order(&states, round, order);
		assert_int_equal(order[0] + order[1] + order[2], 3);
		assert_int_equal(order[0] * order[1] + order[1] * order[2] + order[0] * order[2],
				 2);
		for (size_t i = 0; round % 2 && i < 3; i++)
			assert_int_equal(order[i], before[2 - i]);
		if (round % 2 == 0)
			first[order[0]]++;
	}
	for (size_t i = 0; i < 3; i++)
		plan_orders += first[i] > 0;
	assert_int_equal(plan_orders, 3);
	assert_int_equal(states_close(&states, &fault), 0);
	plan_release(&plan);
}

/* A plan over two files; `reps` repetitions of `time_ns`. Owned by the caller. */
static char *plan_text(unsigned reps, unsigned time_ns)
{
	char *text = NULL;

	assert_true(
		asprintf(&text,
			 "kregress-plan 1\nsample-time-ns %u\nrepetitions %u\nstate-seed 4\n"
			 "state one\nswitch file:%s/a=10\nswitch file:%s/b=x y\n"
			 "state two\nswitch file:%s/a=20\nstate three\nbench syscall.null\nend\n",
			 time_ns, reps, folder, folder, folder) > 0);
	return text;
}

static void start(struct agent_process *agent, unsigned reps, unsigned time_ns)
{
	static const char *const no_arguments[] = {NULL};
	char *text = plan_text(reps, time_ns);

	write_file("a", "5\n");
	write_file("b", "as it was\n");
	agent_start(agent, program, no_arguments, text, -1);
	free(text);
}

static void assert_put_back(void)
{
	for (int i = 0; i < 1000 && !file_holds("a", "5"); i++)
		usleep(10000);
	assert_true(file_holds("a", "5"));
	/* Written back as it reads, or never written. */
	assert_true(file_holds("b", "as it was") || file_holds("b", "as it was\n"));
}

static void test_every_state_by_turns(void **state)
{
	size_t position = 0, samples[3] = {0}, changes = 0;
	int64_t present = -1, last_invocation[3] = {-1, -1, -1};
	struct agent_process agent;
	json_t *records, *record;

	(void)state;
	start(&agent, 6, 10000);
	assert_int_equal(agent_wait(&agent), 0);
	records = agent_records(&agent, "ok");
	assert_non_null(records);
	json_array_foreach (records, position, record) {
		const char *type = json_string_value(json_object_get(record, "type"));
		json_int_t invocation = json_integer_value(json_object_get(record, "invocation"));

		if (!strcmp(type, "state")) {
			present = json_integer_value(json_object_get(record, "state"));
			changes++;
		}
		if (strcmp(type, "sample") != 0)
			continue;
		assert_in_range(present, 0, 2);
		assert_int_equal(json_array_size(json_object_get(record, "values")), 1);
		assert_int_equal(invocation, last_invocation[present] + 1);
		last_invocation[present] = invocation;
		samples[present]++;
	}
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(samples[i], 6);
	/* Of 18 turns, those on end in one state need no change. */
	assert_in_range(changes, 12, 18);
	assert_put_back();
	json_decref(records);
	close(agent.output_fd);
}

static void test_put_back_after_a_signal(void **state)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGKILL};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct agent_process agent;

		start(&agent, 100, 100000000);
		assert_true(agent_await(&agent, "\"state\":1"));
		assert_int_equal(kill(agent.pid, signals[i]), 0);
		assert_int_equal(agent_wait(&agent), signals[i] == SIGKILL ? 128 + SIGKILL : 3);
		assert_put_back();
		close(agent.output_fd);
	}
}

static void test_put_back_after_an_error(void **state)
{
	struct agent_process agent;
	size_t position = 0;
	json_t *records, *record;
	char path[128];

	(void)state;
	start(&agent, 100, 100000000);
	assert_true(agent_await(&agent, "\"state\":1"));
	path_of(path, "b");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(agent_wait(&agent), 3);
	records = agent_records(&agent, "failed");
	assert_non_null(records);
	record = agent_next(records, &position, "error");
	assert_non_null(record);
	assert_non_null(strstr(json_string_value(json_object_get(record, "message")), path));
	assert_true(file_holds("a", "5"));
	assert_int_equal(rmdir(path), 0);
	json_decref(records);
	close(agent.output_fd);
}

static void refuse(const char *lines, const char *part)
{
	struct fault fault;
	struct plan plan;
	char text[512];

	snprintf(text, sizeof(text), "kregress-plan 1\n%sbench a\nend\n", lines);
	assert_refused(plan_parse(&plan, "p", text, strlen(text), &fault), &fault, part);
}

static void test_plans(void **state)
{
	struct plan plan;

	(void)state;
	parse(&plan, "kregress-plan 1\nrepetitions 5\ninvocations 2\nstate a b\n"
		     "switch sysctl:x.y=1 2\nstate c\nbench a\nend\n");
	assert_int_equal(plan.state_count, 2);
	assert_string_equal(plan.states[0], "a b");
	assert_int_equal(plan.switch_count, 1);
	assert_int_equal(plan.switches[0].state, 0);
	assert_string_equal(plan.switches[0].name, "sysctl:x.y");
	assert_string_equal(plan.switches[0].value, "1 2");
	assert_int_equal(plan.rounds, 10);
	assert_int_equal(plan.repetitions, 1);
	assert_int_equal(plan.invocations, 2);
	plan_release(&plan);
	refuse("switch preempt=full\n", "state line before");
	refuse("state\n", "needs a name");
	refuse("state a\nswitch preempt\n", "NAME=VALUE");
	refuse("state a\nswitch =1\n", "NAME=VALUE");
	refuse("state a\nswitch preempt=full\nswitch preempt=none\n", "sets twice");
}

int main(int count, char **arguments)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_settings_that_are_not_there),
		cmocka_unit_test(test_a_value_that_does_not_stick),
		cmocka_unit_test(test_plans),
		cmocka_unit_test(test_order_is_balanced),
		cmocka_unit_test(test_every_state_by_turns),
		cmocka_unit_test(test_put_back_after_a_signal),
		cmocka_unit_test(test_put_back_after_an_error),
	};

	if (count != 2) {
		fprintf(stderr, "usage: %s AGENT\n", arguments[0]);
		return 2;
	}
	program = arguments[1];
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
