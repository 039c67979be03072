/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files made and removed, a cached file read again, a lock taken and given back; after lat_fs,
 * bw_file_rd and lat_fcntl of lmbench. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/agent/transfer.h"
#include "collector/agent/user_bench.h"

#define FILE_NAME "file"
#define BLOCK	  (64 << 10)

/* The folder is the current one, so that its path's length plays no part. */
static int enter_folder(struct bench_run *run)
{
	return chdir(run->folder) < 0 ? bench_fail(run, run->folder) : 0;
}

static int make_file(size_t size)
{
	static const char block[BLOCK];
	int fd = open(FILE_NAME, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	for (size_t left = size; fd >= 0 && left;) {
		size_t part = left < BLOCK ? left : BLOCK;

		if (transfer_write(fd, block, part) < 0) {
			close(fd);
			return -1;
		}
		left -= part;
	}
	return fd;
}

int bench_file_create_delete_setup(struct bench_run *run)
{
	return enter_folder(run);
}

int bench_file_create_delete_run(struct bench_run *run, uint64_t loops)
{
	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		int fd;

		plant(run->plant);
		fd = make_file(run->bench->size);
		if (fd < 0 || close(fd) < 0 || unlink(FILE_NAME) < 0)
			return bench_fail(run, "file");
	}
	stopwatch_stop(&run->watch);
	return 0;
}

int bench_file_reread_setup(struct bench_run *run)
{
	if (enter_folder(run) < 0)
		return -1;
	run->data = malloc(BLOCK);
	run->fd = make_file(run->bench->size);
	return run->fd < 0 || !run->data ? bench_fail(run, "file") : 0;
}

static int reread_once(struct bench_run *run)
{
	size_t size = run->bench->size;

	for (size_t at = 0; at < size; at += BLOCK) {
		size_t part = size - at < BLOCK ? size - at : BLOCK;

		if (pread(run->fd, run->data, part, (off_t)at) != (ssize_t)part)
			return bench_fail(run, "read");
	}
	return 0;
}

int bench_file_reread_run(struct bench_run *run, uint64_t loops)
{
	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		if (reread_once(run) < 0)
			return -1;
	}
	stopwatch_stop(&run->watch);
	return 0;
}

int bench_file_lock_setup(struct bench_run *run)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};

	if (enter_folder(run) < 0)
		return -1;
	run->fd = make_file(1);
	if (run->fd < 0)
		return bench_fail(run, "file");
	/* Some file systems know no locks. */
	return fcntl(run->fd, F_SETLK, &lock) < 0 ? bench_setup_fail(run, "fcntl lock") : 0;
}

int bench_file_lock_run(struct bench_run *run, uint64_t loops)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
	struct flock unlock = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_len = 1};

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		if (fcntl(run->fd, F_SETLK, &lock) < 0 || fcntl(run->fd, F_SETLK, &unlock) < 0)
			return bench_fail(run, "fcntl lock");
	}
	stopwatch_stop(&run->watch);
	return 0;
}
