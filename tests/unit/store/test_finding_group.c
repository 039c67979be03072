/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "common/alloc.h"
#include "store/finding_group.h"
#include "tests/unit/store/finding_samples.h"

#define SPOTS 6

struct fixture {
	struct finding findings[SPOTS];
	struct finding_spot spots[SPOTS];
	size_t count;
};

/* A finding without a group at `index`, whose place is surely within `reach` of it. */
static struct finding *add(struct fixture *fixture, size_t index, size_t reach, double p)
{
	_cleanup_free_ char *id = xasprintf("%04zu", fixture->count);
	struct finding *finding = &fixture->findings[fixture->count];

	*finding = finding_make(id);
	free(finding->group);
	finding->group = NULL;
	finding->p = p;
	fixture->spots[fixture->count++] =
		(struct finding_spot){finding, index, index - reach, index + reach};
	return finding;
}

static void release(struct fixture *fixture)
{
	for (size_t i = 0; i < fixture->count; i++)
		finding_release(&fixture->findings[i]);
}

static void one_place_is_one_group(void **state)
{
	struct fixture fixture = {0};
	const struct finding *a = add(&fixture, 20, 2, 1e-3);
	const struct finding *b = add(&fixture, 22, 2, 1e-9);
	const struct finding *c = add(&fixture, 24, 2, 1e-5);

	(void)state;
	finding_group(fixture.spots, fixture.count);
	assert_string_equal(a->group, b->group);
	assert_string_equal(b->group, c->group);
	assert_int_equal(strlen(a->group), 16);
	release(&fixture);
}

static void sure_places_apart_are_two(void **state)
{
	struct fixture fixture = {0};
	const struct finding *a = add(&fixture, 20, 0, 1e-9);
	const struct finding *b = add(&fixture, 21, 0, 1e-9);

	(void)state;
	finding_group(fixture.spots, fixture.count);
	assert_string_not_equal(a->group, b->group);
	release(&fixture);
}

static void vague_places_far_apart_are_two(void **state)
{
	struct fixture fixture = {0};
	const struct finding *a = add(&fixture, 20, 15, 1e-3);
	const struct finding *b = add(&fixture, 20 + FINDING_GROUP_REACH + 1, 15, 1e-3);

	(void)state;
	finding_group(fixture.spots, fixture.count);
	assert_string_not_equal(a->group, b->group);
	release(&fixture);
}

static void directions_are_apart(void **state)
{
	struct fixture fixture = {0};
	const struct finding *a = add(&fixture, 20, 1, 1e-3);
	struct finding *b = add(&fixture, 20, 1, 1e-3);

	(void)state;
	b->regression = false;
	finding_group(fixture.spots, fixture.count);
	assert_string_not_equal(a->group, b->group);
	release(&fixture);
}

/* Each is near the next, but not near the first. */
static void groups_do_not_creep(void **state)
{
	struct fixture fixture = {0};
	const struct finding *first = add(&fixture, 20, 3, 1e-9);
	const struct finding *last;

	(void)state;
	add(&fixture, 24, 3, 1e-5);
	add(&fixture, 28, 3, 1e-4);
	last = add(&fixture, 32, 3, 1e-3);
	finding_group(fixture.spots, fixture.count);
	assert_string_not_equal(first->group, last->group);
	release(&fixture);
}

static void later_ones_join_and_nothing_moves(void **state)
{
	struct fixture fixture = {0};
	const struct finding *a = add(&fixture, 20, 1, 1e-3), *b;
	_cleanup_free_ char *group = NULL;

	(void)state;
	finding_group(fixture.spots, fixture.count);
	group = xstrdup(a->group);
	b = add(&fixture, 21, 1, 1e-12);
	finding_group(fixture.spots, fixture.count);
	assert_string_equal(a->group, group);
	assert_string_equal(b->group, group);
	finding_group(fixture.spots, fixture.count);
	assert_string_equal(b->group, group);
	release(&fixture);
}

static void nothing_is_no_group(void **state)
{
	(void)state;
	finding_group(NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_place_is_one_group),
		cmocka_unit_test(sure_places_apart_are_two),
		cmocka_unit_test(vague_places_far_apart_are_two),
		cmocka_unit_test(directions_are_apart),
		cmocka_unit_test(groups_do_not_creep),
		cmocka_unit_test(later_ones_join_and_nothing_moves),
		cmocka_unit_test(nothing_is_no_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
