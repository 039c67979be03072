/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small tree of /proc and /sys files in a temporary folder, as a noisy machine shows them. */
#ifndef KREGRESS_TESTS_UNIT_COLLECTOR_NOISE_FAKE_MACHINE_H
#define KREGRESS_TESTS_UNIT_COLLECTOR_NOISE_FAKE_MACHINE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collector/noise/machine.h"

#define ASLR	 "/proc/sys/kernel/randomize_va_space"
#define GOVERNOR "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor"
#define THP	 "/sys/kernel/mm/transparent_hugepage/enabled"

/* cmocka fixtures: `*state` is a struct machine. */
int fake_machine_make(void **state);
int fake_machine_remove(void **state);

/* Writes a file and makes the folders above it. */
void fake_file(const struct machine *machine, const char *path, const char *text);

/* The file's content must be that. */
void assert_file(const struct machine *machine, const char *path, const char *text);

#endif
