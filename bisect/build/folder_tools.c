/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/build/folder_tools.h"

#include <errno.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"
#include "common/file.h"
#include "common/process.h"
#include "common/text.h"

static const double copy_timeout_s = 1800;

int folder_copy(const char *from, const char *const *names, const char *to, struct error *err)
{
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_(strbuf_release) struct strbuf output = STRBUF_INIT;
	size_t fixed;

	if (folder_make(to, err) < 0)
		return -1;
	string_list_split(&argv, "cp -a --reflink=auto -t", " ");
	string_list_add(&argv, to);
	fixed = argv.count;
	for (; *names; names++) {
		_cleanup_free_ char *path = xasprintf("%s/%s", from, *names);

		if (file_exists(path))
			string_list_add(&argv, path);
	}
	return argv.count == fixed ? 0 : process_run_read(&argv, copy_timeout_s, &output, err);
}

/* The walk in order of names; the root stays as it is given. */
static FTS *open_walk(const char *path)
{
	char *const roots[] = {(char *)path, NULL};

	return fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
}

uint64_t folder_size(const char *path)
{
	FTS *walk = open_walk(path);
	uint64_t bytes = 0;
	FTSENT *entry;

	while (walk && (entry = fts_read(walk)))
		if (entry->fts_info == FTS_F)
			bytes += (uint64_t)entry->fts_statp->st_blocks * 512;
	if (walk)
		fts_close(walk);
	return bytes;
}

static bool ends_with(const char *name, const char *tail)
{
	size_t length = strlen(name);
	size_t tail_length = strlen(tail);

	return length >= tail_length && !strcmp(name + length - tail_length, tail);
}

static int append_file_digest(struct string_list *lines, const char *path, size_t root,
			      struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;

	if (file_read(path, &content, err) < 0)
		return -1;
	strbuf_printf(&line, "%s ", path + root);
	text_append_digest(&line, strbuf_text(&content), content.length, 40);
	string_list_add(lines, strbuf_text(&line));
	return 0;
}

static int by_text(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

int folder_append_digests(struct strbuf *out, const char *path, struct error *err)
{
	_cleanup_(string_list_release) struct string_list lines = {0};
	FTS *walk = open_walk(path);
	FTSENT *entry;
	int result = 0;

	if (!walk)
		return error_set_errno(err, ERROR_IO, errno, "%s", path);
	while (result == 0 && (entry = fts_read(walk)))
		if (entry->fts_info == FTS_F && !ends_with(entry->fts_name, ".cmd") &&
		    !ends_with(entry->fts_name, ".o"))
			result = append_file_digest(&lines, entry->fts_path, strlen(path), err);
	fts_close(walk);
	if (lines.count)
		qsort(lines.items, lines.count, sizeof(*lines.items), by_text);
	array_for_each (line, &lines)
		strbuf_printf(out, "%s\n", *line);
	return result;
}

static bool is_object(const char *name)
{
	return ends_with(name, ".o") || ends_with(name, ".a") || ends_with(name, ".ko") ||
	       !strncmp(name, "vmlinux", 7);
}

static bool is_older(const struct stat *left, const struct stat *right)
{
	if (left->st_mtim.tv_sec != right->st_mtim.tv_sec)
		return left->st_mtim.tv_sec < right->st_mtim.tv_sec;
	return left->st_mtim.tv_nsec < right->st_mtim.tv_nsec;
}

int folder_remove_young_objects(const char *path, const char *mark, struct error *err)
{
	struct stat since;
	FTSENT *entry;
	int result = 0;
	FTS *walk;

	if (stat(mark, &since) < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s", mark);
	walk = open_walk(path);
	while (walk && (entry = fts_read(walk)))
		if (entry->fts_info == FTS_F && is_object(entry->fts_name) &&
		    !is_older(entry->fts_statp, &since) && unlink(entry->fts_path) < 0)
			result = error_set_errno(err, ERROR_IO, errno, "%s", entry->fts_path);
	if (walk)
		fts_close(walk);
	return result;
}
