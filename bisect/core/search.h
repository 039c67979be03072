/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The posterior over "commit c made it slow", for every commit c of the range, and "nothing did".
 *
 * Under "c", a commit is slow exactly when c is its ancestor or itself. Candidates that no measured
 * site tells apart have the same likelihood, so they form a class and share its probability: the
 * work per step grows with the number of measured sites, not of commits.
 *
 * Pure: no input, output, clock or randomness. Aborts when memory runs out.
 */
#ifndef KREGRESS_BISECT_CORE_SEARCH_H
#define KREGRESS_BISECT_CORE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bisect/core/dag.h"
#include "bisect/core/outcome.h"
#include "bisect/core/pairs.h"
#include "bisect/core/site.h"
#include "bisect/core/split.h"
#include "common/array.h"

enum evidence_kind {
	EVIDENCE_VALUES,   /* one measured value per boot */
	EVIDENCE_OUTCOMES, /* pass or fail */
};

struct search_settings {
	enum evidence_kind kind;
	double direction; /* values: +1 when slower is larger, -1 when smaller */
	double layout;	  /* values: r of split.h, 0 for none */
	/*
	 * Values: the smallest standard deviation from commit to commit that is believed, in units
	 * of the values and as a fraction of the first one; the larger counts. Less than measured
	 * noise is overruled by it, more costs values. 0: none known.
	 */
	double noise_floor;
	double noise_floor_frac;
	/*
	 * Values repeat exactly at a commit, as instruction counts under icount do: one value per
	 * commit is all that it tells (others are averaged in), and what varies is the layout from
	 * commit to commit. Endpoints that differ by no more than four floors refuse the search.
	 */
	bool exact;
	/*
	 * Values: 2 looks for a second change, too, which adds to the first or takes it back. One
	 * and two changes are equally likely beforehand. Then bad need not be slower than good.
	 */
	size_t steps;
	/*
	 * Values: r is not known but averaged over (layout.h); `layout` is ignored. With two steps,
	 * pairs take the size that fits best on average.
	 */
	bool layout_unknown;
	struct fail_rate fast; /* outcomes */
	struct fail_rate slow; /* outcomes */
	double prior_nothing;  /* in [0, 1); the rest is shared evenly by the candidates */
	double mass;	       /* of the credible set, 0.99 */
	/*
	 * Probability at which the search stops. Above `mass`: the prior averages over sizes of the
	 * change, and for small ones errors are more frequent than on average.
	 */
	double settled;
	size_t endpoint_values; /* at a good commit and at bad before anything else */
	/*
	 * While "nothing" is likelier than not only the endpoints are measured, and after this many
	 * values in all the regression counts as not reproduced.
	 */
	size_t verify_values;
	/* An action that tells less than this, in bits per value, is not worth doing; near the end,
	 * when less than one bit is open, the same share of what is. */
	double least_information;
};

/*
 * Values: levels unknown. A prior of 1/3 on "nothing" and 0.995 to settle bound the searches
 * without a regression that name a commit all the same: the likelihood ratio of a mixture to the
 * truth reaches k with probability 1/k at most (Ville 1939), here k = 0.995 / 0.005 / 2, so 1%.
 */
#define SEARCH_VALUES                                                                              \
	{                                                                                          \
		.kind = EVIDENCE_VALUES, .direction = 1, .prior_nothing = 1.0 / 3, .mass = 0.99,   \
		.settled = 0.995, .endpoint_values = 3, .verify_values = 800,                      \
		.least_information = 1e-4                                                          \
	}

/*
 * Values without noise: a search of 24 commits takes about seven measurements. The layout of a
 * kernel moves instruction counts by less than a thousandth as a rule.
 */
#define SEARCH_EXACT                                                                               \
	{                                                                                          \
		.kind = EVIDENCE_VALUES, .direction = 1, .noise_floor_frac = 5e-4, .exact = true,  \
		.prior_nothing = 1.0 / 3, .mass = 0.99, .settled = 0.995, .endpoint_values = 1,    \
		.verify_values = 800, .least_information = 1e-4                                    \
	}

/* Outcomes of a script that is always right; the endpoints are trusted. */
#define SEARCH_OUTCOMES                                                                            \
	{                                                                                          \
		.kind = EVIDENCE_OUTCOMES, .fast = FAIL_RATE_NEVER, .slow = FAIL_RATE_ALWAYS,      \
		.mass = 0.99, .settled = 0.995, .least_information = 1e-9                          \
	}

/*
 * Outcomes of a script that is sometimes wrong: both rates unknown, a slow commit failing more
 * often than a fast one. The endpoints are run first; when they do not differ the search is
 * refused.
 */
#define SEARCH_FLAKY                                                                               \
	{                                                                                          \
		.kind = EVIDENCE_OUTCOMES, .fast = {-1, 1, 2}, .slow = {-1, 1, 1},                 \
		.prior_nothing = 1.0 / 3, .mass = 0.99, .settled = 0.995, .endpoint_values = 3,    \
		.verify_values = 400, .least_information = 1e-4                                    \
	}

struct candidate_class {
	size_t members;
	size_t representative; /* one of them */
	/* Of all members together. With two steps, the half of a pair's goes to each of the two. */
	double probability;
	double layout_square;	   /* mean of r^2, where r is not known */
	double single_probability; /* that a member made the only change */
	struct split_fit fit;	   /* values */
	double fails[2];	   /* outcomes: probability that a fast, a slow commit fails next */
	double log_likelihood;
};

#define CLASS_NONE UINT32_MAX

struct search {
	const struct dag *dag; /* closed; outlives the search */
	struct search_settings settings;
	size_t good_count;
	struct site *sites; /* dag_count() commits, then `good_count` good commits */
	ARRAY_OF(size_t) measured;
	ARRAY_OF(uint64_t *) reach; /* beside `measured`, open ranges: the ancestors; NULL: none */
	size_t skipped_count;
	size_t value_count; /* values and outcomes in all */
	uint32_t *class_of; /* per commit; CLASS_NONE for what cannot be the culprit */
	ARRAY_OF(struct candidate_class) classes;
	ARRAY_OF(struct pair) pairs;	/* with two steps */
	double step_probability[3];	/* that there are none, one, two changes */
	struct candidate_class nothing; /* its probability is that nothing made it slow */
	double layout;			/* r as given, or as estimated for planning */
	double origin;			/* the first value; sites hold differences from it */
	bool contradiction;		/* the evidence is impossible under every hypothesis */
};

/* The range must hold a commit; the last one is `bad`. `good_count` >= 1. */
void search_init(struct search *search, const struct dag *dag, size_t good_count,
		 const struct search_settings *settings);
void search_release(struct search *search);

static inline size_t search_bad(const struct search *search)
{
	return dag_count(search->dag) - 1;
}

/* Site of the good commit number `index`. */
static inline size_t search_good(const struct search *search, size_t index)
{
	return dag_count(search->dag) + index;
}

static inline size_t search_site_count(const struct search *search)
{
	return dag_count(search->dag) + search->good_count;
}

/* Evidence. The posterior follows with search_update(). Values must be finite. */
void search_add_value(struct search *search, size_t site, double value);
void search_add_outcome(struct search *search, size_t site, bool failed);

/* The site cannot be measured. */
void search_skip(struct search *search, size_t site);

/* The commit cannot be the culprit: identical builds rule it out. */
void search_exclude(struct search *search, size_t commit);

/* Brings the posterior up to date with the evidence. */
void search_update(struct search *search);

/* The posterior probability that `commit` made it slow; with two steps, see candidate_class. */
double search_probability(const struct search *search, size_t commit);

/* True when a site is slow under "`commit` made it slow". */
bool search_is_slow(const struct search *search, size_t commit, size_t site);

/* The same for site number `index` of `measured`: fast in a range of any size. */
bool search_is_measured_slow(const struct search *search, size_t commit, size_t index);

/* The larger of the floors, in units of the values; 0: none. */
double search_noise_floor(const struct search *search);
struct noise_prior search_noise_prior(const struct search *search);

/* What a site has to say: where values are exact, one of them is all that there is to know. */
struct site search_evidence(const struct search *search, size_t site);

#endif
