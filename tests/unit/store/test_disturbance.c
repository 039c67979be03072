/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which invocations count as disturbed, how they are kept, and what is left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "store/disturbance.h"

enum { BOOTS = 2, INVOCATIONS = 4, ITERATIONS = 3 };

static void add_context(json_t *array, const char *benchmark, unsigned invocation, double steal_ns,
			unsigned switches, unsigned interrupts)
{
	json_array_append_new(array,
			      json_pack("{ss ss si si sI si si}", "benchmark", benchmark, "params",
					"", "invocation", invocation, "duration_ns", 1000000000,
					"steal_ns", (json_int_t)steal_ns, "involuntary_switches",
					switches, "interrupts", interrupts));
}

/* Calm: a second each, 100 switches and 1000 interrupts. `worst` of boot 0 is as given. */
static void set_up(struct run_set *set, unsigned worst, double steal_ns, unsigned switches,
		   unsigned interrupts)
{
	struct series *series;

	run_set_init(set, "v");
	for (uint32_t boot = 0; boot < BOOTS; boot++) {
		json_t *array = json_array();

		for (unsigned i = 0; i < INVOCATIONS; i++)
			if (boot == 0 && i == worst)
				add_context(array, "mm.fork", i, steal_ns, switches, interrupts);
			else
				add_context(array, "mm.fork", i, 0, 100, 1000);
		disturbance_keep(run_set_add_boot(set), array);
		json_decref(array);
	}
	series = run_set_series(set, "mm.fork", "", "time", "ns/op", BETTER_LOWER);
	for (uint32_t i = 0; i < BOOTS * INVOCATIONS * ITERATIONS; i++)
		series_add_sample(series, i / (INVOCATIONS * ITERATIONS),
				  i / ITERATIONS % INVOCATIONS, i % ITERATIONS, i);
}

static void assert_disturbed(double steal_ns, unsigned switches, unsigned interrupts,
			     size_t expected)
{
	struct disturbance_list list;
	struct run_set set;

	set_up(&set, 1, steal_ns, switches, interrupts);
	disturbance_judge(&set, &list);
	assert_int_equal(list.count, BOOTS * INVOCATIONS);
	assert_int_equal(disturbance_count(&list), expected);
	array_for_each (item, &list)
		if (item->whole.disturbed)
			assert_true(item->boot == 0 && item->invocation == 1);
	disturbance_release(&list);
	run_set_release(&set);
}

static void test_limits(void **state)
{
	(void)state;
	assert_disturbed(0, 100, 1000, 0);
	assert_disturbed(10e6, 100, 1000, 0); /* 1% of a second, not more */
	assert_disturbed(11e6, 100, 1000, 1);
	assert_disturbed(0, 350, 1000, 0); /* 3 x 100 + 50 */
	assert_disturbed(0, 351, 1000, 1);
	assert_disturbed(0, 100, 5000, 0); /* 3 x 1000 + 2000 */
	assert_disturbed(0, 100, 5001, 1);
}

static void test_leave_out(void **state)
{
	struct run_set set;
	const struct series *series;

	(void)state;
	set_up(&set, 1, 500e6, 100, 1000);
	assert_int_equal(disturbance_leave_out(&set), ITERATIONS);
	series = &set.series.items[0];
	assert_int_equal(series->samples.count, (BOOTS * INVOCATIONS - 1) * ITERATIONS);
	array_for_each (sample, &series->samples)
		assert_false(sample->boot == 0 && sample->invocation == 1);
	assert_true(series->samples.items[ITERATIONS].value == 2 * ITERATIONS);
	assert_int_equal(disturbance_leave_out(&set), 0);
	run_set_release(&set);
}

/*
 * One invocation with a calm whole, of which repetition 1 of 4 was switched away; `copies` samples
 * a repetition.
 */
static void set_up_repetitions(struct run_set *set, uint32_t copies, const char *samples)
{
	json_t *array = json_array(), *parsed = json_loads(samples, 0, NULL);
	struct series *series;

	assert_non_null(parsed);
	run_set_init(set, "v");
	add_context(array, "mm.fork", 0, 0, 4, 40);
	json_object_set_new(json_array_get(array, 0), "samples", parsed);
	disturbance_keep(run_set_add_boot(set), array);
	json_decref(array);
	series = run_set_series(set, "mm.fork", "", "time", "ns/op", BETTER_LOWER);
	for (uint32_t i = 0; i < 4 * copies; i++)
		series_add_sample(series, 0, 0, i, i);
}

static void test_repetitions_are_judged(void **state)
{
	static const char samples[] = "[[10000000,0,0,9],[10000000,0,1,9],[10000000,0,0,9],"
				      "[10000000,0,0,9]]";

	(void)state;
	for (uint32_t copies = 1; copies <= 3; copies++) {
		struct disturbance_list list;
		struct run_set set;

		set_up_repetitions(&set, copies, samples);
		disturbance_judge(&set, &list);
		assert_int_equal(disturbance_count(&list), 0);
		assert_int_equal(disturbance_count_repetitions(&list), 1);
		assert_true(list.items[0].repetitions[1].disturbed);
		assert_true(list.items[0].repetitions[1].switches_per_s == 100);
		assert_true(list.items[0].repetitions[1].interrupts_per_s == 900);
		assert_int_equal(disturbance_leave_out(&set), copies);
		array_for_each (sample, &set.series.items[0].samples)
			assert_true(sample->iteration / copies != 1);
		disturbance_release(&list);
		run_set_release(&set);
	}
}

static void test_most_repetitions_disturbed_all_stay(void **state)
{
	struct run_set set;

	(void)state;
	set_up_repetitions(&set, 1,
			   "[[10000000,0,0,9],[10000000,9000000,0,9],[10000000,9000000,0,9],"
			   "[10000000,9000000,0,9]]");
	assert_int_equal(disturbance_leave_out(&set), 0);
	run_set_release(&set);
}

/* Documents come from anywhere: repetitions that make no sense are not known. */
static void test_repetitions_that_are_wrong(void **state)
{
	static const char *const wrong[] = {
		"[]",		"{}",	   "[1,2]",	    "[[1,2,3]]",      "[[0,0,0,0]]",
		"[[1,1,1,-1]]", "[\"x\"]", "[[1,2,3,4],7]", "[[\"1\",2,3,4]]"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct disturbance_list list;
		struct run_set set;

		set_up_repetitions(&set, 1, wrong[i]);
		disturbance_judge(&set, &list);
		assert_int_equal(list.count, 1);
		assert_int_equal(list.items[0].repetition_count, 0);
		disturbance_release(&list);
		run_set_release(&set);
	}
}

/* A boot with nothing but disturbed invocations keeps them all. */
static void test_too_few_remain(void **state)
{
	struct run_set set;
	json_t *array = json_array();
	struct series *series;

	(void)state;
	run_set_init(&set, "v");
	add_context(array, "mm.fork", 0, 900e6, 0, 0);
	disturbance_keep(run_set_add_boot(&set), array);
	json_decref(array);
	series = run_set_series(&set, "mm.fork", "", "time", "ns/op", BETTER_LOWER);
	series_add_sample(series, 0, 0, 0, 1.0);
	assert_int_equal(disturbance_leave_out(&set), 0);
	assert_int_equal(series->samples.count, 1);
	run_set_release(&set);
}

static void test_kept_beside_other_keys(void **state)
{
	struct boot boot = {.extra = xstrdup("{\"lab\":\"north\"}")};
	json_t *array = json_array(), *extra;

	(void)state;
	add_context(array, "mm.fork", 0, 0, 1, 2);
	disturbance_keep(&boot, array);
	json_decref(array);
	extra = json_loads(boot.extra, 0, NULL);
	assert_string_equal(json_string_value(json_object_get(extra, "lab")), "north");
	assert_int_equal(json_array_size(json_object_get(extra, "disturbance")), 1);
	json_decref(extra);
	free(boot.extra);
}

static void test_nothing_known(void **state)
{
	static const char *const extras[] = {
		NULL,
		"{}",
		"{\"disturbance\":7}",
		"{\"disturbance\":[3,{\"benchmark\":\"x\"},"
		"{\"benchmark\":\"x\",\"params\":\"\",\"invocation\":0,\"duration_ns\":0}]}",
	};
	struct disturbance_list list;
	struct run_set set;

	(void)state;
	run_set_init(&set, "v");
	for (size_t i = 0; i < ARRAY_SIZE(extras); i++)
		run_set_add_boot(&set)->extra = xstrdup(extras[i]);
	disturbance_judge(&set, &list);
	assert_int_equal(list.count, 0);
	assert_int_equal(disturbance_leave_out(&set), 0);
	disturbance_release(&list);
	run_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_leave_out),
		cmocka_unit_test(test_repetitions_are_judged),
		cmocka_unit_test(test_most_repetitions_disturbed_all_stay),
		cmocka_unit_test(test_repetitions_that_are_wrong),
		cmocka_unit_test(test_too_few_remain),
		cmocka_unit_test(test_kept_beside_other_keys),
		cmocka_unit_test(test_nothing_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
