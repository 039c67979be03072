/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "common/alloc.h"
#include "tests/unit/store/finding_samples.h"
#include "tests/unit/store/store_fixture.h"

#define LATER "2026-12-01T06:00:00Z"

static void put(struct store *store, struct finding_list *list)
{
	_cleanup_(error_clear) struct error err = {0};

	assert_success(store_put_findings(store, list, &err), &err);
}

static void put_ids(struct store *store, const char *const *ids, size_t count, const char *group)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};

	for (size_t i = 0; i < count; i++) {
		struct finding *finding = array_append(&list);

		*finding = finding_make(ids[i]);
		finding->p = 1e-3 / (double)(i + 1);
		if (group)
			replace_string(&finding->group, group);
	}
	put(store, &list);
}

static struct finding_list load(struct store *store)
{
	_cleanup_(error_clear) struct error err = {0};
	struct finding_list list = {0};

	assert_success(store_load_findings(store, &list, &err), &err);
	return list;
}

static void mark(struct store *store, const char *prefix, enum finding_state state,
		 const char *note)
{
	_cleanup_(error_clear) struct error err = {0};

	assert_success(store_mark_findings(store, prefix, state, note, LATER, &err), &err);
}

/* All that is stored; places are not. */
static void assert_equal(const struct finding *a, const struct finding *b)
{
	const char *const texts[][2] = {
		{a->id, b->id},
		{a->group, b->group},
		{a->machine, b->machine},
		{a->variant, b->variant},
		{a->benchmark, b->benchmark},
		{a->params, b->params},
		{a->metric, b->metric},
		{a->unit, b->unit},
		{a->kind, b->kind},
		{a->before_set, b->before_set},
		{a->after_set, b->after_set},
		{a->low_set, b->low_set},
		{a->high_set, b->high_set},
		{a->good_commit, b->good_commit},
		{a->bad_commit, b->bad_commit},
		{a->evaluated_set, b->evaluated_set},
		{a->fixed_by, b->fixed_by},
		{a->cause, b->cause},
		{a->note, b->note},
		{a->found_at, b->found_at},
		{a->changed_at, b->changed_at},
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		assert_int_equal(!texts[i][0], !texts[i][1]);
		if (texts[i][0])
			assert_string_equal(texts[i][0], texts[i][1]);
	}
	assert_int_equal(a->better, b->better);
	assert_int_equal(a->regression, b->regression);
	assert_int_equal(a->state, b->state);
	assert_int_equal(a->contradictions, b->contradictions);
	assert_memory_equal(&a->before, &b->before, sizeof(a->before));
	assert_memory_equal(&a->after, &b->after, sizeof(a->after));
	assert_memory_equal(&a->ratio_low, &b->ratio_low, sizeof(a->ratio_low));
	assert_memory_equal(&a->ratio_high, &b->ratio_high, sizeof(a->ratio_high));
	assert_memory_equal(&a->p, &b->p, sizeof(a->p));
	assert_memory_equal(&a->q, &b->q, sizeof(a->q));
}

static void everything_comes_back(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(finding_list_release) struct finding_list list = {0}, loaded = {0};
	struct finding *plain = array_append(&list), *full;

	(void)state;
	*plain = finding_make("aaaa");
	full = array_append(&list);
	*full = finding_make("bbbb");
	full->better = BETTER_HIGHER;
	full->regression = false;
	full->state = FINDING_WITHDRAWN;
	full->good_commit = xstrdup("0123");
	full->bad_commit = xstrdup("4567");
	full->fixed_by = xstrdup("cccc");
	full->cause = xstrdup("cpu.microcode: 1 -> 2");
	full->note = xstrdup("one\ntwo; 'quoted'");
	full->contradictions = 7;
	full->p = 4.9e-324;
	replace_string(&full->found_at, "2026-11-29T00:00:00Z");
	put(store, &list);
	loaded = load(store);
	assert_int_equal(loaded.count, 2);
	assert_equal(&loaded.items[0], &list.items[0]);
	assert_equal(&loaded.items[1], &list.items[1]);
	assert_true(loaded.items[0].stored && loaded.items[0].stored_state == FINDING_NEW);
}

static void putting_again_changes_nothing_and_keeps_the_others(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(finding_list_release) struct finding_list first = {0}, again = {0};
	const char *const ids[] = {"aaaa", "bbbb"}, *const other[] = {"cccc"};

	(void)state;
	put_ids(store, ids, 2, NULL);
	first = load(store);
	put(store, &first);
	put(store, &first);
	put_ids(store, other, 1, NULL);
	again = load(store);
	assert_int_equal(again.count, 3);
	for (size_t i = 0; i < again.count; i++)
		for (size_t k = 0; k < first.count; k++)
			if (!strcmp(again.items[i].id, first.items[k].id))
				assert_equal(&again.items[i], &first.items[k]);
}

static void an_id_or_how_it_begins(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};
	const char *const ids[] = {"abcd1", "abcd2", "ef"}, *const members[] = {"91", "92", "93"};
	const char *const wrong[] = {"abcd", "0", "", "abcd11", "%", "group-of-abcd"};
	_cleanup_(finding_list_release) struct finding_list list = {0};

	(void)state;
	put_ids(store, ids, 3, NULL);
	put_ids(store, members, 3, "fade");
	assert_success(store_find_findings(store, "abcd2", &list, &err), &err);
	assert_success(store_find_findings(store, "e", &list, &err), &err);
	assert_success(store_find_findings(store, "fa", &list, &err), &err);
	assert_int_equal(list.count, 5);
	assert_string_equal(list.items[0].id, "abcd2");
	assert_string_equal(list.items[1].id, "ef");
	assert_string_equal(list.items[2].id, "93"); /* the smallest p */
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		assert_int_equal(store_find_findings(store, wrong[i], &list, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		error_clear(&err);
	}
}

static void decisions_of_people(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(finding_list_release) struct finding_list list = {0};
	const char *const ids[] = {"abcd"};

	(void)state;
	put_ids(store, ids, 1, NULL);
	mark(store, "ab", FINDING_ACKNOWLEDGED, "first");
	mark(store, "ab", FINDING_ACKNOWLEDGED, NULL);
	mark(store, "ab", FINDING_KNOWN, "second");
	list = load(store);
	assert_int_equal(list.items[0].state, FINDING_KNOWN);
	assert_string_equal(list.items[0].note, "first\nsecond");
	assert_string_equal(list.items[0].changed_at, LATER);
}

static void a_group_is_decided_as_one_without_what_is_over(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(finding_list_release) struct finding_list list = {0};
	const char *const ids[] = {"11", "12", "13"};
	size_t acknowledged = 0, withdrawn = 0;

	(void)state;
	put_ids(store, ids, 3, "cafe");
	mark(store, "12", FINDING_WITHDRAWN, NULL);
	mark(store, "cafe", FINDING_ACKNOWLEDGED, "all");
	list = load(store);
	array_for_each (finding, &list) {
		acknowledged += finding->state == FINDING_ACKNOWLEDGED && finding->note;
		withdrawn += finding->state == FINDING_WITHDRAWN && !finding->note;
	}
	assert_int_equal(acknowledged, 2);
	assert_int_equal(withdrawn, 1);
}

/* Somebody decides while an evaluation is under way. */
static void decisions_made_meanwhile_are_kept(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_store_ struct store *other = fixture_open();
	_cleanup_(finding_list_release) struct finding_list list = {0}, after = {0};
	const char *const ids[] = {"abcd"};

	(void)state;
	put_ids(store, ids, 1, NULL);
	list = load(store);
	mark(other, "abcd", FINDING_KNOWN, "it is to stay");
	list.items[0].state = FINDING_FIXED;
	list.items[0].contradictions = 3;
	put(store, &list);
	after = load(store);
	assert_int_equal(after.items[0].state, FINDING_KNOWN);
	assert_string_equal(after.items[0].note, "it is to stay");
	assert_string_equal(after.items[0].changed_at, LATER);
	assert_int_equal(after.items[0].contradictions, 3);
	assert_int_equal(list.items[0].state, FINDING_KNOWN);
}

/* Two evaluations of the same night at the same time find the same change. */
static void found_twice_is_one(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(finding_list_release) struct finding_list after = {0};
	const char *const ids[] = {"abcd"};

	(void)state;
	put_ids(store, ids, 1, NULL);
	mark(store, "abcd", FINDING_ACKNOWLEDGED, NULL);
	put_ids(store, ids, 1, NULL);
	after = load(store);
	assert_int_equal(after.count, 1);
	assert_int_equal(after.items[0].state, FINDING_ACKNOWLEDGED);
}

static void all_or_none(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(finding_list_release) struct finding_list list = {0}, after = {0};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	*array_append(&list) = finding_make("aaaa");
	*array_append(&list) = finding_make("bbbb");
	free(list.items[1].machine);
	list.items[1].machine = NULL; /* the table refuses it */
	assert_int_equal(store_put_findings(store, &list, &err), -1);
	assert_non_null(err.message);
	after = load(store);
	assert_int_equal(after.count, 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(everything_comes_back),
		TEST(putting_again_changes_nothing_and_keeps_the_others),
		TEST(an_id_or_how_it_begins),
		TEST(decisions_of_people),
		TEST(a_group_is_decided_as_one_without_what_is_over),
		TEST(decisions_made_meanwhile_are_kept),
		TEST(found_twice_is_one),
		TEST(all_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
