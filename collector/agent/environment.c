/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/environment.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "collector/agent/environment_cpu.h"
#include "collector/agent/input.h"

#define VALUE_MAX 4096

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

bool environment_marked_word(const char *list, char open, char *word, size_t size)
{
	const char *start = strchr(list, open);
	const char *end = start ? strchr(start, open == '(' ? ')' : ']') : NULL;
	size_t length;

	if (!end)
		return false;
	length = (size_t)(end - start) - 1;
	if (length == 0 || length >= size)
		return false;
	memcpy(word, start + 1, length);
	word[length] = '\0';
	return true;
}

bool environment_preempt_of_version(const char *version, char *word, size_t size)
{
	const char *found = strstr(version, "PREEMPT");
	size_t length = 0;

	if (!found)
		return false;
	found += strlen("PREEMPT");
	if (*found != '_') {
		/* The word alone stands for a kernel that was built fully preemptible. */
		snprintf(word, size, "full");
		return true;
	}
	for (found++; *found && *found != ' ' && length + 1 < size; found++)
		word[length++] = (char)tolower((unsigned char)*found);
	word[length] = '\0';
	return length > 0;
}

static void record_preempt(struct record_writer *writer, const char *debugfs, const char *version)
{
	char path[256], list[256], word[64];

	snprintf(path, sizeof(path), "%s/sched/preempt", debugfs);
	if ((input_read_value(path, list, sizeof(list)) &&
	     environment_marked_word(list, '(', word, sizeof(word))) ||
	    environment_preempt_of_version(version, word, sizeof(word)))
		record_env(writer, "kernel.preempt", word);
}

static void record_kernel(struct record_writer *writer, const char *debugfs)
{
	struct utsname names;

	if (uname(&names) < 0)
		return;
	record_env(writer, "kernel.release", names.release);
	record_env(writer, "kernel.version", names.version);
	record_preempt(writer, debugfs, names.version);
	record_env(writer, "machine.hostname", names.nodename);
}

static void record_file(struct record_writer *writer, const char *key, const char *path)
{
	char value[VALUE_MAX];

	if (input_read_value(path, value, sizeof(value)))
		record_env(writer, key, value);
}

static void record_huge_pages(struct record_writer *writer)
{
	char list[256], word[64];

	if (input_read_value("/sys/kernel/mm/transparent_hugepage/enabled", list, sizeof(list)) &&
	    environment_marked_word(list, '[', word, sizeof(word)))
		record_env(writer, "mm.thp", word);
}

static void record_memory(struct record_writer *writer)
{
	char text[VALUE_MAX], kb[32];
	unsigned long long total;
	const char *line;

	if (!input_read_value("/proc/meminfo", text, sizeof(text)))
		return;
	line = strstr(text, "MemTotal:");
	if (!line || sscanf(line, "MemTotal: %llu kB", &total) != 1)
		return;
	snprintf(kb, sizeof(kb), "%llu", total);
	record_env(writer, "machine.memory_kb", kb);
}

void environment_record(struct record_writer *writer, const char *debugfs)
{
	record_env(writer, "agent.version", AGENT_VERSION);
	record_env(writer, "agent.compiler", COMPILER);
	record_kernel(writer, debugfs);
	record_file(writer, "kernel.cmdline", "/proc/cmdline");
	record_file(writer, "kernel.aslr", "/proc/sys/kernel/randomize_va_space");
	record_huge_pages(writer);
	record_file(writer, "clock.source", ENVIRONMENT_CLOCKSOURCE);
	record_file(writer, "system.load", "/proc/loadavg");
	record_memory(writer);
	environment_record_cpu(writer);
}
