/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A timer that interrupts the CPU every 100 us. */
#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "collector/agent/load.h"

#define PERIOD_NS 100000

const char *load_timer(void)
{
	const struct itimerspec period = {{0, PERIOD_NS}, {0, PERIOD_NS}};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	uint64_t expirations;

	if (fd < 0 || timerfd_settime(fd, 0, &period, NULL) < 0)
		return "timerfd";
	for (;;)
		if (read(fd, &expirations, sizeof(expirations)) != sizeof(expirations))
			return "timerfd";
}
