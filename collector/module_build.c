/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/module_build.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "collector/paths.h"
#include "common/array.h"
#include "common/file.h"
#include "common/process.h"
#include "common/text.h"

static const double build_timeout_s = 600;

static bool is_source(const char *name)
{
	const char *dot = strrchr(name, '.');

	return !strcmp(name, "Kbuild") || !strcmp(name, "Makefile") ||
	       (dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h")));
}

static int by_name(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static int list_sources(const char *folder, struct string_list *names, struct error *err)
{
	DIR *listing = opendir(folder);
	struct dirent *entry;

	if (!listing)
		return error_set_errno(err, ERROR_HARNESS, errno, "%s", folder);
	while ((entry = readdir(listing)))
		if (is_source(entry->d_name))
			string_list_add(names, entry->d_name);
	closedir(listing);
	if (names->count)
		qsort(names->items, names->count, sizeof(*names->items), by_name);
	return 0;
}

static int check_kdir(const char *kdir, struct error *err)
{
	static const char *const members[] = {"Makefile", ".config", "Module.symvers"};

	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		_cleanup_free_ char *path = xasprintf("%s/%s", kdir, members[i]);

		if (file_exists(path))
			continue;
		error_set(err, ERROR_USAGE, "%s: no kernel build tree: it has no %s", kdir,
			  members[i]);
		return error_hint(err,
				  "kdir must be a built kernel tree or the unpacked headers of "
				  "the variant's kernel (Debian: linux-headers-RELEASE)");
	}
	return 0;
}

static int append_file(struct strbuf *out, const char *folder, const char *name, struct error *err)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", folder, name);

	strbuf_printf(out, "\n== %s\n", name);
	return file_read(path, out, err);
}

/* Everything that decides what the module will be. */
static int build_identity(const char *kdir, const char *kmod, const struct string_list *sources,
			  struct strbuf *key, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;

	strbuf_printf(&content, "kdir %s\n", kdir);
	array_for_each (name, sources)
		if (append_file(&content, kmod, *name, err) < 0)
			return -1;
	if (append_file(&content, kdir, ".config", err) < 0 ||
	    append_file(&content, kdir, "Module.symvers", err) < 0)
		return -1;
	text_append_digest(key, strbuf_text(&content), content.length, 16);
	return 0;
}

static int copy_sources(const char *kmod, const struct string_list *sources, const char *folder,
			struct error *err)
{
	array_for_each (name, sources) {
		_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
		_cleanup_free_ char *from = xasprintf("%s/%s", kmod, *name);
		_cleanup_free_ char *to = xasprintf("%s/%s", folder, *name);

		if (file_read(from, &content, err) < 0 ||
		    file_write(to, strbuf_text(&content), content.length, err) < 0)
			return -1;
	}
	return 0;
}

/* make runs in kdir: the module's folder has to be named from the root. */
static int run_make(const char *kdir, const char *folder, const char *log_path, struct error *err)
{
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_free_ char *absolute = realpath(folder, NULL);
	_cleanup_free_ char *external = NULL, *built = xasprintf("%s/kregress.ko", folder);

	if (!absolute)
		return error_set_errno(err, ERROR_IO, errno, "%s", folder);
	external = xasprintf("M=%s", absolute);
	string_list_add(&argv, "make");
	string_list_add(&argv, "-C");
	string_list_add(&argv, kdir);
	string_list_add(&argv, external);
	/* Newer kernels' headers ask for pahole and vmlinux otherwise; nobody reads this BTF. */
	string_list_add(&argv, "CONFIG_DEBUG_INFO_BTF_MODULES=");
	string_list_add(&argv, "modules");
	if (process_run_logged(&argv, log_path, build_timeout_s, err) < 0)
		return -1;
	if (file_exists(built))
		return 0;
	error_set(err, ERROR_HARNESS, "make succeeded without making kregress.ko");
	return error_hint(err, "all of its output is in %s", log_path);
}

/* Another build may have been faster; a place without a module is in the way. */
static int move_into_place(const char *folder, const char *place, struct error *err)
{
	_cleanup_free_ char *built = xasprintf("%s/kregress.ko", place);

	if (rename(folder, place) == 0)
		return 0;
	if (errno != EEXIST && errno != ENOTEMPTY)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot rename", folder);
	if (file_exists(built))
		return 0;
	if (folder_remove(place, err) < 0)
		return -1;
	if (rename(folder, place) < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot rename", folder);
	return 0;
}

/* Builds in a folder of its own and renames it into place, so that two builds never mix. */
static int build_in(const char *kdir, const char *kmod, const struct string_list *sources,
		    const char *place, struct error *err)
{
	_cleanup_free_ char *folder = xasprintf("%s.XXXXXX", place);
	_cleanup_free_ char *log_path = xasprintf("%s.log", place);
	_cleanup_(error_clear) struct error ignored = {0};
	int result;

	if (!mkdtemp(folder))
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot create folder", folder);
	result = copy_sources(kmod, sources, folder, err);
	if (result == 0)
		result = run_make(kdir, folder, log_path, err);
	if (result == 0)
		result = move_into_place(folder, place, err);
	if (folder_remove(folder, &ignored) < 0)
		error_clear(&ignored);
	return result;
}

int module_build(const char *kdir, const char *cache, const struct log *log, char **module,
		 struct error *err)
{
	_cleanup_(string_list_release) struct string_list sources = {0};
	_cleanup_(strbuf_release) struct strbuf key = STRBUF_INIT;
	_cleanup_free_ char *kmod = NULL, *root = NULL, *place = NULL, *built = NULL;

	if (check_kdir(kdir, err) < 0 || paths_kmod(&kmod, err) < 0 ||
	    list_sources(kmod, &sources, err) < 0 ||
	    build_identity(kdir, kmod, &sources, &key, err) < 0)
		return -1;
	root = xasprintf("%s/module", cache);
	place = xasprintf("%s/%s", root, strbuf_text(&key));
	built = xasprintf("%s/kregress.ko", place);
	if (!file_exists(built)) {
		log_progress(log, "building kregress.ko against %s", kdir);
		if (folder_make(root, err) < 0 || build_in(kdir, kmod, &sources, place, err) < 0)
			return error_wrap(err, "building kregress.ko");
	}
	*module = take_pointer(built);
	return 0;
}
