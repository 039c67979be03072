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

/* The nearest change of the same direction that no other finding has taken. */
static size_t sighting_of(const struct finding *finding, const struct finding *seen, size_t count,
			  const size_t *match)
{
	size_t best = FINDING_UNMATCHED;

	if (!finding->place.known)
		return FINDING_UNMATCHED;
	for (size_t i = 0; i < count; i++) {
		if (match[i] != FINDING_UNMATCHED || seen[i].regression != finding->regression ||
		    gap(&finding->place, &seen[i].place) > FINDING_NEAR)
			continue;
		if (best == FINDING_UNMATCHED ||
		    distance(&finding->place, &seen[i].place) <
			    distance(&finding->place, &seen[best].place))
			best = i;
	}
	return best;
}

/* What stands has the first choice, so that a withdrawn finding does not take a sighting away. */
void finding_life_match(struct finding *const *known, size_t known_count,
			const struct finding *seen, size_t seen_count, size_t *match)
{
	for (size_t i = 0; i < seen_count; i++)
		match[i] = FINDING_UNMATCHED;
	for (int withdrawn = 0; withdrawn < 2; withdrawn++) {
		for (size_t i = 0; i < known_count; i++) {
			size_t at;

			if ((known[i]->state == FINDING_WITHDRAWN) != withdrawn)
				continue;
			at = sighting_of(known[i], seen, seen_count, match);
			if (at != FINDING_UNMATCHED)
				match[at] = i;
		}
	}
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
	replace_string(&finding->cause, sighting->cause);
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
 * What makes it this finding: the series, the machine class, and the change as first seen; and
 * where an older finding was first seen there and has moved on since, a number. Each part ends with
 * a line feed, so that no two lists of parts give one text.
 */
static char *make_id(const struct finding *finding, size_t number)
{
	_cleanup_(strbuf_release) struct strbuf key = STRBUF_INIT;
	struct strbuf id = STRBUF_INIT;

	strbuf_printf(&key, "%s\n%s\n%s\n%s\n%s\n%s\n%s\n", finding->benchmark, finding->params,
		      finding->metric, finding->machine, finding->variant, finding->after_set,
		      finding->regression ? "regression" : "improvement");
	if (number)
		strbuf_printf(&key, "%zu\n", number);
	text_append_digest(&id, strbuf_text(&key), key.length, ID_DIGITS);
	return strbuf_take(&id);
}

static bool is_taken(const char *id, struct finding *const *all, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(all[i]->id, id))
			return true;
	return false;
}

static char *make_own_id(const struct finding *finding, struct finding *const *all, size_t count)
{
	char *id = make_id(finding, 0);

	for (size_t number = 2; is_taken(id, all, count); number++) {
		free(id);
		id = make_id(finding, number);
	}
	return id;
}

static struct finding take(struct finding *seen, struct finding *const *all, size_t count,
			   const struct finding_evaluation *evaluation)
{
	struct finding finding = *seen;

	*seen = (struct finding){0};
	finding.id = make_own_id(&finding, all, count);
	finding.state = FINDING_NEW;
	finding.evaluated_set = xstrdup(evaluation->newest_set);
	finding.found_at = xstrdup(evaluation->now);
	finding.changed_at = xstrdup(evaluation->now);
	return finding;
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

static struct finding *sighting_at(size_t known, struct finding *seen, size_t count,
				   const size_t *match)
{
	for (size_t i = 0; i < count; i++)
		if (match[i] == known)
			return &seen[i];
	return NULL;
}

void finding_life_step(struct finding *const *known, size_t known_count, struct finding *seen,
		       size_t seen_count, const size_t *match,
		       const struct finding_evaluation *evaluation, struct finding_list *added)
{
	_cleanup_free_ struct finding *fresh = xcalloc(seen_count + 1, sizeof(*fresh));
	_cleanup_free_ struct finding **all = xcalloc(known_count + seen_count + 1, sizeof(*all));
	size_t count = 0, fresh_count = 0;

	for (size_t i = 0; i < known_count; i++) {
		evaluate(known[i], sighting_at(i, seen, seen_count, match), evaluation);
		all[count++] = known[i];
	}
	for (size_t i = 0; i < seen_count; i++) {
		if (match[i] != FINDING_UNMATCHED || seen[i].q > evaluation->alpha)
			continue;
		fresh[fresh_count] = take(&seen[i], all, count, evaluation);
		all[count++] = &fresh[fresh_count++];
	}
	relate(all, count, evaluation);
	for (size_t i = 0; i < fresh_count; i++)
		*array_append(added) = fresh[i];
}
