/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/shapes.h"

#include <math.h>

#include "analyzer/quantile.h"

/* Samples further out than this share of a side do not set the range that is shown. */
#define RANGE_TAIL_FRAC 0.01

/* How many samples from `first` on belong to the same boot. */
static size_t boot_length(const struct series *series, size_t first)
{
	size_t n = 1;

	while (first + n < series->samples.count &&
	       series->samples.items[first + n].boot == series->samples.items[first].boot)
		n++;
	return n;
}

static void add_points(struct side_shape *side, struct boot_shape *boot,
		       const struct sample *samples)
{
	size_t kept = boot->n < SHAPE_POINTS_MAX ? boot->n : SHAPE_POINTS_MAX;

	boot->first_point = side->points.count;
	boot->n_points = kept;
	for (size_t i = 0; i < kept; i++)
		*array_append(&side->points) = samples[i * boot->n / kept].value;
}

static void add_boot(struct side_shape *side, const struct run_set *set,
		     const struct sample *samples, size_t n, double *sorted)
{
	const struct boot *origin = &set->boots.items[samples->boot];
	struct boot_shape *boot = array_append(&side->boots);

	for (size_t i = 0; i < n; i++)
		sorted[i] = samples[i].value;
	quantile_sort(sorted, n);
	boot->boot = samples->boot;
	boot->block = origin->block;
	boot->slot = origin->slot;
	boot->n = n;
	boot->min = sorted[0];
	boot->quarter = quantile_of_sorted(sorted, n, 0.25);
	boot->median = quantile_of_sorted(sorted, n, 0.5);
	boot->three_quarters = quantile_of_sorted(sorted, n, 0.75);
	boot->max = sorted[n - 1];
	add_points(side, boot, samples);
}

static void measure_distribution(struct side_shape *side, const struct series *series, double *all)
{
	size_t n = series->samples.count;

	for (size_t i = 0; i < n; i++)
		all[i] = series->samples.items[i].value;
	quantile_sort(all, n);
	for (size_t i = 0; i <= SHAPE_STEPS; i++)
		side->quantiles[i] = quantile_of_sorted(all, n, (double)i / SHAPE_STEPS);
	side->low = quantile_of_sorted(all, n, RANGE_TAIL_FRAC);
	side->high = quantile_of_sorted(all, n, 1 - RANGE_TAIL_FRAC);
	array_for_each (boot, &side->boots) {
		side->low = fmin(side->low, boot->value);
		side->high = fmax(side->high, boot->value);
	}
}

static void fill_side(struct side_shape *side, const struct run_set *set,
		      const struct report_series *series, const struct value_list *values)
{
	const struct series *samples =
		set ? run_set_find(set, series->benchmark, series->params, series->metric) : NULL;
	_cleanup_free_ double *scratch = NULL;
	size_t at = 0;

	if (!samples || !samples->samples.count || !values->count)
		return;
	scratch = xcalloc(samples->samples.count, sizeof(*scratch));
	side->samples = samples->samples.count;
	while (at < side->samples) {
		size_t n = boot_length(samples, at);

		add_boot(side, set, &samples->samples.items[at], n, scratch);
		at += n;
	}
	for (size_t i = 0; i < side->boots.count && i < values->count; i++)
		side->boots.items[i].value = values->items[i];
	measure_distribution(side, samples, scratch);
}

struct finding_shape finding_shape_of(const struct report *report,
				      const struct report_series *series,
				      const struct report_finding *finding)
{
	struct finding_shape shape = {0};

	fill_side(&shape.base, report->base.set, series, &series->base_values);
	fill_side(&shape.candidate, report->variants.items[finding->variant].set, series,
		  &finding->values);
	for (size_t i = 0; i < SHAPE_SHIFTS; i++)
		shape.shifts[i].fraction = (double)(i + 1) / (SHAPE_SHIFTS + 1);
	shift_function(series->base_values.items, series->base_values.count, finding->values.items,
		       finding->values.count, report->alpha, shape.shifts, SHAPE_SHIFTS);
	return shape;
}

static void side_release(struct side_shape *side)
{
	array_release(&side->boots);
	array_release(&side->points);
}

void finding_shape_release(struct finding_shape *shape)
{
	side_release(&shape->base);
	side_release(&shape->candidate);
}
