/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is read out of configurations and of make's output. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "bisect/build/config_text.h"
#include "bisect/build/make_output.h"
#include "bisect/build/toolchain.h"

static void test_symbols(void **state)
{
	_cleanup_(string_list_release) struct string_list symbols = {0};

	(void)state;
	config_symbols("# Linux/x86 6.1 Kernel Configuration\nCONFIG_CC_VERSION_TEXT=\"gcc\"\n"
		       "CONFIG_SMP=y\r\n# CONFIG_NET is not set\n\nCONFIG_HZ=250\nCONFIG_SMP=m\n",
		       &symbols);
	assert_int_equal(symbols.count, 3);
	assert_string_equal(symbols.items[0], "HZ=250");
	assert_string_equal(symbols.items[1], "NET=n");
	assert_string_equal(symbols.items[2], "SMP=m");
}

static void test_digest(void **state)
{
	_cleanup_free_ char *one = config_digest("# a\nCONFIG_B=y\nCONFIG_A=y\n");
	_cleanup_free_ char *same =
		config_digest("CONFIG_A=y\n# CONFIG_C is not set\nCONFIG_B=y\n");
	_cleanup_free_ char *other = config_digest("CONFIG_A=y\nCONFIG_B=m\n");

	(void)state;
	assert_string_equal(one, same);
	assert_string_not_equal(one, other);
}

static void test_differences(void **state)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;

	(void)state;
	assert_int_equal(config_append_differences(&out,
						   "CONFIG_A=y\nCONFIG_B=1\nCONFIG_AB=y\n"
						   "# CONFIG_N is not set\n",
						   "CONFIG_B=2\nCONFIG_AB=y\nCONFIG_NEW=y\n"),
			 2);
	assert_string_equal(strbuf_text(&out), "A: y -> n\nB: 1 -> 2\n");
	assert_true(config_is_set("CONFIG_MODULES=y\n", "MODULES"));
	assert_false(config_is_set("# CONFIG_MODULES is not set\n", "MODULES"));
	assert_false(config_is_set("CONFIG_MODULES_X=y\n", "MODULES"));
}

static void expect(const char *output, const char *lab, const char *first)
{
	struct make_failure failure = make_failure_read(output, "/src/linux");

	if (lab)
		assert_string_equal(failure.lab_cause, lab);
	else
		assert_null(failure.lab_cause);
	assert_string_equal(failure.first_error, first);
	make_failure_release(&failure);
}

static void test_make_output(void **state)
{
	(void)state;
	expect("  CC x.o\n/src/linux/mm/x.c:3:1: warning: w\n/src/linux/mm/x.c:4:1: error: no\n"
	       "make[2]: *** [x.o] Error 1\n",
	       NULL, "mm/x.c:4:1: error: no");
	expect("ld: mm/x.o: undefined reference to `y'\nmake: *** [vmlinux] Error 1\n", NULL,
	       "ld: mm/x.o: undefined reference to `y'");
	expect("make: *** No rule to make target 'a'.  Stop.\n", NULL,
	       "make: *** No rule to make target 'a'.  Stop.");
	expect("mm/x.c:1:10: fatal error: gone.h: No such file or directory\n", NULL,
	       "mm/x.c:1:10: fatal error: gone.h: No such file or directory");
	expect("", NULL, "make said nothing");
	expect("/src/linux/a.c: fatal error: error writing to a.s: No space left on device\n",
	       "a.c: fatal error: error writing to a.s: No space left on device",
	       "a.c: fatal error: error writing to a.s: No space left on device");
	expect("/bin/sh: 1: flex: not found\nmake: *** [x] Error 127\n",
	       "/bin/sh: 1: flex: not found", "make: *** [x] Error 127");
	expect("gcc: fatal error: Killed signal terminated program cc1\n",
	       "gcc: fatal error: Killed signal terminated program cc1",
	       "gcc: fatal error: Killed signal terminated program cc1");
	expect("include/objtool/elf.h:10:10: fatal error: gelf.h: No such file or directory\n",
	       "include/objtool/elf.h:10:10: fatal error: gelf.h: No such file or directory",
	       "include/objtool/elf.h:10:10: fatal error: gelf.h: No such file or directory");
}

static void test_toolchain(void **state)
{
	_cleanup_(string_list_release) struct string_list arguments = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *text = NULL;

	(void)state;
	string_list_split(&arguments, "CC=a ARCH=x86 CC=gcc", " ");
	assert_string_equal(toolchain_argument(&arguments, "CC"), "gcc");
	assert_null(toolchain_argument(&arguments, "C"));
	assert_int_equal(toolchain_describe(&arguments, &text, &err), 0);
	assert_non_null(strstr(text, "gcc version "));
	assert_non_null(strstr(text, "GNU ld"));
	assert_true(toolchain_has("make"));
	assert_false(toolchain_has("no-such-program-as-this"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symbols),	    cmocka_unit_test(test_digest),
		cmocka_unit_test(test_differences), cmocka_unit_test(test_make_output),
		cmocka_unit_test(test_toolchain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
