/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of the sources that are more than the value of a file: see sources.c. */
#ifndef KREGRESS_COLLECTOR_NOISE_READERS_H
#define KREGRESS_COLLECTOR_NOISE_READERS_H

#include "collector/noise/source.h"

void read_idle_states(const struct machine *machine, struct noise_reading *reading);
void read_smt(const struct machine *machine, struct noise_reading *reading);
void read_irq_affinity(const struct machine *machine, struct noise_reading *reading);
void read_isolation(const struct machine *machine, struct noise_reading *reading);
void read_swap(const struct machine *machine, struct noise_reading *reading);
void read_load(const struct machine *machine, struct noise_reading *reading);
void read_steal(const struct machine *machine, struct noise_reading *reading);
void read_throttling(const struct machine *machine, struct noise_reading *reading);
void read_mitigations(const struct machine *machine, struct noise_reading *reading);
void read_perf(const struct machine *machine, struct noise_reading *reading);

/* These try it on this machine; below another root they know nothing. */
void read_pmu(const struct machine *machine, struct noise_reading *reading);
void read_kvm(const struct machine *machine, struct noise_reading *reading);

/* Whether a list such as "0-3,8" leaves CPU 0 out. */
bool suits_irq_affinity(const char *value);
/* "1-7": all CPUs but the first; NULL where there is one CPU only. */
char *wanted_irq_affinity(const struct machine *machine);
/* "0" where there is swap, else NULL. */
char *wanted_swappiness(const struct machine *machine);
/* "tsc" where the kernel offers it, else NULL. */
char *wanted_clocksource(const struct machine *machine);

#endif
