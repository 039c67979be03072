/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An initramfs (cpio "newc", uncompressed) for a guest that runs the agent as its first process. */
#ifndef KREGRESS_COLLECTOR_INITRAMFS_H
#define KREGRESS_COLLECTOR_INITRAMFS_H

#include "common/array.h"
#include "common/error.h"

struct initramfs {
	const char *agent;  /* program that becomes /init */
	const char *module; /* becomes /kregress/kregress.ko; NULL: none */
	const char *plan;   /* text that becomes /kregress/plan */
	/* Further files, by absolute path, put where they are on this machine; NULL: none. */
	const struct string_list *files;
};

/* Writes it to `path`. ERROR_IO names the file that could not be read or written. */
int initramfs_write(const char *path, const struct initramfs *content, struct error *err)
	__must_check;

#endif
