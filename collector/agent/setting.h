/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A setting of the running kernel that is one file: its preemption, a sysctl, or any other file
 * whose text is its value.
 */
#ifndef KREGRESS_AGENT_SETTING_H
#define KREGRESS_AGENT_SETTING_H

#include <limits.h>

#include "collector/agent/fault.h"

#define SETTING_VALUE_MAX 512

struct setting {
	const char *name; /* "preempt", "sysctl:NAME" or "file:PATH"; the caller's */
	char path[PATH_MAX];
	char found[SETTING_VALUE_MAX]; /* its value when it was opened */
};

/*
 * Finds the file and reads its value. -1 and a fault that says what is missing and what to do: an
 * unknown name, no debugfs, a kernel that cannot switch its preemption, no such file, no right.
 */
int setting_open(struct setting *setting, const char *name, const char *debugfs,
		 struct fault *fault);

/*
 * Whether it can be given the value: the file can be written, and where its text is a choice such
 * as "none (voluntary) full", the value is one of its words.
 */
int setting_check(const struct setting *setting, const char *value, struct fault *fault);

/* Gives it the value, and reads it back: what does not stick is a fault. */
int setting_put(const struct setting *setting, const char *value, struct fault *fault);

/* Its present value: of a choice, the word that is chosen. */
int setting_read(const struct setting *setting, char value[SETTING_VALUE_MAX], struct fault *fault);

/*
 * Writes the value that a file's text stands for: of a choice the word in brackets or parentheses,
 * else the text with single blanks between its words. What does not fit is clipped.
 */
void setting_value_of(const char *text, char value[SETTING_VALUE_MAX]);

#endif
