/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sources of noise that kregress knows: a row each. */
#include "collector/noise/readers.h"
#include "collector/noise/source.h"

#define CPU    "/sys/devices/system/cpu/"
#define SYSCTL "/proc/sys/"

const struct noise_source noise_sources[] = {
	{
		.name = "governor",
		.path = CPU "cpu[0-9]*/cpufreq/scaling_governor",
		.quiet = "performance",
		.cost = "the clock rises while a benchmark runs: early samples are slower than "
			"late ones",
	},
	{
		.name = "turbo",
		.path = CPU "intel_pstate/no_turbo",
		.quiet = "1",
		.cost = "the clock depends on temperature and on what the other cores do: times "
			"drift by up to a third",
	},
	{
		.name = "boost",
		.path = CPU "cpufreq/boost",
		.quiet = "0",
		.cost = "as turbo, for other cpufreq drivers",
	},
	{
		.name = "idle-states",
		.read = read_idle_states,
		.advice = "held at 0 us by --fix where /dev/cpu_dma_latency can be opened",
		.cost = "waking from a deep idle state takes up to some 100 us: wake-up and IPI "
			"times have two modes",
	},
	{
		.name = "smt",
		.read = read_smt,
		.advice = "echo off > " CPU "smt/control (fewer CPUs are another machine class)",
		.cost = "a busy sibling takes a share of the core: single-threaded times vary by "
			"tens of percent",
	},
	{
		.name = "irq-affinity",
		.path = "/proc/irq/[0-9]*/smp_affinity_list",
		.read = read_irq_affinity,
		.wanted = wanted_irq_affinity,
		.suits = suits_irq_affinity,
		.cost = "device interrupts fall on CPU 0, where benchmarks run first: single "
			"samples are longer",
	},
	{
		.name = "isolation",
		.read = read_isolation,
		.advice =
			"boot with isolcpus=, nohz_full= and rcu_nocbs= for the CPUs that measure",
		.cost = "other tasks and the timer tick share the measured CPUs: involuntary "
			"switches",
	},
	{
		.name = "timer-migration",
		.path = SYSCTL "kernel/timer_migration",
		.quiet = "0",
		.cost = "timers of idle CPUs move to busy ones and fire during the measurement",
	},
	{
		.name = "nmi-watchdog",
		.path = SYSCTL "kernel/nmi_watchdog",
		.quiet = "0",
		.cost = "takes a hardware counter and interrupts each CPU every few seconds",
	},
	{
		.name = "vm-statistics",
		.path = SYSCTL "vm/stat_interval",
		.quiet = "120",
		.cost = "a kernel worker wakes on each CPU at this interval in seconds",
	},
	{
		.name = "thp",
		.path = "/sys/kernel/mm/transparent_hugepage/enabled",
		.quiet = "madvise",
		.accepts = "never",
		.cost = "whether memory gets huge pages depends on how fragmented it is: "
			"page-fault and bandwidth figures have two modes",
	},
	{
		.name = "ksm",
		.path = "/sys/kernel/mm/ksm/run",
		.quiet = "0",
		.cost = "a kernel thread compares and merges pages meanwhile",
	},
	{
		.name = "numa-balancing",
		.path = SYSCTL "kernel/numa_balancing",
		.quiet = "0",
		.cost = "pages are unmapped and moved between nodes at random moments",
	},
	{
		.name = "aslr",
		.path = SYSCTL "kernel/randomize_va_space",
		.quiet = "0",
		.cost = "every start has another memory layout: cache and alias effects differ "
			"between invocations",
	},
	{
		.name = "swap",
		.read = read_swap,
		.path = SYSCTL "vm/swappiness",
		.wanted = wanted_swappiness,
		.cost = "a page that comes back from disk costs milliseconds within a sample",
	},
	{
		.name = "clocksource",
		.path = "/sys/devices/system/clocksource/clocksource0/current_clocksource",
		.wanted = wanted_clocksource,
		.accepts = "tsc kvm-clock hyperv_clocksource_tsc_page arch_sys_counter",
		.advice = "see why the kernel log calls the TSC unstable",
		.cost = "reading the clock is a trap or a slow device access: short samples are "
			"inflated by microseconds",
	},
	{
		.name = "load",
		.read = read_load,
		.advice = "stop what else runs here",
		.cost = "other tasks take CPU time, caches and memory bandwidth from the "
			"benchmarks",
	},
	{
		.name = "steal",
		.read = read_steal,
		.advice = "use a host that is not overcommitted, or count instructions",
		.cost = "the hypervisor ran somebody else while this machine wanted to run: "
			"times are longer, counts are not",
	},
	{
		.name = "throttling",
		.read = read_throttling,
		.advice = "better cooling, or turbo off",
		.cost = "the processor slowed down because it was hot: later boots are slower "
			"than earlier ones",
	},
	{
		.name = "mitigations",
		.read = read_mitigations,
		.advice = "keep them equal on both sides, or boot with mitigations=off",
		.cost = "kernel entry and indirect calls cost more: system-call figures shift, "
			"they do not scatter",
	},
	{
		.name = "perf",
		.read = read_perf,
		.advice = "sysctl kernel.perf_event_paranoid=1",
		.cost = "without it, hardware counters are closed to ordinary users: no `insn` "
			"metric",
	},
	{
		.name = "pmu",
		.read = read_pmu,
		.advice = "give the virtual machine a PMU, or use a qemu target with icount",
		.cost = "without it, instructions cannot be counted in hardware: no exact metric "
			"on real time",
	},
	{
		.name = "kvm",
		.read = read_kvm,
		.advice = "load kvm_intel or kvm_amd, allow nesting, or give access to /dev/kvm",
		.cost = "without it, qemu targets are emulated: times are an emulator's, only "
			"`insn` means something",
	},
};

const size_t noise_source_count = ARRAY_SIZE(noise_sources);
