// SPDX-License-Identifier: GPL-2.0-or-later
/* Checksums, hashes and random numbers. */
#include <linux/crc32.h>
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/random.h>
#include <linux/siphash.h>
#include <linux/xxhash.h>

#include "bench.h"

#define INPUT_SIZE 1024

static u8 input[INPUT_SIZE] __aligned(64);
static siphash_key_t key = {{1, 2}};

/* A function in a module of its own would have to be loaded before this one. */
static const char *needs_crc32(void)
{
	return IS_BUILTIN(CONFIG_CRC32) ? NULL : "CONFIG_CRC32 is not built into this kernel";
}

static const char *needs_xxhash(void)
{
	return IS_BUILTIN(CONFIG_XXHASH) ? NULL : "CONFIG_XXHASH is not built into this kernel";
}

static int crc32_run(struct bench_ctx *ctx, unsigned long loops)
{
	if (!IS_BUILTIN(CONFIG_CRC32))
		return -EOPNOTSUPP;
	BENCH_LOOP(loops, BENCH_KEEP(crc32_le(0, input, sizeof(input))));
	return 0;
}

static int xxh64_run(struct bench_ctx *ctx, unsigned long loops)
{
	if (!IS_BUILTIN(CONFIG_XXHASH))
		return -EOPNOTSUPP;
	BENCH_LOOP(loops, BENCH_KEEP((unsigned long)xxh64(input, sizeof(input), 0)));
	return 0;
}

BENCH_RUN(siphash_run, BENCH_KEEP((unsigned long)siphash(input, sizeof(input), &key)))
BENCH_RUN(jhash_run, BENCH_KEEP(jhash(input, sizeof(input), 0)))
BENCH_RUN(random_run, BENCH_KEEP(get_random_u32()))

static const struct bench benches[] = {
	{
		.name = "data.crc32",
		.params = "size=1024",
		.summary = "crc32_le over 1024 bytes",
		.unavailable = needs_crc32,
		.run = crc32_run,
	},
	{
		.name = "data.xxh64",
		.params = "size=1024",
		.summary = "xxh64 over 1024 bytes",
		.unavailable = needs_xxhash,
		.run = xxh64_run,
	},
	{
		.name = "data.siphash",
		.params = "size=1024",
		.summary = "siphash over 1024 bytes",
		.run = siphash_run,
	},
	{
		.name = "data.jhash",
		.params = "size=1024",
		.summary = "jhash over 1024 bytes",
		.run = jhash_run,
	},
	{
		.name = "data.random_u32",
		.summary =
			"get_random_u32: in batches, or one by one before the generator is seeded",
		.run = random_run,
	},
};

const struct bench_group bench_group_hash = {benches, ARRAY_SIZE(benches)};
