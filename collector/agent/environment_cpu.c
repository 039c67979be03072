/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/environment_cpu.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "collector/agent/input.h"

#define CPU	  "/sys/devices/system/cpu/"
#define VALUE_MAX 4096

/* Appends "text" to a list whose items `separator` parts; what does not fit is left out. */
static void list_add(char *list, size_t size, const char *separator, const char *text)
{
	size_t used = strlen(list);

	if (used + strlen(separator) + strlen(text) + 1 <= size)
		snprintf(list + used, size - used, "%s%s", used ? separator : "", text);
}

/* The text behind "KEY :" in the first line of /proc/cpuinfo that has it. */
static void record_cpuinfo(struct record_writer *writer, const char *key, const char *field)
{
	size_t length = strlen(field);
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[1024];

	while (file && fgets(line, sizeof(line), file)) {
		char *colon = strchr(line, ':');

		if (!colon || strncmp(line, field, length) || !strchr("\t :", line[length]))
			continue;
		colon[strcspn(colon, "\n")] = '\0';
		colon += 1 + strspn(colon + 1, " \t");
		if (*colon)
			record_env(writer, key, colon);
		break;
	}
	if (file)
		fclose(file);
}

static void record_count(struct record_writer *writer)
{
	char text[24];
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	if (count < 1)
		return;
	snprintf(text, sizeof(text), "%ld", count);
	record_env(writer, "cpu.count", text);
}

/* The governors of all CPUs, each named once. */
static void record_governor(struct record_writer *writer)
{
	char value[256], list[VALUE_MAX] = "";
	glob_t found;

	if (glob(CPU "cpu[0-9]*/cpufreq/scaling_governor", 0, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc; i++)
		if (input_read_value(found.gl_pathv[i], value, sizeof(value)) &&
		    !strstr(list, value))
			list_add(list, sizeof(list), ",", value);
	globfree(&found);
	if (*list)
		record_env(writer, "cpu.governor", list);
}

static void record_turbo(struct record_writer *writer)
{
	char value[64];

	if (input_read_value(CPU "intel_pstate/no_turbo", value, sizeof(value)))
		record_env(writer, "cpu.turbo", strcmp(value, "0") ? "off" : "on");
	else if (input_read_value(CPU "cpufreq/boost", value, sizeof(value)))
		record_env(writer, "cpu.turbo", strcmp(value, "0") ? "on" : "off");
}

static void record_smt(struct record_writer *writer)
{
	char value[64];

	if (input_read_value(CPU "smt/control", value, sizeof(value)))
		record_env(writer, "cpu.smt", value);
}

static void record_mitigations(struct record_writer *writer)
{
	char value[512], item[640], list[VALUE_MAX] = "";
	glob_t found;

	if (glob(CPU "vulnerabilities/*", 0, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *name = strrchr(found.gl_pathv[i], '/') + 1;

		if (!input_read_value(found.gl_pathv[i], value, sizeof(value)))
			continue;
		snprintf(item, sizeof(item), "%.100s: %s", name, value);
		list_add(list, sizeof(list), " | ", item);
	}
	globfree(&found);
	if (*list)
		record_env(writer, "cpu.mitigations", list);
}

/* The hottest thermal zone, in degrees Celsius. */
static void record_temperature(struct record_writer *writer)
{
	char value[64];
	long hottest_milli = 0;
	glob_t found;

	if (glob("/sys/class/thermal/thermal_zone*/temp", 0, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc; i++)
		if (input_read_value(found.gl_pathv[i], value, sizeof(value)) &&
		    atol(value) > hottest_milli)
			hottest_milli = atol(value);
	globfree(&found);
	if (hottest_milli <= 0)
		return;
	snprintf(value, sizeof(value), "%ld.%ld", hottest_milli / 1000, hottest_milli % 1000 / 100);
	record_env(writer, "system.temperature", value);
}

#if defined(__x86_64__) || defined(__i386__)
/* Leaf 1 tells that a hypervisor is there, leaf 0x40000000 its signature. */
static void record_hypervisor(struct record_writer *writer)
{
	unsigned eax, signature[3], ecx, edx, ebx;
	char name[sizeof(signature) + 1] = "";

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return;
	if (!(ecx & (1u << 31))) {
		record_env(writer, "machine.hypervisor", "none");
		return;
	}
	__cpuid(0x40000000, eax, signature[0], signature[1], signature[2]);
	memcpy(name, signature, sizeof(signature));
	record_env(writer, "machine.hypervisor", *name ? name : "unknown");
}
#else
static void record_hypervisor(struct record_writer *writer)
{
	char value[64];

	if (input_read_value("/sys/hypervisor/type", value, sizeof(value)))
		record_env(writer, "machine.hypervisor", value);
}
#endif

void environment_record_cpu(struct record_writer *writer)
{
	record_cpuinfo(writer, "cpu.model", "model name");
	record_cpuinfo(writer, "cpu.microcode", "microcode");
	record_count(writer);
	record_governor(writer);
	record_turbo(writer);
	record_smt(writer);
	record_mitigations(writer);
	record_temperature(writer);
	record_hypervisor(writer);
}
