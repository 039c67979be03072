/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collector/plan.h"
#include "common/file.h"
#include "tests/unit/collector/collector_fixture.h"

static struct plan two_patterns(void)
{
	struct plan plan = {
		.boots = 4,
		.invocations = 3,
		.repetitions = 20,
		.warmup = 2,
		.cpus = 2,
		.sample_time_s = 2.5e-3,
		.timeout_s = 90,
	};

	string_list_add(&plan.bench, "lock.*");
	string_list_add(&plan.bench, "mm.kmalloc[size=256]");
	return plan;
}

static void suite_values_and_defaults(void **state)
{
	_cleanup_(plan_release) struct plan defaults = {0};
	_cleanup_(plan_release) struct plan given = {0};
	char *patterns[] = {(char[]){"a.*"}, (char[]){"b"}};
	const struct suite_config open = {0};
	const struct suite_config all = {
		.bench = {patterns, 2, 2},
		.boots = 9,
		.invocations = 8,
		.repetitions = 7,
		.warmup = 6,
		.cpus = 5,
		.sample_time_s = 0.25,
		.timeout_s = 3,
	};

	(void)state;
	plan_init(&defaults, &open);
	assert_int_equal(defaults.boots, 6);
	assert_int_equal(defaults.invocations, 1);
	assert_int_equal(defaults.repetitions, 10);
	assert_int_equal(defaults.warmup, 1);
	assert_int_equal(defaults.cpus, 1);
	assert_true(defaults.sample_time_s == 1e-3);
	assert_true(defaults.timeout_s == 60);
	assert_int_equal(defaults.bench.count, 0);
	plan_init(&given, &all);
	assert_int_equal(given.boots, 9);
	assert_int_equal(given.invocations, 8);
	assert_int_equal(given.repetitions, 7);
	assert_int_equal(given.warmup, 6);
	assert_int_equal(given.cpus, 5);
	assert_true(given.sample_time_s == 0.25);
	assert_true(given.timeout_s == 3);
	assert_int_equal(given.bench.count, 2);
	assert_string_equal(given.bench.items[1], "b");
	assert_ptr_not_equal(given.bench.items[1], patterns[1]);
}

static void agent_text_is_exact(void **state)
{
	_cleanup_(plan_release) struct plan plan = two_patterns();
	_cleanup_free_ char *full =
		plan_agent_text(&plan, true, "/kregress/kregress.ko", "a=1 b=2");
	_cleanup_free_ char *bare = plan_agent_text(&plan, false, NULL, "a=1");
	static const char common[] = "sample-time-ns 2500000\nrepetitions 20\nwarmup 2\n"
				     "invocations 3\ncpus 2\ntimeout-s 90\nbench lock.*\n"
				     "bench mm.kmalloc[size=256]\nend\n";
	_cleanup_free_ char *expected_full =
		xasprintf("kregress-plan 1\nmodule /kregress/kregress.ko\nmodule-args a=1 b=2\n"
			  "clock insn\n%s",
			  common);
	_cleanup_free_ char *expected_bare = xasprintf("kregress-plan 1\nclock time\n%s", common);

	(void)state;
	assert_string_equal(full, expected_full);
	assert_string_equal(bare, expected_bare);
}

/* One plan that differs from the accepted one in a single value. */
#define check_plan(expected, part, ...)                                                            \
	do {                                                                                       \
		_cleanup_(plan_release) struct plan plan = two_patterns();                         \
		_cleanup_(error_clear) struct error err = {0};                                     \
		__VA_ARGS__;                                                                       \
		if (expected)                                                                      \
			assert_success(plan_check(&plan, &err), &err);                             \
		else                                                                               \
			assert_refused(plan_check(&plan, &err), &err, ERROR_USAGE, part);          \
	} while (0)

static void limits_are_accepted(void **state)
{
	(void)state;
	check_plan(true, "", (void)plan);
	check_plan(true, "", plan.boots = 1);
	check_plan(true, "", plan.boots = 10000);
	check_plan(true, "", plan.repetitions = 1);
	check_plan(true, "", plan.repetitions = 1000);
	check_plan(true, "", plan.repetitions = 2000, plan.cpus = 1);
	check_plan(true, "", plan.invocations = 1000);
	check_plan(true, "", plan.warmup = 100);
	check_plan(true, "", plan.warmup = 0);
	check_plan(true, "", plan.sample_time_s = 1e-6);
	check_plan(true, "", plan.sample_time_s = 1);
	check_plan(true, "", plan.timeout_s = 1);
	check_plan(true, "", plan.timeout_s = 86400);
}

static void beyond_the_limits_is_refused(void **state)
{
	(void)state;
	check_plan(false, "names no benchmark", string_list_release(&plan.bench));
	check_plan(false, "0 boots", plan.boots = 0);
	check_plan(false, "10001 boots", plan.boots = 10001);
	check_plan(false, "0 repetitions", plan.repetitions = 0);
	check_plan(false, "1001 repetitions on 2 CPUs", plan.repetitions = 1001);
	check_plan(false, "on 4097 CPUs", plan.repetitions = 1, plan.cpus = 4097);
	check_plan(false, "on 0 CPUs", plan.cpus = 0);
	check_plan(false, "1000 invocations", plan.invocations = 1001);
	check_plan(false, "invocations", plan.invocations = 0);
	check_plan(false, "100 warm-up", plan.warmup = 101);
	check_plan(false, "sample time", plan.sample_time_s = 0.9e-6);
	check_plan(false, "sample time", plan.sample_time_s = 1.1);
	check_plan(false, "time-out", plan.timeout_s = 0.9);
	check_plan(false, "time-out", plan.timeout_s = 86401);
}

/* 2^63 repetitions on 2 CPUs are 0 in 64 bits. */
static void a_product_that_overflows_is_refused(void **state)
{
	(void)state;
	check_plan(false, "repetitions on 2 CPUs", plan.repetitions = 1ULL << 63);
}

static char *identity(const struct plan *plan)
{
	struct strbuf text = STRBUF_INIT;

	plan_append_identity(&text, plan);
	return strbuf_take(&text);
}

#define assert_plan_differs(...)                                                                   \
	do {                                                                                       \
		_cleanup_(plan_release) struct plan plan = two_patterns();                         \
		_cleanup_free_ char *before = identity(&plan);                                     \
		_cleanup_free_ char *same = identity(&plan);                                       \
		_cleanup_free_ char *after = NULL;                                                 \
		assert_string_equal(before, same);                                                 \
		__VA_ARGS__;                                                                       \
		after = identity(&plan);                                                           \
		assert_string_not_equal(before, after);                                            \
	} while (0)

static void every_value_of_the_plan_is_in_its_identity(void **state)
{
	(void)state;
	assert_plan_differs(plan.boots++);
	assert_plan_differs(plan.invocations++);
	assert_plan_differs(plan.repetitions++);
	assert_plan_differs(plan.warmup++);
	assert_plan_differs(plan.cpus++);
	assert_plan_differs(plan.sample_time_s *= 2);
	assert_plan_differs(plan.timeout_s++);
	assert_plan_differs(string_list_add(&plan.bench, "x"));
	assert_plan_differs(replace_string(&plan.bench.items[0], "mm.*"));
}

static char *variant_identity(const struct variant_config *variant,
			      const struct target_config *target)
{
	struct strbuf text = STRBUF_INIT;

	variant_append_identity(&text, variant, target);
	return strbuf_take(&text);
}

/* A text that the structures may hold as their own. */
#define TEXT(text) ((char[]){text})

#define assert_variant_differs(...)                                                                \
	do {                                                                                       \
		struct target_config target = {.name = TEXT("vm"),                                 \
					       .kind = TEXT("qemu"),                               \
					       .accel = TEXT("auto"),                              \
					       .qemu = TEXT("qemu"),                               \
					       .agent = TEXT("/agent"),                            \
					       .cpus = 1,                                          \
					       .memory_mb = 512};                                  \
		struct variant_config variant = {.name = TEXT("full"),                             \
						 .target = TEXT("vm"),                             \
						 .kernel = TEXT("/k"),                             \
						 .kernel_config = TEXT("/c"),                      \
						 .kdir = TEXT("/d"),                               \
						 .append = TEXT("a"),                              \
						 .module = TEXT("/m"),                             \
						 .module_args = TEXT("x=1")};                      \
		_cleanup_free_ char *before = variant_identity(&variant, &target);                 \
		_cleanup_free_ char *after = NULL;                                                 \
		__VA_ARGS__;                                                                       \
		after = variant_identity(&variant, &target);                                       \
		assert_string_not_equal(before, after);                                            \
	} while (0)

static void states_are_in_the_agents_text(void **state)
{
	_cleanup_(plan_release) struct plan plan = two_patterns();
	_cleanup_(string_list_release) struct string_list switches = {0};
	const struct string_list none = {0};
	const struct plan_state states[] = {{"low one", &switches}, {"as found", &none}};
	_cleanup_free_ char *text = NULL;

	(void)state;
	string_list_add(&switches, "sysctl:vm.swappiness=1");
	string_list_add(&switches, "preempt=full");
	plan.state_seed = UINT64_MAX;
	text = plan_place_text(&plan, &(struct plan_place){.states = states, .state_count = 2});
	assert_contains(text, "state-seed 18446744073709551615\nstate low one\n"
			      "switch sysctl:vm.swappiness=1\nswitch preempt=full\n"
			      "state as found\nbench ");
}

static void every_value_of_the_variant_is_in_its_identity(void **state)
{
	(void)state;
	assert_variant_differs(variant.name = TEXT("none"));
	assert_variant_differs(variant.kernel = TEXT("/k2"));
	assert_variant_differs(variant.kernel = NULL);
	assert_variant_differs(variant.kernel_config = TEXT("/c2"));
	assert_variant_differs(variant.kdir = TEXT("/d2"));
	assert_variant_differs(variant.append = TEXT("b"));
	assert_variant_differs(variant.append = NULL);
	assert_variant_differs(variant.module = TEXT("/m2"));
	assert_variant_differs(variant.module_args = TEXT("x=2"));
	assert_variant_differs(variant.switches = ((struct string_list){
				       .items = (char *[]){TEXT("preempt=full")}, .count = 1}));
	assert_variant_differs(target.name = TEXT("vm2"));
	assert_variant_differs(target.kind = TEXT("local"));
	assert_variant_differs(target.icount = true);
	assert_variant_differs(target.accel = TEXT("tcg"));
	assert_variant_differs(target.qemu = TEXT("/opt/qemu"));
	assert_variant_differs(target.agent = TEXT("/agent2"));
	assert_variant_differs(target.cpus = 2);
	assert_variant_differs(target.memory_mb = 1024);
}

static void a_kernel_of_another_size_is_another_variant(void **state)
{
	_cleanup_free_ char *kernel = fixture_write("vmlinuz", "one", 0644);
	_cleanup_free_ char *missing = path_below(fixture_folder, "absent");
	struct variant_config variant = {.name = TEXT("v"), .kernel = kernel};
	struct target_config target = {
		.name = TEXT("vm"), .kind = TEXT("qemu"), .accel = TEXT("tcg")};
	_cleanup_free_ char *before = variant_identity(&variant, &target);
	_cleanup_free_ char *unchanged = variant_identity(&variant, &target);
	_cleanup_free_ char *after = NULL, *gone = NULL;

	(void)state;
	assert_string_equal(before, unchanged);
	free(fixture_write("vmlinuz", "three", 0644));
	after = variant_identity(&variant, &target);
	assert_string_not_equal(before, after);
	variant.kernel = missing;
	gone = variant_identity(&variant, &target);
	assert_contains(gone, missing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(suite_values_and_defaults),
		cmocka_unit_test(agent_text_is_exact),
		cmocka_unit_test(limits_are_accepted),
		cmocka_unit_test(beyond_the_limits_is_refused),
		cmocka_unit_test(a_product_that_overflows_is_refused),
		cmocka_unit_test(every_value_of_the_plan_is_in_its_identity),
		cmocka_unit_test(states_are_in_the_agents_text),
		cmocka_unit_test(every_value_of_the_variant_is_in_its_identity),
		cmocka_unit_test_setup_teardown(a_kernel_of_another_size_is_another_variant,
						fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
