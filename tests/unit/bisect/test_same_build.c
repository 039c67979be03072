/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/driver/same_build.h"

#include <math.h>

#include "common/alloc.h"
#include "tests/unit/bisect/unit.h"

enum { COMMITS = 6 };

/*
 * Commits 0 to 5 behind one good commit; 2 and 3 branch off 1, 4 merges them:
 *
 *   good - 0 - 1 - 2 - 4 - 5
 *               \- 3 -/
 */
struct setup {
	struct view view;
	struct bisection bisection;
};

static git_oid id_of(size_t number)
{
	return (git_oid){{0xc0, (unsigned char)number}};
}

static const git_oid good_id = {{0x90}};

static void setup_init(struct setup *setup, size_t steps)
{
	static const struct {
		uint32_t parents[2];
		size_t count;
	} commits[COMMITS] = {{{0}, 0}, {{0}, 1}, {{1}, 1}, {{1}, 1}, {{2, 3}, 2}, {{4}, 1}};
	struct search_settings settings = SEARCH_EXACT;
	struct view *view = &setup->view;

	*setup = (struct setup){.view = {.range = {.dag = DAG_INIT}, .has_range = true}};
	for (size_t i = 0; i < COMMITS; i++) {
		dag_add(&view->range.dag, commits[i].parents, commits[i].count);
		*array_append(&view->range.ids) = id_of(i);
		*array_append(&view->range.trees) = (git_oid){{0x70, (unsigned char)i}};
	}
	dag_close(&view->range.dag);
	*array_append(&view->goods) = good_id;
	settings.steps = steps;
	search_init(&view->search, &view->range.dag, 1, &settings);
}

static void note_build(struct setup *setup, const git_oid *commit, const char *identity)
{
	*array_append(&setup->bisection.builds) =
		(struct build_note){.commit = *commit, .identity = xstrdup(identity)};
}

static void note_build_at(struct setup *setup, size_t number, const char *identity)
{
	git_oid id = id_of(number);

	note_build(setup, &id, identity);
}

/* Excludes, and checks which commits are still candidates. */
static void check_candidates(struct setup *setup, const char *expected)
{
	char found[COMMITS + 1] = "";

	exclude_same_builds(&setup->view, &setup->bisection);
	search_update(&setup->view.search);
	for (size_t i = 0; i < COMMITS; i++) {
		double probability = search_probability(&setup->view.search, i);

		found[i] = probability > 0 ? (char)('0' + i) : '.';
	}
	assert_string_equal(found, expected);
	array_for_each (build, &setup->bisection.builds)
		free(build->identity);
	array_release(&setup->bisection.builds);
	view_release(&setup->view);
}

static void test_different_builds_say_nothing(void **state)
{
	struct setup setup;

	(void)state;
	setup_init(&setup, 1);
	note_build(&setup, &good_id, "a");
	note_build_at(&setup, 5, "b");
	note_build_at(&setup, 2, "c");
	check_candidates(&setup, "012345");
}

static void test_like_good_clears_all_below(void **state)
{
	struct setup setup;

	(void)state;
	setup_init(&setup, 1);
	note_build(&setup, &good_id, "a");
	note_build_at(&setup, 5, "b");
	note_build_at(&setup, 2, "a");
	check_candidates(&setup, "...345");
}

static void test_like_bad_leaves_what_is_below(void **state)
{
	struct setup setup;

	(void)state;
	setup_init(&setup, 1);
	note_build_at(&setup, 5, "b");
	note_build_at(&setup, 2, "b");
	check_candidates(&setup, "012...");
}

static void test_two_branches_alike_leave_what_is_shared(void **state)
{
	struct setup setup;

	(void)state;
	setup_init(&setup, 1);
	note_build_at(&setup, 2, "b");
	note_build_at(&setup, 3, "b");
	check_candidates(&setup, "01..45");
}

static void test_nothing_is_left_between_identical_ends(void **state)
{
	struct setup setup;

	(void)state;
	setup_init(&setup, 1);
	note_build(&setup, &good_id, "a");
	note_build_at(&setup, 5, "a");
	exclude_same_builds(&setup.view, &setup.bisection);
	search_update(&setup.view.search);
	assert_true(setup.view.search.nothing.probability == 1);
	check_candidates(&setup, "......");
}

/* A change and its revert: with two changes, what lies between identical builds may be both. */
static void test_two_changes_may_undo_each_other(void **state)
{
	struct setup setup;

	(void)state;
	setup_init(&setup, 2);
	note_build(&setup, &good_id, "a");
	note_build_at(&setup, 2, "a");
	note_build_at(&setup, 4, "b");
	note_build_at(&setup, 5, "b");
	check_candidates(&setup, "01234.");
}

static void test_equal_trees_need_no_build(void **state)
{
	struct setup setup;

	(void)state;
	setup_init(&setup, 1);
	setup.view.range.trees.items[3] = setup.view.range.trees.items[1];
	check_candidates(&setup, "012.45");
}

static void test_what_is_known(void **state)
{
	struct setup setup;
	git_oid two = id_of(2);
	git_oid three = id_of(3);

	(void)state;
	setup_init(&setup, 1);
	note_build(&setup, &good_id, "a");
	note_build_at(&setup, 2, "a");
	note_build_at(&setup, 5, "b");
	assert_true(build_is_known(&setup.bisection, &two));
	assert_true(build_is_known(&setup.bisection, &good_id));
	assert_false(build_is_known(&setup.bisection, &three));
	check_candidates(&setup, "...345");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_different_builds_say_nothing),
		cmocka_unit_test(test_like_good_clears_all_below),
		cmocka_unit_test(test_like_bad_leaves_what_is_below),
		cmocka_unit_test(test_two_branches_alike_leave_what_is_shared),
		cmocka_unit_test(test_nothing_is_left_between_identical_ends),
		cmocka_unit_test(test_two_changes_may_undo_each_other),
		cmocka_unit_test(test_equal_trees_need_no_build),
		cmocka_unit_test(test_what_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
