/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/driver/same_build.h"

#include <string.h>

#include "common/alloc.h"

/* A commit whose build is noted. */
struct built {
	const char *identity;
	uint64_t *ancestors; /* in the range, itself included; a good commit has none */
};

static bool same_identity(const char *one, const char *other)
{
	return one && other && !strcmp(one, other);
}

/* Text that builds the same: equal trees, or equal builds. */
static bool same_build(const struct view *view, const struct bisection *bisection, size_t one,
		       size_t other)
{
	const struct build_note *a;
	const struct build_note *b;

	if (git_oid_equal(&view->range.trees.items[one], &view->range.trees.items[other]))
		return true;
	a = bisection_build(bisection, &view->range.ids.items[one]);
	b = bisection_build(bisection, &view->range.ids.items[other]);
	return a && b && same_identity(a->identity, b->identity);
}

static void exclude_like_parents(struct view *view, const struct bisection *bisection)
{
	const uint32_t *parents;

	for (size_t commit = 0; commit < dag_count(&view->range.dag); commit++) {
		size_t count = dag_parents(&view->range.dag, commit, &parents);

		for (size_t p = 0; p < count; p++) {
			if (!same_build(view, bisection, commit, parents[p]))
				continue;
			search_exclude(&view->search, commit);
			break;
		}
	}
}

static void exclude_between(struct view *view, const struct built *one, const struct built *other)
{
	for (size_t commit = 0; commit < dag_count(&view->range.dag); commit++) {
		if (dag_set_has(one->ancestors, commit) != dag_set_has(other->ancestors, commit))
			search_exclude(&view->search, commit);
	}
}

static bool find_built(const struct view *view, const struct build_note *note, struct built *built)
{
	const struct dag *dag = &view->range.dag;
	size_t site;

	if (!note->identity || !view_site(view, &note->commit, &site))
		return false;
	built->identity = note->identity;
	built->ancestors = xcalloc(dag_set_words(dag), sizeof(*built->ancestors));
	if (site < dag_count(dag))
		dag_ancestors(dag, site, built->ancestors);
	return true;
}

static void exclude_like_others(struct view *view, const struct bisection *bisection)
{
	ARRAY_OF(struct built) known = {0};
	struct built built;

	array_for_each (note, &bisection->builds) {
		if (!find_built(view, note, &built))
			continue;
		/* Equality is transitive: one commit of each kind is enough to compare with. */
		array_for_each (other, &known) {
			if (!same_identity(built.identity, other->identity))
				continue;
			exclude_between(view, &built, other);
			break;
		}
		*array_append(&known) = built;
	}
	array_for_each (item, &known)
		free(item->ancestors);
	array_release(&known);
}

void exclude_same_builds(struct view *view, const struct bisection *bisection)
{
	exclude_like_parents(view, bisection);
	if (view->search.settings.steps < 2)
		exclude_like_others(view, bisection);
}

bool build_is_known(const struct bisection *bisection, const git_oid *commit)
{
	const struct build_note *build = bisection_build(bisection, commit);

	if (!build)
		return false;
	array_for_each (other, &bisection->builds) {
		if (!git_oid_equal(&other->commit, commit) &&
		    same_identity(build->identity, other->identity))
			return true;
	}
	return false;
}
