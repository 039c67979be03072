/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/build/build_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bisect/build/config_text.h"
#include "bisect/build/folder_tools.h"
#include "bisect/build/identity.h"
#include "bisect/build/kdir.h"
#include "common/file.h"
#include "common/number.h"
#include "common/text.h"

static char *entry_path(const char *folder, const char *kind, const char *key)
{
	return xasprintf("%s/%s/%s", folder, kind, key);
}

void built_kernel_release(struct built_kernel *kernel)
{
	free(kernel->image);
	free(kernel->config);
	free(kernel->kdir);
	free(kernel->identity);
	free(kernel->config_digest);
	*kernel = (struct built_kernel){0};
}

/* True when the file has the digest that the manifest says. */
static bool file_is_right(const char *entry, const char *name, const char *digest)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", entry, name);
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf found = STRBUF_INIT;
	_cleanup_(error_clear) struct error ignored = {0};

	if (file_read(path, &content, &ignored) < 0)
		return false;
	text_append_digest(&found, strbuf_text(&content), content.length, 40);
	return !strcmp(strbuf_text(&found), digest);
}

/* One line of a manifest: "file NAME DIGEST", or "KEY VALUE". */
static bool take_line(struct built_kernel *kernel, const char *folder, const char *entry,
		      const struct string_list *words)
{
	const char *key = words->items[0];
	_cleanup_(error_clear) struct error ignored = {0};

	if (words->count == 3 && !strcmp(key, "file"))
		return file_is_right(entry, words->items[1], words->items[2]);
	if (words->count != 2)
		return false;
	if (!strcmp(key, "identity"))
		replace_string(&kernel->identity, words->items[1]);
	else if (!strcmp(key, "config"))
		replace_string(&kernel->config_digest, words->items[1]);
	else if (!strcmp(key, "changes"))
		return number_parse_uint(words->items[1], 1000000, &kernel->config_changes,
					 &ignored) == 0;
	else if (!strcmp(key, "kdir") && !kernel->kdir)
		kernel->kdir = entry_path(folder, "kdirs", words->items[1]);
	return true;
}

static bool read_manifest(struct built_kernel *kernel, const char *folder, const char *entry)
{
	_cleanup_free_ char *path = xasprintf("%s/manifest", entry);
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(string_list_release) struct string_list lines = {0};
	_cleanup_(error_clear) struct error ignored = {0};

	if (file_read(path, &text, &ignored) < 0)
		return false;
	string_list_split(&lines, strbuf_text(&text), "\n");
	array_for_each (line, &lines) {
		_cleanup_(string_list_release) struct string_list words = {0};

		string_list_split(&words, *line, " ");
		if (!words.count || !take_line(kernel, folder, entry, &words))
			return false;
	}
	return kernel->kdir && kernel->config_digest;
}

/* Counts as used now, for prune. */
static void touch(const char *path)
{
	utimensat(AT_FDCWD, path, NULL, 0);
}

int build_cache_find(const char *folder, const char *key, struct built_kernel *kernel,
		     struct error *err)
{
	_cleanup_free_ char *entry = entry_path(folder, "kernels", key);

	*kernel = (struct built_kernel){0};
	if (!file_exists(entry))
		return 0;
	if (!read_manifest(kernel, folder, entry)) {
		built_kernel_release(kernel);
		return folder_remove(entry, err);
	}
	kernel->image = xasprintf("%s/bzImage", entry);
	kernel->config = xasprintf("%s/config", entry);
	touch(entry);
	return 1;
}

bool build_cache_has(const char *folder, const char *key)
{
	_cleanup_free_ char *entry = entry_path(folder, "kernels", key);

	return file_exists(entry);
}

/* Another process may have been faster: what is there then is as good. */
static int move_into_place(const char *from, const char *place, struct error *err)
{
	if (rename(from, place) == 0)
		return 0;
	if (errno != EEXIST && errno != ENOTEMPTY)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot rename", from);
	return folder_remove(from, err);
}

/* A folder beside `place`, to be renamed to it. Owned by the caller. */
static int make_beside(const char *place, char **path, struct error *err)
{
	_cleanup_free_ char *parent = xstrndup(place, (size_t)(strrchr(place, '/') - place));
	_cleanup_free_ char *name = xasprintf("%s.XXXXXX", place);

	if (folder_make(parent, err) < 0)
		return -1;
	if (!mkdtemp(name))
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot create folder", name);
	*path = take_pointer(name);
	return 0;
}

/* Makes the folder `place` by `fill`; nothing stays of one that fails. */
static int make_entry(const char *place,
		      int (*fill)(const struct build_tree *tree, const char *folder,
				  struct error *err),
		      const struct build_tree *tree, struct error *err)
{
	_cleanup_(error_clear) struct error ignored = {0};
	_cleanup_free_ char *path = NULL;

	if (make_beside(place, &path, err) < 0)
		return -1;
	if (fill(tree, path, err) == 0 && move_into_place(path, place, err) == 0)
		return 0;
	if (folder_remove(path, &ignored) < 0)
		error_clear(&ignored);
	return -1;
}

static int append_file_line(struct strbuf *manifest, const char *entry, const char *name,
			    struct error *err)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", entry, name);
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;

	if (file_read(path, &content, err) < 0)
		return -1;
	strbuf_printf(manifest, "file %s ", name);
	text_append_digest(manifest, strbuf_text(&content), content.length, 40);
	strbuf_append_char(manifest, '\n');
	return 0;
}

static int copy_one(const char *from, const char *folder, const char *name, struct error *err)
{
	_cleanup_free_ char *to = xasprintf("%s/%s", folder, name);
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;

	if (file_read(from, &content, err) < 0)
		return -1;
	return file_write(to, strbuf_text(&content), content.length, err);
}

static int copy_results(const struct build_tree *tree, const char *entry, struct error *err)
{
	_cleanup_free_ char *image = xasprintf("%s/arch/x86/boot/bzImage", tree->objects);
	_cleanup_free_ char *map = xasprintf("%s/System.map", tree->objects);
	_cleanup_free_ char *config = xasprintf("%s/.config", tree->objects);

	if (copy_one(image, entry, "bzImage", err) < 0 ||
	    copy_one(map, entry, "System.map", err) < 0 ||
	    copy_one(config, entry, "config", err) < 0)
		return -1;
	return copy_one(tree->log_path, entry, "build.log", err);
}

/* What the commit's olddefconfig made of the base configuration. */
static int record_config(const struct build_tree *tree, const char *entry, struct strbuf *manifest,
			 struct error *err)
{
	_cleanup_free_ char *path = xasprintf("%s/config", entry);
	_cleanup_free_ char *changes_path = xasprintf("%s/config-changes", entry);
	_cleanup_(strbuf_release) struct strbuf config = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf changes = STRBUF_INIT;
	_cleanup_free_ char *digest = NULL;
	size_t count;

	if (file_read(path, &config, err) < 0)
		return -1;
	count = config_append_differences(&changes, tree->base_config, strbuf_text(&config));
	digest = config_digest(strbuf_text(&config));
	strbuf_printf(manifest, "config %s\nchanges %zu\n", digest, count);
	return file_write(changes_path, strbuf_text(&changes), changes.length, err);
}

static int add_kdir(const char *folder, const struct build_tree *tree, struct strbuf *manifest,
		    struct error *err)
{
	_cleanup_free_ char *digest = NULL, *place = NULL, *symvers = NULL;

	if (kdir_digest(tree, &digest, err) < 0)
		return -1;
	place = entry_path(folder, "kdirs", digest);
	symvers = xasprintf("%s/Module.symvers", place);
	if (!file_exists(symvers) &&
	    (folder_remove(place, err) < 0 || make_entry(place, kdir_copy, tree, err) < 0))
		return -1;
	touch(place);
	strbuf_printf(manifest, "kdir %s\n", digest);
	return 0;
}

static int fill_entry(const struct build_tree *tree, const char *entry, struct strbuf *manifest,
		      struct error *err)
{
	static const char *const files[] = {"bzImage", "System.map", "config"};
	_cleanup_free_ char *vmlinux = xasprintf("%s/vmlinux", tree->objects);
	_cleanup_free_ char *path = xasprintf("%s/manifest", entry);
	_cleanup_free_ char *identity = NULL;

	if (copy_results(tree, entry, err) < 0 || record_config(tree, entry, manifest, err) < 0 ||
	    identity_of_kernel(vmlinux, &identity, err) < 0)
		return -1;
	strbuf_printf(manifest, "identity %s\n", identity);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (append_file_line(manifest, entry, files[i], err) < 0)
			return -1;
	return file_write(path, strbuf_text(manifest), manifest->length, err);
}

int build_cache_add(const char *folder, const char *key, const struct build_tree *tree,
		    struct error *err)
{
	_cleanup_free_ char *place = entry_path(folder, "kernels", key);
	_cleanup_(strbuf_release) struct strbuf manifest = STRBUF_INIT;
	_cleanup_(error_clear) struct error ignored = {0};
	_cleanup_free_ char *path = NULL;

	if (add_kdir(folder, tree, &manifest, err) < 0 || make_beside(place, &path, err) < 0)
		return -1;
	if (fill_entry(tree, path, &manifest, err) == 0 && move_into_place(path, place, err) == 0)
		return 0;
	if (folder_remove(path, &ignored) < 0)
		error_clear(&ignored);
	return -1;
}

/* An entry of the cache, for prune. */
struct cached {
	char *path;
	struct timespec used;
	uint64_t bytes;
};

static int by_age(const void *left, const void *right)
{
	const struct cached *a = left, *b = right;

	if (a->used.tv_sec != b->used.tv_sec)
		return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
	return (a->used.tv_nsec > b->used.tv_nsec) - (a->used.tv_nsec < b->used.tv_nsec);
}

struct cached_list {
	struct cached *items;
	size_t count;
	size_t capacity;
};

static void cached_list_release(struct cached_list *list)
{
	array_for_each (cached, list)
		free(cached->path);
	array_release(list);
}

static void list_entries(const char *folder, const char *kind, struct cached_list *list)
{
	_cleanup_free_ char *parent = xasprintf("%s/%s", folder, kind);
	DIR *listing = opendir(parent);
	struct dirent *entry;

	while (listing && (entry = readdir(listing))) {
		_cleanup_free_ char *path = xasprintf("%s/%s", parent, entry->d_name);
		struct stat st;

		if (entry->d_name[0] == '.' || lstat(path, &st) < 0)
			continue;
		*array_append(list) = (struct cached){take_pointer(path), st.st_mtim, 0};
		list->items[list->count - 1].bytes = folder_size(list->items[list->count - 1].path);
	}
	if (listing)
		closedir(listing);
}

/* kdirs that the kernels left do not name. */
static bool kdir_is_named(const char *folder, const char *kdir)
{
	struct cached_list kernels = {0};
	bool named = false;

	list_entries(folder, "kernels", &kernels);
	array_for_each (kernel, &kernels) {
		_cleanup_free_ char *path = xasprintf("%s/manifest", kernel->path);
		_cleanup_free_ char *line = xasprintf("kdir %s\n", strrchr(kdir, '/') + 1);
		_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
		_cleanup_(error_clear) struct error ignored = {0};

		if (file_read(path, &text, &ignored) == 0)
			named = named || strstr(strbuf_text(&text), line);
	}
	cached_list_release(&kernels);
	return named;
}

static int remove_unnamed_kdirs(const char *folder, uint64_t *bytes, struct error *err)
{
	_cleanup_(cached_list_release) struct cached_list kdirs = {0};

	list_entries(folder, "kdirs", &kdirs);
	array_for_each (kdir, &kdirs) {
		if (kdir_is_named(folder, kdir->path))
			continue;
		if (folder_remove(kdir->path, err) < 0)
			return -1;
		*bytes -= kdir->bytes;
	}
	return 0;
}

int build_cache_prune(const char *folder, uint64_t limit_bytes, const char *keep, struct error *err)
{
	_cleanup_free_ char *kept = entry_path(folder, "kernels", keep);
	_cleanup_(cached_list_release) struct cached_list kernels = {0};
	_cleanup_(cached_list_release) struct cached_list kdirs = {0};
	uint64_t bytes = 0;

	list_entries(folder, "kernels", &kernels);
	list_entries(folder, "kdirs", &kdirs);
	array_for_each (kernel, &kernels)
		bytes += kernel->bytes;
	array_for_each (kdir, &kdirs)
		bytes += kdir->bytes;
	if (kernels.count)
		qsort(kernels.items, kernels.count, sizeof(*kernels.items), by_age);
	array_for_each (kernel, &kernels) {
		if (bytes <= limit_bytes)
			return 0;
		if (!strcmp(kernel->path, kept))
			continue;
		if (folder_remove(kernel->path, err) < 0)
			return -1;
		bytes -= kernel->bytes;
		if (remove_unnamed_kdirs(folder, &bytes, err) < 0)
			return -1;
	}
	return 0;
}
