/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "collector/agent/calibrate.h"

/* A machine whose operation takes a known time. */
struct machine {
	uint64_t fixed, per_loop;
	unsigned calls;
	unsigned disturbed_call; /* that one takes much longer; 0 for none */
	unsigned failing_call;	 /* 0 for none */
};

static int measure(void *context, uint64_t loops, uint64_t *elapsed)
{
	struct machine *machine = context;

	machine->calls++;
	if (machine->calls == machine->failing_call)
		return -1;
	*elapsed = machine->fixed + machine->per_loop * loops;
	if (machine->calls == machine->disturbed_call)
		*elapsed += 1000000;
	return 0;
}

static void test_smallest_power_of_two(void **state)
{
	static const struct {
		uint64_t per_loop, first, target, loops;
	} cases[] = {
		{1, 1, 1, 1},	    {1, 1, 1000, 1024},	     {1, 1, 1024, 1024},
		{1, 1, 1025, 2048}, {338, 1, 1000000, 4096}, {3000000, 1, 1000000, 1},
		{10, 16, 100, 16},  {10, 16, 161, 32},	     {10, 3, 100, 12},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct machine machine = {.per_loop = cases[i].per_loop};
		uint64_t loops = 0;

		assert_int_equal(
			calibrate(measure, &machine, cases[i].first, cases[i].target, &loops), 0);
		assert_int_equal(loops, cases[i].loops);
	}
}

static void test_one_disturbance_changes_nothing(void **state)
{
	(void)state;
	for (unsigned call = 1; call <= 12; call++) {
		struct machine machine = {.per_loop = 1, .disturbed_call = call};
		uint64_t loops = 0;

		assert_int_equal(calibrate(measure, &machine, 1, 1000, &loops), 0);
		assert_int_equal(loops, 1024);
	}
}

static void test_failure_ends_it(void **state)
{
	struct machine machine = {.per_loop = 1, .failing_call = 5};
	uint64_t loops = 7;

	(void)state;
	assert_int_equal(calibrate(measure, &machine, 1, 1000, &loops), -1);
	assert_int_equal(machine.calls, 5);
	assert_int_equal(loops, 7);
}

static void test_time_that_does_not_grow(void **state)
{
	struct machine machine = {.fixed = 10};
	uint64_t loops;

	(void)state;
	assert_int_equal(calibrate(measure, &machine, 1, 1000, &loops), 1);
	assert_int_equal(machine.calls, 41);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_smallest_power_of_two),
		cmocka_unit_test(test_one_disturbance_changes_nothing),
		cmocka_unit_test(test_failure_ends_it),
		cmocka_unit_test(test_time_that_does_not_grow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
