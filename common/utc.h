/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times as text, in UTC, whose order as text is that in time. */
#ifndef KREGRESS_COMMON_UTC_H
#define KREGRESS_COMMON_UTC_H

#include <time.h>

/* "2026-11-30T20:33:07Z". Owned by the caller. The year has four digits for times before 10000. */
char *utc_text(time_t time);

#endif
