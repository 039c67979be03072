/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/initramfs.h"

#include <string.h>

#include <archive.h>
#include <archive_entry.h>

#include "common/array.h"
#include "common/file.h"

enum { DEVICE_CONSOLE_MAJOR = 5, DEVICE_CONSOLE_MINOR = 1 };

static int add_entry(struct archive *archive, struct archive_entry *entry, const void *bytes,
		     size_t length, struct error *err)
{
	int failed;

	archive_entry_set_size(entry, (la_int64_t)length);
	/* One fixed time, so that the same content gives the same bytes. */
	archive_entry_set_mtime(entry, 0, 0);
	failed = archive_write_header(archive, entry) != ARCHIVE_OK ||
		 (length && archive_write_data(archive, bytes, length) != (la_ssize_t)length);
	if (failed)
		error_set(err, ERROR_IO, "%s: %s", archive_entry_pathname(entry),
			  archive_error_string(archive));
	archive_entry_free(entry);
	return failed ? -1 : 0;
}

static struct archive_entry *new_entry(const char *name, unsigned int type, unsigned int mode)
{
	struct archive_entry *entry = archive_entry_new();

	if (!entry)
		abort();
	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, type);
	archive_entry_set_perm(entry, mode);
	return entry;
}

static int add_folders(struct archive *archive, struct error *err)
{
	static const char *const names[] = {"dev", "proc", "sys", "tmp", "kregress"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (add_entry(archive, new_entry(names[i], AE_IFDIR, 0755), NULL, 0, err) < 0)
			return -1;
	return 0;
}

/* The kernel opens /dev/console for the first process before anything can mount devtmpfs. */
static int add_console(struct archive *archive, struct error *err)
{
	struct archive_entry *entry = new_entry("dev/console", AE_IFCHR, 0600);

	archive_entry_set_rdevmajor(entry, DEVICE_CONSOLE_MAJOR);
	archive_entry_set_rdevminor(entry, DEVICE_CONSOLE_MINOR);
	return add_entry(archive, entry, NULL, 0, err);
}

static int add_file(struct archive *archive, const char *name, unsigned int mode, const char *path,
		    struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;

	if (file_read(path, &content, err) < 0)
		return -1;
	return add_entry(archive, new_entry(name, AE_IFREG, mode), strbuf_text(&content),
			 content.length, err);
}

/* The folders above `path`, but for those that are there. */
static int add_parents(struct archive *archive, const char *path, struct string_list *folders,
		       struct error *err)
{
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		_cleanup_free_ char *folder = xstrndup(path, (size_t)(slash - path));

		if (string_list_contains(folders, folder))
			continue;
		string_list_add(folders, folder);
		if (add_entry(archive, new_entry(folder, AE_IFDIR, 0755), NULL, 0, err) < 0)
			return -1;
	}
	return 0;
}

static int add_files(struct archive *archive, const struct string_list *files, struct error *err)
{
	_cleanup_(string_list_release) struct string_list folders = {0};

	array_for_each (path, files) {
		const char *name = *path + 1; /* without the slash at its front */

		if (add_parents(archive, name, &folders, err) < 0 ||
		    add_file(archive, name, 0755, *path, err) < 0)
			return -1;
	}
	return 0;
}

static int add_content(struct archive *archive, const struct initramfs *content, struct error *err)
{
	if (add_folders(archive, err) < 0 || add_console(archive, err) < 0 ||
	    add_file(archive, "init", 0755, content->agent, err) < 0)
		return -1;
	if (content->module &&
	    add_file(archive, "kregress/kregress.ko", 0644, content->module, err) < 0)
		return -1;
	if (content->files && add_files(archive, content->files, err) < 0)
		return -1;
	return add_entry(archive, new_entry("kregress/plan", AE_IFREG, 0644), content->plan,
			 strlen(content->plan), err);
}

int initramfs_write(const char *path, const struct initramfs *content, struct error *err)
{
	struct archive *archive = archive_write_new();
	int result = 0;

	if (!archive)
		abort();
	if (archive_write_set_format_cpio_newc(archive) != ARCHIVE_OK ||
	    archive_write_open_filename(archive, path) != ARCHIVE_OK)
		result = error_set(err, ERROR_IO, "%s: %s", path, archive_error_string(archive));
	if (result == 0 && add_content(archive, content, err) < 0)
		result = error_wrap(err, "initramfs %s", path);
	if (result == 0 && archive_write_close(archive) != ARCHIVE_OK)
		result = error_set(err, ERROR_IO, "%s: %s", path, archive_error_string(archive));
	archive_write_free(archive);
	return result;
}
