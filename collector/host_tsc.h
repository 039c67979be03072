/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rate of this machine's time stamp counter. An emulated guest sees the same counter, but finds
 * its rate by timing it against an emulated timer chip while other work runs here: the answer
 * varies from boot to boot, and some kernels give the counter up. It is better told.
 */
#ifndef KREGRESS_COLLECTOR_HOST_TSC_H
#define KREGRESS_COLLECTOR_HOST_TSC_H

#include <stdint.h>

/*
 * In kHz, rounded to 100 kHz so that every collection on a machine gets the same figure; 0 where
 * there is no such counter. Takes a tenth of a second, the first time only.
 */
uint64_t host_tsc_khz(void);

#endif
