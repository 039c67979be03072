/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/look.h"

#include <string.h>

#include <jansson.h>

#include "analyzer/comparison.h"
#include "analyzer/sequential.h"
#include "common/alloc.h"

/* Before the first look nothing may be concluded; a test at this level never rejects. */
#define LEVEL_OF_NO_LOOK 1e-12

char *look_plan_write(const struct look_plan *plan)
{
	return xasprintf("{\"sequential\":{\"first\":%u,\"blocks_max\":%u,"
			 "\"spending\":\"obrien-fleming\"}}",
			 plan->first, plan->blocks_max);
}

bool look_plan_read(const char *extra, struct look_plan *plan)
{
	json_t *object = extra ? json_loads(extra, 0, NULL) : NULL;
	json_t *looks = json_object_get(object, "sequential");
	json_int_t first = json_integer_value(json_object_get(looks, "first"));
	json_int_t most = json_integer_value(json_object_get(looks, "blocks_max"));

	json_decref(object);
	if (first < 1 || most < first || most > UINT32_MAX)
		return false;
	*plan = (struct look_plan){(uint32_t)first, (uint32_t)most};
	return true;
}

static uint32_t complete_blocks(const struct run_set *base, const struct run_set *const *variants,
				size_t count)
{
	uint32_t least = run_set_complete_blocks(base);

	for (size_t i = 0; i < count; i++) {
		uint32_t blocks = run_set_complete_blocks(variants[i]);

		least = blocks < least ? blocks : least;
	}
	return least;
}

static bool same_collection(const struct run_set *base, const struct run_set *const *variants,
			    size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!base->collection || !variants[i]->collection ||
		    strcmp(base->collection, variants[i]->collection) != 0)
			return false;
	return true;
}

static enum sequential_test test_of(enum method method)
{
	return method == METHOD_PAIRED || method == METHOD_SIGNED_RANK ||
			       method == METHOD_BLOCK_PERMUTATION
		       ? SEQUENTIAL_PAIRED
		       : SEQUENTIAL_UNPAIRED;
}

double look_level(const struct run_set *base, const struct run_set *const *variants, size_t count,
		  double alpha, enum method method, struct strbuf *sentence)
{
	struct look_plan plan;
	struct sequential state;
	uint32_t blocks;

	if (!look_plan_read(base->extra, &plan) || !same_collection(base, variants, count))
		return alpha;
	state = sequential_start(alpha, plan.blocks_max, SEQUENTIAL_OBRIEN_FLEMING,
				 test_of(method));
	blocks = complete_blocks(base, variants, count);
	for (uint32_t look = plan.first; look <= blocks; look++)
		state = sequential_look(state, look);
	strbuf_printf(
		sentence,
		"looked at after each block from %u on, now after %u of at most %u: this "
		"look is judged at level %.3g and with the same test as the others, so that all "
		"looks together stay below %g",
		plan.first, blocks, plan.blocks_max, state.level, alpha);
	return state.level > LEVEL_OF_NO_LOOK ? state.level : LEVEL_OF_NO_LOOK;
}
