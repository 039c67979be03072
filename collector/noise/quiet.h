/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine made quiet for a time: every source of noise that can be set is set, and put back at
 * the end.
 *
 * Three things put it back: quiet_end(); when this process dies without it, a guard process within
 * moments; when the guard died, too, quiet_recover() of the next start. All three go by the
 * restore file (restore_file.h), which is on disk before the first change.
 */
#ifndef KREGRESS_COLLECTOR_NOISE_QUIET_H
#define KREGRESS_COLLECTOR_NOISE_QUIET_H

#include "collector/noise/restore_file.h"

struct quiet;

/*
 * Sets what can be set. A value that the kernel refuses is left, and noted in its setting. With
 * `keep` the settings stay after the end of the process, until quiet_recover() is asked for those,
 * too; the idle-state limit, which lasts only as long as a process holds it, is not set then.
 *
 * Returns 1 with `*quiet` NULL when another kregress keeps the machine quiet already, or one was
 * told to keep it so. The machine must outlive `*quiet`.
 */
int quiet_begin(const struct machine *machine, bool keep, struct quiet **quiet, struct error *err)
	__must_check;

/* What was changed; holds until quiet_end(). */
const struct settings *quiet_settings(const struct quiet *quiet);

/* Whether it keeps the processors out of idle states. */
bool quiet_holds_latency(const struct quiet *quiet);

/* Puts everything back, unless it is to be kept, and frees. `quiet` may be NULL. */
int quiet_end(struct quiet *quiet, const struct log *log, size_t *restored, struct error *err);

/*
 * Puts back what a kregress that died has left behind, and with `kept_too` what one was told to
 * keep. Settings in use by a living process stay.
 */
int quiet_recover(const struct machine *machine, bool kept_too, const struct log *log,
		  size_t *restored, struct error *err) __must_check;

#endif
