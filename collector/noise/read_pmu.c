/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/noise/readers.h"

/* Instructions that the counter sees of a short loop; 0 when it counts none. */
static uint64_t count_instructions(int fd)
{
	volatile unsigned spins = 0;
	uint64_t count = 0;

	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	while (spins < 10000)
		spins = spins + 1;
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	return read(fd, &count, sizeof(count)) == (ssize_t)sizeof(count) ? count : 0;
}

/* A counter that opens may still stand at 0 in a virtual machine: it has to count. */
void read_pmu(const struct machine *machine, struct noise_reading *reading)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	_cleanup_close_ int fd = -1;

	if (!machine_is_real(machine))
		return;
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0 && count_instructions(fd) > 0) {
		reading->state = NOISE_QUIET;
		reading->value = xstrdup("counts instructions");
		return;
	}
	reading->state = NOISE_LACKING;
	reading->value = xstrdup(fd < 0 ? "no instruction counter" : "the counter stands still");
}
