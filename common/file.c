/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/interrupt.h"

int file_read(const char *path, struct strbuf *content, struct error *err)
{
	_cleanup_close_ int fd = -1;
	int input = STDIN_FILENO;
	char block[65536];
	ssize_t got;

	if (strcmp(path, "-") != 0) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return error_set_errno(err, ERROR_IO, errno, "%s: cannot open", path);
		input = fd;
	}
	while ((got = read(input, block, sizeof(block))) != 0) {
		if (got > 0)
			strbuf_append_bytes(content, block, (size_t)got);
		else if (errno == EINTR && interrupt_signal())
			return error_set(err, ERROR_INTERRUPTED, "%s: interrupted", path);
		else if (errno != EINTR)
			return error_set_errno(err, ERROR_IO, errno, "%s: cannot read", path);
	}
	return 0;
}

static int write_all(int fd, const char *path, const void *bytes, size_t length, struct error *err)
{
	const char *cursor = bytes;

	while (length) {
		ssize_t done = write(fd, cursor, length);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return error_set_errno(err, ERROR_IO, errno, "%s: cannot write", path);
		cursor += done;
		length -= (size_t)done;
	}
	return 0;
}

static int write_in_place(const char *path, const void *bytes, size_t length, struct error *err)
{
	_cleanup_close_ int fd = -1;

	if (!strcmp(path, "-"))
		return write_all(STDOUT_FILENO, "standard output", bytes, length, err);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot open", path);
	return write_all(fd, path, bytes, length, err);
}

static bool is_special(const char *path)
{
	struct stat st;

	if (!strcmp(path, "-"))
		return true;
	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* Gives the finished temporary file the mode a plain creation would have, and its name. */
static int publish(int fd, const char *temporary, const char *path, struct error *err)
{
	mode_t mask = umask(0);

	umask(mask);
	if (fchmod(fd, 0666 & ~mask) < 0 || fsync(fd) < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot sync", path);
	if (rename(temporary, path) < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot rename into place", path);
	return 0;
}

int file_write(const char *path, const void *bytes, size_t length, struct error *err)
{
	_cleanup_free_ char *temporary = NULL;
	_cleanup_close_ int fd = -1;

	if (is_special(path))
		return write_in_place(path, bytes, length, err);
	temporary = xasprintf("%s.XXXXXX", path);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot create", path);
	if (write_all(fd, path, bytes, length, err) < 0 || publish(fd, temporary, path, err) < 0) {
		unlink(temporary);
		return -1;
	}
	return 0;
}

int folder_make(const char *path, struct error *err)
{
	_cleanup_free_ char *partial = xstrdup(path);
	struct stat st;

	if (!*path)
		return error_set(err, ERROR_IO, "empty text where a folder's name belongs");
	for (char *slash = partial; slash; *slash = '/') {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		if (mkdir(partial, 0777) < 0 && errno != EEXIST)
			return error_set_errno(err, ERROR_IO, errno, "%s: cannot create folder",
					       partial);
		if (!slash)
			break;
	}
	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return error_set(err, ERROR_IO, "%s: exists and is not a folder", path);
	return 0;
}

static int remove_entry(const char *path, const struct stat *st, int flag, struct FTW *walk)
{
	(void)st;
	(void)flag;
	(void)walk;
	return remove(path) < 0 && errno != ENOENT ? -1 : 0;
}

int folder_remove(const char *path, struct error *err)
{
	if (nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) < 0 && errno != ENOENT)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot remove folder", path);
	return 0;
}

int folder_make_temporary(char **path, struct error *err)
{
	const char *root = getenv("TMPDIR");
	char *name = xasprintf("%s/kregress.XXXXXX", root && *root ? root : "/tmp");

	if (!mkdtemp(name)) {
		error_set_errno(err, ERROR_IO, errno, "%s: cannot create temporary folder", name);
		free(name);
		return -1;
	}
	*path = name;
	return 0;
}

bool file_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

char *path_below(const char *folder, const char *path)
{
	return path[0] == '/' ? xstrdup(path) : xasprintf("%s/%s", folder, path);
}
