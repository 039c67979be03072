/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/shared_libraries.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "common/process.h"

/* Longer than any list of libraries takes. */
static const double list_timeout_s = 60;

char *shared_libraries_find_program(const char *program)
{
	_cleanup_(string_list_release) struct string_list folders = {0};
	const char *path = getenv("PATH");

	if (strchr(program, '/'))
		return access(program, X_OK) == 0 ? xstrdup(program) : NULL;
	string_list_split(&folders, path ? path : "/usr/bin:/bin", ":");
	array_for_each (folder, &folders) {
		char *candidate = xasprintf("%s/%s", *folder, program);

		if (access(candidate, X_OK) == 0)
			return candidate;
		free(candidate);
	}
	return NULL;
}

static void add_once(struct string_list *paths, const char *path)
{
	if (!string_list_contains(paths, path))
		string_list_add(paths, path);
}

/* The bytes of the file at that place, or NULL when it is shorter. */
static const void *bytes_at(const struct strbuf *file, uint64_t offset, uint64_t size)
{
	return offset <= file->length && size <= file->length - offset ? file->text + offset : NULL;
}

static int not_elf(const char *path, struct error *err)
{
	error_set(err, ERROR_HARNESS, "%s: not a program of 64 bits in ELF format", path);
	return error_hint(err,
			  "a script cannot be put into a guest: name the program that it runs");
}

static int copy_loader(const char *path, const struct strbuf *file, const Elf64_Phdr *segment,
		       char **loader, struct error *err)
{
	const char *text = bytes_at(file, segment->p_offset, segment->p_filesz);

	if (!text || !segment->p_filesz || text[segment->p_filesz - 1] != '\0' || *text != '/')
		return error_set(err, ERROR_HARNESS, "%s: damaged name of its loader", path);
	*loader = xstrdup(text);
	return 0;
}

int shared_libraries_find_loader(const char *path, char **loader, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf file = STRBUF_INIT;
	Elf64_Ehdr header;

	*loader = NULL;
	if (file_read(path, &file, err) < 0)
		return -1;
	if (file.length < sizeof(header))
		return not_elf(path, err);
	memcpy(&header, file.text, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr))
		return not_elf(path, err);
	for (uint64_t i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr segment;
		const void *bytes =
			bytes_at(&file, header.e_phoff + i * sizeof(segment), sizeof(segment));

		if (!bytes)
			return error_set(err, ERROR_HARNESS, "%s: breaks off in its headers", path);
		memcpy(&segment, bytes, sizeof(segment));
		if (segment.p_type == PT_INTERP)
			return copy_loader(path, &file, &segment, loader, err);
	}
	return 0;
}

/* A line of the loader's list: "	NAME => PATH (ADDRESS)", "	PATH (ADDRESS)", or a
 * library of the kernel's without a path. */
static int take_line(const char *program, char *line, struct string_list *paths, struct error *err)
{
	char *arrow = strstr(line, "=> ");
	char *path = arrow ? arrow + 3 : line + strspn(line, " \t");

	if (arrow && !strncmp(path, "not found", 9)) {
		*arrow = '\0';
		return error_set(err, ERROR_HARNESS, "%s: its library %s is not installed", program,
				 line + strspn(line, " \t"));
	}
	path[strcspn(path, " \n")] = '\0';
	if (*path == '/')
		add_once(paths, path);
	return 0;
}

static int add_libraries(const char *loader, const char *program, struct string_list *paths,
			 struct error *err)
{
	_cleanup_(string_list_release) struct string_list argv = {0}, lines = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	string_list_add(&argv, loader);
	string_list_add(&argv, "--list");
	string_list_add(&argv, program);
	if (process_run_read(&argv, list_timeout_s, &text, err) < 0)
		return error_wrap(err, "libraries of %s", program);
	string_list_split(&lines, strbuf_text(&text), "\n");
	array_for_each (line, &lines)
		if (take_line(program, *line, paths, err) < 0)
			return -1;
	return 0;
}

int shared_libraries_add_program(const char *program, struct string_list *paths, struct error *err)
{
	_cleanup_free_ char *path = shared_libraries_find_program(program);
	_cleanup_free_ char *loader = NULL;

	if (!path)
		return 0;
	if (shared_libraries_find_loader(path, &loader, err) < 0)
		return -1;
	add_once(paths, path);
	if (!loader)
		return 0;
	add_once(paths, loader);
	return add_libraries(loader, path, paths, err);
}
