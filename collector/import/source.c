/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/import/source.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/import/builder.h"
#include "collector/import/tool.h"
#include "common/file.h"

/* Puts the values of `from` behind those of `to`. */
static int append_values(struct run_set *to, const struct run_set *from, const char *path,
			 struct error *err)
{
	array_for_each (series, &from->series) {
		struct series *target =
			run_set_series(to, series->benchmark, series->params, series->metric,
				       series->unit, series->better);

		if (!target)
			return error_set(err, ERROR_DATA,
					 "%s:1: '%s' is in '%s' here, and in another unit before",
					 path, series->benchmark, series->unit);
		array_for_each (sample, &series->samples)
			import_add_value(to, target, sample->value);
	}
	return 0;
}

static struct run_set *find_variant(struct run_set_list *sets, const char *variant)
{
	for (size_t i = 0; i < sets->count; i++)
		if (!strcmp(sets->items[i]->variant, variant))
			return sets->items[i];
	return NULL;
}

/* Moves the sets of `from` to `to`, joining those of one variant. */
static int join(struct run_set_list *to, struct run_set_list *from, const char *path,
		struct error *err)
{
	for (size_t i = 0; i < from->count; i++) {
		struct run_set *known = find_variant(to, from->items[i]->variant);

		if (!known) {
			run_set_list_add(to, from->items[i]);
			from->items[i] = from->items[--from->count];
			i--;
		} else if (append_values(known, from->items[i], path, err) < 0) {
			return -1;
		}
	}
	return 0;
}

static int read_text(const char *format, struct import_input *input, const struct strbuf *text,
		     const char *path, struct run_set_list *sets, struct error *err)
{
	_cleanup_(run_set_list_release) struct run_set_list read = {0};

	input->name = !strcmp(path, "-") ? "standard input" : path;
	input->text = strbuf_text(text);
	input->length = text->length;
	if (!input->variant)
		return importer_read(format, input, sets, err);
	if (importer_read(format, input, &read, err) < 0)
		return -1;
	return join(sets, &read, path, err);
}

static int read_file(const char *format, const struct import_input *defaults, const char *path,
		     struct run_set_list *sets, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct import_input input = *defaults;

	if (file_read(path, &text, err) < 0)
		return -1;
	return read_text(format, &input, &text, path, sets, err);
}

struct folder {
	const char *path;
	struct dirent **entries;
	int count;
	size_t read; /* files that had a format */
};

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void folder_release(struct folder *folder)
{
	for (int i = 0; i < folder->count; i++)
		free(folder->entries[i]);
	free(folder->entries);
}

/* The number that "fio.output.2" ends in, where there is another of that name; else NULL. */
static const char *instance_of(const struct folder *folder, const char *name)
{
	const char *dot = strrchr(name, '.');
	size_t stem = dot ? (size_t)(dot + 1 - name) : 0;

	if (!dot || !dot[1] || dot[1 + strspn(dot + 1, "0123456789")])
		return NULL;
	for (int i = 0; i < folder->count; i++) {
		const char *other = folder->entries[i]->d_name;

		if (strcmp(other, name) != 0 && !strncmp(other, name, stem) &&
		    isdigit((unsigned char)other[stem]))
			return dot + 1;
	}
	return NULL;
}

static bool is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static int read_member(struct folder *folder, const char *format, bool statistics,
		       struct import_input *input, const char *name, struct run_set_list *sets,
		       struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_free_ char *path = path_below(folder->path, name);
	const struct importer *importer;

	if (!is_regular(path))
		return 0;
	if (file_read(path, &text, err) < 0)
		return -1;
	importer = importer_recognise(strbuf_text(&text), text.length);
	if (!importer || importer->kind == IMPORT_NAMES_VARIANTS ||
	    (importer->kind == IMPORT_STATISTICS) != statistics ||
	    (strcmp(format, "auto") != 0 && strcmp(format, importer->name) != 0))
		return 0;
	folder->read++;
	input->instance = instance_of(folder, name);
	return read_text(importer->name, input, &text, path, sets, err);
}

static int read_members(struct folder *folder, const char *format, bool statistics,
			const struct import_input *defaults, struct run_set_list *sets,
			struct error *err)
{
	for (int i = 0; i < folder->count; i++) {
		struct import_input input = *defaults;

		if (read_member(folder, format, statistics, &input, folder->entries[i]->d_name,
				sets, err) < 0)
			return -1;
	}
	return 0;
}

static int read_folder(const char *format, const struct import_input *defaults, const char *path,
		       struct run_set_list *sets, struct error *err)
{
	_cleanup_(folder_release) struct folder folder = {.path = path};
	_cleanup_free_ char *variant = NULL;
	struct import_input input = *defaults;

	input.name = path;
	variant = tool_variant(&input);
	input.variant = variant;
	folder.count = scandir(path, &folder.entries, is_visible, alphasort);
	if (folder.count < 0) {
		folder.count = 0;
		return error_set_errno(err, ERROR_IO, errno, "cannot list '%s'", path);
	}
	if (read_members(&folder, format, false, &input, sets, err) < 0 ||
	    (!folder.read && read_members(&folder, format, true, &input, sets, err) < 0))
		return -1;
	if (folder.read)
		return 0;
	error_set(err, ERROR_DATA, "%s:1: no file of the folder is in a tool's format", path);
	return error_hint(err, "name the files, and their format, to see which line does not fit");
}

int import_path(const char *format, const struct import_input *defaults, const char *path,
		struct run_set_list *sets, struct error *err)
{
	_cleanup_(run_set_list_release) struct run_set_list read = {0};
	struct stat st;

	if (strcmp(path, "-") == 0 || stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return read_file(format, defaults, path, sets, err);
	if (strcmp(format, "auto") != 0 && !importer_find(format))
		return read_file(format, defaults, path, sets, err);
	if (read_folder(format, defaults, path, &read, err) < 0)
		return -1;
	if (defaults->variant)
		return join(sets, &read, path, err);
	for (size_t i = 0; i < read.count; i++)
		run_set_list_add(sets, read.items[i]);
	read.count = 0;
	return 0;
}
