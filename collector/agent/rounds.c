/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/rounds.h"

#include "collector/agent/plan_state.h"

/* A round in which all states take their turn. */
static void run_round(struct run *run, const size_t *order, uint64_t round, attempt_start *start,
		      const void *benchmark, const char *params, enum attempt *came)
{
	for (size_t i = 0; i < run->plan->state_count && run_may_go_on(run); i++) {
		size_t state = order[i];

		if (came[state] != ATTEMPT_DONE)
			continue;
		if (states_enter(run->states, state, &run->lost) == 0)
			came[state] = start(run, benchmark, params, round);
	}
}

static bool run_in_states(struct run *run, uint64_t rounds, attempt_start *start,
			  const void *benchmark, const char *params)
{
	enum attempt came[PLAN_STATES_MAX] = {ATTEMPT_DONE};
	size_t order[PLAN_STATES_MAX] = {0};
	bool ok = true;

	for (uint64_t round = 0; round < rounds && run_may_go_on(run); round++) {
		states_order(run->states, round, order);
		run_round(run, order, round, start, benchmark, params, came);
	}
	for (size_t i = 0; i < run->plan->state_count; i++)
		ok &= came[i] != ATTEMPT_FAILED;
	return ok;
}

bool rounds_run(struct run *run, uint64_t rounds, attempt_start *start, const void *benchmark,
		const char *params)
{
	if (run->plan->state_count)
		return run_in_states(run, rounds, start, benchmark, params);
	for (uint64_t round = 0; round < rounds && run_may_go_on(run); round++) {
		enum attempt came = start(run, benchmark, params, round);

		if (came != ATTEMPT_DONE)
			return came == ATTEMPT_UNAVAILABLE;
	}
	return true;
}
