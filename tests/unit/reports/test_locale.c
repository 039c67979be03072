/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <locale.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/wait.h>

#include "common/file.h"
#include "tests/unit/reports/sets.h"

extern char **environ;

/* Makes the locale below `folder` where the system has its source but not the locale. */
static void compile_locale(const char *folder)
{
	_cleanup_free_ char *path = path_below(folder, "de_DE.UTF-8");
	char *const arguments[] = {(char *)(uintptr_t) "localedef",
				   (char *)(uintptr_t) "-i",
				   (char *)(uintptr_t) "de_DE",
				   (char *)(uintptr_t) "-f",
				   (char *)(uintptr_t) "UTF-8",
				   path,
				   NULL};
	pid_t child;
	int status;

	if (posix_spawnp(&child, "localedef", NULL, NULL, arguments, environ) == 0)
		assert_int_equal(waitpid(child, &status, 0), child);
	setenv("LOCPATH", folder, 1);
}

static bool set_german(const char *folder)
{
	if (setlocale(LC_ALL, "de_DE.UTF-8"))
		return true;
	compile_locale(folder);
	return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void write_all(const struct report *report, struct strbuf *out)
{
	for (const struct report_writer *writer = report_writers; writer->name; writer++) {
		_cleanup_free_ char *text = write_report(report, writer->name);

		strbuf_append(out, text);
	}
}

static void locale_changes_no_byte(void **state)
{
	_cleanup_(strbuf_release) struct strbuf plain = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf german = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};
	struct report_options options = default_options();
	_cleanup_free_ char *folder = NULL;
	struct run_set base, variant;
	const struct run_set *pointer = &variant;
	struct report report;
	bool has_german;

	(void)state;
	assert_int_equal(folder_make_temporary(&folder, &err), 0);
	sets_2013(&base, &variant);
	report = build(&base, &pointer, 1, &options);
	write_all(&report, &plain);
	report_release(&report);
	has_german = set_german(folder);
	assert_int_equal(folder_remove(folder, &err), 0);
	if (has_german) {
		/* The test is of use only where the C library writes a comma. */
		_cleanup_free_ char *comma = xasprintf("%.1f", 0.5);

		assert_string_equal(comma, "0,5");
		report = build(&base, &pointer, 1, &options);
		write_all(&report, &german);
		report_release(&report);
	}
	setlocale(LC_ALL, "C");
	run_set_release(&base);
	run_set_release(&variant);
	if (!has_german) {
		print_message("skipped: neither the locale de_DE.UTF-8 nor its source is here\n");
		skip();
	}
	assert_string_equal(strbuf_text(&plain), strbuf_text(&german));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(locale_changes_no_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
