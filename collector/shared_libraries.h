/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program needs to run elsewhere: itself, its loader, its shared libraries. */
#ifndef KREGRESS_COLLECTOR_SHARED_LIBRARIES_H
#define KREGRESS_COLLECTOR_SHARED_LIBRARIES_H

#include "common/array.h"
#include "common/error.h"

/* The absolute path of a program in $PATH; NULL when it is nowhere. Owned by the caller. */
char *shared_libraries_find_program(const char *program);

/*
 * Finds the program in $PATH and adds its absolute path and those of its loader and libraries to
 * `*paths`, each once. The loader itself says which libraries those are (`ld.so --list`), so that
 * its search path, run paths and caches count; the program is not run. A program that is not there
 * adds nothing. ERROR_HARNESS when it is no ELF file of this machine's kind, or a library is
 * missing.
 */
int shared_libraries_add_program(const char *program, struct string_list *paths, struct error *err)
	__must_check;

/*
 * The absolute path of the loader that an ELF file names (PT_INTERP), or NULL for a static one.
 * Owned by the caller.
 */
int shared_libraries_find_loader(const char *path, char **loader, struct error *err) __must_check;

#endif
