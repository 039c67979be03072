/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/core/choice.h"

#include <math.h>

#include "bisect/core/alike.h"
#include "bisect/core/candidates.h"
#include "bisect/core/information.h"

/* More boots than the largest are never planned at once. */
static const size_t repeat_choices[] = {1, 2, 4, 8, 16, 32};

enum {
	REPEATS = sizeof(repeat_choices) / sizeof(repeat_choices[0]),
	PAIRS_MAX = 40, /* with two steps, the likeliest pairs as well */
	COMPONENTS = 1 + 2 * CLASSES_MAX + PAIR_GROUPS * PAIRS_MAX,
	SHORTLIST = 48, /* sites looked at with every number of boots */
};

/*
 * Sites whose probabilities of being slow (in a linear range), or of being slow by each class (in
 * others), differ by less than this share of what is still open, and by less than SITE_STEP, are
 * the same choice.
 */
#define SITE_SHARE 0.02
#define SITE_STEP  0.005

/* A pair, and where its classes stand among the candidates. */
struct planned_pair {
	const struct pair *pair;
	size_t first;
	size_t second;
};

struct chooser {
	const struct search *search;
	const struct search_costs *costs;
	struct candidates candidates;
	size_t pair_count;
	struct planned_pair pairs[PAIRS_MAX]; /* likeliest first */
	double *chance;			      /* that a site can be measured; NULL: no skips */
	struct information fresh[REPEATS];    /* for sites where nothing was measured */
	struct alike *alike;		      /* not linear, or two steps */
	double weights[COMPONENTS];
};

struct shortlist {
	size_t count;
	struct {
		size_t site;
		double worth;
	} items[SHORTLIST];
};

/* The place of a class among the candidates, or CLASSES_MAX. */
static size_t place_of(const struct candidates *candidates, uint32_t class)
{
	for (size_t j = 0; j < candidates->class_count; j++) {
		if (candidates->classes[j] == class)
			return j;
	}
	return CLASSES_MAX;
}

/* Pairs of less probability guide no choice. */
#define PAIR_LEAST 1e-4

static void choose_pairs(struct chooser *chooser)
{
	array_for_each (pair, &chooser->search->pairs) {
		size_t at = chooser->pair_count;
		struct planned_pair planned = {pair, place_of(&chooser->candidates, pair->first),
					       place_of(&chooser->candidates, pair->second)};

		if (pair->probability < PAIR_LEAST || planned.first == CLASSES_MAX ||
		    planned.second == CLASSES_MAX)
			continue;
		while (at > 0 && chooser->pairs[at - 1].pair->probability < pair->probability) {
			if (at < PAIRS_MAX)
				chooser->pairs[at] = chooser->pairs[at - 1];
			at--;
		}
		if (at < PAIRS_MAX)
			chooser->pairs[at] = planned;
		chooser->pair_count += chooser->pair_count < PAIRS_MAX;
	}
}

/* Weights of the pairs' components, behind those of the classes. */
static double weigh_pairs(struct chooser *chooser, const double *shares)
{
	double *weights = chooser->weights + 1 + 2 * chooser->candidates.class_count;
	double slow = 0;

	for (size_t i = 0; i < chooser->pair_count; i++) {
		const struct planned_pair *planned = &chooser->pairs[i];
		const struct candidate_class *classes = chooser->search->classes.items;
		double parts[PAIR_GROUPS];

		pair_shares(chooser->search, planned->pair,
			    shares[planned->first] * (double)classes[planned->pair->first].members,
			    shares[planned->second] *
				    (double)classes[planned->pair->second].members,
			    parts);
		for (size_t group = 0; group < PAIR_GROUPS; group++)
			weights[PAIR_GROUPS * i + group] =
				planned->pair->probability * parts[group];
		slow += planned->pair->probability * (1 - parts[0]);
	}
	return slow;
}

/* Weights of the components at a site; returns the probability that it is slow. */
static double weigh(struct chooser *chooser, size_t site)
{
	const struct candidates *candidates = &chooser->candidates;
	double shares[CLASSES_MAX];
	double slow = 0;

	chooser->weights[0] = chooser->search->nothing.probability;
	for (size_t j = 0; j < candidates->class_count; j++) {
		double probability = candidates_class(candidates, j)->single_probability;

		shares[j] = candidates_share(candidates, j, site);
		chooser->weights[1 + 2 * j] = probability * (1 - shares[j]);
		chooser->weights[2 + 2 * j] = probability * shares[j];
		slow += probability * shares[j];
	}
	return slow + weigh_pairs(chooser, shares);
}

static size_t component_count(const struct chooser *chooser)
{
	return 1 + 2 * chooser->candidates.class_count + PAIR_GROUPS * chooser->pair_count;
}

/* A level as a hypothesis has it. */
struct level {
	double mean;
	double variance;
	double noise_variance;
	double freedom;
};

static struct level split_level(const struct split_fit *fit, int side)
{
	return (struct level){fit->level[side], fit->level_variance[side], fit->noise_variance,
			      fit->freedom};
}

/* The mean of `repeats` more values at a site that has this level. */
static struct predictive predict(struct level level, const struct site *site, size_t repeats,
				 double layout)
{
	double ratio = layout * layout;
	double n = (double)site->values;
	/* How far the values seen there tell the site's own layout effect. */
	double known = n * ratio / (1 + n * ratio);
	double variance = level.noise_variance * (1 / (double)repeats + ratio / (1 + n * ratio)) +
			  (1 - known) * (1 - known) * level.variance;

	return (struct predictive){
		.location = (1 - known) * level.mean + known * site->mean,
		.scale = sqrt(variance),
		.freedom = level.freedom,
	};
}

static void predict_all(const struct chooser *chooser, const struct site *site, size_t repeats,
			struct information *information)
{
	const struct search *search = chooser->search;
	double layout = search->layout;
	struct predictive components[COMPONENTS];

	struct predictive *next;

	components[0] = predict(split_level(&search->nothing.fit, 0), site, repeats, layout);
	for (size_t j = 0; j < chooser->candidates.class_count; j++) {
		const struct split_fit *fit = &candidates_class(&chooser->candidates, j)->fit;

		components[1 + 2 * j] = predict(split_level(fit, 0), site, repeats, layout);
		components[2 + 2 * j] = predict(split_level(fit, 1), site, repeats, layout);
	}
	next = components + 1 + 2 * chooser->candidates.class_count;
	for (size_t i = 0; i < PAIR_GROUPS * chooser->pair_count; i++) {
		const struct pair_fit *fit = &chooser->pairs[i / PAIR_GROUPS].pair->fit;
		size_t group = i % PAIR_GROUPS;

		next[i] = predict((struct level){fit->level[group], fit->level_variance[group],
						 fit->noise_variance, fit->freedom},
				  site, repeats, layout);
	}
	information_init(information, components, component_count(chooser));
}

static double outcome_information(const struct chooser *chooser)
{
	double fails[COMPONENTS];

	fails[0] = chooser->search->nothing.fails[0];
	for (size_t j = 0; j < chooser->candidates.class_count; j++) {
		const struct candidate_class *class = candidates_class(&chooser->candidates, j);

		fails[1 + 2 * j] = class->fails[0];
		fails[2 + 2 * j] = class->fails[1];
	}
	return information_of_outcome(fails, chooser->weights, component_count(chooser));
}

/* Bits that repeat_choices[choice] values at the site tell; the site's weights are set. */
static double tell(struct chooser *chooser, size_t site, size_t choice)
{
	const struct search *search = chooser->search;
	struct information own;
	double bits;

	if (search->settings.kind == EVIDENCE_OUTCOMES)
		return outcome_information(chooser);
	if (search->layout > 0 && search->sites[site].values) {
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
	if (search->settings.exact && site_has_evidence(&search->sites[site]))
		return false;
	/*
	 * A regression that is likelier absent is looked for where it must show. With layout
	 * effects two sites alone cannot tell, however often they are measured.
	 */
	return search->nothing.probability <= 0.5 || search->layout > 0 || search->settings.exact ||
	       search->settings.steps > 1 || is_endpoint(search, site);
}

/* A measured site that is surely fast or surely slow tells no more than an endpoint does. */
static bool is_as_endpoint(const struct chooser *chooser, size_t site, double slow)
{
	return chooser->search->settings.steps < 2 && chooser->search->sites[site].values &&
	       !is_endpoint(chooser->search, site) && site != chooser->costs->current &&
	       (slow < 1e-3 || slow > 1 - 1e-3);
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

/* A site with something of its own: always looked at for itself. */
static bool is_at_hand(const struct chooser *chooser, size_t site)
{
	return site == chooser->costs->current || is_endpoint(chooser->search, site) ||
	       site_has_evidence(&chooser->search->sites[site]);
}

/* What a value at a site is worth; its weights are set. Negative: a site like it is no worse. */
static double worth_of(struct chooser *chooser, size_t site)
{
	double per_bit = chance_of(chooser, site) / cost_of(chooser->costs, site, 1);
	struct alike_group *group;

	if (!chooser->alike || is_at_hand(chooser, site))
		return tell(chooser, site, 0) * per_bit;
	group = alike_find(chooser->alike, chooser->weights, component_count(chooser));
	if (group->known && per_bit <= group->best)
		return -1;
	if (!group->known)
		group->bits = tell(chooser, site, 0);
	group->known = true;
	group->best = per_bit;
	return group->bits * per_bit;
}

/* Looks at every site with one value. */
static void scan_sites(struct chooser *chooser, struct shortlist *list)
{
	const struct search *search = chooser->search;
	double last = -1;
	double site_step = step_between_sites(search);

	if (!search->dag->linear || search->settings.steps > 1)
		chooser->alike = alike_new(site_step);
	for (size_t site = 0; site < search_site_count(search); site++) {
		double slow;
		double worth;

		if (!is_testable(search, site))
			continue;
		slow = weigh(chooser, site);
		if (is_as_endpoint(chooser, site, slow))
			continue;
		if (!is_at_hand(chooser, site) && search->dag->linear && !chooser->chance &&
		    !chooser->alike && fabs(slow - last) < site_step)
			continue;
		last = slow;
		worth = worth_of(chooser, site);
		if (worth >= 0)
			shortlist_add(list, site, worth);
	}
}

/* Looks at the best sites again with every number of boots. */
static double choose_step(struct chooser *chooser, const struct shortlist *list,
			  struct search_step *step)
{
	const struct search *search = chooser->search;
	bool single = search->settings.kind == EVIDENCE_OUTCOMES || search->settings.exact ||
		      (chooser->costs->move <= 0 && !chooser->costs->build);
	double best = -1;

	for (size_t i = 0; i < list->count; i++) {
		size_t site = list->items[i].site;
		double slow;

		candidates_focus(&chooser->candidates, site);
		slow = weigh(chooser, site);

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
	double candidates = 0;
	double pairs;

	array_for_each (class, &search->classes)
		candidates += (double)class->members;
	pairs = candidates * (candidates - 1) / 2;
	if (search->nothing.probability > 0)
		bits -= search->nothing.probability * log(search->nothing.probability);
	array_for_each (class, &search->classes) {
		if (class->single_probability > 0)
			bits -= class->single_probability *
				log(class->single_probability / (double)class->members);
	}
	array_for_each (pair, &search->pairs) {
		if (pair->probability > 0)
			bits -= pair->probability * log(pair->probability / pair->prior / pairs);
	}
	bits += open * log(open) + search->settings.settled * log(search->settings.settled);
	return fmax(bits / M_LN2, 0);
}

static void chooser_release(struct chooser *chooser)
{
	candidates_release(&chooser->candidates);
	alike_free(chooser->alike);
	free(chooser->chance);
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

	candidates_init(&chooser.candidates, search);
	choose_pairs(&chooser);
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
	for (size_t site = search_site_count(search); site-- > search_bad(search);) {
		const struct site *seen = &search->sites[site];
		size_t have = seen->values + seen->passes + seen->fails;
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

/* Exact values at endpoints without a change differ by less than this many floors. */
#define FLOORS_APART 4

/* Exact values at the endpoints that layout alone explains. */
static bool is_exactly_equal(const struct search *search)
{
	const struct site *good = &search->sites[search_good(search, 0)];
	const struct site *bad = &search->sites[search_bad(search)];

	return search->settings.exact && search->settings.steps < 2 && good->values &&
	       bad->values &&
	       search->settings.direction * (bad->mean - good->mean) <=
		       FLOORS_APART * search_noise_floor(search);
}

static bool is_refuted(const struct search *search)
{
	if (search->nothing.probability >= search->settings.settled)
		return true;
	return search->settings.verify_values > 0 && search->nothing.probability > 0.5 &&
	       search->value_count >= search->settings.verify_values;
}

/* The likeliest pair when it has the probability asked for, or NULL. */
static const struct pair *settled_pair(const struct search *search)
{
	array_for_each (pair, &search->pairs) {
		if (pair->probability >= search->settings.settled)
			return pair;
	}
	return NULL;
}

/* A second change this unlikely is not looked for any longer. */
#define SECOND_LEAST 0.2

/* With two steps: whether one change or both are found. */
static enum search_state settle_steps(const struct search *search)
{
	const struct pair *pair = settled_pair(search);
	const struct candidate_class *classes = search->classes.items;
	double single = search->step_probability[1];

	if (pair && classes[pair->first].members == 1 && classes[pair->second].members == 1)
		return SEARCH_FOUND;
	if (pair && pair->first != pair->second &&
	    is_inseparable_class(search, &classes[pair->first]) &&
	    is_inseparable_class(search, &classes[pair->second]))
		return SEARCH_FOUND_AMONG;
	array_for_each (class, &search->classes) {
		if (single < 1 - SECOND_LEAST ||
		    class->single_probability < search->settings.settled * single)
			continue;
		if (class->members == 1)
			return SEARCH_FOUND;
		if (is_inseparable_class(search, class))
			return SEARCH_FOUND_AMONG;
	}
	return SEARCH_MEASURE;
}

static enum search_state settle_one(const struct search *search)
{
	const struct candidate_class *class = settled(search);

	if (class && class->members == 1)
		return SEARCH_FOUND;
	return class && is_inseparable_class(search, class) ? SEARCH_FOUND_AMONG : SEARCH_MEASURE;
}

enum search_state search_next(const struct search *search, const struct search_costs *costs,
			      struct search_step *step)
{
	enum search_state state;

	if (search->contradiction)
		return SEARCH_CONTRADICTION;
	if (first_values(search, costs, step))
		return SEARCH_MEASURE;
	if (is_exactly_equal(search))
		return SEARCH_NOT_REPRODUCED;
	state = search->settings.steps > 1 ? settle_steps(search) : settle_one(search);
	if (state != SEARCH_MEASURE)
		return state;
	if (is_refuted(search))
		return SEARCH_NOT_REPRODUCED;
	if (choose(search, costs, step))
		return SEARCH_MEASURE;
	return search->nothing.probability > 0.5 ? SEARCH_NOT_REPRODUCED : SEARCH_EXHAUSTED;
}
