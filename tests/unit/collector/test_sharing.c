/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variants that are switches share their boots, in a real store. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <sqlite3.h>

#include "collector/sharing.h"
#include "tests/unit/collector/collect_rig.h"
#include "tests/unit/collector/collector_fixture.h"

#define STATE(number) "record '\"type\":\"state\",\"state\":" #number ",\"name\":\"s\"'\n"

static void use_variants(struct rig *rig, const char *names)
{
	string_list_release(&rig->variants);
	string_list_split(&rig->variants, names, " ");
}

static void collect_all(struct rig *rig, char **id)
{
	_cleanup_(error_clear) struct error err = {0};

	assert_success(rig_collect(rig, id, &err), &err);
	assert_nothing_left();
}

/* Each boot of the set has one sample, of that value. */
static void assert_values(const struct run_set *set, double value)
{
	const struct series *series = run_set_find(set, "x.y", "", "time");

	assert_non_null(series);
	assert_int_equal(set->boots.count, 4);
	assert_int_equal(series->samples.count, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_true(series->samples.items[i].value == value);
		assert_int_equal(series->samples.items[i].boot, i);
	}
}

static void one_boot_serves_them_all(void **state)
{
	struct rig *rig = *state;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_free_ char *id = NULL, *starts = NULL;

	use_variants(rig, "low high a b");
	rig_agent("a",
		  STATE(1) "sample 11\n" STATE(0) "sample 10\n" STATE(2) "sample 12\nfinish ok");
	collect_all(rig, &id);
	assert_contains(strbuf_text(&rig->notes), "note: low + high + a: share their boots");
	assert_contains(strbuf_text(&rig->notes), "8 boots, ");
	starts = rig_starts();
	assert_int_equal(strlen(starts), 8);
	rig_load(rig, id, &sets);
	assert_int_equal(sets.count, 4);
	assert_values(sets.items[0], 10);
	assert_values(sets.items[1], 11);
	assert_values(sets.items[2], 12);
	assert_values(sets.items[3], 2);
	for (size_t i = 0; i < 4; i++) {
		const struct boot *low = &sets.items[0]->boots.items[i];

		assert_int_equal(low->slot, sets.items[1]->boots.items[i].slot);
		assert_int_equal(low->slot, sets.items[2]->boots.items[i].slot);
		assert_int_equal(low->block, sets.items[1]->boots.items[i].block);
		assert_int_equal(low->block, i);
		assert_int_not_equal(low->slot, sets.items[3]->boots.items[i].slot);
	}
}

static void a_failed_boot_fails_for_all(void **state)
{
	struct rig *rig = *state;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_free_ char *id = NULL;

	use_variants(rig, "low high");
	rig_agent("a", STATE(0) "sample 10\n" STATE(1) "sample 11\n"
						       "[ $start = 2 ] && exit 9\nfinish ok");
	collect_all(rig, &id);
	rig_load(rig, id, &sets);
	for (size_t i = 0; i < 2; i++) {
		assert_values(sets.items[i], i ? 11 : 10);
		assert_int_equal(sets.items[i]->boots.items[0].status, BOOT_OK);
		assert_int_equal(sets.items[i]->boots.items[1].status, BOOT_FAILED);
		assert_contains(sets.items[i]->boots.items[1].reason, "9");
	}
}

/* The store breaks off between the two sets of a boot. */
static void half_a_boot_is_made_whole(void **state)
{
	struct rig *rig = *state;
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_free_ char *first = NULL, *second = NULL;
	sqlite3 *db = NULL;

	use_variants(rig, "low high");
	rig_agent("a", STATE(0) "sample 10\n" STATE(1) "sample 11\nfinish ok");
	assert_int_equal(sqlite3_open(rig->config.store, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(db,
			     "CREATE TRIGGER broken BEFORE INSERT ON boots WHEN NEW.slot = 2 AND "
			     "NEW.run_set = (SELECT max(number) FROM run_sets) "
			     "BEGIN SELECT RAISE(ABORT, 'broken'); END",
			     NULL, NULL, NULL),
		SQLITE_OK);
	assert_int_equal(rig_collect(rig, &first, &err), -1);
	assert_contains(err.message, "broken");
	assert_int_equal(sqlite3_exec(db, "DROP TRIGGER broken", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	collect_all(rig, &second);
	assert_string_equal(first, second);
	assert_contains(strbuf_text(&rig->notes), "2 of 4 boots are stored");
	rig_load(rig, second, &sets);
	assert_values(sets.items[0], 10);
	assert_values(sets.items[1], 11);
}

/* Leaders, each with what shares its boots: "low+high b". Owned by the caller. */
static char *arranged(const struct rig *rig, const char *names)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(error_clear) struct error err = {0};
	struct prepared_variant_list variants = {0};
	struct leader_list leaders = {0};
	struct strbuf text = STRBUF_INIT;

	string_list_split(&words, names, " ");
	array_for_each (word, &words)
		array_append(&variants)->config = config_variant(&rig->config, *word, &err);
	sharing_arrange(&variants, &leaders);
	array_for_each (leader, &leaders) {
		strbuf_printf(&text, "%s%s", text.length ? " " : "", (*leader)->config->name);
		array_for_each (member, &(*leader)->sharing)
			if (*member != *leader)
				strbuf_printf(&text, "+%s", (*member)->config->name);
		array_release(&(*leader)->sharing);
	}
	array_release(&leaders);
	array_release(&variants);
	return strbuf_take(&text);
}

static void assert_arranged(const struct rig *rig, const char *names, const char *expected)
{
	_cleanup_free_ char *found = arranged(rig, names);

	assert_string_equal(found, expected);
}

static void only_switches_share(void **state)
{
	const struct rig *rig = *state;

	assert_arranged(rig, "a b", "a b");
	assert_arranged(rig, "a a", "a a");
	assert_arranged(rig, "low", "low");
	assert_arranged(rig, "low b high", "low+high b");
	assert_arranged(rig, "a a low", "a+a+low");
	assert_arranged(rig, "low low", "low+low");
	assert_arranged(rig, "low planted high", "low+high planted");
}

/* Two agents at a time would set the one machine to two states. */
static void a_machine_has_one_state_at_a_time(void **state)
{
	struct rig *rig = *state;
	_cleanup_free_ char *id = NULL;

	use_variants(rig, "low high b");
	rig->request.jobs = 4;
	rig_agent("a", STATE(0) "sample 10\n" STATE(1) "sample 11\nfinish ok");
	collect_all(rig, &id);
	assert_contains(strbuf_text(&rig->notes), ": low + high");
	assert_null(strstr(strbuf_text(&rig->notes), ": low + high, b"));
	assert_null(strstr(strbuf_text(&rig->notes), ": b, low + high"));
}

#define rig_test(test) cmocka_unit_test_setup_teardown(test, rig_setup, rig_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		rig_test(one_boot_serves_them_all),	     rig_test(a_failed_boot_fails_for_all),
		rig_test(half_a_boot_is_made_whole),	     rig_test(only_switches_share),
		rig_test(a_machine_has_one_state_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
