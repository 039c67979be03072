/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shape of a finding's samples: what a plot shows beyond the summary. Part of the report
 * model, but made on demand, as most formats show none of it and it is as large as the samples.
 */
#ifndef KREGRESS_REPORTS_SHAPES_H
#define KREGRESS_REPORTS_SHAPES_H

#include "analyzer/harrell_davis.h"
#include "reports/report.h"

/* At most so many samples of a boot are kept for showing, evenly spread over it. */
#define SHAPE_POINTS_MAX 8

/* Steps of the distribution function: quantiles at 0, 1 / SHAPE_STEPS, ..., 1. */
#define SHAPE_STEPS 40

/* The deciles. */
#define SHAPE_SHIFTS 9

/* One boot with samples. */
struct boot_shape {
	size_t boot;	/* index in the run set */
	uint32_t block; /* of the schedule */
	uint32_t slot;	/* place in run order over the whole collection */
	double value;	/* what the boot counts as in the comparison */
	size_t n;	/* samples */
	double min;	/* five numbers of all its samples, quantiles of type 7 */
	double quarter;
	double median;
	double three_quarters;
	double max;
	size_t first_point; /* its samples for showing: points[first_point .. + n_points) */
	size_t n_points;
};

struct side_shape {
	ARRAY_OF(struct boot_shape) boots; /* in order of boots */
	ARRAY_OF(double) points;
	size_t samples;			   /* all of them; more than points when thinned */
	double quantiles[SHAPE_STEPS + 1]; /* of all samples; valid when samples > 0 */
	double low;			   /* the middle 98% of the samples with all boot values: */
	double high;			   /* the range that plots show */
};

struct finding_shape {
	struct side_shape base;
	struct side_shape candidate;
	/*
	 * Candidate minus base at the deciles, over boot values: boots are the replicates.
	 * Intervals at 1 - alpha for each point alone.
	 */
	struct shift_point shifts[SHAPE_SHIFTS];
};

/*
 * The shape of a finding whose report still has its run sets (report_variant.set); a side without
 * samples is empty. The caller releases it.
 */
struct finding_shape finding_shape_of(const struct report *report,
				      const struct report_series *series,
				      const struct report_finding *finding);
void finding_shape_release(struct finding_shape *shape);

#endif
