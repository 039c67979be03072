/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/history.h"

#include <string.h>

#include "bisect/git_error.h"

/* Extensions that this libgit2 may not know, by a part of its message. */
static const struct {
	const char *part;
	const char *name;
	const char *hint;
} extensions[] = {
	{"objectformat", "its objects are named by SHA-256",
	 "kregress reads SHA-1 repositories: make one with git clone from a SHA-1 remote"},
	{"refstorage", "its references are stored as a reftable",
	 "convert a copy: git refs migrate --ref-format=files (git 2.46 or later)"},
};

/* The folder that safe.directory has to name: of the files, or of a bare repository. Owned. */
static char *root_of(const char *path)
{
	git_buf found = GIT_BUF_INIT;
	char *root = NULL;
	size_t length;

	if (git_repository_discover(&found, path, 0, NULL))
		return xstrdup(path);
	length = found.size;
	while (length > 1 && found.ptr[length - 1] == '/')
		length--;
	if (length > 5 && !strncmp(found.ptr + length - 5, "/.git", 5))
		length -= 5;
	root = xstrndup(found.ptr, length);
	git_buf_dispose(&found);
	return root;
}

static int refuse_open(const char *path, int code, struct error *err)
{
	_cleanup_free_ char *reason = xstrdup(git_error_text());

	if (code == GIT_EOWNER || strstr(reason, "safe.directory") || strstr(reason, "owned by")) {
		_cleanup_free_ char *root = root_of(path);

		error_set(err, ERROR_USAGE, "%s: the repository belongs to another user", path);
		return error_hint(err,
				  "if you trust it: git config --global --add safe.directory '%s'",
				  root);
	}
	if (code == GIT_ENOTFOUND) {
		error_set(err, ERROR_USAGE, "%s: no git repository here or above", path);
		return error_hint(err, "go into the kernel's source tree, or name it");
	}
	for (size_t i = 0; i < ARRAY_SIZE(extensions); i++) {
		if (!strstr(reason, extensions[i].part))
			continue;
		error_set(err, ERROR_USAGE, "%s: cannot read this repository: %s", path,
			  extensions[i].name);
		return error_hint(err, "%s", extensions[i].hint);
	}
	return error_set(err, ERROR_IO, "%s: cannot open the repository: %s", path, reason);
}

/* "remote.NAME.promisor"; the name may hold dots. */
static bool is_promisor_key(const char *key)
{
	const char *last = strrchr(key, '.');

	return !strncmp(key, "remote.", 7) && last && !strcmp(last, ".promisor");
}

static int note_promisor(const git_config_entry *entry, void *context)
{
	int on = 0;

	if (is_promisor_key(entry->name) && !git_config_parse_bool(&on, entry->value) && on)
		*(bool *)context = true;
	return 0;
}

static bool is_partial(git_repository *repository)
{
	git_config *config = NULL;
	git_config_entry *entry = NULL;
	bool partial = false;

	if (git_repository_config_snapshot(&config, repository))
		return false;
	if (!git_config_get_entry(&entry, config, "extensions.partialclone"))
		partial = true;
	git_config_entry_free(entry);
	git_config_foreach(config, note_promisor, &partial);
	git_config_free(config);
	return partial;
}

static int check_complete(git_repository *repository, const char *path, struct error *err)
{
	if (git_repository_is_shallow(repository)) {
		error_set(err, ERROR_USAGE, "%s: a shallow clone has no full history", path);
		return error_hint(err, "fetch the rest: git fetch --unshallow");
	}
	if (is_partial(repository)) {
		error_set(err, ERROR_USAGE, "%s: a partial clone lacks objects", path);
		return error_hint(err, "clone again without --filter");
	}
	return 0;
}

int history_open(struct history *history, const char *path, struct error *err)
{
	int code;

	*history = (struct history){NULL};
	if (git_libgit2_init() < 0)
		return git_error_into(err, ERROR_IO, "cannot start libgit2");
	code = git_repository_open_ext(&history->repository, path, 0, NULL);
	if (code) {
		refuse_open(path, code, err);
		git_libgit2_shutdown();
		return -1;
	}
	if (check_complete(history->repository, path, err)) {
		history_release(history);
		return -1;
	}
	return 0;
}

void history_release(struct history *history)
{
	if (!history->repository)
		return;
	git_repository_free(history->repository);
	history->repository = NULL;
	git_libgit2_shutdown();
}

static int refuse_revision(const char *revision, struct error *err)
{
	git_error_into(err, ERROR_USAGE, "'%s' is no commit", revision);
	return error_hint(err, "name a commit, branch or tag of this repository");
}

int history_resolve(const struct history *history, const char *revision, git_oid *id,
		    struct error *err)
{
	git_object *object = NULL;
	git_object *commit = NULL;
	int code = git_revparse_single(&object, history->repository, revision);

	if (!code)
		code = git_object_peel(&commit, object, GIT_OBJECT_COMMIT);
	if (!code)
		git_oid_cpy(id, git_object_id(commit));
	git_object_free(commit);
	git_object_free(object);
	return code ? refuse_revision(revision, err) : 0;
}

/* The ends of "A..B", where an end left out is HEAD. */
static int resolve_ends(const struct history *history, const char *text, const char *dots,
			git_oid *from, git_oid *to, struct error *err)
{
	_cleanup_free_ char *left = xstrndup(text, (size_t)(dots - text));

	if (history_resolve(history, *left ? left : "HEAD", from, err))
		return -1;
	return history_resolve(history, dots[2] ? dots + 2 : "HEAD", to, err);
}

int history_resolve_all(const struct history *history, const char *revisions,
			struct commit_ids *ids, struct error *err)
{
	const char *dots = strstr(revisions, "..");
	git_revwalk *walk = NULL;
	git_oid from;
	git_oid to;
	int code;

	if (!dots) {
		if (history_resolve(history, revisions, &to, err))
			return -1;
		*array_append(ids) = to;
		return 0;
	}
	if (resolve_ends(history, revisions, dots, &from, &to, err))
		return -1;
	code = git_revwalk_new(&walk, history->repository);
	if (!code)
		code = git_revwalk_push(walk, &to);
	if (!code)
		code = git_revwalk_hide(walk, &from);
	while (!code && !(code = git_revwalk_next(&to, walk)))
		*array_append(ids) = to;
	git_revwalk_free(walk);
	return code == GIT_ITEROVER ? 0
				    : git_error_into(err, ERROR_IO, "cannot walk '%s'", revisions);
}

int history_describe(const struct history *history, const git_oid *id, struct commit_note *note,
		     struct error *err)
{
	git_commit *commit = NULL;
	const git_signature *author;
	const char *subject;

	*note = (struct commit_note){NULL, NULL, 0, 0};
	if (git_commit_lookup(&commit, history->repository, id))
		return git_error_into(err, ERROR_IO, "cannot read commit %s", git_oid_tostr_s(id));
	author = git_commit_author(commit);
	subject = git_commit_summary(commit);
	note->subject = xstrdup(subject ? subject : "");
	note->author = xasprintf("%s <%s>", author->name, author->email);
	note->author_time_s = author->when.time;
	note->author_offset_min = author->when.offset;
	git_commit_free(commit);
	return 0;
}

void commit_note_release(struct commit_note *note)
{
	free(note->subject);
	free(note->author);
	*note = (struct commit_note){NULL, NULL, 0, 0};
}
