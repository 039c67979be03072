/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "collector/agent/kernel_log.h"
#include "collector/agent/module.h"

static void test_names(void **state)
{
	static const struct {
		const char *path, *name;
	} cases[] = {{"/kregress/kregress.ko", "kregress"},
		     {"/x/a-b-c.ko.xz", "a_b_c"},
		     {"plain", "plain"}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char name[MODULE_NAME_MAX];

		module_name(cases[i].path, name);
		assert_string_equal(name, cases[i].name);
	}
}

static void test_log_records_that_name_the_module(void **state)
{
	char other[] = "6,10,100,-;usb 1-1: new device\n SUBSYSTEM=usb\n";
	char first[] = "4,11,101,-;kregress: Unknown symbol foo (err -2)\n";
	char second[] = "4,12,102,-;kregress: Unknown symbol bar (err -2)\n KEY=value\n";
	char broken[] = "no separator";
	char text[256] = "";

	(void)state;
	kernel_log_add_record(other, "kregress", text, sizeof(text));
	kernel_log_add_record(broken, "kregress", text, sizeof(text));
	kernel_log_add_record(first, "kregress", text, sizeof(text));
	kernel_log_add_record(second, "kregress", text, sizeof(text));
	assert_string_equal(text, "kregress: Unknown symbol foo (err -2); kregress: Unknown "
				  "symbol bar (err -2)");
}

static void test_log_is_clipped(void **state)
{
	char record[] = "4,1,1,-;kregress: a long text that does not fit";
	char text[12] = "";

	(void)state;
	for (int i = 0; i < 3; i++) {
		char copy[sizeof(record)];

		memcpy(copy, record, sizeof(copy));
		kernel_log_add_record(copy, "kregress", text, sizeof(text));
	}
	assert_string_equal(text, "kregress: a");
}

static void test_reasons(void **state)
{
	struct fault fault;

	(void)state;
	assert_int_equal(module_explain("/k.ko", ENOENT,
					"k: Unknown symbol foo (err -2); k: Unknown symbol bar "
					"(err -2)",
					&fault),
			 -1);
	assert_string_equal(fault.text, "module /k.ko refused: this kernel lacks the symbol foo, "
					"bar (No such file or directory)");
	module_explain("/k.ko", ENOEXEC, "k: version magic 'a' should be 'b'", &fault);
	assert_string_equal(fault.text, "module /k.ko refused: Exec format error (k: version magic "
					"'a' should be 'b'): build it for this kernel");
	module_explain("/k.ko", EINVAL, "", &fault);
	assert_string_equal(fault.text, "module /k.ko refused: Invalid argument");
}

static void test_missing_file(void **state)
{
	struct fault fault;

	(void)state;
	assert_int_equal(module_load("/nonexistent/k.ko", "", &fault), -1);
	assert_string_equal(fault.text, "module /nonexistent/k.ko cannot be read: No such file or "
					"directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_log_records_that_name_the_module),
		cmocka_unit_test(test_log_is_clipped),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_missing_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
