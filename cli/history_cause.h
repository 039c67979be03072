/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What else changed on the machine where a series changed. */
#ifndef KREGRESS_CLI_HISTORY_CAUSE_H
#define KREGRESS_CLI_HISTORY_CAUSE_H

#include "store/timeline.h"

/* The environments of a timeline's sets, loaded when they are asked for. */
struct history_causes {
	struct store *store;
	const struct timeline *timeline;
	struct environment *environments; /* of the sets */
	bool *loaded;
};

void history_causes_init(struct history_causes *causes, struct store *store,
			 const struct timeline *timeline);
void history_causes_release(struct history_causes *causes);

/*
 * `sets` are those of a series' points in the timeline, `count` of them; the change lies after
 * point low - 1 and at latest at point high. `*cause` becomes "cpu.microcode: 0x1 -> 0x2; ..." or
 * NULL, owned by the caller: items of the environment that differ between these two points, and are
 * the same on each side. What is measured on purpose (which kernel), and what differs from boot to
 * boot, is no cause.
 */
int history_cause_of(struct history_causes *causes, const size_t *sets, size_t count, size_t low,
		     size_t high, char **cause, struct error *err) __must_check;

#endif
