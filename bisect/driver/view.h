/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a bisection's state means: the range, the posterior, and what is to be done next. A function
 * of the state and of the repository; nothing here is kept.
 */
#ifndef KREGRESS_BISECT_DRIVER_VIEW_H
#define KREGRESS_BISECT_DRIVER_VIEW_H

#include "bisect/core/choice.h"
#include "bisect/driver/bisection.h"
#include "bisect/history.h"

enum stage {
	STAGE_NO_BAD,  /* no bad commit named yet */
	STAGE_NO_GOOD, /* no good commit named yet */
	STAGE_BASE,    /* a merge base is to be tested, see next.commit */
	STAGE_MEASURE, /* a commit is to be tested, see next */
	STAGE_FOUND,
	STAGE_FOUND_AMONG,    /* only skipped commits lie between the candidates */
	STAGE_NOT_REPRODUCED, /* bad is not slower than good */
	STAGE_EXHAUSTED,      /* nothing that can be measured tells more */
	STAGE_CONTRADICTION,  /* outcomes that suit no commit */
	STAGE_FIXED,	      /* a merge base is bad: a fix lies between it and good */
};

struct next_step {
	enum stage stage;
	git_oid commit;		 /* STAGE_BASE, STAGE_MEASURE, STAGE_FOUND, STAGE_FIXED */
	struct search_step step; /* STAGE_MEASURE */
};

struct view {
	bool has_range; /* both ends are known, and no merge base is bad */
	git_oid bad;
	struct commit_ids goods; /* marked good, then merge bases found fast */
	struct commit_ids bases; /* merge bases still to be tested */
	struct commit_ids skipped_bases;
	struct range range;
	struct search search; /* up to date */
	git_oid fixed;	      /* STAGE_FIXED: the bad merge base */
	bool is_fixed;
	enum stage answered; /* STAGE_NO_BAD: not */
};

/* How the search goes: what the state says, and the defaults of the core. */
struct search_settings view_settings(const struct bisection *bisection);

/*
 * Loads the range and computes the posterior. Errors as range_load(): swapped ends, no commit
 * between, paths that nothing touches. The view refers to no part of `bisection`.
 */
int view_load(struct view *view, const struct bisection *bisection, const struct history *history,
	      struct error *err) __must_check;
void view_release(struct view *view);

/*
 * What is to be done next. Without `costs` every value costs the same, and an answer that was given
 * for the same evidence stands: it was found by what things really cost.
 */
struct next_step view_next(const struct view *view, const struct search_costs *costs);

/* Site of a commit in the search; false when it has none. */
bool view_site(const struct view *view, const git_oid *commit, size_t *site);
const git_oid *view_commit(const struct view *view, size_t site);

/* "found", "found among", "not reproduced", "exhausted", "contradiction", "fixed", "measuring",
 * "testing a merge base", "waiting". */
const char *stage_name(enum stage stage);

/* True when there is nothing left to do. */
bool stage_is_end(enum stage stage);

/* How much slower the commits behind the culprit are. */
struct level_change {
	bool known;
	double fast;
	double slow;
	double ratio; /* slow / fast; 0 when fast is not positive */
	double ratio_low;
	double ratio_high;
	double difference;
	double difference_low; /* with probability 0.95 between these */
	double difference_high;
};

/* Values only: the levels under the likeliest hypothesis of a single change. */
struct level_change view_effect(const struct view *view);

/* A commit that changed the level. */
struct found_change {
	git_oid commit;
	bool faster;		    /* a fix: it is faster than its parents */
	struct level_change effect; /* from the level before it to the level with it */
};

/*
 * The likeliest commit, or, where two changes were looked for and are likelier than one, both: the
 * older one first, unless it is a fix and the other is none. Returns how many. Needs a range.
 */
size_t view_changes(const struct view *view, struct found_change changes[2]);

/* True when a site is likelier slow than fast. Needs a range. */
bool view_is_slow(const struct view *view, size_t site);

#endif
