/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The four measurements made by hand on the kernel list; the files name their sources. */
#include "tests/unit/import/import_test.h"

#include <math.h>

#include "common/file.h"

static struct run_set_list read_fixture(const char *name)
{
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *path = NULL;
	const char *folder = getenv("KREGRESS_FIXTURES");
	struct import_input input;

	assert_non_null(folder);
	path = xasprintf("%s/tables/%s", folder, name);
	if (file_read(path, &content, &err) < 0)
		fail_msg("%s", err.message);
	input = input_of(strbuf_text(&content));
	assert_string_equal(importer_recognise(input.text, input.length)->name, "table");
	return read_input("auto", &input);
}

static double mean_of(const struct series *series)
{
	double sum = 0;

	array_for_each (sample, &series->samples)
		sum += sample->value;
	return sum / (double)series->samples.count;
}

static void test_2005(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets =
		read_fixture("2005-preempt-rt-ipipe.txt");
	const struct series *fork;

	(void)state;
	assert_int_equal(sets.count, 3);
	fork = EXPECT(&sets, "vanilla", "fork", "", "time", 97);
	assert_string_equal(fork->unit, "us");
	assert_int_equal(fork->better, BETTER_LOWER);
	EXPECT(&sets, "preempt_rt", "fork", "", "time", 91);
	EXPECT(&sets, "ipipe", "fork", "", "time", 101);
	EXPECT(&sets, "vanilla", "mmap", "", "time", 776);
	EXPECT(&sets, "preempt_rt", "mmap", "", "time", 629);
	EXPECT(&sets, "ipipe", "mmap", "", "time", 794);
}

static void test_2009(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets =
		read_fixture("2009-text-poke.txt");
	const struct series *before;

	(void)state;
	assert_int_equal(sets.count, 2);
	before = EXPECT(&sets, "before", "text_poke", "2^14 calls", "cycles", 221809, 225801,
			198355);
	assert_string_equal(before->unit, "cycles");
	EXPECT(&sets, "after", "text_poke", "2^14 calls", "cycles", 29508, 30361, 30371);
}

static void expect_ratio(const struct run_set_list *sets, const char *benchmark, const char *params,
			 const char *metric, const char *better, double ratio)
{
	const struct series *base =
		run_set_find(set_of(sets, "voluntary"), benchmark, params, metric);
	const struct series *new = run_set_find(set_of(sets, "preempt"), benchmark, params, metric);

	assert_non_null(base);
	assert_non_null(new);
	assert_string_equal(better_name(base->better), better);
	assert_true(fabs(mean_of(new) / mean_of(base) - ratio) < 0.001);
}

static void test_2013(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets =
		read_fixture("2013-voluntary-preempt.txt");

	(void)state;
	assert_int_equal(sets.count, 2);
	EXPECT(&sets, "voluntary", "vmark", "", "value", 169808, 155826, 154741);
	EXPECT(&sets, "preempt", "vmark", "", "value", 149354, 124016, 128436);
	EXPECT(&sets, "voluntary", "tbench", "8", "rate", 1027.96, 1028.76, 1044.60);
	EXPECT(&sets, "preempt", "tbench", "8", "rate", 929.06, 935.01, 928.64);
	EXPECT(&sets, "voluntary", "hackbench", "-l 10000", "time", 23.146, 23.124, 23.230);
	EXPECT(&sets, "preempt", "hackbench", "-l 10000", "time", 25.065, 24.633, 24.789);
	EXPECT(&sets, "voluntary", "kbuild", "vmlinux", "time", 224.842, 222.975, 222.954);
	EXPECT(&sets, "preempt", "kbuild", "vmlinux", "time", 226.141, 225.835, 225.953);
	expect_ratio(&sets, "vmark", "", "value", "higher", .836);
	expect_ratio(&sets, "tbench", "8", "rate", "higher", .900);
	expect_ratio(&sets, "hackbench", "-l 10000", "time", "lower", 1.071);
	expect_ratio(&sets, "kbuild", "vmlinux", "time", "lower", 1.010);
}

static void test_2015(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets =
		read_fixture("2015-spin-lock.txt");
	const struct series *plain, *irqsave;

	(void)state;
	assert_int_equal(sets.count, 5);
	plain = EXPECT(&sets, "spin_lock", "critical_section", "", "time", 12.775);
	irqsave = EXPECT(&sets, "irqsave", "critical_section", "", "time", 21.099);
	assert_string_equal(plain->unit, "ns");
	assert_true(fabs(mean_of(irqsave) - mean_of(plain) - 8.324) < 1e-9);
	EXPECT(&sets, "local_irq_save+lock", "critical_section", "", "time", 22.808);
	EXPECT(&sets, "local_irq_disable+lock", "critical_section", "", "time", 14.618);
	EXPECT(&sets, "local_irq_save", "critical_section", "", "time", 13.256);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_2005),
		cmocka_unit_test(test_2009),
		cmocka_unit_test(test_2013),
		cmocka_unit_test(test_2015),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
