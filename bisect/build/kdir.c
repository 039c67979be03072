/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/build/kdir.h"

#include <string.h>

#include "bisect/build/folder_tools.h"
#include "bisect/git_error.h"
#include "common/file.h"
#include "common/text.h"

/* Of the sources; with the parts of tools/ that objtool is built from, for the digest. */
static const char *const source_parts[] = {"Makefile",	"Kbuild",	 "scripts",
					   "include",	"arch/x86",	 "tools/objtool",
					   "tools/lib", "tools/include", "tools/arch"};
/* arch/x86 changes often where modules do not look. */
static const char *const arch_parts[] = {"arch/x86/Makefile",	     "arch/x86/Makefile.um",
					 "arch/x86/Makefile_32.cpu", "arch/x86/Kbuild",
					 "arch/x86/include",	     "arch/x86/scripts"};

/* The id of a file or folder of the commit, which git keeps anyway. */
static void append_entry(struct strbuf *out, const git_tree *root, const char *path)
{
	git_tree_entry *entry = NULL;

	if (git_tree_entry_bypath(&entry, root, path) == 0)
		strbuf_printf(out, "%s %s\n", path, git_oid_tostr_s(git_tree_entry_id(entry)));
	git_tree_entry_free(entry);
}

static int append_sources(struct strbuf *out, const struct build_tree *tree, struct error *err)
{
	git_repository *repository = tree->checkout.repository;
	git_commit *commit = NULL;
	git_tree *root = NULL;
	int code = git_commit_lookup(&commit, repository, &tree->commit);

	if (!code)
		code = git_commit_tree(&root, commit);
	for (size_t i = 0; !code && i < ARRAY_SIZE(source_parts); i++)
		if (strcmp(source_parts[i], "arch/x86") != 0)
			append_entry(out, root, source_parts[i]);
	for (size_t i = 0; !code && i < ARRAY_SIZE(arch_parts); i++)
		append_entry(out, root, arch_parts[i]);
	git_tree_free(root);
	git_commit_free(commit);
	return code ? git_error_into(err, ERROR_IO, "%s", git_oid_tostr_s(&tree->commit)) : 0;
}

/* Names of symbols exported by vmlinux are in one file or another, depending on the version. */
static char *symvers_path(const struct build_tree *tree)
{
	char *whole = xasprintf("%s/Module.symvers", tree->objects);

	if (file_exists(whole))
		return whole;
	free(whole);
	return xasprintf("%s/vmlinux.symvers", tree->objects);
}

static int append_file(struct strbuf *out, const char *path, struct error *err)
{
	if (!file_exists(path))
		return 0;
	strbuf_printf(out, "\n== %s\n", path);
	return file_read(path, out, err);
}

static int append_objects(struct strbuf *out, const struct build_tree *tree, struct error *err)
{
	static const char *const folders[] = {"include", "arch/x86/include"};
	static const char *const files[] = {".config", "scripts/module.lds"};
	_cleanup_free_ char *symvers = symvers_path(tree);

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		_cleanup_free_ char *path = xasprintf("%s/%s", tree->objects, folders[i]);

		if (file_exists(path) && folder_append_digests(out, path, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_free_ char *path = xasprintf("%s/%s", tree->objects, files[i]);

		if (append_file(out, path, err) < 0)
			return -1;
	}
	return append_file(out, symvers, err);
}

int kdir_digest(const struct build_tree *tree, char **digest, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
	struct strbuf key = STRBUF_INIT;

	/* The objects hold host programs, made by this compiler for this machine. */
	array_for_each (argument, &tree->arguments)
		strbuf_printf(&content, "%s\n", *argument);
	if (append_sources(&content, tree, err) < 0 || append_objects(&content, tree, err) < 0)
		return -1;
	text_append_digest(&key, strbuf_text(&content), content.length, 20);
	*digest = strbuf_take(&key);
	return 0;
}

static int copy_sources(const struct build_tree *tree, const char *folder, const char *arch,
			struct error *err)
{
	static const char *const top[] = {"Makefile", "Kbuild", "scripts", "include", NULL};
	static const char *const parts[] = {"Makefile", "Makefile_32.cpu", "Makefile.um", "Kbuild",
					    "include",	"scripts",	   NULL};
	_cleanup_free_ char *source_arch = xasprintf("%s/arch/x86", tree->checkout.path);

	if (folder_copy(tree->checkout.path, top, folder, err) < 0)
		return -1;
	return folder_copy(source_arch, parts, arch, err);
}

/* What was generated goes over the sources, as if the kernel had been built in place. */
static int copy_objects(const struct build_tree *tree, const char *folder, const char *arch,
			struct error *err)
{
	static const char *const top[] = {"scripts", "include", ".config", NULL};
	static const char *const parts[] = {"include", NULL};
	static const char *const tool[] = {"objtool", NULL};
	_cleanup_free_ char *object_arch = xasprintf("%s/arch/x86", tree->objects);
	_cleanup_free_ char *object_tool = xasprintf("%s/tools/objtool", tree->objects);
	_cleanup_free_ char *tools = xasprintf("%s/tools/objtool", folder);

	if (folder_copy(tree->objects, top, folder, err) < 0 ||
	    folder_copy(object_arch, parts, arch, err) < 0)
		return -1;
	return folder_copy(object_tool, tool, tools, err);
}

int kdir_copy(const struct build_tree *tree, const char *folder, struct error *err)
{
	_cleanup_free_ char *arch = xasprintf("%s/arch/x86", folder);
	_cleanup_free_ char *from = symvers_path(tree);
	_cleanup_free_ char *to = xasprintf("%s/Module.symvers", folder);
	_cleanup_(strbuf_release) struct strbuf symvers = STRBUF_INIT;

	if (copy_sources(tree, folder, arch, err) < 0 || copy_objects(tree, folder, arch, err) < 0)
		return -1;
	if (file_read(from, &symvers, err) < 0)
		return error_hint(err, "the base configuration needs CONFIG_MODULES=y");
	return file_write(to, strbuf_text(&symvers), symvers.length, err);
}
