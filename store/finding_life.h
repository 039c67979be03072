/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What becomes of the findings of one series when it is evaluated again. Pure: no store, no clock.
 *
 * A change that is seen where a finding lies is that finding, and moves it to its present place. A
 * finding that is not seen stays; it is withdrawn after FINDING_CONTRADICTIONS evaluations with
 * new run sets in a row that lack it, if its two sides do not differ any more. A regression is
 * fixed once a later improvement takes back more than half of it, and reopened when that
 * improvement is withdrawn; an improvement that people have rejected as the fix, by giving the
 * finding another state, is not taken for it again. Evaluating the same run sets again changes
 * nothing.
 */
#ifndef KREGRESS_STORE_FINDING_LIFE_H
#define KREGRESS_STORE_FINDING_LIFE_H

#include <stdint.h>

#include "store/finding.h"

#define FINDING_NEAR	       5   /* points between two sightings, beyond their intervals */
#define FINDING_CONTRADICTIONS 10  /* in a row until it is withdrawn */
#define FINDING_WITHDRAW_P     0.5 /* and nothing speaks for it any more */

struct finding_evaluation {
	const char *newest_set; /* the last point's run set */
	const char *now;	/* UTC */
	double alpha;		/* a change not seen before counts when its q is at most this */
};

#define FINDING_UNMATCHED SIZE_MAX

/*
 * Which of the `known` findings of a series each of the `seen` changes is: match[i] is the index of
 * seen[i] in `known`, or FINDING_UNMATCHED. Of seen changes only place and direction count.
 */
void finding_life_match(struct finding *const *known, size_t known_count,
			const struct finding *seen, size_t seen_count, size_t *match);

/*
 * `known` are the findings of the series, with their places; `seen` the changes of the present
 * detection, with everything but id, group, state and times; `match` as above. A change that is new
 * is taken out of `seen` (its slot is zeroed) into `added`, with an id and as FINDING_NEW; its
 * group is up to the caller. Changes that are not sure enough stay where they are.
 */
void finding_life_step(struct finding *const *known, size_t known_count, struct finding *seen,
		       size_t seen_count, const size_t *match,
		       const struct finding_evaluation *evaluation, struct finding_list *added);

/* True for a regression that asks for attention: new or reopened. */
bool finding_is_alert(const struct finding *finding);

#endif
