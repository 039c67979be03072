/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bisecting.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "common/file.h"

static char *find_folder(const char *store)
{
	_cleanup_free_ char *here = getcwd(NULL, 0);
	/* Beside a server there is no place. */
	const char *file = strstr(store, "://") ? ".kregress/store.db" : store;
	const char *plain = !strncmp(file, "./", 2) ? file + 2 : file;
	_cleanup_free_ char *path = path_below(here ? here : ".", plain);
	char *slash = strrchr(path, '/');

	if (slash)
		*slash = '\0';
	return xasprintf("%s/bisect", path);
}

char *bisecting_path(const struct bisecting *bisecting, const char *name)
{
	return xasprintf("%s/%s", bisecting->folder, name);
}

/* False when the file that was locked is no longer the one at the path. */
static bool lock_is_current(int fd, const char *path)
{
	struct stat locked;
	struct stat there;

	return fstat(fd, &locked) == 0 && stat(path, &there) == 0 && locked.st_ino == there.st_ino;
}

static int refuse_lock(const char *path, struct error *err)
{
	if (errno != EWOULDBLOCK)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot lock", path);
	error_set(err, ERROR_USAGE, "another kregress works on this bisection");
	return error_hint(err, "wait for it to end, or stop it; `kregress bisect status` shows how "
			       "far it is");
}

static int hint_place(struct error *err)
{
	return error_hint(err, "the bisection is kept beside the store: go to a folder that can be "
			       "written and name the repository by -R, or give --store FILE");
}

int bisecting_lock(struct bisecting *bisecting, struct error *err)
{
	_cleanup_free_ char *path = bisecting_path(bisecting, "lock");

	while (bisecting->lock_fd < 0) {
		int fd;

		if (folder_make(bisecting->folder, err) < 0)
			return hint_place(err);
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
		if (fd < 0) {
			error_set_errno(err, ERROR_IO, errno, "%s: cannot open", path);
			return hint_place(err);
		}
		if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
			refuse_lock(path, err);
			close(fd);
			return -1;
		}
		if (lock_is_current(fd, path))
			bisecting->lock_fd = fd;
		else
			close(fd);
	}
	return 0;
}

static int read_state(struct bisecting *bisecting, enum bisecting_access access, struct error *err)
{
	_cleanup_free_ char *path = bisecting_path(bisecting, "journal");
	int opened;

	if (access == BISECTING_WRITE && file_exists(path) && bisecting_lock(bisecting, err) < 0)
		return -1;
	opened = journal_open(&bisecting->journal, path, access == BISECTING_WRITE,
			      &bisecting->records, err);
	if (opened <= 0)
		return opened;
	if (bisecting->journal.torn && access == BISECTING_WRITE)
		log_warning(&bisecting->session.log, "%s", bisecting->journal.torn);
	if (bisection_apply_all(&bisecting->bisection, bisecting->records, path, err) < 0)
		return -1;
	if (!bisecting->bisection.started)
		return 0;
	return history_open(&bisecting->history, bisecting->bisection.options.repository, err);
}

int bisecting_open_folder(struct bisecting *bisecting, const struct common_options *common,
			  struct error *err)
{
	*bisecting = (struct bisecting){.lock_fd = -1, .journal = JOURNAL_INIT};
	if (session_open(&bisecting->session, common, false, err) < 0)
		return -1;
	bisecting->folder = find_folder(bisecting->session.config.store);
	return 0;
}

int bisecting_open(struct bisecting *bisecting, const struct common_options *common,
		   enum bisecting_access access, struct error *err)
{
	if (bisecting_open_folder(bisecting, common, err) < 0)
		return -1;
	if (read_state(bisecting, access, err) == 0)
		return 0;
	bisecting_close(bisecting);
	return -1;
}

int bisecting_open_started(struct bisecting *bisecting, const struct common_options *common,
			   enum bisecting_access access, struct error *err)
{
	if (bisecting_open(bisecting, common, access, err) < 0)
		return -1;
	if (bisecting->bisection.started)
		return 0;
	bisecting_close(bisecting);
	error_set(err, ERROR_USAGE, "no bisection is going on here");
	return error_hint(err, "kregress bisect start BAD GOOD");
}

void bisecting_close(struct bisecting *bisecting)
{
	history_release(&bisecting->history);
	bisection_release(&bisecting->bisection);
	journal_close(&bisecting->journal);
	json_decref(bisecting->records);
	if (bisecting->lock_fd >= 0)
		close(bisecting->lock_fd);
	free(bisecting->folder);
	session_close(&bisecting->session);
	*bisecting = (struct bisecting){.lock_fd = -1, .journal = JOURNAL_INIT};
}

/* Files of an earlier bisection; the journal itself is replaced at once, at the end. */
static int remove_leftovers(const struct bisecting *bisecting, struct error *err)
{
	static const char *const names[] = {"worktree", "logs"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_free_ char *path = bisecting_path(bisecting, names[i]);

		if (folder_remove(path, err) < 0)
			return -1;
	}
	return 0;
}

int bisecting_create(struct bisecting *bisecting, const json_t *records, struct error *err)
{
	_cleanup_free_ char *path = bisecting_path(bisecting, "journal");
	_cleanup_free_ char *ignore = bisecting_path(bisecting, ".gitignore");

	/* The folder may lie in the user's checkout: git shall not see it. */
	if (file_write(ignore, "*\n", 2, err) < 0 || remove_leftovers(bisecting, err) < 0 ||
	    journal_write(path, records, err) < 0)
		return -1;
	history_release(&bisecting->history);
	bisection_release(&bisecting->bisection);
	journal_close(&bisecting->journal);
	json_decref(bisecting->records);
	bisecting->records = NULL;
	return read_state(bisecting, BISECTING_WRITE, err);
}

int bisecting_record(struct bisecting *bisecting, json_t *record, struct error *err)
{
	int code = journal_append(&bisecting->journal, record, err);

	if (code == 0)
		code = bisection_apply(&bisecting->bisection, record, err);
	json_decref(record);
	return code;
}

bool split_at_dashes(int *argc, char **argv, int *rest_count, char ***rest)
{
	*rest_count = 0;
	*rest = NULL;
	for (int i = 0; i < *argc; i++) {
		if (strcmp(argv[i], "--") != 0)
			continue;
		*rest_count = *argc - i - 1;
		*rest = argv + i + 1;
		*argc = i;
		return true;
	}
	return false;
}

int bisecting_exit_code(enum stage stage)
{
	switch (stage) {
	case STAGE_FOUND_AMONG:
	case STAGE_EXHAUSTED:
		return EXIT_USAGE; /* 2, as git says "cannot bisect more" */
	case STAGE_FIXED:
		return EXIT_INCONCLUSIVE;
	case STAGE_NOT_REPRODUCED:
		return EXIT_NOT_REPRODUCED;
	case STAGE_CONTRADICTION:
		return EXIT_FAILED;
	default:
		return EXIT_OK;
	}
}
