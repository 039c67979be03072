/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/core/choice.h"

#include <math.h>

#include "bisect/core/information.h"

/* More boots than the largest are never planned at once. */
static const size_t repeat_choices[] = {1, 2, 4, 8, 16, 32};

enum {
	REPEATS = sizeof(repeat_choices) / sizeof(repeat_choices[0]),
	CLASSES_MAX = 40, /* the likeliest classes guide the choice */
	COMPONENTS = 1 + 2 * CLASSES_MAX,
	SHORTLIST = 48, /* sites looked at with every number of boots */
};

/* A class this unlikely guides no choice. */
#define CLASS_LEAST 2e-4
/*
 * In a linear range, sites whose probabilities of being slow differ by less than this share of
 * what is still open, and by less than SITE_STEP, are the same choice.
 */
#define SITE_SHARE 0.02
#define SITE_STEP  0.005

struct chooser {
	const struct search *search;
	const struct search_costs *costs;
	size_t class_count;
	uint32_t classes[CLASSES_MAX];
	size_t first_rank[CLASSES_MAX];	   /* linear: candidates before the class's first */
	size_t *rank;			   /* linear: candidates up to and including the commit */
	uint64_t *members[CLASSES_MAX];	   /* not linear */
	double *chance;			   /* that a site can be measured; NULL: no skips */
	struct information fresh[REPEATS]; /* for sites where nothing was measured */
	double weights[COMPONENTS];
};

struct shortlist {
	size_t count;
	struct {
		size_t site;
		double worth;
	} items[SHORTLIST];
};

static void choose_classes(struct chooser *chooser)
{
	const struct search *search = chooser->search;

	/* Insertion into a list kept in order of probability. */
	for (size_t k = 0; k < search->classes.count; k++) {
		double probability = search->classes.items[k].probability;
		size_t at = chooser->class_count;

		if (probability < CLASS_LEAST)
			continue;
		while (at > 0 &&
		       search->classes.items[chooser->classes[at - 1]].probability < probability) {
			if (at < CLASSES_MAX)
				chooser->classes[at] = chooser->classes[at - 1];
			at--;
		}
		if (at < CLASSES_MAX)
			chooser->classes[at] = (uint32_t)k;
		chooser->class_count += chooser->class_count < CLASSES_MAX;
	}
}

/* In a linear range a class is a run of candidates: its place says who is inside. */
static void rank_candidates(struct chooser *chooser)
{
	const struct search *search = chooser->search;
	size_t count = dag_count(search->dag);
	size_t rank = 0;

	chooser->rank = xcalloc(count, sizeof(*chooser->rank));
	for (size_t j = 0; j < chooser->class_count; j++)
		chooser->first_rank[j] = SIZE_MAX;
	for (size_t commit = 0; commit < count; commit++) {
		for (size_t j = 0; j < chooser->class_count; j++) {
			if (search->class_of[commit] == chooser->classes[j] &&
			    chooser->first_rank[j] == SIZE_MAX)
				chooser->first_rank[j] = rank;
		}
		rank += search->class_of[commit] != CLASS_NONE;
		chooser->rank[commit] = rank;
	}
}

static void mark_members(struct chooser *chooser)
{
	const struct search *search = chooser->search;
	_cleanup_free_ uint64_t **set_of = xcalloc(search->classes.count, sizeof(*set_of));

	for (size_t j = 0; j < chooser->class_count; j++) {
		chooser->members[j] = xcalloc(dag_set_words(search->dag), sizeof(uint64_t));
		set_of[chooser->classes[j]] = chooser->members[j];
	}
	for (size_t commit = 0; commit < dag_count(search->dag); commit++) {
		uint32_t class = search->class_of[commit];

		if (class != CLASS_NONE && set_of[class])
			set_of[class][commit / 64] |= UINT64_C(1) << commit % 64;
	}
}

static size_t members_inside(const struct chooser *chooser, size_t j, size_t site)
{
	const struct search *search = chooser->search;
	size_t members = search->classes.items[chooser->classes[j]].members;
	size_t rank;

	if (site >= dag_count(search->dag))
		return 0;
	if (!search->dag->linear)
		return dag_count_ancestors(search->dag, site, chooser->members[j]);
	rank = chooser->rank[site];
	if (rank <= chooser->first_rank[j])
		return 0;
	rank -= chooser->first_rank[j];
	return rank < members ? rank : members;
}

/* Weights of the components at a site; returns the probability that it is slow. */
static double weigh(struct chooser *chooser, size_t site)
{
	double slow = 0;

	chooser->weights[0] = chooser->search->nothing.probability;
	for (size_t j = 0; j < chooser->class_count; j++) {
		const struct candidate_class *class =
			&chooser->search->classes.items[chooser->classes[j]];
		double share = (double)members_inside(chooser, j, site) / (double)class->members;

		chooser->weights[1 + 2 * j] = class->probability * (1 - share);
		chooser->weights[2 + 2 * j] = class->probability * share;
		slow += class->probability * share;
	}
	return slow;
}

/* The mean of `repeats` more values at a site, given the side that it is on. */
static struct predictive predict(const struct split_fit *fit, int side, const struct site *site,
				 size_t repeats, double layout)
{
	double ratio = layout * layout;
	double n = (double)site->values;
	/* How far the values seen there tell the site's own layout effect. */
	double known = n * ratio / (1 + n * ratio);
	double variance = fit->noise_variance * (1 / (double)repeats + ratio / (1 + n * ratio)) +
			  (1 - known) * (1 - known) * fit->level_variance[side];

	return (struct predictive){
		.location = (1 - known) * fit->level[side] + known * site->mean,
		.scale = sqrt(variance),
		.freedom = fit->freedom,
	};
}

static void predict_all(const struct chooser *chooser, const struct site *site, size_t repeats,
			struct information *information)
{
	const struct search *search = chooser->search;
	double layout = search->settings.layout;
	struct predictive components[COMPONENTS];

	components[0] = predict(&search->nothing.fit, 0, site, repeats, layout);
	for (size_t j = 0; j < chooser->class_count; j++) {
		const struct split_fit *fit = &search->classes.items[chooser->classes[j]].fit;

		components[1 + 2 * j] = predict(fit, 0, site, repeats, layout);
		components[2 + 2 * j] = predict(fit, 1, site, repeats, layout);
	}
	information_init(information, components, 1 + 2 * chooser->class_count);
}

static double outcome_information(const struct chooser *chooser)
{
	double fails[COMPONENTS];

	fails[0] = chooser->search->nothing.fails[0];
	for (size_t j = 0; j < chooser->class_count; j++) {
		const struct candidate_class *class =
			&chooser->search->classes.items[chooser->classes[j]];

		fails[1 + 2 * j] = class->fails[0];
		fails[2 + 2 * j] = class->fails[1];
	}
	return information_of_outcome(fails, chooser->weights, 1 + 2 * chooser->class_count);
}

/* Bits that repeat_choices[choice] values at the site tell; the site's weights are set. */
static double tell(struct chooser *chooser, size_t site, size_t choice)
{
	const struct search *search = chooser->search;
	struct information own;
	double bits;

	if (search->settings.kind == EVIDENCE_OUTCOMES)
		return outcome_information(chooser);
	if (search->settings.layout > 0 && search->sites[site].values) {
		predict_all(chooser, &search->sites[site], repeat_choices[choice], &own);
		bits = information_of_value(&own, chooser->weights);
		information_release(&own);
		return bits;
	}
	if (!chooser->fresh[choice].component_count)
		predict_all(chooser, &(struct site){0}, repeat_choices[choice],
			    &chooser->fresh[choice]);
	return information_of_value(&chooser->fresh[choice], chooser->weights);
}

static double chance_of(const struct chooser *chooser, size_t site)
{
	bool in_range = site < dag_count(chooser->search->dag);

	return chooser->chance && in_range ? chooser->chance[site] : 1;
}

/*
 * A broken stretch is taken to be about as long as the number of skips so far: at distance d from
 * the nearest skipped commit a site can be measured with probability d / (d + skips).
 */
static void rate_chances(struct chooser *chooser)
{
	const struct search *search = chooser->search;
	size_t count = dag_count(search->dag);
	double skips = (double)search->skipped_count;
	double distance = INFINITY;

	if (!search->skipped_count)
		return;
	chooser->chance = xcalloc(count, sizeof(*chooser->chance));
	for (size_t i = 0; i < count; i++) {
		distance = search->sites[i].skipped ? 0 : distance + 1;
		chooser->chance[i] = distance;
	}
	distance = INFINITY;
	for (size_t i = count; i-- > 0;) {
		distance = search->sites[i].skipped ? 0 : distance + 1;
		distance = fmin(distance, chooser->chance[i]);
		chooser->chance[i] = isinf(distance) || site_has_evidence(&search->sites[i])
					     ? 1
					     : distance / (distance + skips);
	}
}

static double cost_of(const struct search_costs *costs, size_t site, size_t repeats)
{
	return (costs->build ? costs->build[site] : 0) +
	       (site == costs->current ? 0 : costs->move) + (double)repeats * costs->value;
}

static void shortlist_add(struct shortlist *list, size_t site, double worth)
{
	size_t at;

	if (list->count == SHORTLIST && worth <= list->items[SHORTLIST - 1].worth)
		return;
	at = list->count < SHORTLIST ? list->count++ : SHORTLIST - 1;
	for (; at > 0 && list->items[at - 1].worth < worth; at--)
		list->items[at] = list->items[at - 1];
	list->items[at].site = site;
	list->items[at].worth = worth;
}

static bool is_endpoint(const struct search *search, size_t site)
{
	return site >= search_bad(search);
}

static bool is_testable(const struct search *search, size_t site)
{
	if (search->sites[site].skipped)
		return false;
	/*
	 * A regression that is likelier absent is looked for where it must show. With layout
	 * effects two sites alone cannot tell, however often they are measured.
	 */
	return search->nothing.probability <= 0.5 || search->settings.layout > 0 ||
	       is_endpoint(search, site);
}

/* A measured site that is surely fast or surely slow tells no more than an endpoint does. */
static bool is_as_endpoint(const struct chooser *chooser, size_t site, double slow)
{
	return chooser->search->sites[site].values && !is_endpoint(chooser->search, site) &&
	       site != chooser->costs->current && (slow < 1e-3 || slow > 1 - 1e-3);
}

static double step_between_sites(const struct search *search)
{
	double likeliest = 0;

	array_for_each (class, &search->classes) {
		if (class->members)
			likeliest = fmax(likeliest, class->probability / (double)class->members);
	}
	return fmin(SITE_STEP, SITE_SHARE * (1 - likeliest));
}

/* Looks at every site with one value. */
static void scan_sites(struct chooser *chooser, struct shortlist *list)
{
	const struct search *search = chooser->search;
	double last = -1;
	double site_step = step_between_sites(search);

	for (size_t site = 0; site < search_site_count(search); site++) {
		bool at_hand = site == chooser->costs->current || is_endpoint(search, site) ||
			       site_has_evidence(&search->sites[site]);
		double slow;

		if (!is_testable(search, site))
			continue;
		slow = weigh(chooser, site);
		if (is_as_endpoint(chooser, site, slow))
			continue;
		if (!at_hand && search->dag->linear && !chooser->chance &&
		    fabs(slow - last) < site_step)
			continue;
		last = slow;
		shortlist_add(list, site,
			      tell(chooser, site, 0) * chance_of(chooser, site) /
				      cost_of(chooser->costs, site, 1));
	}
}

/* Looks at the best sites again with every number of boots. */
static double choose_step(struct chooser *chooser, const struct shortlist *list,
			  struct search_step *step)
{
	const struct search *search = chooser->search;
	bool single = search->settings.kind == EVIDENCE_OUTCOMES ||
		      (chooser->costs->move <= 0 && !chooser->costs->build);
	double best = -1;

	for (size_t i = 0; i < list->count; i++) {
		size_t site = list->items[i].site;
		double slow = weigh(chooser, site);

		for (size_t choice = 0; choice < (single ? 1 : REPEATS); choice++) {
			double cost = cost_of(chooser->costs, site, repeat_choices[choice]);
			double bits = tell(chooser, site, choice);
			double rate = bits * chance_of(chooser, site) / cost;

			if (rate <= best)
				continue;
			best = rate;
			*step = (struct search_step){site, repeat_choices[choice], bits, cost, slow,
						     0};
		}
	}
	return best;
}

/* Bits still missing: the entropy of the posterior less what may stay open at the end. */
static double missing_bits(const struct search *search)
{
	double open = 1 - search->settings.settled;
	double bits = 0;

	if (search->nothing.probability > 0)
		bits -= search->nothing.probability * log(search->nothing.probability);
	array_for_each (class, &search->classes) {
		if (class->probability > 0)
			bits -= class->probability *
				log(class->probability / (double)class->members);
	}
	bits += open * log(open) + search->settings.settled * log(search->settings.settled);
	return fmax(bits / M_LN2, 0);
}

static void chooser_release(struct chooser *chooser)
{
	free(chooser->rank);
	free(chooser->chance);
	for (size_t j = 0; j < CLASSES_MAX; j++)
		free(chooser->members[j]);
	for (size_t choice = 0; choice < REPEATS; choice++)
		information_release(&chooser->fresh[choice]);
}

/* The best step; false when none tells enough. */
static bool choose(const struct search *search, const struct search_costs *costs,
		   struct search_step *step)
{
	_cleanup_(chooser_release) struct chooser chooser = {.search = search, .costs = costs};
	struct shortlist list = {0};
	double missing;
	double rate;

	choose_classes(&chooser);
	if (search->dag->linear)
		rank_candidates(&chooser);
	else
		mark_members(&chooser);
	rate_chances(&chooser);
	scan_sites(&chooser, &list);
	if (!list.count)
		return false;
	rate = choose_step(&chooser, &list, step);
	missing = missing_bits(search);
	if (step->information_bits <
	    search->settings.least_information * (double)step->repeats * fmin(missing, 1))
		return false;
	step->cost_left = missing / rate;
	return true;
}

/* The endpoint that has not its first values yet; false when all have. */
static bool first_values(const struct search *search, const struct search_costs *costs,
			 struct search_step *step)
{
	if (search->settings.kind != EVIDENCE_VALUES)
		return false;
	for (size_t site = search_site_count(search); site-- > search_bad(search);) {
		size_t have = search->sites[site].values;
		size_t want = search->settings.endpoint_values;

		/* One good commit carries the level; others are measured when that tells more. */
		if (have >= want || search->sites[site].skipped ||
		    (site > search_good(search, 0) && site != search_bad(search)))
			continue;
		*step = (struct search_step){.site = site, .repeats = want - have};
		step->cost = cost_of(costs, site, step->repeats);
		step->slow_probability =
			site == search_bad(search) ? 1 - search->nothing.probability : 0;
		return true;
	}
	return false;
}

/* The class that alone has the probability asked for, or NULL. */
static const struct candidate_class *settled(const struct search *search)
{
	array_for_each (class, &search->classes) {
		if (class->probability >= search->settings.settled)
			return class;
	}
	return NULL;
}

static bool is_inseparable_class(const struct search *search, const struct candidate_class *class)
{
	uint32_t index = (uint32_t)(class - search->classes.items);

	if (class->members > search->skipped_count + 1)
		return false;
	for (size_t commit = 0; commit < dag_count(search->dag); commit++) {
		if (search->class_of[commit] == index &&
		    !search_inseparable(search, class->representative, commit))
			return false;
	}
	return true;
}

static bool is_refuted(const struct search *search)
{
	if (search->nothing.probability >= search->settings.settled)
		return true;
	return search->settings.kind == EVIDENCE_VALUES && search->nothing.probability > 0.5 &&
	       search->value_count >= search->settings.verify_values;
}

enum search_state search_next(const struct search *search, const struct search_costs *costs,
			      struct search_step *step)
{
	const struct candidate_class *class;

	if (search->contradiction)
		return SEARCH_CONTRADICTION;
	if (first_values(search, costs, step))
		return SEARCH_MEASURE;
	class = settled(search);
	if (class && class->members == 1)
		return SEARCH_FOUND;
	if (class && is_inseparable_class(search, class))
		return SEARCH_FOUND_AMONG;
	if (is_refuted(search))
		return SEARCH_NOT_REPRODUCED;
	if (choose(search, costs, step))
		return SEARCH_MEASURE;
	return search->nothing.probability > 0.5 ? SEARCH_NOT_REPRODUCED : SEARCH_EXHAUSTED;
}
