/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/core/search.h"

#include <math.h>

/* The relative resolution a value is trusted to have: two equal values are no proof of no noise. */
#define RESOLUTION 1e-12

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
	array_release(&search->classes);
	*search = (struct search){0};
}

bool search_is_slow(const struct search *search, size_t commit, size_t site)
{
	return site < dag_count(search->dag) && dag_is_ancestor(search->dag, commit, site);
}

/* Counts, per class, the members that are ancestors of the site. */
static size_t *count_inside(const struct search *search, size_t site)
{
	size_t *inside = xcalloc(search->classes.count, sizeof(*inside));

	for (size_t commit = 0; commit <= site; commit++) {
		if (search->class_of[commit] != CLASS_NONE &&
		    dag_is_ancestor(search->dag, commit, site))
			inside[search->class_of[commit]]++;
	}
	return inside;
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
		search->classes.items[k].members -= inside[k];
	}
	return target;
}

/* Splits the classes by whether a member is an ancestor of the site. */
static void refine(struct search *search, size_t site)
{
	size_t count = search->classes.count;
	_cleanup_free_ size_t *inside = NULL;
	_cleanup_free_ uint32_t *target = NULL;

	if (site >= dag_count(search->dag))
		return;
	inside = count_inside(search, site);
	target = new_classes(search, inside, count);
	for (size_t commit = 0; commit < dag_count(search->dag); commit++) {
		uint32_t *class = &search->class_of[commit];

		if (*class == CLASS_NONE)
			continue;
		if (target[*class] != CLASS_NONE && dag_is_ancestor(search->dag, commit, site))
			*class = target[*class];
		search->classes.items[*class].representative = commit;
	}
}

static void note_measured(struct search *search, size_t site)
{
	search->value_count++;
	if (site_has_evidence(&search->sites[site]))
		return;
	*array_append(&search->measured) = site;
	refine(search, site);
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
	search->class_of[commit] = CLASS_NONE;
	single_class(search);
	array_for_each (site, &search->measured)
		refine(search, *site);
}

static double value_floor(const struct search *search)
{
	double floor = RESOLUTION * search->origin;

	return fmax(floor * floor, 1e-290);
}

static void fit_values(const struct search *search, struct candidate_class *class)
{
	struct level_sum sides[2] = {{.values = 0}, {.values = 0}};
	double layout = search->settings.layout;

	array_for_each (site, &search->measured)
		level_sum_add(&sides[search_is_slow(search, class->representative, *site)],
			      &search->sites[*site], layout);
	class->fit = split_fit_change(sides, search->settings.direction, value_floor(search));
	class->log_likelihood = class->fit.log_likelihood;
}

static void fit_outcomes(const struct search *search, struct candidate_class *class)
{
	const struct fail_rate *rates[2] = {&search->settings.fast, &search->settings.slow};
	size_t passes[2] = {0, 0};
	size_t fails[2] = {0, 0};

	array_for_each (site, &search->measured) {
		bool slow = class != &search->nothing &&
			    search_is_slow(search, class->representative, *site);

		passes[slow] += search->sites[*site].passes;
		fails[slow] += search->sites[*site].fails;
	}
	class->log_likelihood = 0;
	for (int side = 0; side < 2; side++) {
		class->log_likelihood +=
			outcome_log_likelihood(rates[side], passes[side], fails[side]);
		class->fails[side] =
			outcome_fail_probability(rates[side], passes[side], fails[side]);
	}
}

static void fit_nothing(struct search *search)
{
	struct level_sum all = {0};

	if (search->settings.kind == EVIDENCE_OUTCOMES) {
		fit_outcomes(search, &search->nothing);
		search->nothing.fails[1] = search->nothing.fails[0];
		return;
	}
	array_for_each (site, &search->measured)
		level_sum_add(&all, &search->sites[*site], search->settings.layout);
	search->nothing.fit = split_fit_nothing(&all, value_floor(search));
	search->nothing.log_likelihood = search->nothing.fit.log_likelihood;
}

/* From likelihoods and priors to probabilities. */
static void normalise(struct search *search)
{
	size_t members = 0;
	double top =
		search->settings.prior_nothing > 0 ? search->nothing.log_likelihood : -INFINITY;
	double sum;

	array_for_each (class, &search->classes) {
		members += class->members;
		top = class->members ? fmax(top, class->log_likelihood) : top;
	}
	search->contradiction = !(top > -INFINITY);
	if (search->contradiction)
		return;
	search->nothing.probability =
		search->settings.prior_nothing * exp(search->nothing.log_likelihood - top);
	sum = search->nothing.probability;
	array_for_each (class, &search->classes) {
		class->probability = (1 - search->settings.prior_nothing) * (double)class->members /
				     (double)(members ? members : 1) *
				     exp(class->log_likelihood - top);
		sum += class->probability;
	}
	search->nothing.probability /= sum;
	array_for_each (class, &search->classes)
		class->probability /= sum;
}

void search_update(struct search *search)
{
	array_for_each (class, &search->classes) {
		if (search->settings.kind == EVIDENCE_OUTCOMES)
			fit_outcomes(search, class);
		else
			fit_values(search, class);
	}
	fit_nothing(search);
	normalise(search);
}

double search_probability(const struct search *search, size_t commit)
{
	const struct candidate_class *class;

	if (search->class_of[commit] == CLASS_NONE)
		return 0;
	class = &search->classes.items[search->class_of[commit]];
	return class->probability / (double)class->members;
}
