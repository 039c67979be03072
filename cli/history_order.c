/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/history_order.h"

#include <stdint.h>
#include <string.h>

#include "bisect/git_error.h"

/* A commit that was measured, and when it comes in the history. */
struct measured {
	git_oid id;
	size_t position; /* SIZE_MAX: not in the walk */
};

/* Orders texts that begin with a date, whose digits stand for themselves. */
static bool is_time(const char *text)
{
	static const char shape[] = "dddd-dd-ddTdd:dd:ddZ";
	size_t length = strlen(text);

	if (length != 10 && length != sizeof(shape) - 1)
		return false;
	for (size_t i = 0; i < length; i++) {
		bool fits =
			shape[i] == 'd' ? text[i] >= '0' && text[i] <= '9' : text[i] == shape[i];

		if (!fits)
			return false;
	}
	return true;
}

static int parse_choice(struct history_ordering *ordering, const char *text, struct error *err)
{
	static const char *const names[] = {"auto", "time", "commits"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (text && strcmp(text, names[i]) != 0)
			continue;
		ordering->choice = (enum order_choice)i;
		return 0;
	}
	return error_set(err, ERROR_USAGE, "option --order: '%s' is none of auto, time, commits",
			 text);
}

/* Without a need for it, a repository that cannot be opened is only remembered. */
static int open_repository(struct history_ordering *ordering, const char *path, bool needed,
			   struct error *err)
{
	if (history_open(&ordering->history, path ? path : ".", err) == 0)
		return 0;
	if (needed || path)
		return -1;
	ordering->no_repository = xstrdup("this folder is in no git repository");
	error_clear(err);
	return 0;
}

static int resolve_since(struct history_ordering *ordering, const char *since, struct error *err)
{
	if (history_resolve(&ordering->history, since, &ordering->since_commit, err) < 0)
		return error_wrap(err, "option --since: no time such as 2026-11-30, and");
	ordering->since_revision = xstrdup(since);
	return 0;
}

int history_ordering_open(struct history_ordering *ordering, const char *choice,
			  const char *repository, const char *since, struct error *err)
{
	bool by_revision = since && !is_time(since);

	if (parse_choice(ordering, choice, err) < 0)
		return -1;
	if (by_revision && ordering->choice == ORDER_TIME) {
		error_set(err, ERROR_USAGE,
			  "option --since: '%s' is a revision, and the order is "
			  "by time",
			  since);
		return error_hint(err, "give a time as 2026-11-30, or leave --order out");
	}
	if (since && !by_revision)
		ordering->since_time = xstrdup(since);
	if (ordering->choice == ORDER_TIME)
		return 0;
	if (open_repository(ordering, repository, by_revision || ordering->choice == ORDER_COMMITS,
			    err) < 0)
		return -1;
	return by_revision ? resolve_since(ordering, since, err) : 0;
}

void history_ordering_release(struct history_ordering *ordering)
{
	history_release(&ordering->history);
	free(ordering->no_repository);
	free(ordering->since_time);
	free(ordering->since_revision);
	*ordering = (struct history_ordering){0};
}

static void drop_set(struct timeline_set *set)
{
	free(set->id);
	free(set->created_at);
	free(set->commit);
}

/* Takes the sets out whose flag is not set; the others stay in order. */
static void keep_sets(struct timeline *timeline, const bool *keep)
{
	size_t left = 0;

	for (size_t i = 0; i < timeline->sets.count; i++) {
		if (keep[i])
			timeline->sets.items[left++] = timeline->sets.items[i];
		else
			drop_set(&timeline->sets.items[i]);
	}
	timeline->sets.count = left;
}

static void keep_since_time(struct timeline *timeline, const char *since)
{
	_cleanup_free_ bool *keep = xcalloc(timeline->sets.count + 1, sizeof(*keep));

	for (size_t i = 0; i < timeline->sets.count; i++)
		keep[i] = strcmp(timeline->sets.items[i].created_at, since) >= 0;
	keep_sets(timeline, keep);
}

/* The commits of all sets, or why there are none; owned by the caller. */
static char *resolve_all(const struct history_ordering *ordering, const struct timeline *timeline,
			 git_oid *commits)
{
	size_t count = timeline->sets.count, without = 0;

	if (!ordering->history.repository)
		return xstrdup(ordering->no_repository);
	for (size_t i = 0; i < count; i++)
		without += !timeline->sets.items[i].commit;
	if (without)
		return xasprintf("%zu of %zu run sets do not say which commit they ran", without,
				 count);
	for (size_t i = 0; i < count; i++) {
		_cleanup_(error_clear) struct error err = {0};
		const char *commit = timeline->sets.items[i].commit;

		if (history_resolve(&ordering->history, commit, &commits[i], &err) < 0)
			return xasprintf("the repository does not know commit %.40s", commit);
	}
	return NULL;
}

static int compare_measured(const void *left, const void *right)
{
	const struct measured *a = left, *b = right;

	return git_oid_cmp(&a->id, &b->id);
}

static struct measured *find_measured(struct measured *measured, size_t count, const git_oid *id)
{
	struct measured key = {.id = *id};

	return bsearch(&key, measured, count, sizeof(*measured), compare_measured);
}

/* Sorted, each once; returns how many. */
static size_t list_measured(const git_oid *commits, size_t count, struct measured *measured)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++)
		measured[i] = (struct measured){commits[i], SIZE_MAX};
	qsort(measured, count, sizeof(*measured), compare_measured);
	for (size_t i = 0; i < count; i++)
		if (!left || git_oid_cmp(&measured[left - 1].id, &measured[i].id) != 0)
			measured[left++] = measured[i];
	return left;
}

/* The oldest measured commit in the order of the sets, unless others do not descend from it. */
static bool find_base(git_repository *repository, const git_oid *commits, size_t count,
		      git_oid *base)
{
	return count > 1 && git_merge_base_many(base, repository, count, commits) == 0;
}

static int hide_parents(git_revwalk *walk, git_repository *repository, const git_oid *id)
{
	git_commit *commit = NULL;
	int status = git_commit_lookup(&commit, repository, id);

	for (unsigned int i = 0; status == 0 && i < git_commit_parentcount(commit); i++)
		status = git_revwalk_hide(walk, git_commit_parent_id(commit, i));
	git_commit_free(commit);
	return status;
}

/* Numbers the measured commits, parents before children. Returns 0 or what libgit2 says. */
static int walk_commits(git_revwalk *walk, struct measured *measured, size_t count, size_t *found)
{
	git_oid id;
	size_t position = 0;
	int status = 0;

	for (*found = 0; *found < count && (status = git_revwalk_next(&id, walk)) == 0;
	     position++) {
		struct measured *item = find_measured(measured, count, &id);

		if (!item)
			continue;
		item->position = position;
		(*found)++;
	}
	return status == GIT_ITEROVER ? 0 : status;
}

/* `since` hides itself and what is before it, `base` what is before it only; either may be NULL. */
static int number_commits(git_repository *repository, struct measured *measured, size_t count,
			  const git_oid *since, const git_oid *base, size_t *found)
{
	git_revwalk *walk = NULL;
	int status = git_revwalk_new(&walk, repository);

	if (status == 0)
		status = git_revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME |
							   GIT_SORT_REVERSE);
	for (size_t i = 0; status == 0 && i < count; i++)
		status = git_revwalk_push(walk, &measured[i].id);
	if (status == 0 && since)
		status = git_revwalk_hide(walk, since);
	if (status == 0 && base)
		status = hide_parents(walk, repository, base);
	if (status == 0)
		status = walk_commits(walk, measured, count, found);
	git_revwalk_free(walk);
	return status;
}

/*
 * A walk from the common base on is short. What does not descend from it takes a walk over the
 * whole history.
 */
static int number_measured(const struct history_ordering *ordering, const git_oid *commits,
			   size_t set_count, struct measured *measured, size_t count,
			   struct error *err)
{
	git_repository *repository = ordering->history.repository;
	bool since = ordering->since_revision != NULL;
	git_oid base;
	bool based = !since && find_base(repository, commits, set_count, &base);
	size_t found = 0;
	int status =
		number_commits(repository, measured, count, since ? &ordering->since_commit : NULL,
			       based ? &base : NULL, &found);

	if (status == 0 && based && found < count)
		status = number_commits(repository, measured, count, NULL, NULL, &found);
	return status == 0 ? 0
			   : git_error_into(err, ERROR_IO, "%s: cannot walk the commits",
					    git_repository_path(repository));
}

struct placed_set {
	struct timeline_set set;
	size_t position;
	size_t time;
};

static int compare_placed(const void *left, const void *right)
{
	const struct placed_set *a = left, *b = right;

	if (a->position != b->position)
		return a->position < b->position ? -1 : 1;
	return a->time < b->time ? -1 : 1;
}

/* Sets of one commit stay in order of time. */
static void sort_sets(struct timeline *timeline, const git_oid *commits, struct measured *measured,
		      size_t measured_count)
{
	size_t count = timeline->sets.count;
	_cleanup_free_ struct placed_set *placed = xcalloc(count + 1, sizeof(*placed));

	for (size_t i = 0; i < count; i++)
		placed[i] = (struct placed_set){
			timeline->sets.items[i],
			find_measured(measured, measured_count, &commits[i])->position, i};
	qsort(placed, count, sizeof(*placed), compare_placed);
	for (size_t i = 0; i < count; i++)
		timeline->sets.items[i] = placed[i].set;
}

/* The revision itself belongs to what is since it. */
static void place_since(const struct history_ordering *ordering, struct measured *measured,
			size_t count)
{
	struct measured *item = find_measured(measured, count, &ordering->since_commit);

	for (size_t i = 0; i < count; i++)
		if (measured[i].position != SIZE_MAX)
			measured[i].position++;
	if (item)
		item->position = 0;
}

static void keep_since_commit(struct timeline *timeline, git_oid *commits,
			      struct measured *measured, size_t measured_count)
{
	_cleanup_free_ bool *keep = xcalloc(timeline->sets.count + 1, sizeof(*keep));
	size_t left = 0;

	for (size_t i = 0; i < timeline->sets.count; i++) {
		keep[i] =
			find_measured(measured, measured_count, &commits[i])->position != SIZE_MAX;
		if (keep[i])
			commits[left++] = commits[i];
	}
	keep_sets(timeline, keep);
}

static int order_by_commits(const struct history_ordering *ordering, struct timeline *timeline,
			    git_oid *commits, struct error *err)
{
	size_t count = timeline->sets.count;
	_cleanup_free_ struct measured *measured = xcalloc(count + 1, sizeof(*measured));
	size_t measured_count = list_measured(commits, count, measured);

	if (number_measured(ordering, commits, count, measured, measured_count, err) < 0)
		return -1;
	if (ordering->since_revision) {
		place_since(ordering, measured, measured_count);
		keep_since_commit(timeline, commits, measured, measured_count);
	}
	sort_sets(timeline, commits, measured, measured_count);
	return 0;
}

static int refuse(const struct history_ordering *ordering, const struct timeline *timeline,
		  const char *why, struct error *err)
{
	error_set(err, ERROR_USAGE, "variant %s on %s cannot be ordered by commits: %s",
		  timeline->variant, *timeline->machine ? timeline->machine : "(no class)", why);
	if (ordering->since_revision)
		return error_hint(err, "give --since a time as 2026-11-30");
	return error_hint(err,
			  "the environment item kernel.commit of a boot says which commit ran; "
			  "--repository names the repository; or take --order time");
}

int history_ordering_apply(const struct history_ordering *ordering, struct timeline *timeline,
			   enum history_order *order, char **note, struct error *err)
{
	_cleanup_free_ git_oid *commits = xcalloc(timeline->sets.count + 1, sizeof(*commits));
	_cleanup_free_ char *why_not = NULL;

	if (ordering->since_time)
		keep_since_time(timeline, ordering->since_time);
	*order = HISTORY_BY_TIME;
	if (ordering->choice == ORDER_TIME) {
		*note = xstrdup("by time, as asked for");
		return 0;
	}
	why_not = resolve_all(ordering, timeline, commits);
	if (why_not && (ordering->choice == ORDER_COMMITS || ordering->since_revision))
		return refuse(ordering, timeline, why_not, err);
	if (why_not) {
		*note = xasprintf("by time: %s", why_not);
		return 0;
	}
	*order = HISTORY_BY_COMMITS;
	*note = xasprintf("by the commits of %s",
			  git_repository_path(ordering->history.repository));
	return order_by_commits(ordering, timeline, commits, err);
}
