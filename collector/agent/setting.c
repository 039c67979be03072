/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/setting.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/agent/input.h"

#define BLANKS	     " \t\r\n"
#define TEXT_MAX     65536
#define PREEMPT_FILE "sched/preempt"

/* The word at `*cursor` without the brackets around it, which moves behind it. 0 at the end. */
static size_t next_word(const char **cursor, const char **word, bool *chosen)
{
	size_t length;

	*cursor += strspn(*cursor, BLANKS);
	length = strcspn(*cursor, BLANKS);
	*word = *cursor;
	*cursor += length;
	*chosen = length > 2 && (((*word)[0] == '(' && (*word)[length - 1] == ')') ||
				 ((*word)[0] == '[' && (*word)[length - 1] == ']'));
	if (!*chosen)
		return length;
	++*word;
	return length - 2;
}

/* Several words, one of them marked. */
static bool is_choice(const char *text)
{
	size_t words = 0, marked = 0;
	const char *word;
	bool chosen;

	while (next_word(&text, &word, &chosen)) {
		words++;
		marked += chosen;
	}
	return words > 1 && marked == 1;
}

static void append_word(char value[SETTING_VALUE_MAX], const char *word, size_t length)
{
	size_t used = strlen(value);

	snprintf(value + used, SETTING_VALUE_MAX - used, "%s%.*s", used ? " " : "", (int)length,
		 word);
}

void setting_value_of(const char *text, char value[SETTING_VALUE_MAX])
{
	bool choice = is_choice(text), chosen;
	const char *word;
	size_t length;

	*value = '\0';
	while ((length = next_word(&text, &word, &chosen))) {
		if (choice && chosen)
			append_word(value, word, length);
		else if (!choice)
			append_word(value, chosen ? word - 1 : word, chosen ? length + 2 : length);
	}
}

/* sysctl's rule: dots part the names, unless slashes do. */
static void sysctl_path(char path[PATH_MAX], const char *name)
{
	bool slashes = strchr(name, '/') != NULL;
	int length = snprintf(path, PATH_MAX, "/proc/sys/%s", name);

	for (int i = 0; !slashes && i < length && i < PATH_MAX - 1; i++)
		if (path[i] == '.')
			path[i] = '/';
}

static int find_path(struct setting *setting, const char *debugfs, struct fault *fault)
{
	const char *name = setting->name;

	if (!strcmp(name, "preempt")) {
		snprintf(setting->path, PATH_MAX, "%s/" PREEMPT_FILE, debugfs);
	} else if (!strncmp(name, "sysctl:", 7) && name[7] && !strstr(name, "..")) {
		sysctl_path(setting->path, name + 7);
	} else if (!strncmp(name, "file:/", 6)) {
		snprintf(setting->path, PATH_MAX, "%s", name + 5);
	} else {
		return fault_set(fault, "switch '%s' is none of preempt, sysctl:NAME, file:/PATH",
				 name);
	}
	return 0;
}

/* Why the file of the preemption is not there. */
static int explain_preempt(const char *debugfs, int number, struct fault *fault)
{
	char folder[PATH_MAX];

	if (number == EACCES || number == EPERM)
		return fault_set(fault, "switch preempt: %s cannot be read: it takes root",
				 debugfs);
	snprintf(folder, sizeof(folder), "%s/sched", debugfs);
	if (access(folder, F_OK) < 0)
		return fault_set(fault,
				 "switch preempt: there is no %s: is debugfs mounted? mount -t "
				 "debugfs none %s",
				 folder, debugfs);
	return fault_set(fault,
			 "switch preempt: this kernel cannot change its preemption while it runs: "
			 "it is built without CONFIG_PREEMPT_DYNAMIC (no %s/" PREEMPT_FILE ")",
			 debugfs);
}

static int explain(const struct setting *setting, const char *debugfs, int number,
		   struct fault *fault)
{
	if (!strcmp(setting->name, "preempt"))
		return explain_preempt(debugfs, number, fault);
	if (number == EACCES || number == EPERM)
		return fault_set(fault, "switch %s: %s cannot be read: it takes root",
				 setting->name, setting->path);
	return fault_set_errno(fault, number, "switch %s: %s", setting->name, setting->path);
}

static char *read_text(const struct setting *setting)
{
	size_t length;

	return input_read_file(setting->path, TEXT_MAX, &length);
}

int setting_open(struct setting *setting, const char *name, const char *debugfs,
		 struct fault *fault)
{
	char *text;

	*setting = (struct setting){.name = name};
	if (find_path(setting, debugfs, fault) < 0)
		return -1;
	text = read_text(setting);
	if (!text)
		return explain(setting, debugfs, errno, fault);
	setting_value_of(text, setting->found);
	free(text);
	if (*setting->found && strlen(setting->found) < SETTING_VALUE_MAX - 1)
		return 0;
	return fault_set(fault, "switch %s: %s is %s: it could not be put back", name,
			 setting->path, *setting->found ? "too long" : "empty");
}

static bool has_word(const char *text, const char *value)
{
	const char *word;
	size_t length;
	bool chosen;

	while ((length = next_word(&text, &word, &chosen)))
		if (strlen(value) == length && !memcmp(word, value, length))
			return true;
	return false;
}

static int refuse_word(const struct setting *setting, const char *text, const char *value,
		       struct fault *fault)
{
	char known[SETTING_VALUE_MAX] = "";
	const char *word;
	size_t length;
	bool chosen;

	while ((length = next_word(&text, &word, &chosen)))
		append_word(known, word, length);
	return fault_set(fault, "switch %s: '%s' is none of: %s", setting->name, value, known);
}

int setting_check(const struct setting *setting, const char *value, struct fault *fault)
{
	char *text = read_text(setting);
	int fd, result = 0;

	if (!text)
		return fault_set_errno(fault, errno, "switch %s: %s", setting->name, setting->path);
	if (is_choice(text) && !has_word(text, value))
		result = refuse_word(setting, text, value, fault);
	free(text);
	if (result < 0)
		return -1;
	fd = open(setting->path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return fault_set_errno(fault, errno, "switch %s: %s cannot be written%s",
				       setting->name, setting->path,
				       errno == EACCES || errno == EPERM ? " (it takes root)" : "");
	close(fd);
	return 0;
}

/* Files of the kernel take a value in one write. */
static int write_value(const struct setting *setting, const char *value)
{
	int fd = open(setting->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	ssize_t put;
	int number;

	if (fd < 0)
		return -1;
	put = write(fd, value, strlen(value));
	number = put < 0 ? errno : EIO;
	close(fd);
	errno = number;
	return put == (ssize_t)strlen(value) ? 0 : -1;
}

int setting_read(const struct setting *setting, char value[SETTING_VALUE_MAX], struct fault *fault)
{
	char *text = read_text(setting);

	if (!text)
		return fault_set_errno(fault, errno, "switch %s: %s", setting->name, setting->path);
	setting_value_of(text, value);
	free(text);
	return 0;
}

int setting_put(const struct setting *setting, const char *value, struct fault *fault)
{
	char wanted[SETTING_VALUE_MAX], now[SETTING_VALUE_MAX];

	if (write_value(setting, value) < 0)
		return fault_set_errno(fault, errno, "switch %s: '%s' was refused by %s",
				       setting->name, value, setting->path);
	if (setting_read(setting, now, fault) < 0)
		return -1;
	setting_value_of(value, wanted);
	if (!strcmp(now, wanted))
		return 0;
	return fault_set(fault, "switch %s: %s reads '%s' after '%s' was written", setting->name,
			 setting->path, now, value);
}
