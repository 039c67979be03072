/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/reports/python.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

int run_python(const char *program, const char *first, const char *second)
{
	char *const arguments[] = {(char *)(uintptr_t) "python3", (char *)(uintptr_t) "-c",
				   (char *)(uintptr_t)program,	  (char *)(uintptr_t)first,
				   (char *)(uintptr_t)second,	  NULL};
	int status;
	pid_t child;

	if (posix_spawnp(&child, "python3", NULL, NULL, arguments, environ) != 0)
		return 127;
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
