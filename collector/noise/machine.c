/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/noise/machine.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"

struct machine machine_here(void)
{
	const char *root = getenv("KREGRESS_ROOT");

	return (struct machine){root && strcmp(root, "/") != 0 ? root : ""};
}

bool machine_is_real(const struct machine *machine)
{
	return !*machine->root;
}

char *machine_path(const struct machine *machine, const char *path)
{
	return xasprintf("%s%s", machine->root, path);
}

char *machine_read_all(const struct machine *machine, const char *path)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(error_clear) struct error ignored = {0};
	_cleanup_free_ char *full = machine_path(machine, path);
	const char *start;
	size_t length;

	if (file_read(full, &text, &ignored) < 0)
		return NULL;
	start = strbuf_text(&text);
	while (isspace((unsigned char)*start))
		start++;
	length = strlen(start);
	while (length && isspace((unsigned char)start[length - 1]))
		length--;
	return length ? xstrndup(start, length) : NULL;
}

char *machine_read(const struct machine *machine, const char *path)
{
	char *text = machine_read_all(machine, path);
	const char *open = text ? strchr(text, '[') : NULL;
	const char *close = open ? strchr(open, ']') : NULL;
	char *word;

	if (!close)
		return text;
	word = xstrndup(open + 1, (size_t)(close - open) - 1);
	free(text);
	return word;
}

int machine_write(const struct machine *machine, const char *path, const char *value)
{
	_cleanup_free_ char *full = machine_path(machine, path);
	_cleanup_close_ int fd = open(full, O_WRONLY | O_TRUNC | O_CLOEXEC);
	size_t length = strlen(value);
	ssize_t written;

	if (fd < 0)
		return errno;
	written = write(fd, value, length);
	if (written < 0)
		return errno;
	return (size_t)written == length ? 0 : EIO;
}

void machine_glob(const struct machine *machine, const char *pattern, struct string_list *paths)
{
	_cleanup_free_ char *full = machine_path(machine, pattern);
	size_t prefix = strlen(machine->root);
	glob_t found;

	if (glob(full, 0, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc; i++)
		string_list_add(paths, found.gl_pathv[i] + prefix);
	globfree(&found);
}
