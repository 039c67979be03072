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

static struct disturbance_rates rates_of(double duration_ns, double steal_ns, double switches,
					 double interrupts)
{
	double duration_s = duration_ns * 1e-9;

	return (struct disturbance_rates){
		.steal_frac = steal_ns * 1e-9 / duration_s,
		.switches_per_s = switches / duration_s,
		.interrupts_per_s = interrupts / duration_s,
	};
}

static bool is_sample(const json_t *sample)
{
	size_t index;
	json_t *number;

	if (json_array_size(sample) != 4)
		return false;
	json_array_foreach (sample, index, number)
		if (!json_is_number(number) || json_number_value(number) < 0)
			return false;
	return json_number_value(json_array_get(sample, 0)) > 0;
}

/* All of an invocation's, or none. */
static void add_repetitions(struct disturbed_invocation *added, const json_t *samples)
{
	size_t count = json_array_size(samples);
	size_t index;
	json_t *sample;

	json_array_foreach (samples, index, sample)
		if (!is_sample(sample))
			return;
	if (!count)
		return;
	added->repetitions = xcalloc(count, sizeof(*added->repetitions));
	added->repetition_count = count;
	json_array_foreach (samples, index, sample)
		added->repetitions[index] = rates_of(json_number_value(json_array_get(sample, 0)),
						     json_number_value(json_array_get(sample, 1)),
						     json_number_value(json_array_get(sample, 2)),
						     json_number_value(json_array_get(sample, 3)));
}

/* What is not whole is not known: documents may come from anywhere. */
static void add_invocation(struct disturbance_list *list, uint32_t boot, const json_t *object)
{
	const char *benchmark = json_string_value(json_object_get(object, "benchmark"));
	const char *params = json_string_value(json_object_get(object, "params"));
	const json_t *invocation = json_object_get(object, "invocation");
	double duration_ns = number(object, "duration_ns");
	struct disturbed_invocation *added;

	if (!benchmark || !params || !json_is_integer(invocation) || !(duration_ns > 0))
		return;
	added = array_append(list);
	added->label = series_label(benchmark, params);
	added->boot = boot;
	added->invocation = (uint32_t)json_integer_value(invocation);
	added->whole =
		rates_of(duration_ns, number(object, "steal_ns"),
			 number(object, "involuntary_switches"), number(object, "interrupts"));
	add_repetitions(added, json_object_get(object, "samples"));
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

/* Judges rates of one benchmark by their own medians. */
static void judge(struct disturbance_rates *const *rates, size_t count)
{
	double *values = xcalloc(count + 1, sizeof(*values));
	double switches_limit, interrupts_limit;

	for (size_t i = 0; i < count; i++)
		values[i] = rates[i]->switches_per_s;
	switches_limit = count ? DISTURBED_FACTOR * median_of(values, count) : 0;
	switches_limit += DISTURBED_SWITCHES_ALLOWED_PER_S;
	for (size_t i = 0; i < count; i++)
		values[i] = rates[i]->interrupts_per_s;
	interrupts_limit = count ? DISTURBED_FACTOR * median_of(values, count) : 0;
	interrupts_limit += DISTURBED_INTERRUPTS_ALLOWED_PER_S;
	for (size_t i = 0; i < count; i++)
		rates[i]->disturbed = rates[i]->steal_frac > DISTURBED_STEAL_FRAC ||
				      rates[i]->switches_per_s > switches_limit ||
				      rates[i]->interrupts_per_s > interrupts_limit;
	free(values);
}

/* One benchmark's invocations. */
static void judge_group(struct disturbed_invocation *group, size_t count)
{
	struct disturbance_rates **rates;
	size_t repetitions = 0, at = 0;

	for (size_t i = 0; i < count; i++)
		repetitions += group[i].repetition_count;
	rates = xcalloc(count + repetitions, sizeof(*rates));
	for (size_t i = 0; i < count; i++)
		rates[i] = &group[i].whole;
	judge(rates, count);
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < group[i].repetition_count; j++)
			rates[at++] = &group[i].repetitions[j];
	judge(rates, repetitions);
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
	array_for_each (item, list) {
		free(item->label);
		free(item->repetitions);
	}
	array_release(list);
}

size_t disturbance_count(const struct disturbance_list *list)
{
	size_t count = 0;

	array_for_each (item, list)
		count += item->whole.disturbed;
	return count;
}

size_t disturbance_count_repetitions(const struct disturbance_list *list)
{
	size_t count = 0;

	array_for_each (item, list)
		for (size_t i = 0; i < item->repetition_count; i++)
			count += item->repetitions[i].disturbed;
	return count;
}

/* `in_invocation`: how many samples the sample's invocation has, the same of every repetition. */
static bool is_disturbed(const struct disturbance_list *list, char *label,
			 const struct sample *sample, size_t in_invocation)
{
	struct disturbed_invocation wanted = {
		.label = label, .boot = sample->boot, .invocation = sample->invocation};
	const struct disturbed_invocation *found =
		bsearch(&wanted, list->items, list->count, sizeof(wanted), compare_labels);

	if (!found || !found->repetition_count)
		return found && found->whole.disturbed;
	return in_invocation % found->repetition_count == 0 && sample->iteration < in_invocation &&
	       found->repetitions[sample->iteration * found->repetition_count / in_invocation]
		       .disturbed;
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

/* Marks one boot's disturbed samples of a series, [start, end). True when enough are not. */
static bool mark_boot(const struct series *series, const struct disturbance_list *list, char *label,
		      size_t start, size_t end, bool *marks)
{
	size_t disturbed = 0;

	for (size_t i = start; i < end;) {
		size_t next = invocation_end(series, i), length = next - i;

		for (; i < next; i++) {
			marks[i] = is_disturbed(list, label, &series->samples.items[i], length);
			disturbed += marks[i];
		}
	}
	return disturbed && 2 * disturbed <= end - start;
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
	_cleanup_free_ bool *marks = xcalloc(all + 1, sizeof(*marks));

	for (size_t start = 0; start < all; start = end) {
		bool thin;

		end = boot_end(series, start);
		thin = mark_boot(series, list, label, start, end, marks);
		for (size_t i = start; i < end; i++)
			if (!thin || !marks[i])
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
	if (disturbance_count(&list) || disturbance_count_repetitions(&list))
		array_for_each (series, &set->series)
			left_out += thin_series(series, &list);
	disturbance_release(&list);
	return left_out;
}
