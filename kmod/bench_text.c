// SPDX-License-Identifier: GPL-2.0-or-later
/* Patching of kernel text. Several CPUs patch the same place. */
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/static_call.h>

#include "bench.h"

static DEFINE_STATIC_KEY_FALSE(key);

static int answer_no(void)
{
	return 0;
}

static int answer_yes(void)
{
	return 1;
}

DEFINE_STATIC_CALL(kregress_answer, answer_no);

/* The places to patch: a key or call that nothing uses costs no patching. */
static noinline int patched_places(void)
{
	if (static_branch_unlikely(&key))
		return static_call(kregress_answer)() + 2;
	return 0;
}

static int text_setup(struct bench_ctx *ctx)
{
	return patched_places() < 0 ? -EIO : 0;
}

BENCH_RUN(static_key_run, {
	static_branch_enable(&key);
	static_branch_disable(&key);
})

BENCH_RUN(static_call_run, {
	static_call_update(kregress_answer, answer_yes);
	static_call_update(kregress_answer, answer_no);
})

static const struct bench benches[] = {
	{
		.name = "text.static_key",
		.summary = "static_branch_enable + static_branch_disable of a key used once",
		.setup = text_setup,
		.run = static_key_run,
	},
	{
		.name = "text.static_call",
		.summary = "static_call_update to another function and back, one caller",
		.setup = text_setup,
		.run = static_call_run,
	},
};

const struct bench_group bench_group_text = {benches, ARRAY_SIZE(benches)};
