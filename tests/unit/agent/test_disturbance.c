/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steal time and interrupts out of /proc/stat, and what a real process lives through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector/agent/disturbance.h"

#define CPU0 "cpu0 1 2 3 4 5 6 7 8 9 10\n"

static void test_parse(void **state)
{
	uint64_t steal = 0, interrupts = 0;

	(void)state;
	assert_true(disturbance_parse("cpu  1 2 3 4 5 6 7 88 9 10\n" CPU0
				      "intr 12345 1 0 0\nctxt 9\n",
				      &steal, &interrupts));
	assert_int_equal(steal, 88);
	assert_int_equal(interrupts, 12345);
	assert_true(disturbance_parse("cpu  1 2 3 4\nintr 7 1\n", &steal, &interrupts));
	assert_int_equal(steal, 0);
	assert_false(disturbance_parse("cpu  1 2 3 4 5 6 7 88 9 10\n" CPU0, &steal, &interrupts));
	assert_false(disturbance_parse("cpu  1 2\nintr 7 1\n", &steal, &interrupts));
	assert_false(disturbance_parse("", &steal, &interrupts));
}

static void test_counts_grow(void **state)
{
	struct plan plan = {0};
	const struct run run = {.plan = &plan};
	const struct timespec pause = {0, 20000000};
	struct disturbance first = disturbance_now(&run), second;

	(void)state;
	nanosleep(&pause, NULL);
	second = disturbance_now(&run);
	assert_true(first.known && second.known);
	assert_true(second.at_ns >= first.at_ns + 20000000);
	assert_true(second.interrupts > first.interrupts);
	assert_true(second.steal_ticks >= first.steal_ticks);
	assert_true(second.involuntary >= first.involuntary);
}

/* Where instructions are counted, nothing is read and nothing is written. */
static void test_silent_under_insn(void **state)
{
	static struct record_writer writer;
	struct plan plan = {.clock_insn = true};
	const struct run run = {.writer = &writer, .plan = &plan};
	struct disturbance start = disturbance_now(&run);

	(void)state;
	record_writer_init(&writer, STDOUT_FILENO, false);
	assert_false(start.known);
	disturbance_record(&run, &start, "x.y", "", 0, NULL, 0);
	assert_int_equal(writer.seq, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_counts_grow),
		cmocka_unit_test(test_silent_under_insn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
