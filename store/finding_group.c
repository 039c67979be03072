/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/finding_group.h"

#include <string.h>

#include "common/text.h"

#define GROUP_DIGITS 16

/* Of the group that the finding leads. Owned by the caller. */
static char *group_of_leader(const struct finding *leader)
{
	_cleanup_free_ char *key = xasprintf("group\n%s\n", leader->id);
	struct strbuf id = STRBUF_INIT;

	text_append_digest(&id, key, strlen(key), GROUP_DIGITS);
	return strbuf_take(&id);
}

static bool leads(const struct finding *finding)
{
	_cleanup_free_ char *own = finding->group ? group_of_leader(finding) : NULL;

	return own && !strcmp(own, finding->group);
}

/* Those with a group come first, then the surest. */
static int compare(const void *left, const void *right)
{
	const struct finding_spot *a = left, *b = right;

	if (!a->finding->group != !b->finding->group)
		return a->finding->group ? -1 : 1;
	if (a->finding->p < b->finding->p || a->finding->p > b->finding->p)
		return a->finding->p < b->finding->p ? -1 : 1;
	return strcmp(a->finding->id, b->finding->id);
}

static size_t distance(const struct finding_spot *a, const struct finding_spot *b)
{
	return a->index < b->index ? b->index - a->index : a->index - b->index;
}

static bool fits(const struct finding_spot *spot, const struct finding_spot *leader)
{
	return spot->finding->regression == leader->finding->regression &&
	       spot->low <= leader->high && leader->low <= spot->high &&
	       distance(spot, leader) <= FINDING_GROUP_REACH;
}

static const struct finding_spot *
leader_for(const struct finding_spot *spot, const struct finding_spot *const *leaders, size_t count)
{
	const struct finding_spot *best = NULL;

	for (size_t i = 0; i < count; i++)
		if (fits(spot, leaders[i]) &&
		    (!best || distance(spot, leaders[i]) < distance(spot, best)))
			best = leaders[i];
	return best;
}

void finding_group(struct finding_spot *spots, size_t count)
{
	_cleanup_free_ const struct finding_spot **leaders = xcalloc(count + 1, sizeof(*leaders));
	size_t leader_count = 0;

	if (count)
		qsort(spots, count, sizeof(*spots), compare);
	for (size_t i = 0; i < count; i++) {
		struct finding_spot *spot = &spots[i];
		const struct finding_spot *leader;

		if (!spot->finding->group) {
			leader = leader_for(spot, leaders, leader_count);
			spot->finding->group = leader ? xstrdup(leader->finding->group)
						      : group_of_leader(spot->finding);
		}
		if (leads(spot->finding))
			leaders[leader_count++] = spot;
	}
}
