/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/outlier.h"

#include <float.h>
#include <math.h>

#include "analyzer/moments.h"
#include "analyzer/quantile.h"
#include "analyzer/scratch.h"

#define DEVIATIONS_MAX	     3.5
#define MEDCOUPLE_VALUES_MAX 1000

/* Of a value a >= 0 above and a distance b >= 0 below the median; `order` settles 0 and 0. */
static double kernel(double above, double below, double order)
{
	if (above + below > 0)
		return (above - below) / (above + below);
	return order > 0 ? 1 : order < 0 ? -1 : 0;
}

static double median_of_kernels(const double *sorted, size_t n)
{
	double median = quantile_of_sorted(sorted, n, 0.5);
	size_t first = 0; /* value not below the median */
	size_t end = n;	  /* of the values not above the median */
	size_t tied, count = 0;
	_scratch_ double *kernels = NULL;

	while (sorted[first] < median)
		first++;
	while (sorted[end - 1] > median)
		end--;
	tied = end > first ? end - first : 0;
	kernels = scratch_new(end * (n - first), sizeof(*kernels));
	for (size_t i = 0; i < end; i++) {
		for (size_t j = first; j < n; j++) {
			/* Among values at the median, the sign goes by their places. */
			double order = (double)(i + j + 1) - (double)(2 * first + tied);

			kernels[count++] = kernel(sorted[j] - median, median - sorted[i], order);
		}
	}
	return quantile_median(kernels, count);
}

double outlier_medcouple(const double *sorted, size_t n)
{
	_scratch_ double *thinned = NULL;

	if (n < 3)
		return 0;
	if (n <= MEDCOUPLE_VALUES_MAX)
		return median_of_kernels(sorted, n);
	thinned = scratch_new(MEDCOUPLE_VALUES_MAX, sizeof(*thinned));
	for (size_t i = 0; i < MEDCOUPLE_VALUES_MAX; i++)
		thinned[i] = quantile_of_sorted(sorted, n,
						((double)i + 0.5) / (double)MEDCOUPLE_VALUES_MAX);
	return median_of_kernels(thinned, MEDCOUPLE_VALUES_MAX);
}

static void deviation_fences(struct outlier_fences *fences, const double *sorted, size_t n)
{
	double median = quantile_of_sorted(sorted, n, 0.5);
	_scratch_ double *distances = scratch_new(n, sizeof(*distances));
	double sd;

	for (size_t i = 0; i < n; i++)
		distances[i] = fabs(sorted[i] - median);
	sd = 1.4826022185056018 * quantile_median(distances, n);
	if (!(sd > 0))
		sd = 1.2533141373155003 * moments_of(distances, n).mean;
	fences->rule = OUTLIER_DEVIATION;
	fences->low = median - DEVIATIONS_MAX * sd;
	fences->high = median + DEVIATIONS_MAX * sd;
}

static void boxplot_fences(struct outlier_fences *fences, const double *sorted, size_t n)
{
	double low = quantile_of_sorted(sorted, n, 0.25);
	double high = quantile_of_sorted(sorted, n, 0.75);
	double medcouple = outlier_medcouple(sorted, n);
	double stretch_low = medcouple >= 0 ? -4 : -3;
	double stretch_high = medcouple >= 0 ? 3 : 4;

	fences->rule = OUTLIER_ADJUSTED_BOXPLOT;
	fences->low = low - 1.5 * exp(stretch_low * medcouple) * (high - low);
	fences->high = high + 1.5 * exp(stretch_high * medcouple) * (high - low);
}

static bool copy_scaled(double *sorted, size_t n, int exponent)
{
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(sorted[i]))
			return false;
		sorted[i] = ldexp(sorted[i], -exponent);
	}
	quantile_sort(sorted, n);
	return true;
}

struct outlier_fences outlier_fences_of(const double *values, size_t n)
{
	struct outlier_fences fences = {OUTLIER_NONE, -DBL_MAX, DBL_MAX};
	_scratch_ double *sorted = scratch_copy(values, n);
	int exponent = n ? moments_exponent(values, n) + 1 : 0;

	if (n < 4 || !copy_scaled(sorted, n, exponent))
		return fences;
	if (n >= OUTLIER_BOXPLOT_MIN &&
	    quantile_of_sorted(sorted, n, 0.25) < quantile_of_sorted(sorted, n, 0.75))
		boxplot_fences(&fences, sorted, n);
	else
		deviation_fences(&fences, sorted, n);
	fences.low = moments_scale(fences.low, exponent);
	fences.high = moments_scale(fences.high, exponent);
	return fences;
}

size_t outlier_mark(const double *values, size_t n, bool *marks)
{
	struct outlier_fences fences = outlier_fences_of(values, n);
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		marks[i] = fences.rule != OUTLIER_NONE &&
			   (values[i] < fences.low || values[i] > fences.high);
		count += marks[i];
	}
	return count;
}
