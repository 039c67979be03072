/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/alloc.h"
#include "store/baseline.h"
#include "tests/unit/store/sample_sets.h"
#include "tests/unit/store/store_fixture.h"

/* Stores a set and returns its id, which the caller frees. */
static char *add_set(struct store *store, const char *variant)
{
	_cleanup_(error_clear) struct error err = {0};
	struct run_set set;
	char *id;

	plain_set_make(&set, variant, 2, 4);
	assert_success(store_add_run_set(store, &set, &err), &err);
	id = xstrdup(set.id);
	run_set_release(&set);
	return id;
}

static struct baseline make(const char *name, const char *suite, const char *set,
			    const char *commit)
{
	return (struct baseline){
		.name = xstrdup(name),
		.machine = xstrdup("lab x4"),
		.target = xstrdup("vm"),
		.suite = xstrdup(suite),
		.run_set = xstrdup(set),
		.variant = xstrdup("full"),
		.commit = xstrdup(commit),
		.set_at = xstrdup("2026-11-30T20:33:07Z"),
	};
}

static void put(struct store *store, const char *name, const char *suite, const char *set,
		const char *commit)
{
	_cleanup_(baseline_release) struct baseline baseline = make(name, suite, set, commit);
	_cleanup_(error_clear) struct error err = {0};

	assert_success(store_put_baseline(store, &baseline, &err), &err);
}

/* Whether there is one, and its run set is `set`. */
static void assert_is(struct store *store, const struct baseline_key *key, const char *set)
{
	_cleanup_(baseline_release) struct baseline found = {0};
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(store_find_baseline(store, key, &found, &err), set ? 1 : 0);
	if (set)
		assert_string_equal(found.run_set, set);
}

static void one_for_each_key_and_the_last_stays(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(baseline_list_release) struct baseline_list list = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *first = add_set(store, "full");
	_cleanup_free_ char *second = add_set(store, "full");
	struct baseline_key key = {"main", "lab x4", "vm", "core"};

	(void)state;
	assert_is(store, &key, NULL);
	put(store, "main", "core", first, NULL);
	put(store, "main", "quick", first, "v6.1");
	put(store, "main", "core", second, "v6.2");
	assert_is(store, &key, second);
	key.suite = "quick";
	assert_is(store, &key, first);
	key.machine = "lab x8";
	assert_is(store, &key, NULL);
	assert_success(store_list_baselines(store, &list, &err), &err);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.items[0].suite, "core");
	assert_string_equal(list.items[0].commit, "v6.2");
	assert_string_equal(list.items[0].set_at, "2026-11-30T20:33:07Z");
	assert_string_equal(list.items[1].suite, "quick");
}

static void removal_leaves_the_run_set(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *id = add_set(store, "full");
	struct baseline_key key = {"main", "lab x4", "vm", "core"};
	struct run_set set;

	(void)state;
	put(store, "main", "core", id, NULL);
	assert_int_equal(store_remove_baseline(store, &key, &err), 1);
	assert_int_equal(store_remove_baseline(store, &key, &err), 0);
	assert_is(store, &key, NULL);
	assert_success(store_load(store, id, &set, &err), &err);
	run_set_release(&set);
}

static void an_unknown_run_set_is_refused_and_the_old_one_stays(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_free_ char *id = add_set(store, "full");
	_cleanup_(baseline_release) struct baseline wrong = make("main", "core", "0123abcd", NULL);
	_cleanup_(error_clear) struct error err = {0};
	struct baseline_key key = {"main", "lab x4", "vm", "core"};

	(void)state;
	put(store, "main", "core", id, NULL);
	assert_int_equal(store_put_baseline(store, &wrong, &err), -1);
	assert_non_null(err.message);
	assert_is(store, &key, id);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_for_each_key_and_the_last_stays, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(removal_leaves_the_run_set, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(an_unknown_run_set_is_refused_and_the_old_one_stays,
						fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
