/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/bisect/repository.h"

#include <stdio.h>
#include <sys/wait.h>

#include "common/file.h"
#include "common/process.h"

int made_repository_init(struct made_repository *made, struct error *err)
{
	git_repository_init_options options;

	*made = (struct made_repository){NULL, NULL, {NULL, 0, 0}, {NULL, 0, 0}};
	git_libgit2_init();
	git_repository_init_options_init(&options, GIT_REPOSITORY_INIT_OPTIONS_VERSION);
	options.flags = GIT_REPOSITORY_INIT_MKPATH;
	options.initial_head = "main";
	if (folder_make_temporary(&made->path, err))
		return -1;
	if (git_repository_init_ext(&made->repository, made->path, &options))
		return error_set(err, ERROR_IO, "%s", git_error_last()->message);
	return 0;
}

void made_repository_release(struct made_repository *made)
{
	_cleanup_(error_clear) struct error err = {0};

	array_for_each (commit, &made->commits) {
		free(commit->name);
		free(commit->touches);
		free(commit->content);
		string_list_release(&commit->parents);
	}
	array_release(&made->commits);
	string_list_release(&made->paths);
	git_repository_free(made->repository);
	if (made->path && folder_remove(made->path, &err))
		fprintf(stderr, "%s\n", err.message);
	free(made->path);
	git_libgit2_shutdown();
}

const struct made_commit *made_repository_find(const struct made_repository *made, const char *name)
{
	array_for_each (commit, &made->commits) {
		if (!strcmp(commit->name, name))
			return commit;
	}
	return NULL;
}

bool made_repository_is_ancestor(const struct made_repository *made,
				 const struct made_commit *ancestor,
				 const struct made_commit *commit)
{
	if (ancestor == commit)
		return true;
	for (size_t p = 0; p < commit->parents.count; p++) {
		if (made_repository_is_ancestor(
			    made, ancestor, made_repository_find(made, commit->parents.items[p])))
			return true;
	}
	return false;
}

static size_t path_index(struct made_repository *made, const char *path)
{
	for (size_t i = 0; i < made->paths.count; i++) {
		if (!strcmp(made->paths.items[i], path))
			return i;
	}
	string_list_add(&made->paths, path);
	/* Room for the new path in what exists. */
	array_for_each (commit, &made->commits) {
		commit->content =
			xreallocarray(commit->content, made->paths.count, sizeof(*commit->content));
		commit->content[made->paths.count - 1] = 0;
	}
	return made->paths.count - 1;
}

/* What the new commit has at each path. */
static void merge_content(struct made_repository *made, struct made_commit *commit)
{
	_cleanup_free_ char *own = xasprintf("all/%s", commit->name);
	size_t touched = path_index(made, commit->touches ? commit->touches : own);
	size_t parents = commit->ours ? 1 : commit->parents.count;

	for (size_t p = 0; p < parents; p++) {
		const struct made_commit *parent =
			made_repository_find(made, commit->parents.items[p]);

		for (size_t i = 0; i < made->paths.count; i++) {
			if (parent->content[i] > commit->content[i])
				commit->content[i] = parent->content[i];
		}
	}
	if (commit->parents.count < 2 || commit->touches)
		commit->content[touched] = made->commits.count;
}

static int write_tree(const struct made_repository *made, const struct made_commit *commit,
		      git_oid *tree)
{
	git_index *index = NULL;
	int code = git_index_new(&index);

	for (size_t i = 0; !code && i < made->paths.count; i++) {
		git_index_entry entry = {.mode = GIT_FILEMODE_BLOB, .path = made->paths.items[i]};
		char text[32];

		if (!commit->content[i])
			continue;
		snprintf(text, sizeof(text), "%zu\n", commit->content[i]);
		code = git_blob_create_from_buffer(&entry.id, made->repository, text, strlen(text));
		if (!code)
			code = git_index_add(index, &entry);
	}
	if (!code)
		code = git_index_write_tree_to(tree, index, made->repository);
	git_index_free(index);
	return code;
}

static int create_commit(struct made_repository *made, struct made_commit *commit,
			 const git_oid *tree_id)
{
	git_commit *parents[8] = {NULL};
	git_signature *author = NULL;
	git_tree *tree = NULL;
	size_t count = commit->parents.count;
	int code = git_tree_lookup(&tree, made->repository, tree_id);

	for (size_t p = 0; !code && p < count; p++)
		code = git_commit_lookup(&parents[p], made->repository,
					 &made_repository_find(made, commit->parents.items[p])->id);
	if (!code)
		code = git_signature_new(&author, "Ann Author", "ann@example.org",
					 1700000000 + 60 * (git_time_t)made->commits.count, 60);
	if (!code)
		code = git_commit_create(&commit->id, made->repository, NULL, author, author, NULL,
					 commit->name, tree, count, (const git_commit **)parents);
	for (size_t p = 0; p < count; p++)
		git_commit_free(parents[p]);
	git_signature_free(author);
	git_tree_free(tree);
	return code;
}

static int tag(struct made_repository *made, const struct made_commit *commit)
{
	_cleanup_free_ char *name = xasprintf("refs/tags/%s", commit->name);
	git_reference *reference = NULL;
	int code = git_reference_create(&reference, made->repository, name, &commit->id, 1, NULL);

	git_reference_free(reference);
	if (code)
		return code;
	code = git_reference_create(&reference, made->repository, "refs/heads/main", &commit->id, 1,
				    NULL);
	git_reference_free(reference);
	return code;
}

int made_repository_add(struct made_repository *made, const char *line, struct error *err)
{
	struct string_list words = {NULL, 0, 0};
	struct made_commit *commit = array_append(&made->commits);
	git_oid tree;
	int code;

	string_list_split(&words, line, " \t");
	commit->name = xstrdup(words.count ? words.items[0] : "");
	commit->content = xcalloc(made->paths.count + 1, sizeof(*commit->content));
	for (size_t i = 1; i < words.count; i++) {
		if (!strncmp(words.items[i], "touch=", 6))
			commit->touches = xstrdup(words.items[i] + 6);
		else if (!strcmp(words.items[i], "ours"))
			commit->ours = true;
		else
			string_list_add(&commit->parents, words.items[i]);
	}
	string_list_release(&words);
	for (size_t p = 0; p < commit->parents.count; p++) {
		if (p >= 8 || !made_repository_find(made, commit->parents.items[p]))
			return error_set(err, ERROR_DATA, "unknown parent in '%s'", line);
	}
	merge_content(made, commit);
	code = write_tree(made, commit, &tree);
	if (!code)
		code = create_commit(made, commit, &tree);
	if (!code)
		code = tag(made, commit);
	return code ? error_set(err, ERROR_IO, "%s: %s", line, git_error_last()->message) : 0;
}

int made_repository_git(const struct made_repository *made, const struct string_list *arguments,
			char **output)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *log = path_below(made->path, ".git/test-output");
	struct string_list argv = {NULL, 0, 0};
	_cleanup_fclose_ FILE *file = fopen(log, "w");
	struct process_streams streams = {-1, file ? fileno(file) : -1, file ? fileno(file) : -1};
	pid_t pid = -1;
	int status = -1;

	string_list_split(&argv,
			  "env GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null "
			  "LC_ALL=C git -C",
			  " ");
	string_list_add(&argv, made->path);
	for (size_t i = 0; i < arguments->count; i++)
		string_list_add(&argv, arguments->items[i]);
	if (file && !process_start(&argv, &streams, &pid, &err))
		waitpid(pid, &status, 0);
	string_list_release(&argv);
	if (file_read(log, &text, &err))
		return -1;
	*output = strbuf_take(&text);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
