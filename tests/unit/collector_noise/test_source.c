/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each source read and judged on machines made of files, and what is tried on the real one. */
#include <string.h>

#include "collector/noise/guest_trial.h"
#include "collector/noise/readers.h"
#include "tests/unit/collector_noise/fake_machine.h"

static const struct noise_source *find(const char *name)
{
	for (size_t i = 0; i < noise_source_count; i++)
		if (!strcmp(noise_sources[i].name, name))
			return &noise_sources[i];
	fail_msg("no source %s", name);
	return NULL;
}

static void assert_reads(const struct machine *machine, const char *name, enum noise_state state,
			 const char *value)
{
	struct noise_reading reading;

	noise_read(machine, find(name), &reading);
	if (reading.state != state || strcmp(reading.value ? reading.value : "-", value) != 0)
		fail_msg("%s is %s (%s), not %s (%s)", name, noise_state_name(reading.state),
			 reading.value, noise_state_name(state), value);
	noise_reading_release(&reading);
}

static void test_noisy(void **state)
{
	const struct machine *machine = *state;

	assert_reads(machine, "governor", NOISE_NOISY, "powersave, performance");
	assert_reads(machine, "turbo", NOISE_NOISY, "0");
	assert_reads(machine, "thp", NOISE_NOISY, "always");
	assert_reads(machine, "aslr", NOISE_NOISY, "2");
	assert_reads(machine, "irq-affinity", NOISE_NOISY, "1 of 2 on CPU 0");
	assert_reads(machine, "isolation", NOISE_NOISY, "no CPU is isolated");
}

static void test_absent(void **state)
{
	static const char *const names[] = {"boost", "smt", "ksm",	   "load", "steal",
					    "perf",  "pmu", "mitigations", "kvm",  "clocksource"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_reads(*state, names[i], NOISE_ABSENT, "-");
}

struct example {
	const char *source, *path, *text;
	enum noise_state state;
	const char *value;
};

static const struct example examples[] = {
	{"thp", THP, "always madvise [never]\n", NOISE_QUIET, "never"},
	{"thp", THP, "always [madvise] never\n", NOISE_QUIET, "madvise"},
	{"smt", "/sys/devices/system/cpu/smt/active", "1\n", NOISE_NOISY, "on"},
	{"smt", "/sys/devices/system/cpu/smt/active", "0\n", NOISE_QUIET, "off"},
	{"boost", "/sys/devices/system/cpu/cpufreq/boost", "1\n", NOISE_NOISY, "1"},
	{"load", "/proc/loadavg", "0.10 4.00 9.00 1/2 3\n", NOISE_QUIET, "0.10 over a minute"},
	{"load", "/proc/loadavg", "1.75 0.00 0.00 1/2 3\n", NOISE_NOISY, "1.75 over a minute"},
	/* Half of the busy time; idle and iowait do not count. */
	{"steal", "/proc/stat", "cpu  10 0 20 9000 500 0 0 30 0 0\n", NOISE_NOISY,
	 "50.00% of busy time"},
	{"steal", "/proc/stat", "cpu  10 0 20 9000 500 0 0 0 0 0\n", NOISE_QUIET,
	 "0.00% of busy time"},
	{"throttling", "/sys/devices/system/cpu/cpu2/thermal_throttle/core_throttle_count", "7\n",
	 NOISE_NOISY, "7 events since the boot"},
	{"mitigations", "/sys/devices/system/cpu/vulnerabilities/meltdown", "Mitigation: PTI\n",
	 NOISE_QUIET, "1 active"},
	{"swap", "/proc/swaps", "Filename Type Size Used Priority\n/dev/sda2 partition 9 0 -2\n",
	 NOISE_NOISY, "1 area, swappiness 60"},
	{"isolation", "/sys/devices/system/cpu/isolated", "2-3\n", NOISE_QUIET,
	 "isolated 2-3, tickless none"},
	{"clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource",
	 "acpi_pm\n", NOISE_NOISY, "acpi_pm"},
	{"clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource",
	 "kvm-clock\n", NOISE_QUIET, "kvm-clock"},
	{"idle-states", "/dev/cpu_dma_latency", "\x05\x00\x00\x00", NOISE_ABSENT, "-"},
	{"idle-states", "/sys/devices/system/cpu/cpuidle/current_driver", "none\n", NOISE_QUIET,
	 "no idle driver"},
};

static void test_examples(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(examples); i++) {
		fake_file(*state, examples[i].path, examples[i].text);
		assert_reads(*state, examples[i].source, examples[i].state, examples[i].value);
	}
}

static void test_wanted(void **state)
{
	const struct machine *machine = *state;
	_cleanup_free_ char *away = wanted_irq_affinity(machine);

	assert_string_equal(away, "1-3");
	fake_file(machine, "/sys/devices/system/cpu/online", "0\n");
	assert_null(wanted_irq_affinity(machine));
	assert_null(wanted_clocksource(machine));
	assert_null(wanted_swappiness(machine));
	assert_true(suits_irq_affinity("1-3"));
	assert_true(suits_irq_affinity("2"));
	assert_false(suits_irq_affinity("0"));
	assert_false(suits_irq_affinity("0,2"));
}

static void test_every_row_is_explained(void **state)
{
	(void)state;
	for (size_t i = 0; i < noise_source_count; i++) {
		const struct noise_source *source = &noise_sources[i];

		assert_non_null(source->name);
		assert_true(strlen(source->cost) > 20);
		assert_true(source->quiet || source->wanted || source->advice ||
			    !strcmp(source->name, "boost"));
		assert_true(source->path || source->read);
	}
}

/* The emulator needs nothing of the machine: there the guest must run. */
static void test_guest_trial(void **state)
{
	_cleanup_free_ char *none = NULL, *why = NULL;

	(void)state;
	if (!guest_trial("tcg", &none)) {
		/* Only a machine without QEMU may leave it out. */
		assert_non_null(strstr(none, "cannot start"));
		skip();
	}
	assert_null(none);
	assert_false(guest_trial("no-such", &why));
	assert_non_null(strstr(why, "no-such"));
}

/* What is tried on the machine itself gives a verdict in any case. */
static void test_real_capabilities(void **state)
{
	static const char *const names[] = {"pmu", "kvm"};
	const struct machine real = {""};
	struct noise_reading reading;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		noise_read(&real, find(names[i]), &reading);
		assert_true(reading.state == NOISE_QUIET || reading.state == NOISE_LACKING);
		assert_non_null(reading.value);
		print_message("%s: %s\n", names[i], reading.value);
		noise_reading_release(&reading);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_noisy, fake_machine_make, fake_machine_remove),
		cmocka_unit_test_setup_teardown(test_absent, fake_machine_make,
						fake_machine_remove),
		cmocka_unit_test_setup_teardown(test_examples, fake_machine_make,
						fake_machine_remove),
		cmocka_unit_test_setup_teardown(test_wanted, fake_machine_make,
						fake_machine_remove),
		cmocka_unit_test(test_every_row_is_explained),
		cmocka_unit_test(test_guest_trial),
		cmocka_unit_test(test_real_capabilities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
