/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/finding_life.h"

#include <math.h>
#include <string.h>

#include "common/text.h"

#define ID_DIGITS 16

bool finding_is_alert(const struct finding *finding)
{
	return finding->regression &&
	       (finding->state == FINDING_NEW || finding->state == FINDING_REOPENED);
}

static size_t gap(const struct finding_place *a, const struct finding_place *b)
{
	if (a->high < b->low)
		return b->low - a->high;
	return b->high < a->low ? a->low - b->high : 0;
}

static size_t distance(const struct finding_place *a, const struct finding_place *b)
{
	return a->index < b->index ? b->index - a->index : a->index - b->index;
}

/* The nearest change of the same direction that no other finding has taken, or NULL. */
static struct finding *sighting_of(const struct finding *finding, struct finding *seen,
				   size_t count, const bool *taken)
{
	struct finding *best = NULL;

	if (!finding->place.known)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		if (taken[i] || seen[i].regression != finding->regression ||
		    gap(&finding->place, &seen[i].place) > FINDING_NEAR)
			continue;
		if (!best || distance(&finding->place, &seen[i].place) <
				     distance(&finding->place, &best->place))
			best = &seen[i];
	}
	return best;
}

static void enter(struct finding *finding, enum finding_state state, const char *now)
{
	finding->state = state;
	replace_string(&finding->changed_at, now);
}

static void follow(struct finding *finding, const struct finding *sighting)
{
	replace_string(&finding->kind, sighting->kind);
	replace_string(&finding->before_set, sighting->before_set);
	replace_string(&finding->after_set, sighting->after_set);
	replace_string(&finding->low_set, sighting->low_set);
	replace_string(&finding->high_set, sighting->high_set);
	replace_string(&finding->good_commit, sighting->good_commit);
	replace_string(&finding->bad_commit, sighting->bad_commit);
	finding->before = sighting->before;
	finding->after = sighting->after;
	finding->ratio_low = sighting->ratio_low;
	finding->ratio_high = sighting->ratio_high;
	finding->p = sighting->p;
	finding->q = sighting->q;
	finding->place = sighting->place;
	finding->contradictions = 0;
}

static void miss(struct finding *finding, const struct finding_evaluation *evaluation)
{
	if (!finding->place.known || finding->state == FINDING_WITHDRAWN ||
	    !strcmp(finding->evaluated_set, evaluation->newest_set))
		return;
	finding->contradictions++;
	if (finding->contradictions >= FINDING_CONTRADICTIONS &&
	    finding->place.p > FINDING_WITHDRAW_P)
		enter(finding, FINDING_WITHDRAWN, evaluation->now);
}

static void evaluate(struct finding *finding, const struct finding *sighting,
		     const struct finding_evaluation *evaluation)
{
	if (sighting) {
		follow(finding, sighting);
		if (finding->state == FINDING_WITHDRAWN)
			enter(finding, FINDING_REOPENED, evaluation->now);
	} else {
		miss(finding, evaluation);
	}
	if (finding->place.known)
		replace_string(&finding->evaluated_set, evaluation->newest_set);
}

/*
 * What makes it this finding: the series, the machine class, and the change as first seen. Each
 * part ends with a line feed, so that no two lists of parts give one text.
 */
static char *make_id(const struct finding *finding)
{
	_cleanup_(strbuf_release) struct strbuf key = STRBUF_INIT;
	struct strbuf id = STRBUF_INIT;

	strbuf_printf(&key, "%s\n%s\n%s\n%s\n%s\n%s\n%s\n", finding->benchmark, finding->params,
		      finding->metric, finding->machine, finding->variant, finding->after_set,
		      finding->regression ? "regression" : "improvement");
	text_append_digest(&id, strbuf_text(&key), key.length, ID_DIGITS);
	return strbuf_take(&id);
}

static void add(struct finding *seen, const struct finding_evaluation *evaluation,
		struct finding_list *added)
{
	struct finding *finding = array_append(added);

	*finding = *seen;
	*seen = (struct finding){0};
	finding->id = make_id(finding);
	finding->state = FINDING_NEW;
	finding->evaluated_set = xstrdup(evaluation->newest_set);
	finding->found_at = xstrdup(evaluation->now);
	finding->changed_at = xstrdup(evaluation->now);
}

static bool stands(const struct finding *finding)
{
	return finding->place.known && finding->state != FINDING_WITHDRAWN;
}

static bool takes_back(const struct finding *fix, const struct finding *regression)
{
	return stands(fix) && !fix->regression && fix->place.index > regression->place.index &&
	       fabs(fix->after - regression->before) <
		       fabs(regression->after - regression->before) / 2;
}

static bool may_be_fixed(const struct finding *finding)
{
	return finding->regression && stands(finding) && finding->state != FINDING_FIXED;
}

static void look_for_fix(struct finding *finding, const struct finding *fix,
			 const struct finding_evaluation *evaluation)
{
	if (!may_be_fixed(finding) || !takes_back(fix, finding) ||
	    (finding->fixed_by && !strcmp(finding->fixed_by, fix->id)))
		return; /* people said that this was not the fix */
	enter(finding, FINDING_FIXED, evaluation->now);
	replace_string(&finding->fixed_by, fix->id);
}

static void look_for_loss(struct finding *finding, const struct finding *fix,
			  const struct finding_evaluation *evaluation)
{
	if (finding->state != FINDING_FIXED || !finding->fixed_by ||
	    fix->state != FINDING_WITHDRAWN || strcmp(finding->fixed_by, fix->id) != 0)
		return;
	enter(finding, FINDING_REOPENED, evaluation->now);
	free(finding->fixed_by);
	finding->fixed_by = NULL;
}

static void relate(struct finding *const *all, size_t count,
		   const struct finding_evaluation *evaluation)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++)
			look_for_loss(all[i], all[j], evaluation);
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++)
			look_for_fix(all[i], all[j], evaluation);
}

void finding_life_step(struct finding *const *known, size_t known_count, struct finding *seen,
		       size_t seen_count, const struct finding_evaluation *evaluation,
		       struct finding_list *added)
{
	_cleanup_free_ bool *taken = xcalloc(seen_count + 1, sizeof(*taken));
	_cleanup_free_ struct finding **all = xcalloc(known_count + seen_count + 1, sizeof(*all));
	size_t first = added->count, count = 0;

	for (size_t i = 0; i < known_count; i++) {
		struct finding *sighting = sighting_of(known[i], seen, seen_count, taken);

		if (sighting)
			taken[sighting - seen] = true;
		evaluate(known[i], sighting, evaluation);
		all[count++] = known[i];
	}
	for (size_t i = 0; i < seen_count; i++)
		if (!taken[i] && seen[i].q <= evaluation->alpha)
			add(&seen[i], evaluation, added);
	for (size_t i = first; i < added->count; i++)
		all[count++] = &added->items[i];
	relate(all, count, evaluation);
}
