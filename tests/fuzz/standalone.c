/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a fuzz target over files, and over the files of folders, so that the corpus is a test with
 * any compiler. A target aborts on what must not be.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/alloc.h"
#include "common/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* A copy of exactly the input's size, so that a sanitizer sees a step beyond it. */
static void run_input(const struct strbuf *content)
{
	_cleanup_free_ uint8_t *bytes = content->length ? xcalloc(content->length, 1) : NULL;

	if (bytes)
		memcpy(bytes, content->text, content->length);
	LLVMFuzzerTestOneInput(bytes, content->length);
}

static int run_file(const char *path)
{
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	if (file_read(path, &content, &err) < 0) {
		fprintf(stderr, "%s\n", err.message);
		return -1;
	}
	fprintf(stderr, "%s: %zu bytes\n", path, content.length);
	run_input(&content);
	return 1;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The number of files run, or -1. */
static int run_folder(const char *folder)
{
	struct dirent **entries = NULL;
	int count = scandir(folder, &entries, is_visible, alphasort);
	int result = count;

	if (count < 0)
		perror(folder);
	for (int i = 0; i < count; i++) {
		_cleanup_free_ char *path = path_below(folder, entries[i]->d_name);

		if (run_file(path) < 0)
			result = -1;
		free(entries[i]);
	}
	free(entries);
	return result;
}

int main(int argc, char **argv)
{
	int total = 0;

	for (int i = 1; i < argc; i++) {
		struct stat st;
		int folder = stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode);
		int run = folder ? run_folder(argv[i]) : run_file(argv[i]);

		if (run < 0)
			return 1;
		total += run;
	}
	if (!total)
		fprintf(stderr, "usage: %s FILE|FOLDER...; nothing was run\n", argv[0]);
	return total ? 0 : 1;
}
