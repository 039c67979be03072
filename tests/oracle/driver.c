/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the analyzer says, for another program to check. Reads lines
 *
 *	FUNCTION ALPHA SEED N M VALUE...
 *
 * with N values of the base and M of the candidate, and answers each with one line of numbers;
 * what is not known is NA.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/adjustment.h"
#include "analyzer/blocks.h"
#include "analyzer/bootstrap.h"
#include "analyzer/brown_forsythe.h"
#include "analyzer/brunner_munzel.h"
#include "analyzer/cliff.h"
#include "analyzer/effect.h"
#include "analyzer/equivalence.h"
#include "analyzer/harrell_davis.h"
#include "analyzer/hedges_interval.h"
#include "analyzer/hodges_lehmann.h"
#include "analyzer/kolmogorov_smirnov.h"
#include "analyzer/mann_whitney.h"
#include "analyzer/paired.h"
#include "analyzer/permutation.h"
#include "analyzer/quantile.h"
#include "analyzer/ratio.h"
#include "analyzer/ratio_effects.h"
#include "analyzer/signed_rank.h"
#include "analyzer/welch.h"
#include "analyzer/yuen.h"
#include "common/array.h"

#define RESAMPLES 300
#define LIMIT	  0.02

struct question {
	double alpha;
	unsigned long seed;
	double *base;
	size_t n;
	double *candidate;
	size_t m;
};

static void put(double value)
{
	printf("%.17g ", value);
}

static void put_if(bool known, double value)
{
	if (known)
		put(value);
	else
		printf("NA ");
}

static void put_interval(struct interval interval)
{
	put_if(interval.known, interval.low);
	put_if(interval.known, interval.high);
}

static void put_ratio(struct ratio ratio)
{
	put_if(ratio.known, ratio.value);
	put_interval(ratio.interval);
}

static void put_welch(struct welch welch)
{
	put_if(welch.known, welch.difference);
	put_if(welch.known, welch.t);
	put_if(welch.known, welch.df);
	put_if(welch.known, welch.p);
	put_interval(welch.interval);
}

static void put_permutation(struct permutation test)
{
	put_if(test.known, test.p);
	put_if(test.known, test.p_less);
	put_if(test.known, test.p_greater);
	put(test.exact);
	put_interval(test.p_ci);
}

static void answer_welch(struct question *q)
{
	struct moments base = moments_of(q->base, q->n);
	struct moments candidate = moments_of(q->candidate, q->m);

	put_welch(welch_test(&base, &candidate, q->alpha));
	put_ratio(ratio_of_means(&base, &candidate, q->alpha));
	put(equivalence_of_means(&base, &candidate, LIMIT));
}

static void answer_hedges(struct question *q)
{
	struct moments base = moments_of(q->base, q->n);
	struct moments candidate = moments_of(q->candidate, q->m);
	struct effect effect = effect_hedges(&base, &candidate);

	put_if(effect.known, effect.g);
	put_interval(hedges_interval(&base, &candidate, q->alpha));
}

static void answer_mann_whitney(struct question *q)
{
	struct mann_whitney test = mann_whitney_test(q->base, q->n, q->candidate, q->m);
	struct hodges_lehmann shift;

	quantile_sort(q->base, q->n);
	quantile_sort(q->candidate, q->m);
	shift = hodges_lehmann_of_sorted(q->base, q->n, q->candidate, q->m, q->alpha);
	put(test.u);
	put(test.p);
	put(test.p_less);
	put(test.p_greater);
	put(shift.shift);
	put_interval(shift.interval);
	put(equivalence_of_ranks(q->base, q->n, q->candidate, q->m, LIMIT));
}

static void answer_permutation(struct question *q)
{
	put_permutation(permutation_test(q->base, q->n, q->candidate, q->m, q->seed));
}

static void answer_block_permutation(struct question *q)
{
	for (size_t i = 0; i < q->m; i++)
		q->candidate[i] -= q->base[i];
	put_permutation(block_permutation_test(q->candidate, q->m, q->seed));
}

static void answer_brunner_munzel(struct question *q)
{
	struct brunner_munzel test =
		brunner_munzel_test(q->base, q->n, q->candidate, q->m, q->alpha, q->seed);

	put_if(test.known, test.superior);
	put_if(test.known, test.t);
	put_if(test.known, test.df);
	put_if(test.known, test.p_t);
	put_interval(test.superior_ci);
	put(test.p);
	put(test.p_less);
	put(test.p_greater);
	put(test.exact);
	put_interval(test.p_ci);
}

static void answer_ks(struct question *q)
{
	struct kolmogorov_smirnov test = kolmogorov_smirnov_test(q->base, q->n, q->candidate, q->m);

	put(test.distance);
	put(test.p);
	put(test.exact);
}

static void answer_kolmogorov(struct question *q)
{
	for (size_t i = 0; i < q->n; i++)
		put(kolmogorov_upper(q->base[i]));
}

static void answer_yuen(struct question *q)
{
	put_welch(yuen_test(q->base, q->n, q->candidate, q->m, q->alpha));
}

static void answer_brown_forsythe(struct question *q)
{
	struct brown_forsythe test = brown_forsythe_test(q->base, q->n, q->candidate, q->m);

	put_if(test.known, test.ratio);
	put_if(test.known, test.f);
	put_if(test.known, test.df);
	put_if(test.known, test.p);
}

static void put_location(struct paired_location location)
{
	put_if(location.known, location.value);
	put_interval(location.interval);
}

static void answer_signed_rank(struct question *q)
{
	struct signed_rank test = signed_rank_test(q->base, q->candidate, q->n);

	put(test.w);
	put(test.p);
	put(test.p_less);
	put(test.p_greater);
	put_location(signed_rank_shift(q->base, q->candidate, q->n, q->alpha));
	put_location(signed_rank_ratio(q->base, q->candidate, q->n, q->alpha));
}

static void answer_paired(struct question *q)
{
	struct paired test = paired_test(q->base, q->candidate, q->n, q->alpha);

	put_if(test.known, test.difference);
	put_if(test.known, test.t);
	put_if(test.known, test.df);
	put_if(test.known, test.p);
	put_interval(test.interval);
	put_ratio(paired_ratio(q->base, q->candidate, q->n, q->alpha));
	put(paired_equivalence(q->base, q->candidate, q->n, LIMIT));
}

static void answer_ratios(struct question *q)
{
	put_ratio(ratio_of_geometric_means(q->base, q->n, q->candidate, q->m, q->alpha));
	put_ratio(ratio_of_medians(q->base, q->n, q->candidate, q->m, q->alpha));
}

static void answer_cliff(struct question *q)
{
	struct cliff cliff = cliff_delta(q->base, q->n, q->candidate, q->m, q->alpha);

	put_if(cliff.known, cliff.delta);
	put_interval(cliff.interval);
}

static void answer_shift(struct question *q)
{
	struct shift_point points[] = {{.fraction = 0.1}, {.fraction = 0.5}, {.fraction = 0.9}};

	shift_function(q->base, q->n, q->candidate, q->m, q->alpha, points, ARRAY_SIZE(points));
	for (size_t i = 0; i < ARRAY_SIZE(points); i++) {
		put_if(points[i].known, points[i].base);
		put_if(points[i].known, points[i].candidate);
		put_interval(points[i].interval);
	}
}

static void answer_bootstrap(struct question *q)
{
	static double replicates[RESAMPLES];

	for (int i = BOOTSTRAP_MEANS; i <= BOOTSTRAP_GEOMETRIC_MEANS; i++) {
		struct bootstrap result = bootstrap_ratio(q->base, q->n, q->candidate, q->m,
							  (enum bootstrap_statistic)i, q->alpha,
							  q->seed, replicates, RESAMPLES);

		put_if(result.known, result.ratio);
		put_if(result.known, result.bias);
		put_if(result.known, result.acceleration);
		put_interval(result.interval);
		for (size_t k = 0; k < RESAMPLES; k++)
			put(replicates[k]);
	}
}

static void answer_adjust(struct question *q)
{
	for (int i = ADJUSTMENT_BH; i <= ADJUSTMENT_HOLM; i++) {
		adjustment_apply((enum adjustment)i, q->base, q->candidate, q->n);
		for (size_t k = 0; k < q->n; k++)
			put(q->candidate[k]);
	}
}

static void answer_binomial(struct question *q)
{
	put_interval(binomial_interval((size_t)q->base[0], (size_t)q->base[1], 1 - q->alpha));
}

static const struct function {
	const char *name;
	void (*answer)(struct question *question); /* may change the values */
} functions[] = {
	{"welch", answer_welch},
	{"hedges", answer_hedges},
	{"mann-whitney", answer_mann_whitney},
	{"permutation", answer_permutation},
	{"block-permutation", answer_block_permutation},
	{"brunner-munzel", answer_brunner_munzel},
	{"ks", answer_ks},
	{"kolmogorov", answer_kolmogorov},
	{"yuen", answer_yuen},
	{"brown-forsythe", answer_brown_forsythe},
	{"signed-rank", answer_signed_rank},
	{"paired", answer_paired},
	{"ratios", answer_ratios},
	{"cliff", answer_cliff},
	{"shift", answer_shift},
	{"bootstrap", answer_bootstrap},
	{"adjust", answer_adjust},
	{"binomial", answer_binomial},
};

static double *read_values(size_t n)
{
	double *values = xcalloc(n + 1, sizeof(*values));

	for (size_t i = 0; i < n; i++) {
		if (scanf("%lf", &values[i]) != 1)
			exit(2);
	}
	return values;
}

static void answer(const char *name, struct question *question)
{
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		if (strcmp(functions[i].name, name) == 0) {
			functions[i].answer(question);
			printf("\n");
			return;
		}
	}
	fprintf(stderr, "no function '%s'\n", name);
	exit(2);
}

int main(void)
{
	char name[32];
	struct question question;

	while (scanf("%31s %lf %lu %zu %zu", name, &question.alpha, &question.seed, &question.n,
		     &question.m) == 5) {
		question.base = read_values(question.n);
		question.candidate = read_values(question.m);
		answer(name, &question);
		free(question.base);
		free(question.candidate);
	}
	return ferror(stdin) || fflush(stdout) ? 2 : 0;
}
