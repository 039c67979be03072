/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/store/sample_sets.h"

#include <float.h>

static void fill_head(struct run_set *set)
{
	set->collection = xstrdup("c0ffee0123456789c0ffee0123456789");
	set->target = xstrdup("vm \"quoted\" \\ \xc2\xb5\xe2\x82\xac\xf0\x9f\x90\xa7");
	set->machine = xstrdup("x86_64 Test CPU\t@ 3 GHz");
	set->created_at = xstrdup("2026-11-30T20:33:07Z");
	set->seed = UINT64_MAX;
	set->level = LEVEL_BOOT;
	set->extra = xstrdup("{\"note\":\"kept\",\"nested\":{\"list\":[1,2.5,null,true,false,1.0],"
			     "\"empty\":{}},\"big\":9223372036854775807}");
}

static void add_good_boot(struct run_set *set)
{
	struct boot *boot = run_set_add_boot(set);

	boot->block = 1;
	boot->slot = UINT32_MAX;
	boot->started_at = xstrdup("2026-11-30T20:34:00Z");
	boot->duration_s = 12.3;
	environment_set(&boot->environment, "kernel.release", "6.1.0-57-amd64");
	environment_set(&boot->environment, "cpu.model", "line\nbreak and \x01 control");
	environment_set(&boot->environment, "", "");
	boot_add_failure(boot, "mm.kmalloc", "size=256", "out of memory", false);
	boot_add_failure(boot, "lock.rt_mutex", "", "not in this kernel", true);
	boot->extra = xstrdup("{\"weather\":\"rain\"}");
}

static void add_failed_boot(struct run_set *set)
{
	struct boot *boot = run_set_add_boot(set);

	boot->status = BOOT_FAILED;
	boot->reason = xstrdup("kernel panic");
	boot->console_tail = xstrdup("[    1.0] BUG: bad\r\n[    1.1] Kernel panic - \"oops\"\n");
	boot->duration_s = 0.1 + 0.2;
}

static void add_many_series(struct run_set *set)
{
	static const double values[] = {0,
					21.099,
					1.0 / 3,
					5e-324,
					1e22,
					DBL_MAX,
					4503599627370497.5,
					123456789012345680.0};
	struct series *time = run_set_series(set, "lock.spin", "", "time", "ns/op", BETTER_LOWER);

	for (uint32_t i = 0; i < ARRAY_SIZE(values); i++)
		series_add_sample(time, 0, i / 4, i % 4, values[i]);
	/* A gap in the iterations, and the last numbers that there are. */
	series_add_sample(time, 0, 1, 7, 8);
	series_add_sample(time, 1, UINT32_MAX, UINT32_MAX - 1, 9);
	series_add_sample(time, 1, UINT32_MAX, UINT32_MAX, 10);
	time->extra = xstrdup("{\"colour\":[]}");

	struct series *delta =
		run_set_series(set, "import.delta", "a=1,b=\xc3\xbc", "delta", "", BETTER_HIGHER);

	series_add_sample(delta, 0, 0, 0, -DBL_MIN);
	series_add_sample(delta, 0, 0, 1, -0.1);
	run_set_series(set, "lock.spin", "", "insn", "insn/op", BETTER_LOWER);
}

static struct run_set *new_set(struct run_set_list *sets, const char *variant)
{
	struct run_set *set = xcalloc(1, sizeof(*set));

	run_set_init(set, variant);
	run_set_list_add(sets, set);
	return set;
}

void sample_sets_make(struct run_set_list *sets)
{
	struct run_set *set = new_set(sets, "full");

	fill_head(set);
	add_good_boot(set);
	add_failed_boot(set);
	add_many_series(set);

	set = new_set(sets, "voluntary");
	fill_head(set);
	set->level = LEVEL_INVOCATION;
	add_good_boot(set);
	add_many_series(set);
	set->series.items[0].samples.count = 4;

	set = new_set(sets, "imported");
	set->collection = xstrdup("import-1");
	set->target = xstrdup("import");
	set->machine = xstrdup("");
	set->level = LEVEL_ITERATION;
	run_set_add_boot(set);
}

void plain_set_grow(struct run_set *set, uint32_t samples)
{
	static const char *const names[] = {"lock.spin", "mm.fork", "sched.pipe", "mm.kmalloc"};
	uint32_t index = (uint32_t)set->boots.count;
	struct boot *boot = run_set_add_boot(set);

	boot->slot = index;
	boot->block = index / 2;
	environment_set(&boot->environment, "kernel.release", "6.1.0");
	for (uint32_t i = 0; i < samples; i++) {
		struct series *series = run_set_series(set, names[i % ARRAY_SIZE(names)], "",
						       "time", "ns/op", BETTER_LOWER);

		series_add_sample(series, index, 0, i / (uint32_t)ARRAY_SIZE(names),
				  100 + index + i / 1000.0);
	}
}

void plain_set_make(struct run_set *set, const char *variant, uint32_t boots, uint32_t samples)
{
	run_set_init(set, variant);
	set->collection = xstrdup(set->id);
	set->target = xstrdup("vm");
	set->machine = xstrdup("test");
	for (uint32_t i = 0; i < boots; i++)
		plain_set_grow(set, samples);
}
