/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/module.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collector/agent/kernel_log.h"

/* Of finit_module(2), since Linux 5.17. */
#define COMPRESSED_FILE 4

#define REMOVE_STEP_MS 20
#define REMOVE_STEPS   100

void module_name(const char *path, char name[MODULE_NAME_MAX])
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	snprintf(name, MODULE_NAME_MAX, "%.*s", (int)strcspn(base, "."), base);
	for (; *name; name++)
		if (*name == '-')
			*name = '_';
}

static int finit_flags(const char *path)
{
	const char *end = strrchr(path, '.');

	if (end && (!strcmp(end, ".xz") || !strcmp(end, ".gz") || !strcmp(end, ".zst")))
		return COMPRESSED_FILE;
	return 0;
}

/* Collects what follows "Unknown symbol " in the log into a list. */
static void missing_symbols(const char *log, char *list, size_t size)
{
	static const char mark[] = "Unknown symbol ";

	list[0] = '\0';
	while ((log = strstr(log, mark))) {
		size_t used = strlen(list);

		log += sizeof(mark) - 1;
		snprintf(list + used, size - used, "%s%.*s", used ? ", " : "",
			 (int)strcspn(log, " ;\n"), log);
	}
}

int module_explain(const char *path, int errno_value, const char *log, struct fault *fault)
{
	const char *advice = "";
	char symbols[512];

	missing_symbols(log, symbols, sizeof(symbols));
	if (*symbols)
		return fault_set(fault, "module %s refused: this kernel lacks the symbol %s (%s)",
				 path, symbols, strerror(errno_value));
	if (errno_value == EPERM)
		advice = ": it takes root, and a kernel that is not locked down";
	else if (errno_value == ENOEXEC)
		advice = ": build it for this kernel";
	return fault_set(fault, "module %s refused: %s%s%s%s%s", path, strerror(errno_value),
			 *log ? " (" : "", log, *log ? ")" : "", advice);
}

int module_load(const char *path, const char *parameters, struct fault *fault)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char name[MODULE_NAME_MAX], log[768];
	int log_fd, failed;

	if (fd < 0)
		return fault_set_errno(fault, errno, "module %s cannot be read", path);
	log_fd = kernel_log_open();
	failed = syscall(SYS_finit_module, fd, parameters, finit_flags(path)) < 0 ? errno : 0;
	close(fd);
	module_name(path, name);
	kernel_log_take(log_fd, name, log, sizeof(log));
	if (failed && failed != EEXIST)
		return module_explain(path, failed, log, fault);
	fault_set(fault, "%s", log);
	return failed == EEXIST;
}

int module_remove(const char *path, struct fault *fault)
{
	const struct timespec step = {0, REMOVE_STEP_MS * 1000000L};
	char name[MODULE_NAME_MAX];

	module_name(path, name);
	for (int i = 0; i < REMOVE_STEPS; i++) {
		if (syscall(SYS_delete_module, name, O_NONBLOCK) == 0)
			return 0;
		if (errno != EAGAIN && errno != EBUSY)
			break;
		nanosleep(&step, NULL);
	}
	return fault_set_errno(fault, errno, "module %s cannot be removed", name);
}
