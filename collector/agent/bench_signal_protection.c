/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A write to a read-only page and the handler of its signal, after lat_sig prot of lmbench. */
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collector/agent/user_bench.h"

static sigjmp_buf behind_fault;

static void leave_fault(int number)
{
	siglongjmp(behind_fault, number);
}

int bench_signal_protection_setup(struct bench_run *run)
{
	/* The handler never returns: the signal must not stay blocked. */
	struct sigaction action = {.sa_handler = leave_fault, .sa_flags = SA_NODEFER};

	run->data = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (run->data == MAP_FAILED)
		return bench_fail(run, "mmap");
	return sigaction(SIGSEGV, &action, NULL) < 0 ? bench_fail(run, "sigaction") : 0;
}

/* True when the write raised the signal. */
static bool fault_once(volatile char *page)
{
	if (sigsetjmp(behind_fault, 0))
		return true;
	*page = 1;
	return false;
}

int bench_signal_protection_run(struct bench_run *run, uint64_t loops)
{
	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		if (!fault_once(run->data))
			return bench_wrong(run, "a write to a read-only page went through");
	}
	stopwatch_stop(&run->watch);
	return 0;
}
