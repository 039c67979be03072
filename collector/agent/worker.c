/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/worker.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

pid_t worker_start(void (*work)(void *context), void *context)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent)
		work(context);
	_exit(0);
}

static int pin_to_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

int worker_pin_to_one_cpu(void)
{
	int cpu = sched_getcpu();

	return cpu < 0 ? -1 : pin_to_cpu(cpu);
}

uint64_t worker_cpu_count(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) < 0 ? 1 : (uint64_t)CPU_COUNT(&set);
}

int worker_pin_to(uint64_t number)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return -1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((size_t)cpu, &set) && number-- == 0)
			return pin_to_cpu(cpu);
	errno = EINVAL;
	return -1;
}
