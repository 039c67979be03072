/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All of a block over a stream, which may hand it over in parts. */
#ifndef KREGRESS_AGENT_TRANSFER_H
#define KREGRESS_AGENT_TRANSFER_H

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

static inline int transfer_write(int fd, const void *bytes, size_t size)
{
	for (const char *at = bytes; size;) {
		ssize_t part = write(fd, at, size);

		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0)
			return -1;
		at += part;
		size -= (size_t)part;
	}
	return 0;
}

static inline int transfer_read(int fd, void *bytes, size_t size)
{
	for (char *at = bytes; size;) {
		ssize_t part = read(fd, at, size);

		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0)
			return -1;
		at += part;
		size -= (size_t)part;
	}
	return 0;
}

#endif
