/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/history.h"

#include <string.h>

#include "bisect/git_error.h"
#include "bisect/graph_walk.h"
#include "bisect/id_map.h"
#include "bisect/simplify.h"

static int walk_range(struct raw_range *raw, const struct history *history, const git_oid *bad,
		      const struct commit_ids *goods, bool first_parent, struct error *err)
{
	git_revwalk *walk = NULL;
	git_oid id;
	int code = git_revwalk_new(&walk, history->repository);

	if (!code)
		code = git_revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL | GIT_SORT_REVERSE);
	if (!code && first_parent)
		code = git_revwalk_simplify_first_parent(walk);
	if (!code)
		code = git_revwalk_push(walk, bad);
	for (size_t i = 0; !code && i < goods->count; i++)
		code = git_revwalk_hide(walk, &goods->items[i]);
	while (!code && !(code = git_revwalk_next(&id, walk)))
		*array_append(&raw->ids) = id;
	git_revwalk_free(walk);
	if (code == GIT_ITEROVER)
		return 0;
	git_error_into(err, ERROR_IO, "cannot walk the history before %s", git_oid_tostr_s(bad));
	return error_hint(err, "check the repository with git fsck");
}

static int load_commit(struct raw_range *raw, const struct history *history,
		       const struct id_map *map, size_t index, bool first_parent, struct error *err)
{
	git_commit *commit = NULL;
	unsigned int parent_count;

	if (git_commit_lookup(&commit, history->repository, &raw->ids.items[index]))
		return git_error_into(err, ERROR_IO, "cannot read commit %s",
				      git_oid_tostr_s(&raw->ids.items[index]));
	*array_append(&raw->trees) = *git_commit_tree_id(commit);
	*array_append(&raw->first_parent) = raw->parents.count;
	parent_count = git_commit_parentcount(commit);
	if (first_parent && parent_count > 1)
		parent_count = 1;
	for (unsigned int p = 0; p < parent_count; p++) {
		const git_oid *id = git_commit_parent_id(commit, p);

		*array_append(&raw->parent_ids) = *id;
		*array_append(&raw->parents) = id_map_find(map, &raw->ids, id);
	}
	git_commit_free(commit);
	return 0;
}

static int load_commits(struct raw_range *raw, const struct history *history, bool first_parent,
			struct error *err)
{
	_cleanup_(id_map_release) struct id_map map = {0};

	id_map_add_all(&map, &raw->ids);
	for (size_t i = 0; i < raw->ids.count; i++) {
		if (load_commit(raw, history, &map, i, first_parent, err))
			return -1;
	}
	return 0;
}

/* The distinct parents inside, by their new indices. */
static size_t inner_parents(const struct raw_range *raw, size_t commit, const uint32_t *index,
			    uint32_t *parents)
{
	size_t count = 0;
	size_t start;
	size_t end = raw_parents(raw, commit, &start);

	for (size_t slot = start; slot < end; slot++) {
		uint32_t parent = raw->parents.items[slot];
		bool known = parent == OUTSIDE;

		for (size_t i = 0; i < count && !known; i++)
			known = parents[i] == index[parent];
		if (!known)
			parents[count++] = index[parent];
	}
	return count;
}

/* Copies what stays into the range. */
static void pack(struct range *range, const struct raw_range *raw, const bool *keep)
{
	_cleanup_free_ uint32_t *index = xcalloc(raw->ids.count, sizeof(*index));
	_cleanup_free_ uint32_t *parents = xcalloc(raw->parents.count + 1, sizeof(*parents));

	if (!raw->ids.items || !raw->trees.items)
		return;
	for (size_t commit = 0; commit < raw->ids.count; commit++) {
		if (!keep[commit])
			continue;
		index[commit] = (uint32_t)dag_add(&range->dag, parents,
						  inner_parents(raw, commit, index, parents));
		*array_append(&range->ids) = raw->ids.items[commit];
		*array_append(&range->trees) = raw->trees.items[commit];
	}
}

/* Puts bad, the last commit loaded, behind the last one that touches the paths. */
static void add_bad(struct range *range, const struct raw_range *raw, const bool *keep)
{
	size_t last = raw->ids.count - 1;
	uint32_t parent;

	if (!dag_count(&range->dag) || keep[last] || !raw->ids.items || !raw->trees.items)
		return;
	parent = (uint32_t)dag_count(&range->dag) - 1;
	dag_add(&range->dag, &parent, 1);
	*array_append(&range->ids) = raw->ids.items[last];
	*array_append(&range->trees) = raw->trees.items[last];
	range->bad_is_beside_paths = true;
}

static int check_paths(const struct string_list *paths, struct error *err)
{
	for (size_t i = 0; i < paths->count; i++) {
		if (paths->items[i][0] && paths->items[i][0] != ':' &&
		    !strpbrk(paths->items[i], "*?[\\"))
			continue;
		error_set(err, ERROR_USAGE, "'%s' is no plain path", paths->items[i]);
		return error_hint(err, "name files or folders from the top, without patterns");
	}
	return 0;
}

/* Merge bases that are not good; refuses when one is bad itself. */
static int find_merge_bases(struct range *range, const struct history *history, const git_oid *bad,
			    const struct commit_ids *goods, struct error *err)
{
	git_oidarray bases = {NULL, 0};
	_cleanup_free_ git_oid *all = xcalloc(goods->count + 1, sizeof(*all));
	bool swapped = false;
	int code;

	all[0] = *bad;
	memcpy(all + 1, goods->items, goods->count * sizeof(*all));
	code = git_merge_bases_many(&bases, history->repository, goods->count + 1, all);
	if (code && code != GIT_ENOTFOUND)
		return git_error_into(err, ERROR_IO, "cannot find the merge bases of %s",
				      git_oid_tostr_s(bad));
	for (size_t b = 0; b < bases.count; b++) {
		bool good = false;

		swapped = swapped || git_oid_equal(&bases.ids[b], bad);
		for (size_t i = 0; i < goods->count; i++)
			good = good || git_oid_equal(&bases.ids[b], &goods->items[i]);
		if (!good)
			*array_append(&range->merge_bases) = bases.ids[b];
	}
	git_oidarray_dispose(&bases);
	if (!swapped)
		return 0;
	error_set(err, ERROR_USAGE, "bad commit %s is an ancestor of a good one",
		  git_oid_tostr_s(bad));
	return error_hint(err, "perhaps good and bad are swapped; to find what made it faster, say "
			       "so with terms of your own");
}

static int refuse_empty(const struct range_options *options, struct error *err)
{
	if (options->paths.count) {
		error_set(err, ERROR_USAGE,
			  "no testable commit: none between good and bad "
			  "touches the paths");
		return error_hint(err, "check the paths: they are read from the top of the tree");
	}
	error_set(err, ERROR_USAGE, "no testable commit between good and bad");
	return error_hint(err, "good and bad must differ, with good the older one");
}

/* The range before simplification, and the merge bases. */
static int load_raw(struct range *range, struct raw_range *raw, const struct history *history,
		    const git_oid *bad, const struct commit_ids *goods, bool first_parent,
		    struct error *err)
{
	_cleanup_(commit_graph_release) struct commit_graph graph = {.count = 0};
	bool goods_before = false;

	commit_graph_open(&graph, history->repository);
	if (graph.count &&
	    graph_walk(raw, history, &graph, bad, goods, first_parent, &goods_before, err))
		return -1;
	if (!goods_before && find_merge_bases(range, history, bad, goods, err))
		return -1;
	if (graph.count)
		return 0;
	return walk_range(raw, history, bad, goods, first_parent, err) ||
			       load_commits(raw, history, first_parent, err)
		       ? -1
		       : 0;
}

static int load(struct range *range, struct raw_range *raw, const struct history *history,
		const git_oid *bad, const struct commit_ids *goods,
		const struct range_options *options, struct error *err)
{
	_cleanup_free_ bool *keep = NULL;

	if (check_paths(&options->paths, err) ||
	    load_raw(range, raw, history, bad, goods, options->first_parent, err))
		return -1;
	keep = xcalloc(raw->ids.count + 1, sizeof(*keep));
	if (!options->paths.count)
		memset(keep, true, raw->ids.count);
	else if (raw->ids.count && simplify(raw, history, &options->paths, goods, keep, err))
		return -1;
	pack(range, raw, keep);
	if (!dag_count(&range->dag))
		return refuse_empty(options, err);
	add_bad(range, raw, keep);
	dag_close(&range->dag);
	return 0;
}

int range_load(struct range *range, const struct history *history, const git_oid *bad,
	       const struct commit_ids *goods, const struct range_options *options,
	       struct error *err)
{
	static const struct range_options plain;
	_cleanup_(raw_range_release) struct raw_range raw = {0};

	*range = (struct range){.dag = DAG_INIT};
	if (!goods->count) {
		error_set(err, ERROR_USAGE, "no good commit given");
		return error_hint(err, "name a commit from before the change");
	}
	if (!load(range, &raw, history, bad, goods, options ? options : &plain, err))
		return 0;
	range_release(range);
	return -1;
}

void range_release(struct range *range)
{
	dag_release(&range->dag);
	array_release(&range->ids);
	array_release(&range->trees);
	array_release(&range->merge_bases);
}

bool range_find(const struct range *range, const git_oid *id, size_t *index)
{
	for (size_t i = 0; i < range->ids.count; i++) {
		if (git_oid_equal(&range->ids.items[i], id)) {
			*index = i;
			return true;
		}
	}
	return false;
}
