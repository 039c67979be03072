/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/core/search.h"

#include <math.h>

#include "bisect/core/layout.h"

/* The relative resolution a value is trusted to have: two equal values are no proof of no noise. */
#define RESOLUTION 1e-12

/* Where a second change is asked for, the prior probability that there is one if there is any. */
#define TWO_SHARE (1.0 / 3)

/* A noise floor weighs as much as this many values would. */
#define FLOOR_FREEDOM 3

static void single_class(struct search *search)
{
	struct candidate_class *all;

	search->classes.count = 0;
	all = array_append(&search->classes);
	for (size_t commit = 0; commit < dag_count(search->dag); commit++) {
		if (search->class_of[commit] == CLASS_NONE)
			continue;
		search->class_of[commit] = 0;
		all->representative = commit;
		all->members++;
	}
}

void search_init(struct search *search, const struct dag *dag, size_t good_count,
		 const struct search_settings *settings)
{
	*search = (struct search){.dag = dag, .good_count = good_count, .settings = *settings};
	search->sites = xcalloc(search_site_count(search), sizeof(*search->sites));
	search->class_of = xcalloc(dag_count(dag), sizeof(*search->class_of));
	single_class(search);
	search_update(search);
}

void search_release(struct search *search)
{
	free(search->sites);
	free(search->class_of);
	array_release(&search->measured);
	array_for_each (set, &search->reach)
		free(*set);
	array_release(&search->reach);
	array_release(&search->classes);
	array_release(&search->pairs);
	*search = (struct search){0};
}

bool search_is_slow(const struct search *search, size_t commit, size_t site)
{
	return site < dag_count(search->dag) && dag_is_ancestor(search->dag, commit, site);
}

bool search_is_measured_slow(const struct search *search, size_t commit, size_t index)
{
	size_t site = search->measured.items[index];
	const uint64_t *set = search->reach.items[index];

	return set ? dag_set_has(set, commit) : search_is_slow(search, commit, site);
}

/* Counts, per class, the members that are ancestors of the site. */
static size_t *count_inside(const struct search *search, const uint64_t *ancestors)
{
	size_t *inside = xcalloc(search->classes.count, sizeof(*inside));

	for (size_t commit = 0; commit < dag_count(search->dag); commit++) {
		if (search->class_of[commit] != CLASS_NONE && dag_set_has(ancestors, commit))
			inside[search->class_of[commit]]++;
	}
	return inside;
}

/* Takes members out of a class, and their part of its probability, for the last class. */
static void share_probability(struct search *search, size_t k, size_t members)
{
	struct candidate_class *class = &search->classes.items[k];
	struct candidate_class *last = &search->classes.items[search->classes.count - 1];

	last->probability = class->probability * (double)members / (double)class->members;
	class->probability -= last->probability;
	class->members -= members;
}

/* Makes a new class for each one that the site cuts in two; target[k] is it, or CLASS_NONE. */
static uint32_t *new_classes(struct search *search, const size_t *inside, size_t count)
{
	uint32_t *target = xcalloc(count, sizeof(*target));

	for (size_t k = 0; k < count; k++) {
		target[k] = CLASS_NONE;
		if (!inside[k] || inside[k] == search->classes.items[k].members)
			continue;
		target[k] = (uint32_t)search->classes.count;
		array_append(&search->classes)->members = inside[k];
		share_probability(search, k, inside[k]);
	}
	return target;
}

/* Splits the classes by whether a member is in the set. */
static void refine(struct search *search, const uint64_t *ancestors)
{
	size_t count = search->classes.count;
	_cleanup_free_ size_t *inside = count_inside(search, ancestors);
	_cleanup_free_ uint32_t *target = new_classes(search, inside, count);

	for (size_t commit = 0; commit < dag_count(search->dag); commit++) {
		uint32_t *class = &search->class_of[commit];

		if (*class == CLASS_NONE)
			continue;
		if (target[*class] != CLASS_NONE && dag_set_has(ancestors, commit))
			*class = target[*class];
		search->classes.items[*class].representative = commit;
	}
}

static void refine_by_site(struct search *search, size_t site, uint64_t *ancestors)
{
	if (site >= dag_count(search->dag))
		return;
	dag_ancestors(search->dag, site, ancestors);
	refine(search, ancestors);
}

static void note_measured(struct search *search, size_t site)
{
	uint64_t *ancestors;
	bool keep = dag_is_open(search->dag) && site < dag_count(search->dag);

	search->value_count++;
	if (site_has_evidence(&search->sites[site]))
		return;
	ancestors = xcalloc(dag_set_words(search->dag), sizeof(*ancestors));
	refine_by_site(search, site, ancestors);
	*array_append(&search->measured) = site;
	*array_append(&search->reach) = keep ? ancestors : NULL;
	if (!keep)
		free(ancestors);
}

void search_add_value(struct search *search, size_t site, double value)
{
	if (!search->value_count)
		search->origin = value;
	note_measured(search, site);
	site_add_value(&search->sites[site], value - search->origin);
}

void search_add_outcome(struct search *search, size_t site, bool failed)
{
	note_measured(search, site);
	if (failed)
		search->sites[site].fails++;
	else
		search->sites[site].passes++;
}

void search_skip(struct search *search, size_t site)
{
	search->skipped_count += !search->sites[site].skipped;
	search->sites[site].skipped = true;
}

void search_exclude(struct search *search, size_t commit)
{
	_cleanup_free_ uint64_t *ancestors =
		xcalloc(dag_set_words(search->dag), sizeof(*ancestors));

	search->class_of[commit] = CLASS_NONE;
	single_class(search);
	array_for_each (site, &search->measured)
		refine_by_site(search, *site, ancestors);
}

double search_noise_floor(const struct search *search)
{
	return fmax(search->settings.noise_floor,
		    search->settings.noise_floor_frac * fabs(search->origin));
}

struct noise_prior search_noise_prior(const struct search *search)
{
	double resolution = RESOLUTION * search->origin;
	double floor = search_noise_floor(search);

	return (struct noise_prior){
		.squares = fmax(resolution * resolution, 1e-290) + FLOOR_FREEDOM * floor * floor,
		.freedom = floor > 0 ? FLOOR_FREEDOM : 0,
	};
}

struct site search_evidence(const struct search *search, size_t site)
{
	const struct site *seen = &search->sites[site];

	if (!search->settings.exact || !seen->values)
		return *seen;
	return (struct site){.values = 1, .mean = seen->mean};
}

/* The sites' evidence, in the order of `measured`. Owned by the caller. */
static struct site *gather_evidence(const struct search *search)
{
	struct site *sites = xcalloc(search->measured.count + 1, sizeof(*sites));

	for (size_t i = 0; i < search->measured.count; i++)
		sites[i] = search_evidence(search, search->measured.items[i]);
	return sites;
}

/* Under the class, or under "nothing". */
static struct split_fit fit_with_layout(const struct search *search,
					const struct candidate_class *class,
					const struct site *sites, double layout)
{
	struct level_sum sides[2] = {{.values = 0}, {.values = 0}};
	bool change = class != &search->nothing;

	for (size_t i = 0; i < search->measured.count; i++) {
		bool slow = change && search_is_measured_slow(search, class->representative, i);

		level_sum_add(&sides[slow], &sites[i], layout);
	}
	return change ? split_fit_change(sides, search->settings.direction,
					 search_noise_prior(search))
		      : split_fit_nothing(&sides[0], search_noise_prior(search));
}

/* `factors` are those of layout_log_factor() per size; NULL: r is given. */
static void fit_values(const struct search *search, const struct site *sites, const double *factors,
		       struct candidate_class *class)
{
	struct split_fit fits[LAYOUTS];

	if (!factors) {
		class->fit = fit_with_layout(search, class, sites, search->settings.layout);
	} else {
		for (size_t i = 0; i < LAYOUTS; i++) {
			fits[i] = fit_with_layout(search, class, sites, layout_sizes[i]);
			fits[i].log_likelihood += factors[i];
		}
		class->fit = layout_average(fits, &class->layout_square);
	}
	class->log_likelihood = class->fit.log_likelihood;
}

static void fit_all_values(struct search *search)
{
	_cleanup_free_ struct site *sites = gather_evidence(search);
	double factors[LAYOUTS] = {0};
	bool unknown = search->settings.layout_unknown && search->measured.count;

	for (size_t i = 0; unknown && i < LAYOUTS; i++)
		factors[i] = layout_log_factor(sites, search->measured.count, layout_sizes[i]) -
			     layout_log_factor(sites, search->measured.count, 0);
	array_for_each (class, &search->classes)
		fit_values(search, sites, unknown ? factors : NULL, class);
	fit_values(search, sites, unknown ? factors : NULL, &search->nothing);
}

static void fit_outcomes(const struct search *search, struct candidate_class *class)
{
	const struct fail_rate *rates[2] = {&search->settings.fast, &search->settings.slow};
	size_t passes[2] = {0, 0};
	size_t fails[2] = {0, 0};

	for (size_t i = 0; i < search->measured.count; i++) {
		const struct site *site = &search->sites[search->measured.items[i]];
		bool slow = class != &search->nothing &&
			    search_is_measured_slow(search, class->representative, i);

		passes[slow] += site->passes;
		fails[slow] += site->fails;
	}
	class->log_likelihood = class == &search->nothing
					? 0
					: outcome_log_ordered(rates[0], rates[1], passes, fails);
	for (int side = 0; side < 2; side++) {
		class->log_likelihood +=
			outcome_log_likelihood(rates[side], passes[side], fails[side]);
		class->fails[side] =
			outcome_fail_probability(rates[side], passes[side], fails[side]);
	}
}

static void fit_all_outcomes(struct search *search)
{
	array_for_each (class, &search->classes)
		fit_outcomes(search, class);
	fit_outcomes(search, &search->nothing);
	search->nothing.fails[1] = search->nothing.fails[0];
}

static size_t candidate_count(const struct search *search)
{
	size_t members = 0;

	array_for_each (class, &search->classes)
		members += class->members;
	return members;
}

static double top_log_likelihood(const struct search *search)
{
	double top =
		search->settings.prior_nothing > 0 ? search->nothing.log_likelihood : -INFINITY;

	array_for_each (class, &search->classes)
		top = class->members ? fmax(top, class->log_likelihood) : top;
	array_for_each (pair, &search->pairs)
		top = fmax(top, pair->fit.log_likelihood);
	return top;
}

/* Divides by the sum; a pair's probability goes to its classes by halves. */
static void divide(struct search *search, double sum)
{
	search->nothing.probability /= sum;
	search->step_probability[0] = search->nothing.probability;
	search->step_probability[1] = 0;
	search->step_probability[2] = 0;
	array_for_each (class, &search->classes) {
		class->probability /= sum;
		class->single_probability = class->probability;
		search->step_probability[1] += class->probability;
	}
	array_for_each (pair, &search->pairs) {
		pair->probability /= sum;
		search->step_probability[2] += pair->probability;
		search->classes.items[pair->first].probability += pair->probability / 2;
		search->classes.items[pair->second].probability += pair->probability / 2;
	}
}

/* From likelihoods and priors to probabilities. */
static void normalise(struct search *search)
{
	double members = (double)candidate_count(search);
	double top = top_log_likelihood(search);
	double share = 1 - search->settings.prior_nothing;
	double two = search->pairs.count ? TWO_SHARE : 0;
	double sum;

	search->contradiction = !(top > -INFINITY);
	if (search->contradiction)
		return;
	search->nothing.probability =
		search->settings.prior_nothing * exp(search->nothing.log_likelihood - top);
	sum = search->nothing.probability;
	array_for_each (class, &search->classes) {
		class->probability = share * (1 - two) * (double)class->members / fmax(members, 1) *
				     exp(class->log_likelihood - top);
		sum += class->probability;
	}
	array_for_each (pair, &search->pairs) {
		pair->probability = share * two * pair->prior * exp(pair->fit.log_likelihood - top);
		sum += pair->probability;
	}
	divide(search, sum);
}

/* For planning: the root mean square of r over the hypotheses. */
static void estimate_layout(struct search *search)
{
	double square = search->nothing.probability * search->nothing.layout_square;

	search->layout = search->settings.layout;
	if (!search->settings.layout_unknown)
		return;
	array_for_each (class, &search->classes)
		square += class->probability * class->layout_square;
	search->layout = sqrt(square);
}

void search_update(struct search *search)
{
	if (search->settings.kind == EVIDENCE_OUTCOMES)
		fit_all_outcomes(search);
	else
		fit_all_values(search);
	if (search->settings.steps > 1 && search->settings.kind == EVIDENCE_VALUES)
		pairs_update(search);
	normalise(search);
	estimate_layout(search);
}

double search_probability(const struct search *search, size_t commit)
{
	const struct candidate_class *class;

	if (search->class_of[commit] == CLASS_NONE)
		return 0;
	class = &search->classes.items[search->class_of[commit]];
	return class->probability / (double)class->members;
}
