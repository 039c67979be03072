/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/bimodal.h"

#include <math.h>

#include "analyzer/moments.h"
#include "analyzer/quantile.h"
#include "analyzer/scratch.h"

static struct mode mode_of_sorted(const double *sorted, size_t n)
{
	struct moments moments = moments_of(sorted, n);
	struct mode mode = {.n = n, .mean = moments.mean, .sd = moments.sd};

	if (n)
		mode.median = quantile_of_sorted(sorted, n, 0.5);
	return mode;
}

/* Size of the low group for which most of the variance lies between the groups; its share. */
static size_t best_split(const double *sorted, size_t n, double *explained_frac)
{
	struct moments all = moments_of(sorted, n);
	double total = all.sd * all.sd * (double)(n - 1);
	double sum = 0;
	double best = -1;
	size_t split = 1;

	for (size_t i = 1; i < n; i++) {
		double low = (double)i;
		double high = (double)(n - i);
		double between;

		sum += sorted[i - 1] - all.mean;
		/* The deviations of the high group sum up to -sum. */
		between = sum * sum * (1 / low + 1 / high);
		if (sorted[i] != sorted[i - 1] && between > best) {
			best = between;
			split = i;
		}
	}
	*explained_frac = total > 0 ? fmin(best / total, 1) : 1;
	return split;
}

static bool sort_scaled(double *values, size_t n, int exponent)
{
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			return false;
		values[i] = ldexp(values[i], -exponent);
	}
	quantile_sort(values, n);
	return n > 1 && values[0] != values[n - 1];
}

static void scale_mode(struct mode *mode, int exponent)
{
	mode->median = moments_scale(mode->median, exponent);
	mode->mean = moments_scale(mode->mean, exponent);
	mode->sd = moments_scale(mode->sd, exponent);
}

struct modes modes_of(const double *values, size_t n)
{
	_scratch_ double *sorted = scratch_copy(values, n);
	struct modes modes = {0};
	int exponent = n ? moments_exponent(values, n) + 1 : 0;
	double middle;
	size_t split;

	if (!sort_scaled(sorted, n, exponent))
		return modes;
	split = best_split(sorted, n, &modes.explained_frac);
	modes.known = true;
	modes.low = mode_of_sorted(sorted, split);
	modes.high = mode_of_sorted(sorted + split, n - split);
	middle = sorted[split - 1] + (sorted[split] - sorted[split - 1]) / 2;
	/* Between neighbouring doubles the middle may round up to the higher one. */
	modes.threshold =
		moments_scale(middle < sorted[split] ? middle : sorted[split - 1], exponent);
	scale_mode(&modes.low, exponent);
	scale_mode(&modes.high, exponent);
	return modes;
}

struct boot_modes boot_modes_of(const double *values, size_t n, double threshold)
{
	_scratch_ double *sorted = scratch_copy(values, n);
	struct boot_modes modes = {0};

	quantile_sort(sorted, n);
	while (modes.n_low < n && sorted[modes.n_low] <= threshold)
		modes.n_low++;
	modes.n_high = n - modes.n_low;
	if (modes.n_low)
		modes.low_median = quantile_of_sorted(sorted, modes.n_low, 0.5);
	if (modes.n_high)
		modes.high_median = quantile_of_sorted(sorted + modes.n_low, modes.n_high, 0.5);
	if (n)
		modes.high_share_frac = (double)modes.n_high / (double)n;
	return modes;
}
