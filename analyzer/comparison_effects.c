/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/comparison_effects.h"

#include "analyzer/hedges_interval.h"
#include "analyzer/level.h"
#include "analyzer/ratio_effects.h"
#include "analyzer/scaled.h"

static void set_hedges(struct comparison_effects *effects, const struct scaled *scaled,
		       size_t n_base, size_t n_candidate, double alpha)
{
	struct moments base = moments_of(scaled->base, n_base);
	struct moments candidate = moments_of(scaled->candidate, n_candidate);

	effects->hedges = effect_hedges(&base, &candidate);
	effects->hedges_ci = hedges_interval(&base, &candidate, alpha);
}

static void set_bootstrap(struct comparison_effects *effects, const struct comparison_input *input,
			  double alpha)
{
	_scratch_ double *replicates = scratch_new(BOOTSTRAP_RESAMPLES, sizeof(*replicates));

	effects->means = bootstrap_ratio(input->base, input->n_base, input->candidate,
					 input->n_candidate, BOOTSTRAP_MEANS, alpha, input->seed,
					 replicates, BOOTSTRAP_RESAMPLES);
}

struct comparison_effects comparison_effects_of(const struct comparison_input *input)
{
	const double *base = input->base;
	const double *candidate = input->candidate;
	size_t n_base = input->n_base;
	size_t n_candidate = input->n_candidate;
	double alpha = level_of(input).alpha;
	struct comparison_effects effects = {0};
	_scaled_ struct scaled scaled = {0};

	for (int i = 0; i < COMPARISON_QUANTILES; i++)
		effects.quantiles[i].fraction = (i + 1) / 10.0;
	if (!scaled_init(&scaled, base, n_base, candidate, n_candidate))
		return effects;
	set_hedges(&effects, &scaled, n_base, n_candidate, alpha);
	set_bootstrap(&effects, input, alpha);
	effects.cliff = cliff_delta(base, n_base, candidate, n_candidate, alpha);
	effects.medians = ratio_of_medians(base, n_base, candidate, n_candidate, alpha);
	effects.geometric_means =
		ratio_of_geometric_means(base, n_base, candidate, n_candidate, alpha);
	effects.spread = brown_forsythe_test(base, n_base, candidate, n_candidate);
	shift_function(base, n_base, candidate, n_candidate, alpha, effects.quantiles,
		       COMPARISON_QUANTILES);
	return effects;
}
