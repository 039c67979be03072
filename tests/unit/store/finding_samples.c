/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/store/finding_samples.h"

#include "common/alloc.h"

struct finding seen_make(size_t index, bool regression)
{
	return (struct finding){
		.machine = xstrdup("lab x4"),
		.variant = xstrdup("nightly"),
		.benchmark = xstrdup("mm.fork"),
		.params = xstrdup("threads=2"),
		.metric = xstrdup("time"),
		.unit = xstrdup("ns/op"),
		.kind = xstrdup("level"),
		.regression = regression,
		.before_set = xasprintf("set-%zu", index - 1),
		.after_set = xasprintf("set-%zu", index),
		.low_set = xasprintf("set-%zu", index - 1),
		.high_set = xasprintf("set-%zu", index),
		.before = regression ? 100 : 110,
		.after = regression ? 110 : 100,
		.ratio_low = 0.5,
		.ratio_high = 1.5,
		.p = 1e-6,
		.q = 1e-5,
		.place = {true, index, index, index, 1e-6},
	};
}

struct finding finding_make(const char *id)
{
	struct finding finding = seen_make(20, true);

	finding.id = xstrdup(id);
	finding.group = xasprintf("group-of-%s", id);
	finding.evaluated_set = xstrdup("set-39");
	finding.found_at = xstrdup("2026-11-30T20:33:07Z");
	finding.changed_at = xstrdup("2026-11-30T20:33:07Z");
	return finding;
}
