/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Installing a handler, and a signal to oneself, after lat_sig install and catch of lmbench. */
#include <signal.h>
#include <unistd.h>

#include "collector/agent/user_bench.h"

static volatile sig_atomic_t delivered;

static void count_signal(int number)
{
	(void)number;
	delivered++;
}

int bench_signal_install_run(struct bench_run *run, uint64_t loops)
{
	struct sigaction action = {.sa_handler = count_signal};

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		if (sigaction(SIGUSR1, &action, NULL) < 0)
			return bench_fail(run, "sigaction");
	}
	stopwatch_stop(&run->watch);
	return 0;
}

int bench_signal_deliver_setup(struct bench_run *run)
{
	struct sigaction action = {.sa_handler = count_signal};

	return sigaction(SIGUSR1, &action, NULL) < 0 ? bench_fail(run, "sigaction") : 0;
}

int bench_signal_deliver_run(struct bench_run *run, uint64_t loops)
{
	pid_t self = getpid();

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		delivered = 0;
		plant(run->plant);
		if (kill(self, SIGUSR1) < 0)
			return bench_fail(run, "kill");
		/* A signal to oneself is delivered before the call returns. */
		if (delivered != 1)
			return bench_wrong(run, "the handler did not run once");
	}
	stopwatch_stop(&run->watch);
	return 0;
}
