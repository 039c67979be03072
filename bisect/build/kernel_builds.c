/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/build/kernel_builds.h"

#include <string.h>
#include <time.h>

#include "bisect/build/build_tree.h"
#include "bisect/build/config_text.h"
#include "bisect/build/toolchain.h"
#include "bisect/git_error.h"
#include "common/file.h"
#include "common/text.h"

/* Before anything was built: a small configuration on a few CPUs. */
static const double first_build_guess_s = 600;
static const double next_build_guess_s = 60;

struct kernel_builds {
	char *folder;
	struct history history;
	struct strbuf base_config;
	char *key_tail; /* configuration, toolchain and arguments, for cache keys */
	char *digest;	/* of the key's tail */
	uint64_t cache_limit_bytes;
	const struct log *log;
	struct build_tree tree;
	bool pending;	   /* the tree's commit was begun ahead and nobody asked for it yet */
	char *tree_broken; /* ... and does not even configure, for this reason */
	double seconds;	   /* sum over the builds that began with objects there */
	size_t count;
};

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int read_base_config(struct kernel_builds *builds, const char *path, struct error *err)
{
	if (file_read(path, &builds->base_config, err) < 0) {
		err->kind = ERROR_USAGE;
		error_wrap(err, "the base configuration");
		return error_hint(err, "set the variant's `config` to a .config that suits the "
				       "range's commits");
	}
	if (config_is_set(strbuf_text(&builds->base_config), "MODULES"))
		return 0;
	error_set(err, ERROR_USAGE, "%s: CONFIG_MODULES is not set", path);
	return error_hint(err, "kregress.ko is a module: CONFIG_MODULES=y is needed");
}

static int describe_key(struct kernel_builds *builds, const struct kernel_builds_options *options,
			struct error *err)
{
	_cleanup_free_ char *toolchain = NULL;
	_cleanup_free_ char *config = NULL;
	struct strbuf tail = STRBUF_INIT;
	struct strbuf digest = STRBUF_INIT;

	if (toolchain_describe(options->make_arguments, &toolchain, err) < 0)
		return -1;
	config = config_digest(strbuf_text(&builds->base_config));
	strbuf_printf(&tail, "config %s\n%s\n", config, toolchain);
	array_for_each (argument, options->make_arguments)
		strbuf_printf(&tail, "argument %s\n", *argument);
	text_append_digest(&digest, strbuf_text(&tail), tail.length, 40);
	builds->digest = strbuf_take(&digest);
	builds->key_tail = strbuf_take(&tail);
	return 0;
}

const char *kernel_builds_digest(const struct kernel_builds *builds)
{
	return builds->digest;
}

static int open_parts(struct kernel_builds *builds, const struct kernel_builds_options *options,
		      struct error *err)
{
	_cleanup_free_ char *folder = xasprintf("%s/tree", options->folder);
	struct build_tree_options tree = {
		.history = &builds->history,
		.more_objects = options->more_objects,
		.folder = folder,
		.make_arguments = options->make_arguments,
		.jobs = options->jobs,
	};

	if (history_open(&builds->history, options->repository, err) < 0 ||
	    read_base_config(builds, options->base_config, err) < 0 ||
	    describe_key(builds, options, err) < 0)
		return -1;
	tree.base_config = strbuf_text(&builds->base_config);
	return build_tree_open(&builds->tree, &tree, err);
}

int kernel_builds_open(const struct kernel_builds_options *options, struct kernel_builds **builds,
		       struct error *err)
{
	struct kernel_builds *opened = xcalloc(1, sizeof(*opened));

	opened->folder = xstrdup(options->folder);
	opened->cache_limit_bytes = options->cache_limit_bytes;
	opened->log = options->log;
	opened->tree = (struct build_tree){.pid = -1, .lock_fd = -1};
	if (open_parts(opened, options, err) < 0) {
		kernel_builds_close(opened);
		return -1;
	}
	*builds = opened;
	return 0;
}

void kernel_builds_close(struct kernel_builds *builds)
{
	if (!builds)
		return;
	build_tree_close(&builds->tree);
	history_release(&builds->history);
	strbuf_release(&builds->base_config);
	free(builds->key_tail);
	free(builds->digest);
	free(builds->tree_broken);
	free(builds->folder);
	free(builds);
}

/* The cache key of a commit; owned by the caller. By the tree: commits with equal files share. */
static int commit_key(struct kernel_builds *builds, const git_oid *id, char **key,
		      struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
	struct strbuf digest = STRBUF_INIT;
	git_commit *commit = NULL;

	if (git_commit_lookup(&commit, builds->tree.checkout.repository, id))
		return git_error_into(err, ERROR_IO, "commit %s", git_oid_tostr_s(id));
	strbuf_printf(&content, "kregress-kernel 1\ntree %s\n%s",
		      git_oid_tostr_s(git_commit_tree_id(commit)), builds->key_tail);
	git_commit_free(commit);
	text_append_digest(&digest, strbuf_text(&content), content.length, 32);
	*key = strbuf_take(&digest);
	return 0;
}

bool kernel_builds_have(struct kernel_builds *builds, const git_oid *commit)
{
	_cleanup_(error_clear) struct error ignored = {0};
	_cleanup_free_ char *key = NULL;

	return commit_key(builds, commit, &key, &ignored) == 0 &&
	       build_cache_has(builds->folder, key);
}

/* Goes on with what was begun ahead, or begins. */
static int begin(struct kernel_builds *builds, const git_oid *commit, struct error *err)
{
	if (builds->pending && git_oid_equal(&builds->tree.commit, commit))
		return 0;
	builds->pending = false;
	free(builds->tree_broken);
	builds->tree_broken = NULL;
	log_progress(builds->log, "building %.12s", git_oid_tostr_s(commit));
	if (build_tree_start(&builds->tree, commit, &builds->tree_broken, err) < 0)
		return -1;
	builds->pending = true;
	return 0;
}

/* Builds in the tree; *reason is set when the commit does not build. */
static int build_in_tree(struct kernel_builds *builds, const git_oid *commit, char **reason,
			 struct error *err)
{
	enum build_tree_state state;
	bool warm = builds->tree.was_used;
	int result;

	if (begin(builds, commit, err) < 0)
		return -1;
	builds->pending = false;
	if (builds->tree_broken) {
		*reason = take_pointer(builds->tree_broken);
		return 0;
	}
	result = build_tree_wait(&builds->tree, &state, reason, err);
	if (result == 0 && state == BUILD_TREE_BUILT && warm) {
		builds->seconds += now_s() - builds->tree.started_s;
		builds->count++;
	}
	return result;
}

static int keep_result(struct kernel_builds *builds, const char *key, struct built_kernel *kernel,
		       struct error *err)
{
	int found;

	if (build_cache_add(builds->folder, key, &builds->tree, err) < 0)
		return error_wrap(err, "keeping the kernel of %.12s",
				  git_oid_tostr_s(&builds->tree.commit));
	found = build_cache_find(builds->folder, key, kernel, err);
	if (found < 0)
		return -1;
	if (!found)
		return error_set(err, ERROR_IO, "%s: what was just written there is damaged",
				 builds->folder);
	if (builds->cache_limit_bytes)
		return build_cache_prune(builds->folder, builds->cache_limit_bytes, key, err);
	return 0;
}

static void describe_ready(const struct kernel_builds *builds, const git_oid *commit,
			   const struct built_kernel *kernel, struct build_result *result)
{
	result->state = BUILD_READY;
	result->identity = xstrdup(kernel->identity);
	result->config = xstrdup(kernel->config_digest);
	if (kernel->config_changes && !result->cached)
		log_note(builds->log,
			 "%.12s: %llu symbols are not as in the base configuration, see "
			 "config-changes beside %s",
			 git_oid_tostr_s(commit), (unsigned long long)kernel->config_changes,
			 kernel->config);
}

int kernel_builds_make(struct kernel_builds *builds, const git_oid *commit,
		       struct build_result *result, struct built_kernel *kernel, struct error *err)
{
	_cleanup_free_ char *key = NULL;
	double started_s = now_s();
	int found;

	*result = (struct build_result){0};
	*kernel = (struct built_kernel){0};
	if (commit_key(builds, commit, &key, err) < 0)
		return -1;
	found = build_cache_find(builds->folder, key, kernel, err);
	if (found < 0)
		return -1;
	result->cached = found;
	if (!found) {
		if (build_in_tree(builds, commit, &result->reason, err) < 0)
			return error_wrap(err, "building %.12s", git_oid_tostr_s(commit));
		result->log_path = xstrdup(builds->tree.log_path);
		if (!result->reason && keep_result(builds, key, kernel, err) < 0)
			return -1;
	}
	result->duration_s = now_s() - started_s;
	if (result->reason)
		result->state = BUILD_BROKEN;
	else
		describe_ready(builds, commit, kernel, result);
	return 0;
}

/* Keeps what was begun ahead and has ended; a failure is kept until the commit is asked for. */
static void settle(struct kernel_builds *builds)
{
	_cleanup_(error_clear) struct error ignored = {0};
	_cleanup_(built_kernel_release) struct built_kernel kernel = {0};
	_cleanup_free_ char *key = NULL;
	enum build_tree_state state;
	git_oid commit = builds->tree.commit;

	if (!builds->pending || builds->tree_broken || build_tree_is_busy(&builds->tree))
		return;
	if (build_tree_wait(&builds->tree, &state, &builds->tree_broken, &ignored) < 0 ||
	    (state == BUILD_TREE_BUILT && (commit_key(builds, &commit, &key, &ignored) < 0 ||
					   keep_result(builds, key, &kernel, &ignored) < 0)))
		error_clear(&ignored);
	builds->pending = builds->tree_broken != NULL;
}

/* The first commit of the list that would have to be built, or NULL. */
static const git_oid *first_missing(struct kernel_builds *builds, const git_oid *commits,
				    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bool known_broken = builds->tree_broken && builds->pending &&
				    git_oid_equal(&builds->tree.commit, &commits[i]);

		if (!known_broken && !kernel_builds_have(builds, &commits[i]))
			return &commits[i];
	}
	return NULL;
}

void kernel_builds_ahead(struct kernel_builds *builds, const git_oid *commits, size_t count)
{
	_cleanup_(error_clear) struct error ignored = {0};
	const git_oid *next;

	settle(builds);
	next = first_missing(builds, commits, count);
	if (next && builds->pending && git_oid_equal(&builds->tree.commit, next))
		return;
	if (next || !builds->tree_broken) {
		build_tree_stop(&builds->tree);
		builds->pending = false;
	}
	/* What is wrong shows again, and is told, when the commit is asked for. */
	if (next && begin(builds, next, &ignored) < 0)
		error_clear(&ignored);
}

double kernel_builds_cost_s(struct kernel_builds *builds, const git_oid *commit)
{
	if (kernel_builds_have(builds, commit))
		return 0;
	if (builds->count)
		return builds->seconds / (double)builds->count;
	return builds->tree.was_used ? next_build_guess_s : first_build_guess_s;
}
