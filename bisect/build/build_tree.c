/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/build/build_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bisect/build/folder_tools.h"
#include "bisect/build/make_output.h"
#include "bisect/build/toolchain.h"
#include "bisect/git_error.h"
#include "common/file.h"
#include "common/process.h"

static const double configure_timeout_s = 900;
static const double build_timeout_s = 6 * 3600;
/* A make whose master was killed ends soon after it. */
static const int lock_patience_s = 60;

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/*
 * Held as long as anybody builds here: the descriptor is left to make and its children, so that the
 * folder stays locked while those of a killed kregress still write to it.
 */
static int take_lock(struct build_tree *tree, const char *folder, struct error *err)
{
	_cleanup_free_ char *path = xasprintf("%s/lock", folder);

	tree->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (tree->lock_fd < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s", path);
	for (int i = 0; flock(tree->lock_fd, LOCK_EX | LOCK_NB) < 0; i++) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return error_set_errno(err, ERROR_IO, errno, "%s", path);
		if (i >= 10 * lock_patience_s) {
			error_set(err, ERROR_HARNESS, "%s: another process builds there", folder);
			return error_hint(err, "wait for its end, or give this bisection a cache "
					       "of its own (kregress.cache)");
		}
		usleep(100000);
	}
	return 0;
}

static int add_objects(struct build_tree *tree, const char *folder, struct error *err)
{
	git_odb *odb = NULL;
	int code = git_repository_odb(&odb, tree->checkout.repository);

	if (!code)
		code = git_odb_add_disk_alternate(odb, folder);
	git_odb_free(odb);
	return code ? git_error_into(err, ERROR_IO, "%s: cannot read objects there", folder) : 0;
}

/*
 * What would differ from build to build without saying anything about the kernel is fixed. ccache
 * serves those who have it, unless they chose their compiler themselves.
 */
static void fill_arguments(struct build_tree *tree, const struct build_tree_options *options)
{
	static const char *const fixed[] = {
		"KBUILD_BUILD_TIMESTAMP=1970-01-01 00:00:00 UTC", "KBUILD_BUILD_USER=kregress",
		"KBUILD_BUILD_HOST=kregress", "KBUILD_BUILD_VERSION=1", "LOCALVERSION="};
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t jobs = options->jobs ? options->jobs : cpus > 0 ? (uint64_t)cpus : 1;
	_cleanup_free_ char *out = xasprintf("O=%s", tree->objects);
	_cleanup_free_ char *parallel = xasprintf("-j%llu", (unsigned long long)jobs);

	string_list_add(&tree->arguments, "make");
	string_list_add(&tree->arguments, "-C");
	string_list_add(&tree->arguments, tree->checkout.path);
	string_list_add(&tree->arguments, out);
	string_list_add(&tree->arguments, parallel);
	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		string_list_add(&tree->arguments, fixed[i]);
	if (!toolchain_argument(options->make_arguments, "CC") &&
	    !toolchain_argument(options->make_arguments, "LLVM") &&
	    !toolchain_argument(options->make_arguments, "CROSS_COMPILE") &&
	    toolchain_has("ccache"))
		string_list_add(&tree->arguments, "CC=ccache gcc");
	array_for_each (argument, options->make_arguments)
		string_list_add(&tree->arguments, *argument);
}

static int open_tree(struct build_tree *tree, const struct build_tree_options *options,
		     struct error *err)
{
	_cleanup_free_ char *source = xasprintf("%s/source", options->folder);

	if (folder_make(options->folder, err) < 0 || take_lock(tree, options->folder, err) < 0 ||
	    checkout_open(&tree->checkout, source, options->history, err) < 0)
		return -1;
	if (options->more_objects && add_objects(tree, options->more_objects, err) < 0)
		return -1;
	if (folder_make(tree->objects, err) < 0 || folder_make(tree->log_folder, err) < 0)
		return -1;
	fill_arguments(tree, options);
	return 0;
}

int build_tree_open(struct build_tree *tree, const struct build_tree_options *options,
		    struct error *err)
{
	_cleanup_free_ char *folder = NULL;

	*tree = (struct build_tree){.lock_fd = -1, .pid = -1, .base_config = options->base_config};
	if (folder_make(options->folder, err) < 0)
		return -1;
	/* make runs elsewhere: its folders are named from the root. */
	folder = realpath(options->folder, NULL);
	if (!folder)
		return error_set_errno(err, ERROR_IO, errno, "%s", options->folder);
	tree->objects = xasprintf("%s/objects", folder);
	tree->mark = xasprintf("%s/unfinished", folder);
	tree->log_folder = xasprintf("%s/logs", folder);
	if (open_tree(tree, options, err) == 0)
		return 0;
	build_tree_close(tree);
	return -1;
}

void build_tree_close(struct build_tree *tree)
{
	build_tree_stop(tree);
	checkout_close(&tree->checkout);
	string_list_release(&tree->arguments);
	free(tree->objects);
	free(tree->mark);
	free(tree->log_folder);
	free(tree->log_path);
	if (tree->lock_fd >= 0)
		close(tree->lock_fd);
	*tree = (struct build_tree){.lock_fd = -1, .pid = -1};
}

/* Starts make with all its output at the end of the build's log. */
static int start_make(struct build_tree *tree, const char *targets, struct error *err)
{
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_close_ int output =
		open(tree->log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	struct process_streams streams = {-1, output, output};
	int result;

	if (output < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot create", tree->log_path);
	array_for_each (argument, &tree->arguments)
		string_list_add(&argv, *argument);
	string_list_split(&argv, targets, " ");
	if (file_write(tree->mark, "", 0, err) < 0)
		return -1;
	fcntl(tree->lock_fd, F_SETFD, 0);
	result = process_start(&argv, &streams, &tree->pid, err);
	fcntl(tree->lock_fd, F_SETFD, FD_CLOEXEC);
	if (result < 0)
		err->kind = ERROR_HARNESS;
	return result;
}

/* From make's end to a verdict: whose fault is it? */
static int judge_failure(const struct build_tree *tree, int wait_status, char **reason,
			 struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf output = STRBUF_INIT;
	_cleanup_free_ char *end = process_describe_status(wait_status);
	struct make_failure failure;

	if (WIFSIGNALED(wait_status)) {
		error_set(err, ERROR_HARNESS, "make %s", end);
		return error_hint(err, "the same command goes on from here; its output is in %s",
				  tree->log_path);
	}
	if (file_read(tree->log_path, &output, err) < 0)
		return -1;
	failure = make_failure_read(strbuf_text(&output), tree->checkout.path);
	if (failure.lab_cause) {
		error_set(err, ERROR_HARNESS, "cannot build here: %s", failure.lab_cause);
		error_hint(err, "%s%sall of make's output is in %s",
			   failure.lab_advice ? failure.lab_advice : "",
			   failure.lab_advice ? "; " : "", tree->log_path);
	} else {
		*reason = take_pointer(failure.first_error);
	}
	make_failure_release(&failure);
	return *reason ? 0 : -1;
}

/* 0: make has ended, in *broken the reason if the commit is to blame; -1: trouble here. */
static int end_make(struct build_tree *tree, double timeout_s, char **broken, struct error *err)
{
	int status = 0;
	int ended = process_wait(&tree->pid, timeout_s, &status);

	*broken = NULL;
	if (ended <= 0) {
		build_tree_stop(tree);
		if (ended < 0)
			return error_set(err, ERROR_INTERRUPTED, "make: interrupted");
		return error_set(err, ERROR_HARNESS, "make: not done after %g s, see %s", timeout_s,
				 tree->log_path);
	}
	if (!WIFSIGNALED(status))
		unlink(tree->mark);
	return status ? judge_failure(tree, status, broken, err) : 0;
}

/* The base configuration, without the commit's id in the kernel's version: it would change text. */
static int write_config(const struct build_tree *tree, struct error *err)
{
	_cleanup_free_ char *path = xasprintf("%s/.config", tree->objects);
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "%s\n# CONFIG_LOCALVERSION_AUTO is not set\n", tree->base_config);
	return file_write(path, strbuf_text(&text), text.length, err);
}

static int clean_up_after_kill(const struct build_tree *tree, struct error *err)
{
	if (!file_exists(tree->mark))
		return 0;
	return folder_remove_young_objects(tree->objects, tree->mark, err);
}

int build_tree_start(struct build_tree *tree, const git_oid *commit, char **broken,
		     struct error *err)
{
	*broken = NULL;
	build_tree_stop(tree);
	tree->commit = *commit;
	tree->started_s = now_s();
	free(tree->log_path);
	tree->log_path = xasprintf("%s/%s.log", tree->log_folder, git_oid_tostr_s(commit));
	unlink(tree->log_path);
	if (clean_up_after_kill(tree, err) < 0 ||
	    checkout_switch(&tree->checkout, commit, err) < 0 || write_config(tree, err) < 0)
		return -1;
	if (start_make(tree, "olddefconfig", err) < 0 ||
	    end_make(tree, configure_timeout_s, broken, err) < 0)
		return -1;
	return *broken ? 0 : start_make(tree, "bzImage modules_prepare", err);
}

int build_tree_wait(struct build_tree *tree, enum build_tree_state *state, char **reason,
		    struct error *err)
{
	if (end_make(tree, build_timeout_s, reason, err) < 0)
		return -1;
	tree->was_used = true;
	*state = *reason ? BUILD_TREE_BROKEN : BUILD_TREE_BUILT;
	return 0;
}

bool build_tree_is_busy(struct build_tree *tree)
{
	siginfo_t info = {0};

	return tree->pid > 0 &&
	       (waitid(P_PID, (id_t)tree->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
		info.si_pid == 0);
}

void build_tree_stop(struct build_tree *tree)
{
	process_stop(&tree->pid);
}
