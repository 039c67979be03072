/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/simplify.h"

#include <string.h>

#include "bisect/git_error.h"

void raw_range_release(struct raw_range *raw)
{
	array_release(&raw->ids);
	array_release(&raw->trees);
	array_release(&raw->first_parent);
	array_release(&raw->parents);
	array_release(&raw->parent_ids);
}

/* What a tree has at the paths: one id each, zero where there is nothing. */
static int read_paths(git_repository *repository, const git_oid *tree_id,
		      const struct string_list *paths, git_oid *found, struct error *err)
{
	git_tree *tree = NULL;

	if (git_tree_lookup(&tree, repository, tree_id))
		return git_error_into(err, ERROR_IO, "cannot read tree %s",
				      git_oid_tostr_s(tree_id));
	for (size_t i = 0; i < paths->count; i++) {
		git_tree_entry *entry = NULL;

		memset(&found[i], 0, sizeof(found[i]));
		if (!git_tree_entry_bypath(&entry, tree, paths->items[i]))
			git_oid_cpy(&found[i], git_tree_entry_id(entry));
		git_tree_entry_free(entry);
	}
	git_tree_free(tree);
	return 0;
}

/* The same of a commit outside the range. */
static int read_outside(git_repository *repository, const git_oid *id,
			const struct string_list *paths, git_oid *found, struct error *err)
{
	git_commit *commit = NULL;
	git_oid tree;

	if (git_commit_lookup(&commit, repository, id))
		return git_error_into(err, ERROR_IO, "cannot read commit %s", git_oid_tostr_s(id));
	git_oid_cpy(&tree, git_commit_tree_id(commit));
	git_commit_free(commit);
	return read_paths(repository, &tree, paths, found, err);
}

struct simplifier {
	struct raw_range *raw;
	git_repository *repository;
	const struct string_list *paths;
	const struct commit_ids *goods;
	git_oid *content;   /* paths->count per commit */
	git_oid *other;	    /* the same of one parent outside */
	uint32_t *followed; /* per commit: index of the parent it equals, or its own */
	bool *same;	    /* equals a parent at the paths */
};

static void simplifier_release(struct simplifier *simplifier)
{
	free(simplifier->content);
	free(simplifier->other);
	free(simplifier->followed);
	free(simplifier->same);
}

static bool is_good(const struct commit_ids *goods, const git_oid *id)
{
	for (size_t i = 0; i < goods->count; i++) {
		if (git_oid_equal(&goods->items[i], id))
			return true;
	}
	return false;
}

/* Parents inside the range, and good commits, count before others outside. */
static bool is_relevant(const struct simplifier *simplifier, size_t slot)
{
	return simplifier->raw->parents.items[slot] != OUTSIDE ||
	       is_good(simplifier->goods, &simplifier->raw->parent_ids.items[slot]);
}

static int equals_parent(const struct simplifier *simplifier, size_t commit, size_t slot,
			 bool *equal, struct error *err)
{
	size_t count = simplifier->paths->count;
	uint32_t parent = simplifier->raw->parents.items[slot];
	const git_oid *theirs = simplifier->other;

	if (parent != OUTSIDE)
		theirs = simplifier->content + parent * count;
	else if (read_outside(simplifier->repository, &simplifier->raw->parent_ids.items[slot],
			      simplifier->paths, simplifier->other, err))
		return -1;
	*equal = !memcmp(simplifier->content + commit * count, theirs, count * sizeof(git_oid));
	return 0;
}

static bool has_content(const struct simplifier *simplifier, size_t commit)
{
	size_t count = simplifier->paths->count;

	for (size_t i = 0; i < count; i++) {
		if (!git_oid_is_zero(&simplifier->content[commit * count + i]))
			return true;
	}
	return false;
}

/* Decides whether the commit equals a parent, and which one. */
static int compare_parents(struct simplifier *simplifier, size_t commit, struct error *err)
{
	size_t start;
	size_t end = raw_parents(simplifier->raw, commit, &start);
	bool any_relevant = false;

	simplifier->followed[commit] = OUTSIDE;
	/* A root commit equals the empty tree when it has nothing at the paths. */
	simplifier->same[commit] = start == end && !has_content(simplifier, commit);
	for (size_t slot = start; slot < end; slot++)
		any_relevant = any_relevant || is_relevant(simplifier, slot);
	for (size_t slot = start; slot < end && !simplifier->same[commit]; slot++) {
		bool equal;

		if (any_relevant && !is_relevant(simplifier, slot))
			continue;
		if (equals_parent(simplifier, commit, slot, &equal, err))
			return -1;
		if (!equal)
			continue;
		simplifier->same[commit] = true;
		simplifier->followed[commit] = simplifier->raw->parents.items[slot];
	}
	return 0;
}

/* `followed` becomes the nearest commit that touches the paths: itself, an ancestor, or OUTSIDE. */
static void rewrite(struct simplifier *simplifier)
{
	struct raw_range *raw = simplifier->raw;

	for (size_t commit = 0; commit < raw->ids.count; commit++) {
		uint32_t followed = simplifier->followed[commit];
		size_t start;
		size_t end = raw_parents(raw, commit, &start);

		for (size_t slot = start; slot < end; slot++) {
			if (raw->parents.items[slot] != OUTSIDE)
				raw->parents.items[slot] =
					simplifier->followed[raw->parents.items[slot]];
		}
		if (!simplifier->same[commit])
			simplifier->followed[commit] = (uint32_t)commit;
		else if (followed != OUTSIDE)
			simplifier->followed[commit] = simplifier->followed[followed];
	}
}

/* Keeps what is reachable from the last commit. */
static void mark_reachable(const struct simplifier *simplifier, bool *keep)
{
	const struct raw_range *raw = simplifier->raw;
	uint32_t top = simplifier->followed[raw->ids.count - 1];

	if (top == OUTSIDE)
		return;
	keep[top] = true;
	for (size_t commit = (size_t)top + 1; commit-- > 0;) {
		size_t start;
		size_t end = raw_parents(raw, commit, &start);

		for (size_t slot = start; keep[commit] && slot < end; slot++) {
			if (raw->parents.items[slot] != OUTSIDE)
				keep[raw->parents.items[slot]] = true;
		}
	}
}

int simplify(struct raw_range *raw, const struct history *history, const struct string_list *paths,
	     const struct commit_ids *goods, bool *keep, struct error *err)
{
	_cleanup_(simplifier_release) struct simplifier simplifier = {
		.raw = raw,
		.repository = history->repository,
		.paths = paths,
		.goods = goods,
		.content = xcalloc(raw->ids.count * paths->count, sizeof(git_oid)),
		.other = xcalloc(paths->count, sizeof(git_oid)),
		.followed = xcalloc(raw->ids.count, sizeof(uint32_t)),
		.same = xcalloc(raw->ids.count, sizeof(bool)),
	};

	for (size_t commit = 0; commit < raw->ids.count; commit++) {
		if (read_paths(history->repository, &raw->trees.items[commit], paths,
			       simplifier.content + commit * paths->count, err) ||
		    compare_parents(&simplifier, commit, err))
			return -1;
	}
	rewrite(&simplifier);
	mark_reachable(&simplifier, keep);
	return 0;
}
