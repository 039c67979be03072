/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "common/alloc.h"
#include "store/finding_life.h"
#include "tests/unit/store/finding_samples.h"

#define SEEN_MAX 4

/* A night: what is seen of the series, and its newest run set. */
struct night {
	struct finding seen[SEEN_MAX];
	size_t count;
	char *newest_set;
};

static void see(struct night *night, size_t index, bool regression)
{
	night->seen[night->count++] = seen_make(index, regression);
}

/* Evaluates the night; the findings, old and new, are in `list` afterwards. */
static void evaluate(struct night *night, struct finding_list *list)
{
	static int nights;
	_cleanup_free_ char *now = xasprintf("night %d", ++nights);
	struct finding_evaluation evaluation = {night->newest_set, now, 0.05};
	_cleanup_free_ struct finding **known = xcalloc(list->count + 1, sizeof(*known));
	struct finding_list added = {0};
	size_t match[SEEN_MAX];

	for (size_t i = 0; i < list->count; i++)
		known[i] = &list->items[i];
	finding_life_match(known, list->count, night->seen, night->count, match);
	finding_life_step(known, list->count, night->seen, night->count, match, &evaluation,
			  &added);
	array_for_each (finding, &added)
		*array_append(list) = *finding;
	array_release(&added);
	for (size_t i = 0; i < night->count; i++)
		finding_release(&night->seen[i]);
	free(night->newest_set);
}

static void evaluate_at(size_t newest, size_t index, bool regression, struct finding_list *list)
{
	struct night night = {.newest_set = xasprintf("set-%zu", newest)};

	see(&night, index, regression);
	evaluate(&night, list);
}

/* A night without any change. */
static void evaluate_nothing(size_t newest, struct finding_list *list)
{
	struct night night = {.newest_set = xasprintf("set-%zu", newest)};

	evaluate(&night, list);
}

static void a_change_seen_again_is_the_same(void **state)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};
	_cleanup_free_ char *id = NULL;

	(void)state;
	evaluate_at(24, 20, true, &list);
	id = xstrdup(list.items[0].id);
	assert_int_equal(strlen(id), 16);
	assert_true(finding_is_alert(&list.items[0]));
	for (size_t i = 0; i < 10; i++)
		evaluate_at(25 + i, 20 + i % 3, true, &list);
	assert_int_equal(list.count, 1);
	assert_string_equal(list.items[0].id, id);
	assert_int_equal(list.items[0].state, FINDING_NEW);
	assert_int_equal(list.items[0].place.index, 20);
}

static void far_away_or_the_other_way_is_another(void **state)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};

	(void)state;
	evaluate_at(40, 20, true, &list);
	evaluate_at(41, 20 + FINDING_NEAR + 1, true, &list);
	assert_int_equal(list.count, 2);
	evaluate_at(42, 20, false, &list);
	assert_int_equal(list.count, 3);
	assert_string_not_equal(list.items[0].id, list.items[2].id);
}

/* A finding that has moved on leaves its first id taken. */
static void ids_are_never_used_twice(void **state)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};
	struct night night = {.newest_set = xstrdup("set-60")};

	(void)state;
	for (size_t i = 0; i < 5; i++)
		evaluate_at(50 + i, 20 + 4 * i, true, &list);
	assert_int_equal(list.count, 1);
	see(&night, 36, true);
	see(&night, 20, true);
	evaluate(&night, &list);
	assert_int_equal(list.count, 2);
	assert_string_not_equal(list.items[0].id, list.items[1].id);
}

static void unsure_changes_are_not_remembered(void **state)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};
	struct night night = {.newest_set = xstrdup("set-40")};

	(void)state;
	see(&night, 20, true);
	night.seen[0].q = 0.051;
	evaluate(&night, &list);
	assert_int_equal(list.count, 0);
}

/* Once it is a finding, less will do. */
static void an_unsure_sighting_keeps_a_finding(void **state)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};
	struct night night = {.newest_set = xstrdup("set-41")};

	(void)state;
	evaluate_at(40, 20, true, &list);
	list.items[0].contradictions = 5;
	see(&night, 20, true);
	night.seen[0].q = 0.5;
	evaluate(&night, &list);
	assert_int_equal(list.items[0].contradictions, 0);
}

static void withdrawal_takes_ten_new_nights_and_no_evidence(void **state)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};

	(void)state;
	evaluate_at(40, 20, true, &list);
	list.items[0].place.p = 0.4;
	for (size_t i = 0; i < 20; i++)
		evaluate_nothing(41 + i, &list);
	assert_int_equal(list.items[0].state, FINDING_NEW);
	list.items[0].contradictions = 0;
	list.items[0].place.p = 0.6;
	for (size_t i = 0; i < FINDING_CONTRADICTIONS - 1; i++)
		evaluate_nothing(70 + i, &list);
	assert_int_equal(list.items[0].state, FINDING_NEW);
	for (size_t i = 0; i < 5; i++) /* the same night again and again */
		evaluate_nothing(70 + FINDING_CONTRADICTIONS - 2, &list);
	assert_int_equal(list.items[0].state, FINDING_NEW);
	evaluate_nothing(90, &list);
	assert_int_equal(list.items[0].state, FINDING_WITHDRAWN);
	evaluate_at(91, 20, true, &list);
	assert_int_equal(list.count, 1);
	assert_int_equal(list.items[0].state, FINDING_REOPENED);
	assert_true(finding_is_alert(&list.items[0]));
}

/* Its run sets are gone, or out of sight: nothing can be said about it. */
static void without_a_place_it_stays(void **state)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};

	(void)state;
	evaluate_at(40, 20, true, &list);
	list.items[0].place = (struct finding_place){0};
	for (size_t i = 0; i < 30; i++)
		evaluate_nothing(41 + i, &list);
	assert_int_equal(list.items[0].state, FINDING_NEW);
	assert_int_equal(list.items[0].contradictions, 0);
	assert_string_equal(list.items[0].evaluated_set, "set-40");
}

static void fix_both(struct finding_list *list, size_t newest)
{
	struct night night = {.newest_set = xasprintf("set-%zu", newest)};

	see(&night, 20, true);
	see(&night, 40, false);
	evaluate(&night, list);
}

static void an_improvement_fixes_and_its_withdrawal_reopens(void **state)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};

	(void)state;
	evaluate_at(30, 20, true, &list);
	fix_both(&list, 50);
	assert_int_equal(list.count, 2);
	assert_int_equal(list.items[0].state, FINDING_FIXED);
	assert_string_equal(list.items[0].fixed_by, list.items[1].id);
	fix_both(&list, 51);
	assert_int_equal(list.items[0].state, FINDING_FIXED);
	list.items[1].place.p = 0.9;
	for (size_t i = 0; i < FINDING_CONTRADICTIONS; i++)
		evaluate_at(52 + i, 20, true, &list);
	assert_int_equal(list.items[1].state, FINDING_WITHDRAWN);
	assert_int_equal(list.items[0].state, FINDING_REOPENED);
	assert_null(list.items[0].fixed_by);
}

static void a_fix_that_people_reject_stays_rejected(void **state)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};

	(void)state;
	fix_both(&list, 50);
	assert_int_equal(list.items[0].state, FINDING_FIXED);
	list.items[0].state = FINDING_REOPENED;
	for (size_t i = 0; i < 5; i++)
		fix_both(&list, 51 + i);
	assert_int_equal(list.items[0].state, FINDING_REOPENED);
}

static void half_a_fix_is_none(void **state)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};
	struct night night = {.newest_set = xstrdup("set-50")};

	(void)state;
	see(&night, 20, true);
	see(&night, 40, false);
	night.seen[1].after = 106; /* of 100, 110 */
	evaluate(&night, &list);
	assert_int_equal(list.items[0].state, FINDING_NEW);
}

static void improvements_are_no_alerts(void **state)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};

	(void)state;
	evaluate_at(40, 20, false, &list);
	assert_int_equal(list.items[0].state, FINDING_NEW);
	assert_false(finding_is_alert(&list.items[0]));
}

/* A withdrawn finding beside it does not take the sighting of one that stands. */
static void what_stands_has_the_first_choice(void **state)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};
	struct night night = {.newest_set = xstrdup("set-40")};

	(void)state;
	see(&night, 20, true);
	see(&night, 24, true);
	evaluate(&night, &list);
	list.items[0].state = FINDING_WITHDRAWN;
	evaluate_at(41, 22, true, &list);
	assert_int_equal(list.count, 2);
	assert_int_equal(list.items[0].state, FINDING_WITHDRAWN);
	assert_int_equal(list.items[1].place.index, 22);
}

static void evaluating_again_changes_nothing(void **state)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};
	_cleanup_free_ char *changed = NULL;

	(void)state;
	fix_both(&list, 50);
	changed = xstrdup(list.items[0].changed_at);
	for (size_t i = 0; i < 20; i++)
		fix_both(&list, 50);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.items[0].changed_at, changed);
	assert_int_equal(list.items[0].state, FINDING_FIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_seen_again_is_the_same),
		cmocka_unit_test(far_away_or_the_other_way_is_another),
		cmocka_unit_test(ids_are_never_used_twice),
		cmocka_unit_test(unsure_changes_are_not_remembered),
		cmocka_unit_test(an_unsure_sighting_keeps_a_finding),
		cmocka_unit_test(withdrawal_takes_ten_new_nights_and_no_evidence),
		cmocka_unit_test(without_a_place_it_stays),
		cmocka_unit_test(an_improvement_fixes_and_its_withdrawal_reopens),
		cmocka_unit_test(a_fix_that_people_reject_stays_rejected),
		cmocka_unit_test(half_a_fix_is_none),
		cmocka_unit_test(improvements_are_no_alerts),
		cmocka_unit_test(what_stands_has_the_first_choice),
		cmocka_unit_test(evaluating_again_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
