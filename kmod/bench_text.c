// SPDX-License-Identifier: GPL-2.0-or-later
/* Patching of kernel text. Several CPUs patch the same place. */
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/static_call.h>
#include <linux/string.h>

#include "bench.h"
#include "compat.h"

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

/* What the kernel does not export; NULL: not found. */
static compat_text_poke_fn poke;
static struct mutex *poke_mutex;
static const char *poke_lacks;

void bench_text_find(void)
{
	unsigned long function, lock;

	poke_lacks = compat_find_symbol("text_poke", &function);
	if (!poke_lacks)
		poke_lacks = compat_find_symbol("text_mutex", &lock);
	if (poke_lacks)
		return;
	poke = (compat_text_poke_fn)function;
	poke_mutex = (struct mutex *)lock;
}

static const char *needs_text_poke(void)
{
	return poke_lacks;
}

/* One byte, of the module's own text, with what it holds already. */
static int text_poke_run(struct bench_ctx *ctx, unsigned long loops)
{
	u8 *place = (u8 *)patched_places;
	u8 byte = *place;

	mutex_lock(poke_mutex);
	BENCH_LOOP(loops, poke(place, &byte, 1));
	mutex_unlock(poke_mutex);
	return 0;
}

static const char *needs_kprobes(void)
{
	return compat_has_kprobes() ? NULL : "CONFIG_KPROBES is off in this kernel";
}

static int kprobe_setup(struct bench_ctx *ctx)
{
	ctx->data = kzalloc(sizeof(struct kprobe), GFP_KERNEL);
	return ctx->data ? 0 : -ENOMEM;
}

static int kprobe_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct kprobe *probe = ctx->data;

	BENCH_LOOP(loops, {
		int err;

		memset(probe, 0, sizeof(*probe));
		probe->addr = (kprobe_opcode_t *)patched_places;
		err = register_kprobe(probe);
		if (unlikely(err))
			return err;
		unregister_kprobe(probe);
	});
	return 0;
}

static void kprobe_teardown(struct bench_ctx *ctx)
{
	kfree(ctx->data);
}

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
	{
		.name = "text.text_poke",
		.summary = "text_poke of one byte of module text, text_mutex held",
		.unavailable = needs_text_poke,
		.run = text_poke_run,
	},
	{
		.name = "text.text_poke",
		.params = "calls=16384",
		.summary = "the same, 16384 calls a repetition whatever they take",
		.loops = 16384,
		.unavailable = needs_text_poke,
		.run = text_poke_run,
	},
	{
		.name = "text.kprobe",
		.summary = "register_kprobe + unregister_kprobe at the start of a function",
		.unavailable = needs_kprobes,
		.setup = kprobe_setup,
		.run = kprobe_run,
		.teardown = kprobe_teardown,
	},
};

const struct bench_group bench_group_text = {benches, ARRAY_SIZE(benches)};
