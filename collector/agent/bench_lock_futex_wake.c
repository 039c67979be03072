/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two processes on one CPU that wake each other by futex. */
#include "collector/agent/futex.h"
#include "collector/agent/user_bench.h"
#include "collector/agent/worker.h"

/* Whose turn it is: the word that both processes wait on. */
enum turn {
	TURN_MEASURER,
	TURN_PARTNER,
};

struct table {
	uint32_t turn;
	uint64_t partner_turns;
};

static void pass_turn(struct table *table, uint32_t to)
{
	__atomic_store_n(&table->turn, to, __ATOMIC_SEQ_CST);
	futex_wake(&table->turn, 1);
}

static void await_turn(struct table *table, uint32_t mine)
{
	uint32_t turn;

	while ((turn = __atomic_load_n(&table->turn, __ATOMIC_SEQ_CST)) != mine)
		futex_wait(&table->turn, turn);
}

static void answer(void *context)
{
	struct table *table = context;

	for (;;) {
		await_turn(table, TURN_PARTNER);
		table->partner_turns++;
		pass_turn(table, TURN_MEASURER);
	}
}

int bench_lock_futex_wake_setup(struct bench_run *run)
{
	struct table *table = futex_shared_memory(sizeof(*table));

	if (!table)
		return bench_fail(run, "mmap");
	run->data = table;
	if (worker_pin_to_one_cpu() < 0)
		return bench_fail(run, "sched_setaffinity");
	return worker_start(answer, table) < 0 ? bench_fail(run, "fork") : 0;
}

int bench_lock_futex_wake_run(struct bench_run *run, uint64_t loops)
{
	struct table *table = run->data;

	table->partner_turns = 0;
	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		pass_turn(table, TURN_PARTNER);
		await_turn(table, TURN_MEASURER);
	}
	stopwatch_stop(&run->watch);
	return table->partner_turns == loops ? 0 : bench_wrong(run, "turns were lost");
}
