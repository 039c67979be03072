/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "store/exchange.h"
#include "store/store.h"
#include "tests/unit/store/equal_sets.h"
#include "tests/unit/store/sample_sets.h"
#include "tests/unit/store/store_fixture.h"

static void add_plain(struct store *store, const char *variant, const char *id,
		      const char *collection, const char *created_at, uint32_t boots)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_(error_clear) struct error err = {0};

	plain_set_make(&set, variant, boots, 8);
	replace_string(&set.id, id);
	replace_string(&set.collection, collection);
	replace_string(&set.created_at, created_at);
	assert_success(store_add_run_set(store, &set, &err), &err);
}

static void everything_comes_back(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	sample_sets_make(&sets);
	assert_success(store_add_run_sets(store, &sets, &err), &err);
	store_close(store);
	store = fixture_open();
	array_for_each (set, &sets) {
		_cleanup_(run_set_release) struct run_set back;

		assert_success(store_load(store, (*set)->id, &back, &err), &err);
		assert_sets_equal(*set, &back);
	}
}

static void exchange_and_store_agree(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(run_set_list_release) struct run_set_list read = {0};
	_cleanup_(run_set_list_release) struct run_set_list loaded = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf again = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	sample_sets_make(&sets);
	exchange_write(&text, &sets);
	assert_success(exchange_read("doc", text.text, text.length, &read, &err), &err);
	assert_success(store_add_run_sets(store, &read, &err), &err);
	assert_success(store_load_collection(store, sets.items[0]->collection, &loaded, &err),
		       &err);
	assert_success(store_load_collection(store, "import-1", &loaded, &err), &err);
	exchange_write(&again, &loaded);
	assert_string_equal(text.text, again.text);
}

static void texts_that_are_null_get_values(void **state)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_(run_set_release) struct run_set back = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	run_set_init(&set, "full");
	assert_success(store_add_run_set(store, &set, &err), &err);
	assert_success(store_load(store, set.id, &back, &err), &err);
	assert_string_equal(back.collection, set.id);
	assert_string_equal(back.target, "");
	assert_string_equal(back.machine, "");
	assert_null(back.created_at);
}

static void a_known_id_is_refused(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(run_set_list_release) struct run_set_list more = {0};
	_cleanup_(run_set_summary_list_release) struct run_set_summary_list list = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	sample_sets_make(&sets);
	assert_success(store_add_run_set(store, sets.items[0], &err), &err);
	assert_int_equal(store_add_run_set(store, sets.items[0], &err), -1);
	assert_int_equal(err.kind, ERROR_DATA);
	assert_non_null(strstr(err.message, sets.items[0]->id));
	/* A list with a known id among new ones stores nothing. */
	sample_sets_make(&more);
	replace_string(&more.items[2]->id, sets.items[0]->id);
	assert_int_equal(store_add_run_sets(store, &more, &err), -1);
	assert_success(store_list(store, &list, &err), &err);
	assert_int_equal(list.count, 1);
}

static void bad_samples_are_refused(void **state)
{
	_cleanup_(run_set_summary_list_release) struct run_set_summary_list list = {0};
	_cleanup_store_ struct store *store = fixture_open();
	static const struct {
		uint32_t boot;
		uint32_t iteration;
		double value;
		const char *message;
	} cases[] = {
		{0, 5, NAN,
		 "lock.spin time: boot 0, invocation 0, iteration 5: the value is not finite"},
		{0, 5, -INFINITY, "the value is not finite"},
		{0, 1, 7, "boot 0, invocation 0, iteration 1: the sample is there twice"},
		{1, 0, 7, "a sample of boot 1, which the set does not have"},
	};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(run_set_release) struct run_set set;

		plain_set_make(&set, "full", 1, 8);
		series_add_sample(&set.series.items[0], cases[i].boot, 0, cases[i].iteration,
				  cases[i].value);
		assert_int_equal(store_add_run_set(store, &set, &err), -1);
		assert_int_equal(err.kind, ERROR_DATA);
		assert_non_null(strstr(err.message, cases[i].message));
		assert_non_null(strstr(err.message, fixture_name()));
	}
	assert_success(store_list(store, &list, &err), &err);
	assert_int_equal(list.count, 0);
}

static void list_counts_oldest_first(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(run_set_summary_list_release) struct run_set_summary_list list = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	sample_sets_make(&sets);
	replace_string(&sets.items[2]->created_at, "1999-01-01T00:00:00Z");
	assert_success(store_add_run_sets(store, &sets, &err), &err);
	assert_success(store_list(store, &list, &err), &err);
	assert_int_equal(list.count, 3);
	assert_string_equal(list.items[0].variant, "imported");
	assert_int_equal(list.items[0].samples, 0);
	assert_int_equal(list.items[0].boots_ok, 1);
	assert_string_equal(list.items[1].id, sets.items[0]->id);
	assert_string_equal(list.items[1].collection, sets.items[0]->collection);
	assert_string_equal(list.items[1].target, sets.items[0]->target);
	assert_string_equal(list.items[1].created_at, "2026-11-30T20:33:07Z");
	assert_int_equal(list.items[1].boots_ok, 1);
	assert_int_equal(list.items[1].boots_failed, 1);
	assert_int_equal(list.items[1].samples, 13);
	assert_string_equal(list.items[2].variant, "voluntary");
	assert_int_equal(list.items[2].samples, 6);
}

static void assert_spec(struct store *store, const char *spec, const char *id)
{
	_cleanup_(run_set_release) struct run_set set = {0};
	_cleanup_(error_clear) struct error err = {0};

	assert_success(store_load(store, spec, &set, &err), &err);
	assert_string_equal(set.id, id);
}

static void assert_no_spec(struct store *store, const char *spec, const char *message)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(store_load(store, spec, &set, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_null(set.id);
	if (!strstr(err.message, message))
		assert_string_equal(err.message, message);
	assert_non_null(err.hint);
}

static void fill_for_specs(struct store *store)
{
	add_plain(store, "full", "aaaaaa01", "cccc01", "2026-01-02T00:00:00Z", 1);
	add_plain(store, "full", "aaaaaa02", "cccc02", "2026-01-01T00:00:00Z", 1);
	add_plain(store, "voluntary", "bbbbbb01", "cccc01", "2026-01-02T00:00:00Z", 1);
	/* The newest, but nothing was measured for it yet. */
	add_plain(store, "full", "aaaaaa03", "cccc03", "2026-01-03T00:00:00Z", 0);
	add_plain(store, "odd@name", "dddddd01", "cccc04", NULL, 1);
}

static void load_takes_what_the_user_writes(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();

	(void)state;
	fill_for_specs(store);
	assert_spec(store, "full", "aaaaaa01");
	assert_spec(store, "voluntary", "bbbbbb01");
	assert_spec(store, "full@aaaaaa02", "aaaaaa02");
	assert_spec(store, "full@cccc02", "aaaaaa02");
	assert_spec(store, "full@cccc03", "aaaaaa03");
	assert_spec(store, "voluntary@c", "bbbbbb01");
	assert_spec(store, "bbbbbb", "bbbbbb01");
	assert_spec(store, "aaaaaa02", "aaaaaa02");
	assert_spec(store, "odd@name", "dddddd01");
	assert_spec(store, "odd@name@dd", "dddddd01");
}

static void load_says_what_there_is(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();

	(void)state;
	assert_no_spec(store, "full", "no run set fits 'full': the store is empty");
	fill_for_specs(store);
	assert_no_spec(store, "none",
		       "fits 'none'; the store holds full (3 run sets), "
		       "odd@name (1 run set), voluntary (1 run set)");
	assert_no_spec(store, "bbbbb", "no run set with a boot fits 'bbbbb'");
	assert_no_spec(store, "full@", "no run set with a boot fits 'full@'");
	assert_no_spec(store, "full@b", "no run set with a boot fits 'full@b'");
	assert_no_spec(store, "", "no run set with a boot fits ''");
	assert_no_spec(store, "ful%", "no run set with a boot fits 'ful%'");
	assert_no_spec(store, "aaaaaa",
		       "3 run sets fit 'aaaaaa': full@aaaaaa01, full@aaaaaa02, "
		       "full@aaaaaa03");
	assert_no_spec(store, "full@cccc0", "3 run sets fit 'full@cccc0'");
}

/* A new set without boots stands in the way of no older one; alone, it cannot be loaded by name. */
static void a_name_needs_a_measurement(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();

	(void)state;
	add_plain(store, "full", "aaaaaa03", "cccc03", NULL, 0);
	assert_no_spec(store, "full", "no run set with a boot fits 'full'; the store holds full");
	assert_spec(store, "aaaaaa03", "aaaaaa03");
}

static void begin_resumable(struct store *store, const struct run_set *set)
{
	struct collection collection = {
		.id = set->collection,
		.plan_digest = xstrdup("digest"),
		.created_at = xstrdup("2026-11-30T20:33:07Z"),
		.seed = 0x8000000000000001u,
	};
	_cleanup_(error_clear) struct error err = {0};

	assert_success(store_begin_collection(store, &collection, &err), &err);
	assert_int_equal(store_begin_collection(store, &collection, &err), -1);
	assert_int_equal(err.kind, ERROR_DATA);
	free(collection.plan_digest);
	free(collection.created_at);
	assert_success(store_begin_run_set(store, set, &err), &err);
}

static void an_unfinished_collection_is_resumed(void **state)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(collection_release) struct collection found = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	plain_set_make(&set, "full", 2, 100);
	begin_resumable(store, &set);
	assert_success(store_add_boot(store, &set, 0, &err), &err);
	assert_success(store_add_boot(store, &set, 1, &err), &err);
	store_close(store);

	store = fixture_open();
	assert_int_equal(store_find_unfinished(store, "other", &found, &err), 0);
	assert_int_equal(store_find_unfinished(store, "digest", &found, &err), 1);
	assert_string_equal(found.id, set.collection);
	assert_string_equal(found.plan_digest, "digest");
	assert_string_equal(found.created_at, "2026-11-30T20:33:07Z");
	assert_true(found.seed == 0x8000000000000001u);
	assert_false(found.finished);
	assert_success(store_load_collection(store, found.id, &sets, &err), &err);
	assert_int_equal(sets.count, 1);
	assert_sets_equal(&set, sets.items[0]);

	for (uint32_t boot = 2; boot < 4; boot++) {
		plain_set_grow(&set, 100);
		plain_set_grow(sets.items[0], 100);
		assert_success(store_add_boot(store, sets.items[0], boot, &err), &err);
	}
	assert_success(store_finish_collection(store, found.id, &err), &err);
	assert_int_equal(store_find_unfinished(store, "digest", &found, &err), 0);
	run_set_list_release(&sets);
	assert_success(store_load_collection(store, found.id, &sets, &err), &err);
	assert_sets_equal(&set, sets.items[0]);
}

static void the_newest_unfinished_collection_is_found(void **state)
{
	static const char *const created[] = {"2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z",
					      "2026-01-01T00:00:00Z"};
	static const char *const ids[] = {"one", "two", "three"};
	_cleanup_(collection_release) struct collection found = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		_cleanup_(collection_release) struct collection collection = {
			.id = xstrdup(ids[i]),
			.plan_digest = xstrdup("digest"),
			.created_at = xstrdup(created[i]),
		};

		assert_success(store_begin_collection(store, &collection, &err), &err);
	}
	assert_int_equal(store_find_unfinished(store, "digest", &found, &err), 1);
	assert_string_equal(found.id, "two");
	assert_int_equal(store_finish_collection(store, "absent", &err), -1);
	assert_int_equal(err.kind, ERROR_DATA);
}

static void boots_are_stored_in_order(void **state)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	plain_set_make(&set, "full", 3, 8);
	assert_int_equal(store_add_boot(store, &set, 0, &err), -1);
	assert_non_null(strstr(err.message, "was not begun"));
	assert_success(store_begin_run_set(store, &set, &err), &err);
	assert_int_equal(store_add_boot(store, &set, 1, &err), -1);
	assert_non_null(strstr(err.message, "boot 0 is next"));
	error_clear(&err);
	assert_success(store_add_boot(store, &set, 0, &err), &err);
	assert_int_equal(store_add_boot(store, &set, 0, &err), -1);
	assert_non_null(strstr(err.message, "boot 1 is next"));
	assert_int_equal(store_add_boot(store, &set, 3, &err), -1);
	assert_int_equal(err.kind, ERROR_DATA);
}

static void another_unit_in_a_later_boot_is_refused(void **state)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_(run_set_release) struct run_set back = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	plain_set_make(&set, "full", 2, 8);
	assert_success(store_begin_run_set(store, &set, &err), &err);
	assert_success(store_add_boot(store, &set, 0, &err), &err);
	replace_string(&set.series.items[1].unit, "us/op");
	assert_int_equal(store_add_boot(store, &set, 1, &err), -1);
	assert_int_equal(err.kind, ERROR_DATA);
	assert_non_null(strstr(err.message, "mixed units"));
	error_clear(&err);
	assert_success(store_load(store, "full", &back, &err), &err);
	assert_int_equal(back.boots.count, 1);
}

/* A series may appear in a later boot only; a boot may bring no sample at all. */
static void boots_may_bring_different_series(void **state)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_(run_set_release) struct run_set back = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	plain_set_make(&set, "full", 1, 3);
	plain_set_grow(&set, 0);
	plain_set_grow(&set, 4);
	assert_int_equal(set.series.count, 4);
	assert_success(store_begin_run_set(store, &set, &err), &err);
	for (uint32_t boot = 0; boot < 3; boot++)
		assert_success(store_add_boot(store, &set, boot, &err), &err);
	assert_success(store_load(store, "full", &back, &err), &err);
	assert_sets_equal(&set, &back);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(everything_comes_back),
		TEST(exchange_and_store_agree),
		TEST(texts_that_are_null_get_values),
		TEST(a_known_id_is_refused),
		TEST(bad_samples_are_refused),
		TEST(list_counts_oldest_first),
		TEST(load_takes_what_the_user_writes),
		TEST(load_says_what_there_is),
		TEST(a_name_needs_a_measurement),
		TEST(an_unfinished_collection_is_resumed),
		TEST(the_newest_unfinished_collection_is_found),
		TEST(boots_are_stored_in_order),
		TEST(another_unit_in_a_later_boot_is_refused),
		TEST(boots_may_bring_different_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
