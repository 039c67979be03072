/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/calibrate.h"

int calibrate(calibrate_measure *measure, void *context, uint64_t first, uint64_t target,
	      uint64_t *loops)
{
	for (uint64_t count = first; count <= CALIBRATE_LOOPS_MAX; count *= 2) {
		uint64_t elapsed = target;

		for (int i = 0; i < 2 && elapsed >= target; i++)
			if (measure(context, count, &elapsed) < 0)
				return -1;
		if (elapsed >= target) {
			*loops = count;
			return 0;
		}
	}
	return 1;
}
