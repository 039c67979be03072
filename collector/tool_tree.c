/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/tool_tree.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/shared_libraries.h"
#include "common/file.h"
#include "common/process.h"
#include "common/strbuf.h"

/* gcc answers at once. */
static const double answer_timeout_s = 60;

static const char *const programs[] = {"make", "/bin/sh", "cc",	   "gcc",  "as", "ld",
				       "rm",   "cat",	  "cp",	   "echo", "mv", "mkdir",
				       "sed",  "test",	  "touch", "true"};

/* Folders below one another, no deeper than a path can be long. */
struct walk {
	struct string_list *paths;
	uint64_t bytes;
};

static int not_itself(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
	       strcmp(entry->d_name, ".git") != 0;
}

static int by_bytes(const struct dirent **left, const struct dirent **right)
{
	return strcmp((*left)->d_name, (*right)->d_name);
}

static int walk_folder(struct walk *walk, const char *folder, struct error *err);

/* Links to folders could lead round in circles; a link to a file becomes the file. */
static int walk_entry(struct walk *walk, const char *path, struct error *err)
{
	struct stat status;

	if (lstat(path, &status) < 0)
		return error_set_errno(err, ERROR_USAGE, errno, "%s", path);
	if (S_ISDIR(status.st_mode))
		return walk_folder(walk, path, err);
	if (stat(path, &status) < 0 || !S_ISREG(status.st_mode))
		return 0;
	walk->bytes += (uint64_t)status.st_size;
	if (walk->bytes > (uint64_t)TOOL_TREE_MAX_MIB << 20)
		return error_set(err, ERROR_USAGE, "more than %d MiB, too large for a guest",
				 TOOL_TREE_MAX_MIB);
	string_list_add(walk->paths, path);
	return 0;
}

static int walk_folder(struct walk *walk, const char *folder, struct error *err)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, not_itself, by_bytes), status = 0;

	if (count < 0)
		return error_set_errno(err, ERROR_USAGE, errno, "%s", folder);
	for (int i = 0; i < count; i++) {
		_cleanup_free_ char *path = xasprintf("%s/%s", folder, entries[i]->d_name);

		if (status == 0)
			status = walk_entry(walk, path, err);
		free(entries[i]);
	}
	free(entries);
	return status;
}

static int add_tree(const char *tree, struct string_list *paths, struct error *err)
{
	struct walk walk = {paths, 0};

	return walk_folder(&walk, tree, err) < 0 ? error_wrap(err, "the tree %s", tree) : 0;
}

/* What gcc says about one of its parts: a path, or the name when it looks in $PATH for it. */
static char *ask_gcc(const char *question)
{
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_(strbuf_release) struct strbuf answer = STRBUF_INIT;
	_cleanup_(error_clear) struct error ignored = {0};

	string_list_add(&argv, "gcc");
	string_list_add(&argv, question);
	if (process_run_read(&argv, answer_timeout_s, &answer, &ignored) < 0)
		return NULL;
	return xstrndup(strbuf_text(&answer), strcspn(strbuf_text(&answer), "\n"));
}

/* Without gcc nothing is added: make says in the guest what is missing. */
static int add_compiler(struct string_list *paths, struct error *err)
{
	static const char *const parts[] = {"-print-prog-name=cc1", "-print-prog-name=collect2",
					    "-print-file-name=liblto_plugin.so"};
	_cleanup_free_ char *headers = ask_gcc("-print-file-name=include");

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		_cleanup_free_ char *path = ask_gcc(parts[i]);

		if (path && *path == '/' && shared_libraries_add_program(path, paths, err) < 0)
			return -1;
	}
	return headers && *headers == '/' ? add_tree(headers, paths, err) : 0;
}

static bool is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A program with its libraries, or a plain file. */
static int add_file(const char *path, struct string_list *paths, struct error *err)
{
	bool can_be = *path == '/' || !strchr(path, '/');
	_cleanup_free_ char *program = can_be ? shared_libraries_find_program(path) : NULL;
	_cleanup_(error_clear) struct error no_program = {0};

	if (program && shared_libraries_add_program(program, paths, &no_program) == 0)
		return 0;
	if (*path == '/' && file_exists(path)) {
		string_list_add(paths, path);
		return 0;
	}
	if (program)
		return error_set(err, ERROR_USAGE, "%s", no_program.message);
	error_set(err, ERROR_USAGE, "kbuild-files: '%s' is nowhere", path);
	return error_hint(err, "give a program in $PATH, or a path that begins with a slash");
}

int tool_tree_list_files(const char *tree, const struct string_list *more,
			 struct string_list *paths, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		if (shared_libraries_add_program(programs[i], paths, err) < 0)
			return -1;
	if (add_compiler(paths, err) < 0 || add_tree(tree, paths, err) < 0)
		return -1;
	array_for_each (item, more) {
		int status = is_folder(*item) && **item == '/' ? add_tree(*item, paths, err)
							       : add_file(*item, paths, err);

		if (status < 0)
			return -1;
	}
	return 0;
}
