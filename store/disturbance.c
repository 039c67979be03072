/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/disturbance.h"

static const char key[] = "disturbance";

void disturbance_keep(struct boot *boot, json_t *invocations)
{
	json_t *extra = boot->extra ? json_loads(boot->extra, 0, NULL) : NULL;

	if (!json_is_object(extra)) {
		json_decref(extra);
		extra = json_object();
	}
	json_object_set(extra, key, invocations);
	free(boot->extra);
	boot->extra = json_dumps(extra, JSON_COMPACT);
	json_decref(extra);
}

static double number(const json_t *object, const char *name)
{
	return json_number_value(json_object_get(object, name));
}

/* What is not whole is not known: documents may come from anywhere. */
static void add_invocation(struct disturbance_list *list, uint32_t boot, const json_t *object)
{
	const char *benchmark = json_string_value(json_object_get(object, "benchmark"));
	const char *params = json_string_value(json_object_get(object, "params"));
	const json_t *invocation = json_object_get(object, "invocation");
	double duration_s = number(object, "duration_ns") * 1e-9;
	struct disturbed_invocation *added;

	if (!benchmark || !params || !json_is_integer(invocation) || !(duration_s > 0))
		return;
	added = array_append(list);
	added->label = series_label(benchmark, params);
	added->boot = boot;
	added->invocation = (uint32_t)json_integer_value(invocation);
	added->steal_frac = number(object, "steal_ns") * 1e-9 / duration_s;
	added->switches_per_s = number(object, "involuntary_switches") / duration_s;
	added->interrupts_per_s = number(object, "interrupts") / duration_s;
}

static void read_boot(struct disturbance_list *list, uint32_t number_of_boot,
		      const struct boot *boot)
{
	json_t *extra = boot->extra ? json_loads(boot->extra, 0, NULL) : NULL;
	const json_t *object;
	size_t index;

	json_array_foreach (json_object_get(extra, key), index, object)
		add_invocation(list, number_of_boot, object);
	json_decref(extra);
}

static int compare_labels(const void *left, const void *right)
{
	const struct disturbed_invocation *a = left, *b = right;
	int order = strcmp(a->label, b->label);

	if (!order)
		order = (a->boot > b->boot) - (a->boot < b->boot);
	return order ? order : (a->invocation > b->invocation) - (a->invocation < b->invocation);
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double median_of(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare_doubles);
	return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

/* One benchmark's invocations. */
static void judge_group(struct disturbed_invocation *group, size_t count)
{
	double *rates = xcalloc(count, sizeof(*rates));
	double switches_limit, interrupts_limit;

	for (size_t i = 0; i < count; i++)
		rates[i] = group[i].switches_per_s;
	switches_limit =
		DISTURBED_FACTOR * median_of(rates, count) + DISTURBED_SWITCHES_ALLOWED_PER_S;
	for (size_t i = 0; i < count; i++)
		rates[i] = group[i].interrupts_per_s;
	interrupts_limit =
		DISTURBED_FACTOR * median_of(rates, count) + DISTURBED_INTERRUPTS_ALLOWED_PER_S;
	for (size_t i = 0; i < count; i++)
		group[i].disturbed = group[i].steal_frac > DISTURBED_STEAL_FRAC ||
				     group[i].switches_per_s > switches_limit ||
				     group[i].interrupts_per_s > interrupts_limit;
	free(rates);
}

void disturbance_judge(const struct run_set *set, struct disturbance_list *list)
{
	size_t start = 0;

	*list = (struct disturbance_list){0};
	for (size_t i = 0; i < set->boots.count; i++)
		read_boot(list, (uint32_t)i, &set->boots.items[i]);
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), compare_labels);
	for (size_t i = 1; i <= list->count; i++) {
		if (i < list->count && !strcmp(list->items[i].label, list->items[start].label))
			continue;
		judge_group(&list->items[start], i - start);
		start = i;
	}
}

void disturbance_release(struct disturbance_list *list)
{
	array_for_each (item, list)
		free(item->label);
	array_release(list);
}

size_t disturbance_count(const struct disturbance_list *list)
{
	size_t count = 0;

	array_for_each (item, list)
		count += item->disturbed;
	return count;
}

static bool is_disturbed(const struct disturbance_list *list, char *label,
			 const struct sample *sample)
{
	struct disturbed_invocation wanted = {
		.label = label, .boot = sample->boot, .invocation = sample->invocation};
	const struct disturbed_invocation *found =
		bsearch(&wanted, list->items, list->count, sizeof(wanted), compare_labels);

	return found && found->disturbed;
}

/* Where the invocation that begins at `start` ends. */
static size_t invocation_end(const struct series *series, size_t start)
{
	const struct sample *first = &series->samples.items[start];
	size_t end = start;

	while (end < series->samples.count && series->samples.items[end].boot == first->boot &&
	       series->samples.items[end].invocation == first->invocation)
		end++;
	return end;
}

/* One boot's samples of a series: [start, end). True when enough invocations are undisturbed. */
static bool enough_remain(const struct series *series, const struct disturbance_list *list,
			  char *label, size_t start, size_t end)
{
	size_t all = 0, disturbed = 0;

	for (size_t i = start; i < end; i = invocation_end(series, i)) {
		all++;
		disturbed += is_disturbed(list, label, &series->samples.items[i]);
	}
	return disturbed && 2 * disturbed <= all;
}

static size_t boot_end(const struct series *series, size_t start)
{
	size_t end = start;

	while (end < series->samples.count &&
	       series->samples.items[end].boot == series->samples.items[start].boot)
		end++;
	return end;
}

static size_t thin_series(struct series *series, const struct disturbance_list *list)
{
	_cleanup_free_ char *label = series_label(series->benchmark, series->params);
	size_t kept = 0, all = series->samples.count, end;

	for (size_t start = 0; start < all; start = end) {
		bool thin;

		end = boot_end(series, start);
		thin = enough_remain(series, list, label, start, end);
		for (size_t i = start; i < end; i++)
			if (!thin || !is_disturbed(list, label, &series->samples.items[i]))
				series->samples.items[kept++] = series->samples.items[i];
	}
	series->samples.count = kept;
	return all - kept;
}

size_t disturbance_leave_out(struct run_set *set)
{
	struct disturbance_list list;
	size_t left_out = 0;

	disturbance_judge(set, &list);
	if (disturbance_count(&list))
		array_for_each (series, &set->series)
			left_out += thin_series(series, &list);
	disturbance_release(&list);
	return left_out;
}
