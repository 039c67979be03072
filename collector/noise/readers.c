/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/noise/readers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/strbuf.h"

#define CPU "/sys/devices/system/cpu/"

/* Load of other tasks, in CPUs, that is no longer idle noise. */
static const double load_limit = 0.5;
static const double steal_limit_frac = 0.001;

static void set(struct noise_reading *reading, enum noise_state state, char *value)
{
	reading->state = state;
	reading->value = value;
}

void read_idle_states(const struct machine *machine, struct noise_reading *reading)
{
	_cleanup_free_ char *driver = machine_read(machine, CPU "cpuidle/current_driver");
	_cleanup_free_ char *path = machine_path(machine, "/dev/cpu_dma_latency");
	_cleanup_close_ int fd = -1;
	int32_t limit_us;

	if (driver && !strcmp(driver, "none")) {
		set(reading, NOISE_QUIET, xstrdup("no idle driver"));
		return;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, &limit_us, sizeof(limit_us)) != (ssize_t)sizeof(limit_us))
		return;
	set(reading, limit_us > 0 ? NOISE_NOISY : NOISE_QUIET,
	    limit_us >= 1000000 ? xstrdup("no latency limit") : xasprintf("%d us", (int)limit_us));
}

void read_smt(const struct machine *machine, struct noise_reading *reading)
{
	_cleanup_free_ char *active = machine_read(machine, CPU "smt/active");

	if (active)
		set(reading, strcmp(active, "0") ? NOISE_NOISY : NOISE_QUIET,
		    xstrdup(strcmp(active, "0") ? "on" : "off"));
}

bool suits_irq_affinity(const char *value)
{
	return value[0] != '0' || !strchr("-,", value[1]);
}

void read_irq_affinity(const struct machine *machine, struct noise_reading *reading)
{
	_cleanup_(string_list_release) struct string_list paths = {0};
	_cleanup_free_ char *wanted = wanted_irq_affinity(machine);
	size_t on_first = 0;

	machine_glob(machine, "/proc/irq/[0-9]*/smp_affinity_list", &paths);
	array_for_each (path, &paths) {
		_cleanup_free_ char *list = machine_read(machine, *path);

		on_first += list && !suits_irq_affinity(list);
	}
	if (paths.count)
		set(reading, on_first ? NOISE_NOISY : NOISE_QUIET,
		    xasprintf("%zu of %zu on CPU 0%s", on_first, paths.count,
			      wanted ? "" : ", the only one"));
}

char *wanted_irq_affinity(const struct machine *machine)
{
	_cleanup_free_ char *online = machine_read(machine, CPU "online");
	unsigned last;

	/* A gap in the list of CPUs is rare enough to be left to the reader. */
	if (!online || sscanf(online, "0-%u", &last) != 1 || strchr(online, ',') || last == 0)
		return NULL;
	return last == 1 ? xstrdup("1") : xasprintf("1-%u", last);
}

void read_isolation(const struct machine *machine, struct noise_reading *reading)
{
	_cleanup_free_ char *isolated = machine_read(machine, CPU "isolated");
	_cleanup_free_ char *tickless = machine_read(machine, CPU "nohz_full");
	bool some = tickless && strcmp(tickless, "(null)") != 0;

	if (isolated || some)
		set(reading, NOISE_QUIET,
		    xasprintf("isolated %s, tickless %s", isolated ? isolated : "none",
			      some ? tickless : "none"));
	else
		set(reading, NOISE_NOISY, xstrdup("no CPU is isolated"));
}

static size_t count_swap_areas(const struct machine *machine)
{
	_cleanup_free_ char *table = machine_read_all(machine, "/proc/swaps");
	size_t lines = 0;

	for (const char *at = table; at && (at = strchr(at, '\n')); at++)
		lines++;
	return lines;
}

void read_swap(const struct machine *machine, struct noise_reading *reading)
{
	_cleanup_free_ char *swappiness = machine_read(machine, "/proc/sys/vm/swappiness");
	size_t areas = count_swap_areas(machine);

	if (!areas)
		set(reading, NOISE_QUIET, xstrdup("none"));
	else if (swappiness)
		set(reading, strcmp(swappiness, "0") ? NOISE_NOISY : NOISE_QUIET,
		    xasprintf("%zu area%s, swappiness %s", areas, areas == 1 ? "" : "s",
			      swappiness));
}

char *wanted_swappiness(const struct machine *machine)
{
	return count_swap_areas(machine) ? xstrdup("0") : NULL;
}

char *wanted_clocksource(const struct machine *machine)
{
	_cleanup_free_ char *list =
		machine_read(machine, "/sys/devices/system/clocksource/clocksource0/"
				      "available_clocksource");
	_cleanup_(string_list_release) struct string_list names = {0};

	if (list)
		string_list_split(&names, list, " ");
	return string_list_contains(&names, "tsc") ? xstrdup("tsc") : NULL;
}

void read_load(const struct machine *machine, struct noise_reading *reading)
{
	_cleanup_free_ char *text = machine_read(machine, "/proc/loadavg");
	double load;

	if (text && sscanf(text, "%lf", &load) == 1)
		set(reading, load > load_limit ? NOISE_NOISY : NOISE_QUIET,
		    xasprintf("%.2f over a minute", load));
}

/* Since the boot, of all CPUs. */
void read_steal(const struct machine *machine, struct noise_reading *reading)
{
	_cleanup_free_ char *text = machine_read_all(machine, "/proc/stat");
	unsigned long long part[8], busy = 0;
	double steal_frac;

	if (!text || sscanf(text, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &part[0], &part[1],
			    &part[2], &part[3], &part[4], &part[5], &part[6], &part[7]) != 8)
		return;
	/* The two idle columns are time in which nobody can steal. */
	for (int i = 0; i < 8; i++)
		busy += i == 3 || i == 4 ? 0 : part[i];
	steal_frac = busy ? (double)part[7] / (double)busy : 0;
	set(reading, steal_frac > steal_limit_frac ? NOISE_NOISY : NOISE_QUIET,
	    xasprintf("%.2f%% of busy time", 100 * steal_frac));
}

void read_throttling(const struct machine *machine, struct noise_reading *reading)
{
	_cleanup_(string_list_release) struct string_list paths = {0};
	unsigned long long total = 0;

	machine_glob(machine, CPU "cpu[0-9]*/thermal_throttle/*_throttle_count", &paths);
	array_for_each (path, &paths) {
		_cleanup_free_ char *count = machine_read(machine, *path);

		total += count ? strtoull(count, NULL, 10) : 0;
	}
	if (paths.count)
		set(reading, total ? NOISE_NOISY : NOISE_QUIET,
		    xasprintf("%llu events since the boot", total));
}

/* They cost the same in every sample: nothing to judge, only to know. */
void read_mitigations(const struct machine *machine, struct noise_reading *reading)
{
	_cleanup_(string_list_release) struct string_list paths = {0};
	size_t active = 0;

	machine_glob(machine, CPU "vulnerabilities/*", &paths);
	array_for_each (path, &paths) {
		_cleanup_free_ char *text = machine_read(machine, *path);

		active += text && !strncmp(text, "Mitigation", 10);
	}
	if (paths.count)
		set(reading, NOISE_QUIET, xasprintf("%zu active", active));
}

void read_perf(const struct machine *machine, struct noise_reading *reading)
{
	_cleanup_free_ char *text = machine_read(machine, "/proc/sys/kernel/perf_event_paranoid");
	bool open;

	if (!text)
		return;
	open = atoi(text) <= 1 || geteuid() == 0;
	set(reading, open ? NOISE_QUIET : NOISE_LACKING, xasprintf("paranoid %s", text));
}
