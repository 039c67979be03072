/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/brunner_munzel.h"

#include <math.h>

#include <gsl/gsl_rng.h>

#include "analyzer/permutation.h"
#include "analyzer/quantile.h"
#include "analyzer/scaled.h"
#include "analyzer/student.h"
#include "analyzer/welch.h"

/* Stands for an infinite statistic. */
#define T_HUGE 1e100
/* Statistics that differ by less, relatively, are equal but for rounding. */
#define TOLERANCE 1e-12

/*
 * The placement of a value is the number of values of the other side below it, ties counting one
 * half. Doubled, placements are integers, so the sums are exact.
 */
struct placements {
	double base_below; /* values of the base in the groups so far */
	double candidate_below;
	double base_sum;
	double base_squares;
	double candidate_sum;
	double candidate_squares;
};

/* The pooled sample, and the tails of the statistic counted over choices of the candidate. */
struct pooled {
	size_t *groups; /* owned: tie groups in ascending order */
	size_t *taken;	/* owned: of each group by the candidate */
	size_t n_groups;
	size_t n_base;
	size_t n_candidate;
	double observed;
	double total;
	double both;
	double less;
	double greater;
};

struct variance {
	double base; /* of the mean placement, over n^2 of the other side */
	double candidate;
};

static struct placements add_group(struct placements so_far, size_t group, size_t taken)
{
	double in_candidate = (double)taken;
	double in_base = (double)(group - taken);
	double candidate_place = 2 * so_far.base_below + in_base;
	double base_place = 2 * so_far.candidate_below + in_candidate;

	so_far.candidate_sum += in_candidate * candidate_place;
	so_far.candidate_squares += in_candidate * candidate_place * candidate_place;
	so_far.base_sum += in_base * base_place;
	so_far.base_squares += in_base * base_place * base_place;
	so_far.base_below += in_base;
	so_far.candidate_below += in_candidate;
	return so_far;
}

static struct variance variance_of(const struct placements *sums, double n_base, double n_candidate)
{
	double base = sums->base_squares - sums->base_sum * sums->base_sum / n_base;
	double candidate =
		sums->candidate_squares - sums->candidate_sum * sums->candidate_sum / n_candidate;
	double pairs = n_base * n_candidate;

	return (struct variance){
		.base = fmax(base, 0) / 4 / (n_base - 1) * n_base / (pairs * pairs),
		.candidate =
			fmax(candidate, 0) / 4 / (n_candidate - 1) * n_candidate / (pairs * pairs),
	};
}

static double statistic_of(const struct placements *sums, double n_base, double n_candidate)
{
	double above = sums->candidate_sum / 2 / (n_base * n_candidate) - 0.5;
	struct variance variance = variance_of(sums, n_base, n_candidate);
	double error = sqrt(variance.base + variance.candidate);

	/* The smallest variance above zero is far above rounding: placements are whole or half. */
	if (error > 1e-9 / (n_base * n_candidate))
		return above / error;
	return above > 0 ? T_HUGE : above < 0 ? -T_HUGE : 0;
}

static void tally(struct pooled *pooled, const struct placements *sums, double weight)
{
	double t = statistic_of(sums, (double)pooled->n_base, (double)pooled->n_candidate);
	double allowance = TOLERANCE * fmax(fabs(pooled->observed), 1);

	pooled->total += weight;
	if (fabs(t) >= fabs(pooled->observed) - allowance)
		pooled->both += weight;
	if (t <= pooled->observed + allowance)
		pooled->less += weight;
	if (t >= pooled->observed - allowance)
		pooled->greater += weight;
}

/* All ways to take what is left from the groups from `at` on; `weight` ways led here. */
static void count_choices(struct pooled *pooled, size_t at, struct placements sums, double weight)
{
	size_t left = pooled->n_candidate - (size_t)sums.candidate_below;
	size_t base_left = pooled->n_base - (size_t)sums.base_below;
	double ways = 1;
	size_t group;

	if (at == pooled->n_groups) {
		tally(pooled, &sums, weight);
		return;
	}
	group = pooled->groups[at];
	for (size_t taken = 0; taken <= group && taken <= left; taken++) {
		if (group - taken <= base_left)
			count_choices(pooled, at + 1, add_group(sums, group, taken), weight * ways);
		if (group > 1)
			ways = round(ways * (double)(group - taken) / (double)(taken + 1));
	}
}

static double choices(double n, double k)
{
	double product = 1;

	for (double i = 1; i <= k && product <= BRUNNER_MUNZEL_CHOICES; i++)
		product = product * (n - k + i) / i;
	return product;
}

/* Group of every value of the pooled sample. */
static size_t *owners_of(const struct pooled *pooled)
{
	size_t *owners = scratch_new(pooled->n_base + pooled->n_candidate, sizeof(*owners));
	size_t at = 0;

	for (size_t g = 0; g < pooled->n_groups; g++) {
		for (size_t i = 0; i < pooled->groups[g]; i++)
			owners[at++] = g;
	}
	return owners;
}

static void take_random(struct pooled *pooled, size_t *owners, gsl_rng *random)
{
	size_t n = pooled->n_base + pooled->n_candidate;
	struct placements sums = {0};

	memset(pooled->taken, 0, pooled->n_groups * sizeof(*pooled->taken));
	for (size_t i = 0; i < pooled->n_candidate; i++) {
		size_t other = i + gsl_rng_uniform_int(random, n - i);
		size_t group = owners[other];

		owners[other] = owners[i];
		owners[i] = group;
		pooled->taken[group]++;
	}
	for (size_t g = 0; g < pooled->n_groups; g++)
		sums = add_group(sums, pooled->groups[g], pooled->taken[g]);
	tally(pooled, &sums, 1);
}

static void resample(struct brunner_munzel *test, struct pooled *pooled, unsigned long seed)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	_scratch_ size_t *owners = owners_of(pooled);
	struct permutation result = {0};

	gsl_rng_set(random, seed);
	for (int i = 0; i < PERMUTATION_RESAMPLES; i++)
		take_random(pooled, owners, random);
	gsl_rng_free(random);
	permutation_from_hits(&result, (size_t)pooled->both, (size_t)pooled->less,
			      (size_t)pooled->greater, PERMUTATION_RESAMPLES);
	test->p = result.p;
	test->p_less = result.p_less;
	test->p_greater = result.p_greater;
	test->p_ci = result.p_ci;
}

static void set_tails(struct brunner_munzel *test, struct pooled *pooled, unsigned long seed)
{
	double n_base = (double)pooled->n_base;
	double n_candidate = (double)pooled->n_candidate;

	if (choices(n_base + n_candidate, fmin(n_base, n_candidate)) <= BRUNNER_MUNZEL_CHOICES) {
		count_choices(pooled, 0, (struct placements){0}, 1);
		test->exact = true;
		test->p = pooled->both / pooled->total;
		test->p_less = pooled->less / pooled->total;
		test->p_greater = pooled->greater / pooled->total;
	} else if (fmin(n_base, n_candidate) < BRUNNER_MUNZEL_LARGE) {
		resample(test, pooled, seed);
	} else {
		test->p = test->p_t;
		test->p_less = student_upper(-test->t, test->df);
		test->p_greater = student_upper(test->t, test->df);
	}
}

/* Tie groups of two ascending samples and the candidate's share in each. */
static void pool_sorted(struct pooled *pooled, const double *base, const double *candidate)
{
	size_t i = 0;
	size_t j = 0;

	while (i < pooled->n_base || j < pooled->n_candidate) {
		size_t start = i + j;
		size_t taken = j;
		double value = i < pooled->n_base ? base[i] : candidate[j];

		if (j < pooled->n_candidate)
			value = fmin(value, candidate[j]);
		while (i < pooled->n_base && base[i] == value)
			i++;
		while (j < pooled->n_candidate && candidate[j] == value)
			j++;
		pooled->taken[pooled->n_groups] = j - taken;
		pooled->groups[pooled->n_groups++] = i + j - start;
	}
}

static void pooled_init(struct pooled *pooled, const double *base, size_t n_base,
			const double *candidate, size_t n_candidate)
{
	_scratch_ double *base_sorted = scratch_copy(base, n_base);
	_scratch_ double *candidate_sorted = scratch_copy(candidate, n_candidate);

	*pooled = (struct pooled){.n_base = n_base, .n_candidate = n_candidate};
	pooled->groups = scratch_new(n_base + n_candidate, sizeof(*pooled->groups));
	pooled->taken = scratch_new(n_base + n_candidate, sizeof(*pooled->taken));
	quantile_sort(base_sorted, n_base);
	quantile_sort(candidate_sorted, n_candidate);
	pool_sorted(pooled, base_sorted, candidate_sorted);
}

static void set_student(struct brunner_munzel *test, const struct placements *sums, double n_base,
			double n_candidate, double alpha)
{
	struct variance variance = variance_of(sums, n_base, n_candidate);
	double error = sqrt(variance.base + variance.candidate);
	double width;

	test->superior = sums->candidate_sum / 2 / (n_base * n_candidate);
	test->t = statistic_of(sums, n_base, n_candidate);
	test->df = n_base + n_candidate - 2;
	if (error > 0)
		test->df = welch_df(variance.base, n_base, variance.candidate, n_candidate);
	test->p_t = student_two_sided(test->t, test->df);
	if (!(error > 0))
		return; /* complete separation: the error is not zero, but unknown */
	width = student_quantile(alpha / 2, test->df) * error;
	test->superior_ci = (struct interval){fmax(test->superior - width, 0),
					      fmin(test->superior + width, 1), true};
}

struct brunner_munzel brunner_munzel_test(const double *base, size_t n_base,
					  const double *candidate, size_t n_candidate, double alpha,
					  unsigned long seed)
{
	struct brunner_munzel test = {.p = 1, .p_less = 1, .p_greater = 1, .p_t = 1};
	struct placements sums = {0};
	struct pooled pooled;

	if (n_base < 2 || n_candidate < 2 || !all_finite(base, n_base) ||
	    !all_finite(candidate, n_candidate))
		return test;
	pooled_init(&pooled, base, n_base, candidate, n_candidate);
	for (size_t g = 0; g < pooled.n_groups; g++)
		sums = add_group(sums, pooled.groups[g], pooled.taken[g]);
	test.known = true;
	set_student(&test, &sums, (double)n_base, (double)n_candidate, alpha);
	pooled.observed = test.t;
	set_tails(&test, &pooled, seed);
	free(pooled.groups);
	free(pooled.taken);
	return test;
}
