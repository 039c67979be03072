/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/build/toolchain.h"

#include <string.h>
#include <unistd.h>

#include "common/process.h"
#include "common/strbuf.h"

static const double answer_timeout_s = 30;

const char *toolchain_argument(const struct string_list *make_arguments, const char *name)
{
	size_t length = strlen(name);
	const char *value = NULL;

	array_for_each (argument, make_arguments)
		if (!strncmp(*argument, name, length) && (*argument)[length] == '=')
			value = *argument + length + 1;
	return value;
}

/* LLVM=1 means clang, LLVM=/path/ a folder, LLVM=-14 a suffix, as the kernel's Makefile has it. */
static char *program_name(const struct string_list *make_arguments, const char *variable,
			  const char *gnu, const char *llvm_name)
{
	const char *given = toolchain_argument(make_arguments, variable);
	const char *llvm = toolchain_argument(make_arguments, "LLVM");
	const char *prefix = toolchain_argument(make_arguments, "CROSS_COMPILE");

	if (given)
		return xstrdup(given);
	if (!llvm)
		return xasprintf("%s%s", prefix ? prefix : "", gnu);
	if (*llvm && llvm[strlen(llvm) - 1] == '/')
		return xasprintf("%s%s", llvm, llvm_name);
	return xasprintf("%s%s", llvm_name, *llvm == '-' ? llvm : "");
}

static int append_answer(struct strbuf *out, const char *program, const char *question,
			 struct error *err)
{
	_cleanup_(string_list_release) struct string_list argv = {0};

	string_list_split(&argv, program, " ");
	string_list_add(&argv, question);
	if (process_run_read(&argv, answer_timeout_s, out, err) == 0)
		return 0;
	if (err->kind != ERROR_INTERRUPTED)
		err->kind = ERROR_HARNESS;
	return error_hint(err,
			  "building kernels needs it; install it (Debian: gcc, binutils, make) "
			  "or name another in the variant's `make`: CC=gcc-12");
}

int toolchain_describe(const struct string_list *make_arguments, char **text, struct error *err)
{
	_cleanup_free_ char *cc = program_name(make_arguments, "CC", "gcc", "clang");
	_cleanup_free_ char *ld = program_name(make_arguments, "LD", "ld", "ld.lld");
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf make = STRBUF_INIT;

	if (append_answer(&out, cc, "-v", err) < 0 || append_answer(&out, ld, "-v", err) < 0 ||
	    append_answer(&make, "make", "--version", err) < 0)
		return -1;
	*text = strbuf_take(&out);
	return 0;
}

bool toolchain_has(const char *program)
{
	_cleanup_(string_list_release) struct string_list folders = {0};
	const char *path = getenv("PATH");

	string_list_split(&folders, path ? path : "", ":");
	array_for_each (folder, &folders) {
		_cleanup_free_ char *file = xasprintf("%s/%s", *folder, program);

		if (access(file, X_OK) == 0)
			return true;
	}
	return false;
}
