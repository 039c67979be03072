/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/host.h"

#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/file.h"
#include "common/utc.h"

static char *cpu_model(void)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(error_clear) struct error ignored = {0};
	const char *line;

	if (file_read("/proc/cpuinfo", &text, &ignored) < 0)
		return xstrdup("unknown CPU");
	line = strstr(strbuf_text(&text), "model name");
	line = line ? strchr(line, ':') : NULL;
	if (!line)
		return xstrdup("unknown CPU");
	line += strspn(line, ": \t");
	return xstrndup(line, strcspn(line, "\n"));
}

char *host_machine_class(void)
{
	_cleanup_free_ char *model = cpu_model();

	return xasprintf("%s x%ld", model, sysconf(_SC_NPROCESSORS_ONLN));
}

char *host_name(void)
{
	struct utsname names;

	return xstrdup(uname(&names) == 0 ? names.nodename : "localhost");
}

char *host_utc_now(void)
{
	return utc_text(time(NULL));
}

double host_monotonic_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
