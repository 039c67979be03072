/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/collector/collector_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <sys/stat.h>

#include "common/alloc.h"
#include "common/file.h"

char *fixture_folder;

int fixture_setup(void **state)
{
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	return folder_make_temporary(&fixture_folder, &err);
}

int fixture_teardown(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	int status = folder_remove(fixture_folder, &err);

	(void)state;
	free(fixture_folder);
	fixture_folder = NULL;
	return status;
}

char *fixture_write(const char *name, const char *text, mode_t mode)
{
	char *path = path_below(fixture_folder, name);
	_cleanup_free_ char *parent = xstrndup(path, (size_t)(strrchr(path, '/') - path));
	_cleanup_(error_clear) struct error err = {0};

	assert_success(folder_make(parent, &err), &err);
	assert_success(file_write(path, text, strlen(text), &err), &err);
	assert_int_equal(chmod(path, mode), 0);
	return path;
}

char *fixture_read(const char *path)
{
	struct strbuf text = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	if (file_exists(path))
		assert_success(file_read(path, &text, &err), &err);
	return strbuf_take(&text);
}

static int visible(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

char *fixture_names(const char *path)
{
	struct strbuf names = STRBUF_INIT;
	struct dirent **entries = NULL;
	int count = scandir(path, &entries, visible, alphasort);

	for (int i = 0; i < count; i++) {
		strbuf_printf(&names, "%s ", entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return strbuf_take(&names);
}

void assert_success(int status, const struct error *err)
{
	if (status != 0)
		fail_msg("%s", err->message ? err->message : "failed without a message");
}

void assert_refused(int status, const struct error *err, enum error_kind kind, const char *part)
{
	if (status != -1)
		fail_msg("accepted where '%s' was expected", part);
	assert_non_null(err->message);
	assert_contains(err->message, part);
	assert_int_equal(err->kind, kind);
}

void assert_contains(const char *text, const char *part)
{
	if (!text || !strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text ? text : "(nothing)");
}
