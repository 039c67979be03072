/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/driver/checkout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bisect/git_error.h"
#include "common/file.h"

/* The user's objects become readable in our repository. */
static int borrow_objects(const char *path, const struct history *history, struct error *err)
{
	const char *common = git_repository_commondir(history->repository);
	_cleanup_free_ char *objects = xasprintf("%sobjects\n", common);
	_cleanup_free_ char *alternates = xasprintf("%s/.git/objects/info/alternates", path);
	_cleanup_free_ char *folder = xasprintf("%s/.git/objects/info", path);

	if (folder_make(folder, err) < 0)
		return -1;
	return file_write(alternates, objects, strlen(objects), err);
}

static int make_repository(const char *path, const struct history *history, struct error *err)
{
	git_repository_init_options options;
	git_repository *repository = NULL;
	int code;

	git_repository_init_options_init(&options, GIT_REPOSITORY_INIT_OPTIONS_VERSION);
	/* Without a template: the user's hooks have no business here. */
	options.flags = GIT_REPOSITORY_INIT_NO_REINIT | GIT_REPOSITORY_INIT_MKPATH;
	code = git_repository_init_ext(&repository, path, &options);
	git_repository_free(repository);
	if (code)
		return git_error_into(err, ERROR_IO, "%s: cannot make a working tree", path);
	return borrow_objects(path, history, err);
}

int checkout_open(struct checkout *checkout, const char *path, const struct history *history,
		  struct error *err)
{
	_cleanup_free_ char *alternates = xasprintf("%s/.git/objects/info/alternates", path);
	char *absolute;

	*checkout = (struct checkout){NULL, NULL};
	/* One that a kill left half made is made again; nothing in it is worth keeping. */
	if (!file_exists(alternates) &&
	    (folder_remove(path, err) < 0 || make_repository(path, history, err) < 0))
		return -1;
	if (git_repository_open(&checkout->repository, path))
		return git_error_into(err, ERROR_IO, "%s: cannot open the working tree", path);
	absolute = realpath(path, NULL);
	if (!absolute) {
		error_set_errno(err, ERROR_IO, errno, "%s", path);
		checkout_close(checkout);
		return -1;
	}
	checkout->path = absolute;
	return 0;
}

void checkout_close(struct checkout *checkout)
{
	git_repository_free(checkout->repository);
	free(checkout->path);
	*checkout = (struct checkout){NULL, NULL};
}

/* A kill in the middle of a checkout leaves them; nobody else works here. */
static void drop_stale_locks(const struct checkout *checkout)
{
	static const char *const names[] = {"index.lock", "HEAD.lock", "logs/HEAD.lock"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_free_ char *lock = xasprintf("%s/.git/%s", checkout->path, names[i]);

		unlink(lock);
	}
}

int checkout_switch(struct checkout *checkout, const git_oid *commit, struct error *err)
{
	git_checkout_options options;
	git_object *object = NULL;
	int code;

	git_checkout_options_init(&options, GIT_CHECKOUT_OPTIONS_VERSION);
	options.checkout_strategy = GIT_CHECKOUT_FORCE;
	drop_stale_locks(checkout);
	code = git_object_lookup(&object, checkout->repository, commit, GIT_OBJECT_COMMIT);
	if (!code)
		code = git_checkout_tree(checkout->repository, object, &options);
	if (!code)
		code = git_repository_set_head_detached(checkout->repository, commit);
	git_object_free(object);
	if (!code)
		return 0;
	git_error_into(err, ERROR_HARNESS, "%s: cannot check out %s", checkout->path,
		       git_oid_tostr_s(commit));
	return error_hint(
		err, "is the disk full? Make room and do it again; --no-checkout needs no files");
}

struct revert {
	git_commit *tip;
	git_commit *culprit;
	git_index *index;
	git_tree *tree;
	git_signature *signature;
};

static void revert_release(struct revert *revert)
{
	git_commit_free(revert->tip);
	git_commit_free(revert->culprit);
	git_index_free(revert->index);
	git_tree_free(revert->tree);
	git_signature_free(revert->signature);
}

/* The tip's own date, so that the same revert is the same commit. */
static int commit_tree(struct revert *revert, git_repository *repository, git_oid *reverted)
{
	const git_commit *parents[1] = {revert->tip};
	git_time_t when = git_commit_time(revert->tip);
	_cleanup_free_ char *message =
		xasprintf("Revert %s\n\nMade by kregress to test whether it restores the speed.\n",
			  git_oid_tostr_s(git_commit_id(revert->culprit)));

	if (git_signature_new(&revert->signature, "kregress", "kregress@localhost", when, 0))
		return -1;
	return git_commit_create(reverted, repository, NULL, revert->signature, revert->signature,
				 NULL, message, revert->tree, 1, parents);
}

static int write_revert(struct revert *revert, git_repository *repository, git_oid *reverted,
			char **reason)
{
	git_oid tree;

	if (git_index_has_conflicts(revert->index)) {
		*reason = xstrdup("it does not apply cleanly to the bad commit");
		return 0;
	}
	if (git_index_write_tree_to(&tree, revert->index, repository))
		return -1;
	if (git_oid_equal(&tree, git_commit_tree_id(revert->tip))) {
		*reason = xstrdup("it changes nothing in the bad commit");
		return 0;
	}
	if (git_tree_lookup(&revert->tree, repository, &tree))
		return -1;
	return commit_tree(revert, repository, reverted) ? -1 : 1;
}

int checkout_revert(struct checkout *checkout, const git_oid *tip, const git_oid *culprit,
		    git_oid *reverted, char **reason, struct error *err)
{
	_cleanup_(revert_release) struct revert revert = {0};
	git_repository *repository = checkout->repository;
	unsigned int parents;
	int made;

	*reason = NULL;
	if (git_commit_lookup(&revert.tip, repository, tip) ||
	    git_commit_lookup(&revert.culprit, repository, culprit))
		return git_error_into(err, ERROR_IO, "cannot read a commit to revert");
	parents = git_commit_parentcount(revert.culprit);
	if (!parents) {
		*reason = xstrdup("the first commit of a history cannot be reverted");
		return 0;
	}
	/* A merge is taken back to its first parent. */
	if (git_revert_commit(&revert.index, repository, revert.culprit, revert.tip,
			      parents > 1 ? 1 : 0, NULL)) {
		*reason = xasprintf("git cannot revert it: %s", git_error_text());
		return 0;
	}
	made = write_revert(&revert, repository, reverted, reason);
	return made < 0 ? git_error_into(err, ERROR_IO, "cannot write the revert") : made;
}
