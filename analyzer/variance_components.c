/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/variance_components.h"

#include <math.h>

#include "analyzer/moments.h"

#define MAGNITUDE_MAX 1e150

/* Sums over one level of the hierarchy. */
struct sums {
	double values;		 /* N */
	double invocations;	 /* b */
	double within_iteration; /* squared deviations from the invocation's mean */
	double within_boot;	 /* of invocation means from the boot's mean, weighted */
	double between_boots;
	double squares_per_boot; /* sum of n_ij^2 / n_i */
	double squares;		 /* sum of n_ij^2 */
	double boot_squares;	 /* sum of n_i^2 */
};

static double square(double value)
{
	return value * value;
}

static size_t sum_of(const size_t *counts, size_t n)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += counts[i];
	return sum;
}

/* One boot, whose values and invocation sizes start at the given pointers. */
static void add_boot(struct sums *sums, const double *values, const size_t *iterations,
		     size_t invocations, double grand_mean)
{
	size_t count = sum_of(iterations, invocations);
	double mean = moments_of(values, count).mean;
	double squares = 0;

	for (size_t j = 0; j < invocations; j++) {
		struct moments moments = moments_of(values, iterations[j]);
		double n = (double)iterations[j];

		sums->within_iteration += square(moments.sd) * (n - 1);
		sums->within_boot += n * square(moments.mean - mean);
		squares += n * n;
		values += iterations[j];
	}
	sums->squares += squares;
	sums->squares_per_boot += squares / (double)count;
	sums->boot_squares += square((double)count);
	sums->between_boots += (double)count * square(mean - grand_mean);
	sums->values += (double)count;
	sums->invocations += (double)invocations;
}

static struct sums sums_of(const struct nested_samples *samples, double mean)
{
	const double *values = samples->values;
	const size_t *iterations = samples->iterations;
	struct sums sums = {0};

	for (size_t i = 0; i < samples->n_boots; i++) {
		add_boot(&sums, values, iterations, samples->invocations[i], mean);
		values += sum_of(iterations, samples->invocations[i]);
		iterations += samples->invocations[i];
	}
	return sums;
}

/* Mean squares and their expectations, solved from the lowest level up. */
static void solve(struct variance_components *result, const struct sums *sums, double boots)
{
	double *variance = result->variance;
	double df_iteration = sums->values - sums->invocations;
	double df_invocation = sums->invocations - boots;
	double df_boot = boots - 1;

	if (df_iteration > 0) {
		variance[VARIANCE_ITERATION] = sums->within_iteration / df_iteration;
		result->estimable[VARIANCE_ITERATION] = true;
	}
	if (df_invocation > 0) {
		double weight = (sums->values - sums->squares_per_boot) / df_invocation;

		variance[VARIANCE_INVOCATION] =
			(sums->within_boot / df_invocation - variance[VARIANCE_ITERATION]) / weight;
		result->estimable[VARIANCE_INVOCATION] = true;
	}
	if (df_boot > 0) {
		double lower = (sums->squares_per_boot - sums->squares / sums->values) / df_boot;
		double weight = (sums->values - sums->boot_squares / sums->values) / df_boot;

		variance[VARIANCE_BOOT] =
			(sums->between_boots / df_boot - variance[VARIANCE_ITERATION] -
			 lower * variance[VARIANCE_INVOCATION]) /
			weight;
		result->estimable[VARIANCE_BOOT] = true;
	}
}

static void take_shares(double share_frac[VARIANCE_LEVELS], const double part[VARIANCE_LEVELS])
{
	double total = 0;

	for (int level = 0; level < VARIANCE_LEVELS; level++)
		total += part[level];
	for (int level = 0; level < VARIANCE_LEVELS; level++)
		share_frac[level] = total > 0 ? part[level] / total : 0;
}

static void judge(struct variance_components *result, const struct sums *sums)
{
	double of_mean[VARIANCE_LEVELS];

	for (int level = 0; level < VARIANCE_LEVELS; level++) {
		result->held[level] = fmax(result->variance[level], 0);
		if (result->held[level] > result->held[result->dominant])
			result->dominant = (enum variance_level)level;
		if (result->held[level] > 0)
			result->highest = (enum variance_level)level;
	}
	of_mean[VARIANCE_ITERATION] = result->held[VARIANCE_ITERATION] / sums->values;
	of_mean[VARIANCE_INVOCATION] =
		result->held[VARIANCE_INVOCATION] * sums->squares / square(sums->values);
	of_mean[VARIANCE_BOOT] =
		result->held[VARIANCE_BOOT] * sums->boot_squares / square(sums->values);
	take_shares(result->share_frac, result->held);
	take_shares(result->mean_share_frac, of_mean);
}

static bool is_usable(const struct nested_samples *samples, size_t *n)
{
	size_t invocations = sum_of(samples->invocations, samples->n_boots);

	*n = sum_of(samples->iterations, invocations);
	for (size_t i = 0; i < samples->n_boots; i++) {
		if (!samples->invocations[i])
			return false;
	}
	for (size_t i = 0; i < invocations; i++) {
		if (!samples->iterations[i])
			return false;
	}
	for (size_t i = 0; i < *n; i++) {
		if (!(fabs(samples->values[i]) <= MAGNITUDE_MAX))
			return false;
	}
	return *n > 1;
}

struct variance_components variance_components_of(const struct nested_samples *samples)
{
	struct variance_components result = {.dominant = VARIANCE_ITERATION};
	struct sums sums;
	size_t n;

	if (!is_usable(samples, &n))
		return result;
	result.known = true;
	result.mean = moments_of(samples->values, n).mean;
	sums = sums_of(samples, result.mean);
	solve(&result, &sums, (double)samples->n_boots);
	judge(&result, &sums);
	return result;
}

static double optimal_count(double lower, double upper, double lower_cost, double upper_cost,
			    double most)
{
	if (!(lower > 0))
		return 1;
	if (!(upper > 0) || !(lower_cost > 0))
		return most;
	return fmin(fmax(sqrt(upper_cost / lower_cost * (lower / upper)), 1), most);
}

struct level_counts variance_optimal_counts(const double variance[VARIANCE_LEVELS],
					    const struct level_costs *costs, double most)
{
	const double *seconds = costs->seconds;
	struct level_counts counts;

	counts.iterations =
		optimal_count(variance[VARIANCE_ITERATION], variance[VARIANCE_INVOCATION],
			      seconds[VARIANCE_ITERATION], seconds[VARIANCE_INVOCATION], most);
	counts.invocations =
		optimal_count(variance[VARIANCE_INVOCATION], variance[VARIANCE_BOOT],
			      seconds[VARIANCE_INVOCATION], seconds[VARIANCE_BOOT], most);
	return counts;
}
