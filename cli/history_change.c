/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/history_change.h"

bool change_is_regression(const struct change_point *point, enum better better)
{
	if (point->kind == CHANGE_KIND_SPREAD)
		return point->after > point->before;
	return (better == BETTER_LOWER) == (point->difference > 0);
}

struct history_change history_change_of(const struct change_point *point, enum better better)
{
	return (struct history_change){
		.index = point->index,
		.low = point->low,
		.high = point->high,
		.kind = point->kind,
		.regression = change_is_regression(point, better),
		.seen = true,
		.before = point->before,
		.after = point->after,
		.difference = point->difference,
		.difference_ci = point->difference_ci,
		.ratio = point->ratio,
		.ratio_ci = point->ratio_ci,
		.p = point->p,
		.q = point->p,
	};
}
