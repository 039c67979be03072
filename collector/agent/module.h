/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading and removing a kernel module. */
#ifndef KREGRESS_AGENT_MODULE_H
#define KREGRESS_AGENT_MODULE_H

#include <stddef.h>

#include "collector/agent/fault.h"

#define MODULE_NAME_MAX 64

/* The name that the kernel gives to the module of that file: "a_b" of "/x/a-b.ko.xz". */
void module_name(const char *path, char name[MODULE_NAME_MAX]);

/*
 * Loads the file with its parameters. Returns 0; 1 when it was loaded before; -1 with the kernel's
 * own reason in the fault, where its log tells one. Without a failure the fault holds what the
 * kernel logged about the module ("unknown parameter ... ignored"), or nothing.
 */
int module_load(const char *path, const char *parameters, struct fault *fault);

/* Removes it, waiting a little while it is in use. */
int module_remove(const char *path, struct fault *fault);

/* Says why a file was refused, by errno and what the kernel logged about it. Returns -1. */
int module_explain(const char *path, int errno_value, const char *log, struct fault *fault);

#endif
