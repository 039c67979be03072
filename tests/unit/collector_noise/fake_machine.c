/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/collector_noise/fake_machine.h"

#include <stdlib.h>
#include <string.h>

#include "common/file.h"

void fake_file(const struct machine *machine, const char *path, const char *text)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *full = machine_path(machine, path);
	_cleanup_free_ char *folder = xstrndup(full, (size_t)(strrchr(full, '/') - full));

	assert_int_equal(folder_make(folder, &err), 0);
	assert_int_equal(file_write(full, text, strlen(text), &err), 0);
}

void assert_file(const struct machine *machine, const char *path, const char *text)
{
	_cleanup_free_ char *now = machine_read_all(machine, path);

	assert_non_null(now);
	assert_string_equal(now, text);
}

int fake_machine_make(void **state)
{
	static const char *const files[][2] = {
		{"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"},
		{"/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n"},
		{"/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n"},
		{"/sys/devices/system/cpu/online", "0-3\n"},
		{"/proc/irq/4/smp_affinity_list", "0-3\n"},
		{"/proc/irq/9/smp_affinity_list", "2\n"},
		{THP, "[always] madvise never\n"},
		{ASLR, "2\n"},
		{"/proc/sys/vm/swappiness", "60\n"},
		{"/proc/swaps", "Filename Type Size Used Priority\n"},
		{"/dev/cpu_dma_latency", "\x10\x27\x00\x00"},
	};
	_cleanup_(error_clear) struct error err = {0};
	struct machine *machine = xcalloc(1, sizeof(*machine));
	char *root = NULL;

	if (folder_make_temporary(&root, &err) < 0)
		return -1;
	machine->root = root;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		fake_file(machine, files[i][0], files[i][1]);
	*state = machine;
	return 0;
}

int fake_machine_remove(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	struct machine *machine = *state;
	int result = folder_remove(machine->root, &err);

	free((char *)machine->root);
	free(machine);
	return result;
}
