/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collector/diagnose.h"
#include "common/array.h"
#include "tests/unit/collector/collector_fixture.h"

/* Wait statuses as waitpid(2) gives them on Linux: the exit code in the second byte, or a signal.
 */
enum { EXITED_0 = 0, EXITED_3 = 3 << 8, KILLED_9 = 9, WE_KILLED = -1 };

#define PANIC                                                                                      \
	"[    1.2] Run /init\n[    1.3] Kernel panic - not syncing: Attempted to kill init!\n"     \
	"[    1.4] ---[ end ]---"
#define BAD_ACCESS    "[    2.0] BUG: unable to handle page fault for address: 00000042\nCPU: 0"
#define SOFT_LOCKUP   "[   30.0] watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [init:1]"
#define RCU_STALL     "[   60.0] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:"
#define OUT_OF_MEMORY "[    3.0] Out of memory: Killed process 1 (init)"

struct diagnosis {
	const char *console;
	const char *errors;
	const char *agent_error;
	const char *damage;
	double silent_s;
	int wait_status;
	const char *parts[4]; /* of the reason; the first one begins it */
};

static void assert_diagnosis(const struct diagnosis *given, const char *current, uint64_t count)
{
	const struct record_reader reader = {
		.count = count,
		.current = (char *)current,
		.agent_error = (char *)given->agent_error,
		.damage = (char *)given->damage,
	};
	const struct boot_evidence evidence = {
		.process = "QEMU",
		.reader = &reader,
		.console = given->console,
		.errors = given->errors,
		.silent_s = given->silent_s,
		.wait_status = given->wait_status,
	};
	_cleanup_free_ char *reason = boot_diagnose(&evidence);

	for (size_t i = 0; i < ARRAY_SIZE(given->parts) && given->parts[i]; i++)
		assert_contains(reason, given->parts[i]);
	if (strncmp(reason, given->parts[0], strlen(given->parts[0])) != 0)
		fail_msg("'%s' does not begin with '%s'", reason, given->parts[0]);
	if (!given->agent_error && !given->damage)
		assert_null(strchr(reason, '\n'));
}

static const struct diagnosis evidences[] = {
	{"", "", "module refused", NULL, 0, EXITED_3, {"the agent gave up: module refused"}},
	{PANIC,
	 "",
	 NULL,
	 NULL,
	 0,
	 EXITED_0,
	 {"the kernel panicked during mm.fork (after 17 records): Kernel panic - not "
	  "syncing: Attempted to kill init!; ",
	  "broken, not slow"}},
	{BAD_ACCESS,
	 "",
	 NULL,
	 NULL,
	 0,
	 EXITED_0,
	 {"the kernel hit a bad memory access during mm.fork",
	  "BUG: unable to handle page fault for address: 00000042;"}},
	{SOFT_LOCKUP,
	 "",
	 NULL,
	 NULL,
	 0,
	 WE_KILLED,
	 {"a CPU hung (soft lockup)", "CPU#0 stuck for 26s!"}},
	{RCU_STALL, "", NULL, NULL, 0, WE_KILLED, {"a CPU hung (RCU stall)"}},
	{OUT_OF_MEMORY, "", NULL, NULL, 0, WE_KILLED, {"the guest ran out of memory", "memory-mb"}},
	{"all quiet",
	 "",
	 NULL,
	 "record 5: its sequence number is 7",
	 0,
	 WE_KILLED,
	 {"the record stream is damaged: record 5: its sequence number is 7",
	  "what came before is kept"}},
	{"all quiet",
	 "",
	 NULL,
	 NULL,
	 180,
	 WE_KILLED,
	 {"no record for 180 s during mm.fork (after 17 records): the benchmark or the "
	  "kernel hangs",
	  "target timeout"}},
	{"",
	 "",
	 NULL,
	 NULL,
	 0,
	 EXITED_0,
	 {"QEMU ended during mm.fork (after 17 records);", "are kept, run again"}},
	{"",
	 "could not load kernel",
	 NULL,
	 NULL,
	 0,
	 EXITED_3,
	 {"QEMU exited with status 3 during mm.fork", ": could not load kernel;"}},
	{"", "", NULL, NULL, 0, KILLED_9, {"QEMU was killed by signal 9 (Killed) during mm.fork"}},
	{"", "", NULL, NULL, 0, WE_KILLED, {"QEMU closed its record channel during mm.fork"}},
};

static void each_piece_of_evidence_has_its_reason(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(evidences); i++)
		assert_diagnosis(&evidences[i], "mm.fork", 17);
}

static void the_nearest_cause_wins(void **state)
{
	static const struct diagnosis cases[] = {
		/* The agent says why itself. */
		{PANIC,
		 "noise",
		 "no debugfs",
		 "record 1: broken",
		 5,
		 KILLED_9,
		 {"the agent gave up: no debugfs"}},
		/* A panic breaks the stream, or silences it. */
		{PANIC, "noise", NULL, "record 1: broken", 0, WE_KILLED, {"the kernel panicked"}},
		{PANIC, "noise", NULL, NULL, 180, WE_KILLED, {"the kernel panicked"}},
		{RCU_STALL, "noise", NULL, NULL, 180, WE_KILLED, {"a CPU hung (RCU stall)"}},
		/* The gravest sign wins, wherever it stands. */
		{RCU_STALL "\n" SOFT_LOCKUP "\n" BAD_ACCESS "\n" PANIC,
		 "",
		 NULL,
		 NULL,
		 0,
		 EXITED_0,
		 {"the kernel panicked"}},
		{OUT_OF_MEMORY "\n" BAD_ACCESS,
		 "",
		 NULL,
		 NULL,
		 0,
		 EXITED_0,
		 {"the kernel hit a bad memory access"}},
		/* Damage makes us kill the process. */
		{"",
		 "noise",
		 NULL,
		 "record 1: broken",
		 5,
		 WE_KILLED,
		 {"the record stream is damaged: record 1: broken"}},
		{"", "noise", NULL, NULL, 5, WE_KILLED, {"no record for 5 s"}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_diagnosis(&cases[i], "mm.fork", 17);
}

static void progress_is_said(void **state)
{
	static const struct diagnosis silent = {
		"",
		"",
		NULL,
		NULL,
		30,
		WE_KILLED,
		{"no record for 30 s before the agent's first record: the kernel hangs or does "
		 "not reach its first process"}};
	static const struct diagnosis early = {
		"",
		"",
		NULL,
		NULL,
		0,
		EXITED_0,
		{"QEMU ended before the first benchmark (after 3 records)"}};
	static const struct diagnosis nothing = {
		"",
		"",
		NULL,
		NULL,
		0,
		EXITED_3,
		{"QEMU exited with status 3 before the agent's first record; check that the "
		 "kernel and the agent can run there at all"}};

	(void)state;
	assert_diagnosis(&silent, NULL, 0);
	assert_diagnosis(&early, NULL, 3);
	assert_diagnosis(&nothing, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_piece_of_evidence_has_its_reason),
		cmocka_unit_test(the_nearest_cause_wins),
		cmocka_unit_test(progress_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
