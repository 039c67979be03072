/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a kernel executes, as a digest: equal digests mean that two builds run the same code on the
 * same data, so that a difference between their measurements is noise.
 */
#ifndef KREGRESS_BISECT_BUILD_IDENTITY_H
#define KREGRESS_BISECT_BUILD_IDENTITY_H

#include "common/error.h"

/*
 * Digest over the sections of `vmlinux` (an ELF file, linked or not) that occupy memory, with their
 * names, addresses and contents. Left out is what changes without consequence: notes with the
 * build id, the tables of source lines (__bug_table), of stack unwinding and type information, and
 * the text of the version banner. *digest is owned by the caller. ERROR_DATA when it is no ELF
 * file.
 */
int identity_of_kernel(const char *vmlinux, char **digest, struct error *err) __must_check;

/* The same for a module: its executable sections only, for the rest names the folder of its build.
 */
int identity_of_module(const char *module, char **digest, struct error *err) __must_check;

#endif
