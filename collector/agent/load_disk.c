/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that is written, synchronised with its disk, and removed, again and again. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "collector/agent/load.h"
#include "collector/agent/transfer.h"

#define BLOCK  (64 << 10)
#define BLOCKS 64

static bool is_in_memory(void)
{
	struct statfs info;

	return statfs(".", &info) == 0 &&
	       (info.f_type == TMPFS_MAGIC || info.f_type == RAMFS_MAGIC);
}

static int write_file(const char *name)
{
	static const char block[BLOCK];
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int result = fd < 0 ? -1 : 0;

	for (int i = 0; i < BLOCKS && result == 0; i++)
		result = transfer_write(fd, block, sizeof(block));
	if (result == 0)
		result = fdatasync(fd);
	if (fd >= 0)
		close(fd);
	return result;
}

const char *load_disk(void)
{
	char name[32];

	if (is_in_memory())
		return "the folder for temporary files (TMPDIR) is in memory, not on a disk";
	snprintf(name, sizeof(name), "%d", (int)getpid());
	for (;;)
		if (write_file(name) < 0 || unlink(name) < 0)
			return "a file";
}
