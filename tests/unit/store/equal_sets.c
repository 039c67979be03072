/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/store/equal_sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_texts_equal(const char *a, const char *b)
{
	if (!a || !b)
		assert_ptr_equal(a, b);
	else
		assert_string_equal(a, b);
}

static void assert_boots_equal(const struct boot *a, const struct boot *b)
{
	assert_int_equal(a->block, b->block);
	assert_int_equal(a->slot, b->slot);
	assert_int_equal(a->status, b->status);
	assert_texts_equal(a->reason, b->reason);
	assert_texts_equal(a->console_tail, b->console_tail);
	assert_texts_equal(a->started_at, b->started_at);
	assert_memory_equal(&a->duration_s, &b->duration_s, sizeof(double));
	assert_texts_equal(a->extra, b->extra);
	assert_int_equal(a->environment.count, b->environment.count);
	for (size_t i = 0; i < a->environment.count; i++) {
		assert_texts_equal(a->environment.items[i].key, b->environment.items[i].key);
		assert_texts_equal(a->environment.items[i].value, b->environment.items[i].value);
	}
	assert_int_equal(a->failures.count, b->failures.count);
	for (size_t i = 0; i < a->failures.count; i++) {
		assert_texts_equal(a->failures.items[i].benchmark, b->failures.items[i].benchmark);
		assert_texts_equal(a->failures.items[i].params, b->failures.items[i].params);
		assert_texts_equal(a->failures.items[i].reason, b->failures.items[i].reason);
		assert_int_equal(a->failures.items[i].unavailable,
				 b->failures.items[i].unavailable);
	}
}

static void assert_series_equal(const struct series *a, const struct series *b)
{
	assert_texts_equal(a->benchmark, b->benchmark);
	assert_texts_equal(a->params, b->params);
	assert_texts_equal(a->metric, b->metric);
	assert_texts_equal(a->unit, b->unit);
	assert_int_equal(a->better, b->better);
	assert_texts_equal(a->extra, b->extra);
	assert_int_equal(a->samples.count, b->samples.count);
	for (size_t i = 0; i < a->samples.count; i++) {
		const struct sample *x = &a->samples.items[i], *y = &b->samples.items[i];

		assert_memory_equal(&x->value, &y->value, sizeof(double));
		assert_int_equal(x->boot, y->boot);
		assert_int_equal(x->invocation, y->invocation);
		assert_int_equal(x->iteration, y->iteration);
	}
}

void assert_sets_equal(const struct run_set *a, const struct run_set *b)
{
	assert_texts_equal(a->id, b->id);
	assert_texts_equal(a->collection, b->collection);
	assert_texts_equal(a->variant, b->variant);
	assert_texts_equal(a->target, b->target);
	assert_texts_equal(a->machine, b->machine);
	assert_texts_equal(a->created_at, b->created_at);
	assert_true(a->seed == b->seed);
	assert_int_equal(a->level, b->level);
	assert_texts_equal(a->extra, b->extra);
	assert_int_equal(a->boots.count, b->boots.count);
	for (size_t i = 0; i < a->boots.count; i++)
		assert_boots_equal(&a->boots.items[i], &b->boots.items[i]);
	assert_int_equal(a->series.count, b->series.count);
	for (size_t i = 0; i < a->series.count; i++)
		assert_series_equal(&a->series.items[i], &b->series.items[i]);
}

void assert_lists_equal(const struct run_set_list *a, const struct run_set_list *b)
{
	assert_int_equal(a->count, b->count);
	for (size_t i = 0; i < a->count; i++)
		assert_sets_equal(a->items[i], b->items[i]);
}
