/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/run_set.h"

#include <string.h>
#include <sys/random.h>

#include "common/strbuf.h"

char *run_set_make_id(void)
{
	struct strbuf id = STRBUF_INIT;
	unsigned char bytes[16];

	if (getentropy(bytes, sizeof(bytes)) < 0)
		abort();
	for (size_t i = 0; i < sizeof(bytes); i++)
		strbuf_printf(&id, "%02x", bytes[i]);
	return strbuf_take(&id);
}

void run_set_init(struct run_set *set, const char *variant)
{
	*set = (struct run_set){
		.id = run_set_make_id(),
		.variant = xstrdup(variant),
	};
}

static void failure_release(struct benchmark_failure *failure)
{
	free(failure->benchmark);
	free(failure->params);
	free(failure->reason);
}

static void boot_release(struct boot *boot)
{
	free(boot->reason);
	free(boot->console_tail);
	free(boot->started_at);
	free(boot->extra);
	environment_release(&boot->environment);
	array_for_each (failure, &boot->failures)
		failure_release(failure);
	array_release(&boot->failures);
}

static void series_release(struct series *series)
{
	free(series->benchmark);
	free(series->params);
	free(series->metric);
	free(series->unit);
	free(series->extra);
	array_release(&series->samples);
}

void run_set_release(struct run_set *set)
{
	array_for_each (boot, &set->boots)
		boot_release(boot);
	array_release(&set->boots);
	array_for_each (series, &set->series)
		series_release(series);
	array_release(&set->series);
	string_index_release(&set->index);
	free(set->id);
	free(set->collection);
	free(set->variant);
	free(set->target);
	free(set->machine);
	free(set->created_at);
	free(set->extra);
	*set = (struct run_set){0};
}

struct boot *run_set_add_boot(struct run_set *set)
{
	return array_append(&set->boots);
}

/* No name holds the separator: it is a control character. */
static char *series_key(const char *benchmark, const char *params, const char *metric)
{
	return xasprintf("%s\x1f%s\x1f%s", benchmark, params ? params : "", metric);
}

/* The first of equal names is found, as if the series were looked through in order. */
static void index_new_series(struct run_set *set)
{
	for (; set->indexed < set->series.count; set->indexed++) {
		const struct series *series = &set->series.items[set->indexed];
		_cleanup_free_ char *key =
			series_key(series->benchmark, series->params, series->metric);

		string_index_add(&set->index, key, set->indexed);
	}
}

const struct series *run_set_find(const struct run_set *set, const char *benchmark,
				  const char *params, const char *metric)
{
	_cleanup_free_ char *key = series_key(benchmark, params, metric);
	size_t number;

	/* What the set holds does not change, only how it is found. */
	index_new_series((struct run_set *)set);
	return string_index_find(&set->index, key, &number) ? &set->series.items[number] : NULL;
}

static bool has_block(const struct run_set *set, uint32_t block)
{
	array_for_each (boot, &set->boots)
		if (boot->block == block)
			return true;
	return false;
}

uint32_t run_set_complete_blocks(const struct run_set *set)
{
	uint32_t blocks = 0;

	while (has_block(set, blocks))
		blocks++;
	return blocks;
}

struct series *run_set_series(struct run_set *set, const char *benchmark, const char *params,
			      const char *metric, const char *unit, enum better better)
{
	const struct series *found = run_set_find(set, benchmark, params, metric);
	struct series *series;

	if (found) {
		if (strcmp(found->unit, unit) || found->better != better)
			return NULL;
		return &set->series.items[found - set->series.items];
	}
	series = array_append(&set->series);
	series->benchmark = xstrdup(benchmark);
	series->params = xstrdup(params);
	series->metric = xstrdup(metric);
	series->unit = xstrdup(unit);
	series->better = better;
	return series;
}

void series_add_sample(struct series *series, uint32_t boot, uint32_t invocation,
		       uint32_t iteration, double value)
{
	*array_append(&series->samples) = (struct sample){
		.value = value,
		.boot = boot,
		.invocation = invocation,
		.iteration = iteration,
	};
}

static int compare_uint32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_samples(const void *left, const void *right)
{
	const struct sample *a = left, *b = right;
	int order = compare_uint32(a->boot, b->boot);

	if (!order)
		order = compare_uint32(a->invocation, b->invocation);
	return order ? order : compare_uint32(a->iteration, b->iteration);
}

void series_sort(struct series *series)
{
	if (series->samples.count > 1)
		qsort(series->samples.items, series->samples.count, sizeof(struct sample),
		      compare_samples);
}

char *series_label(const char *benchmark, const char *params)
{
	if (!params || !*params)
		return xstrdup(benchmark);
	return xasprintf("%s [%s]", benchmark, params);
}

void environment_set(struct environment *environment, const char *key, const char *value)
{
	struct environment_item *added;

	if (!value)
		return;
	array_for_each (item, environment) {
		if (!strcmp(item->key, key)) {
			replace_string(&item->value, value);
			return;
		}
	}
	added = array_append(environment);
	added->key = xstrdup(key);
	added->value = xstrdup(value);
}

void environment_release(struct environment *environment)
{
	array_for_each (item, environment) {
		free(item->key);
		free(item->value);
	}
	array_release(environment);
}

const char *environment_get(const struct environment *environment, const char *key)
{
	array_for_each (item, environment)
		if (!strcmp(item->key, key))
			return item->value;
	return NULL;
}

void boot_add_failure(struct boot *boot, const char *benchmark, const char *params,
		      const char *reason, bool unavailable)
{
	struct benchmark_failure *failure = array_append(&boot->failures);

	failure->benchmark = xstrdup(benchmark);
	failure->params = xstrdup(params ? params : "");
	failure->reason = xstrdup(reason ? reason : "");
	failure->unavailable = unavailable;
}

static const char *const level_names[] = {
	[LEVEL_BOOT] = "boot",
	[LEVEL_INVOCATION] = "invocation",
	[LEVEL_ITERATION] = "iteration",
};

const char *level_name(enum level level)
{
	return level_names[level];
}

bool level_parse(const char *text, enum level *level)
{
	for (size_t i = 0; i < ARRAY_SIZE(level_names); i++) {
		if (!strcmp(text, level_names[i])) {
			*level = (enum level)i;
			return true;
		}
	}
	return false;
}

void run_set_list_add(struct run_set_list *list, struct run_set *set)
{
	*array_append(list) = set;
}

void run_set_list_release(struct run_set_list *list)
{
	array_for_each (set, list) {
		run_set_release(*set);
		free(*set);
	}
	array_release(list);
}
