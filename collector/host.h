/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this machine is. */
#ifndef KREGRESS_COLLECTOR_HOST_H
#define KREGRESS_COLLECTOR_HOST_H

/* "AMD EPYC x2": measurements of different classes do not compare. Owned by the caller. */
char *host_machine_class(void);

/* The network node name. Owned by the caller. */
char *host_name(void);

/* Now, in UTC: "2026-11-30T20:33:07Z". Owned by the caller. */
char *host_utc_now(void);

/* Seconds on a clock that never goes back. */
double host_monotonic_s(void);

#endif
