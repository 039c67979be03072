/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/load.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collector/agent/folder.h"
#include "collector/agent/stop.h"

/* From its start until a load counts as being at work. */
#define START_MS 300

const struct load loads[] = {
	{"messaging", "processes that send each other messages", false, load_messaging},
	{"disk", "files written, synchronised and removed", true, load_disk},
	{"net", "data over TCP on loopback", false, load_net},
	{"timer", "a timer interrupt every 100 us", false, load_timer},
	{NULL, NULL, false, NULL},
};

const struct load *load_find(const char *name)
{
	for (const struct load *load = loads; load->name; load++)
		if (!strcmp(load->name, name))
			return load;
	return NULL;
}

/* The first `count` CPUs of `all` go to `first`, the others to `rest`. */
static void split_cpus(const cpu_set_t *all, uint64_t count, cpu_set_t *first, cpu_set_t *rest)
{
	CPU_ZERO(first);
	CPU_ZERO(rest);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, all))
			continue;
		if (count) {
			CPU_SET(cpu, first);
			count--;
		} else {
			CPU_SET(cpu, rest);
		}
	}
}

static _Noreturn void work_on(const struct load *load, size_t cpu, int said)
{
	cpu_set_t set;
	const char *why;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	why = sched_setaffinity(0, sizeof(set), &set) < 0 ? "sched_setaffinity" : load->work();
	if (dprintf(said, "%s: %s\n", why, errno ? strerror(errno) : "it ended") < 0)
		_exit(1);
	_exit(0);
}

/* The leader of the load's group: one process on each CPU. It ends when one of them does. */
static _Noreturn void lead(const struct load *load, const cpu_set_t *cpus, const char *folder,
			   int said)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	stop_restore();
	signal(SIGPIPE, SIG_IGN);
	if (folder && chdir(folder) < 0)
		_exit(1);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		pid_t pid = CPU_ISSET(cpu, cpus) ? fork() : 1;

		if (pid < 0)
			_exit(1);
		if (pid > 0)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		errno = 0;
		work_on(load, cpu, said);
	}
	wait(NULL);
	_exit(1);
}

static int start_group(struct load_run *run, const struct load *load, const cpu_set_t *cpus,
		       struct fault *fault)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return fault_set_errno(fault, errno, "no pipe");
	run->said = ends[0];
	run->pid = fork();
	if (run->pid == 0)
		lead(load, cpus, run->folder, ends[1]);
	close(ends[1]);
	if (run->pid < 0)
		return fault_set_errno(fault, errno, "cannot fork");
	setpgid(run->pid, run->pid);
	return 0;
}

static int make_folder(struct load_run *run, struct fault *fault)
{
	run->folder = malloc(PATH_MAX);
	if (!run->folder)
		return fault_set(fault, "out of memory");
	if (folder_make_own(run->folder, fault) == 0)
		return 0;
	free(run->folder);
	run->folder = NULL;
	return -1;
}

static int choose_cpus(const struct plan *plan, cpu_set_t *bench, cpu_set_t *load,
		       struct fault *fault)
{
	cpu_set_t all;

	if (sched_getaffinity(0, sizeof(all), &all) < 0)
		return fault_set_errno(fault, errno, "sched_getaffinity");
	split_cpus(&all, plan->cpus, bench, load);
	if (plan->load_same_cpus)
		*load = *bench;
	if (CPU_COUNT(load))
		return 0;
	return fault_set(fault,
			 "no CPU is left for it: of %d the benchmarks take %llu; it can run "
			 "on the same (load-cpus same)",
			 CPU_COUNT(&all), (unsigned long long)plan->cpus);
}

int load_start(struct load_run *run, const struct plan *plan, struct fault *fault)
{
	const struct load *load = plan->load ? load_find(plan->load) : NULL;
	const struct timespec moment = {0, START_MS * 1000000L};
	cpu_set_t bench_cpus = {{0}};
	cpu_set_t load_cpus = {{0}};
	struct fault why;

	*run = (struct load_run){0};
	if (!load)
		return 0;
	if (choose_cpus(plan, &bench_cpus, &load_cpus, &why) < 0 ||
	    (load->folder && make_folder(run, &why) < 0) ||
	    start_group(run, load, &load_cpus, &why) < 0)
		goto failed;
	nanosleep(&moment, NULL);
	if (!load_is_alive(run, &why))
		goto failed;
	if (sched_setaffinity(0, sizeof(bench_cpus), &bench_cpus) == 0)
		return 0;
	fault_set_errno(&why, errno, "sched_setaffinity");
failed:
	load_stop(run);
	return fault_set(fault, "load %s: %.900s", load->name, why.text);
}

bool load_is_alive(struct load_run *run, struct fault *fault)
{
	struct pollfd said = {.fd = run->said, .events = POLLIN};
	char why[256] = "it ended";
	ssize_t got;

	if (run->pid <= 0 || poll(&said, 1, 0) == 0)
		return true;
	got = read(run->said, why, sizeof(why) - 1);
	if (got > 0)
		why[got] = '\0';
	why[strcspn(why, "\n")] = '\0';
	fault_set(fault, "%s", why);
	return false;
}

void load_stop(struct load_run *run)
{
	if (run->pid > 0) {
		/* The group's processes become children of this one as their parents die. */
		do
			kill(-run->pid, SIGKILL);
		while (waitpid(-run->pid, NULL, 0) > 0 || errno == EINTR);
		close(run->said);
	}
	if (run->folder)
		folder_remove_own(run->folder);
	free(run->folder);
	*run = (struct load_run){0};
}
