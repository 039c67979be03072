/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/bisect_driver/driver_rig.h"

struct fixture {
	struct made_repository made;
	struct history history;
	struct checkout checkout;
	char *folder;
	char *path;
};

static void fixture_open(struct fixture *fixture)
{
	_cleanup_(error_clear) struct error err = {0};

	make_chain(&fixture->made, 5);
	assert_int_equal(folder_make_temporary(&fixture->folder, &err), 0);
	fixture->path = xasprintf("%s/tree", fixture->folder);
	assert_int_equal(history_open(&fixture->history, fixture->made.path, &err), 0);
	assert_int_equal(checkout_open(&fixture->checkout, fixture->path, &fixture->history, &err),
			 0);
}

static void fixture_close(struct fixture *fixture)
{
	_cleanup_(error_clear) struct error err = {0};

	checkout_close(&fixture->checkout);
	history_release(&fixture->history);
	assert_int_equal(folder_remove(fixture->folder, &err), 0);
	free(fixture->folder);
	free(fixture->path);
	made_repository_release(&fixture->made);
}

/* Commit N of the chain writes a file of its own below "all". */
static bool has_file(const struct fixture *fixture, const char *name)
{
	_cleanup_free_ char *path = xasprintf("%s/all/%s", fixture->path, name);

	return file_exists(path);
}

static void switch_to(struct fixture *fixture, const char *name)
{
	_cleanup_(error_clear) struct error err = {0};
	git_oid id = id_of(&fixture->made, name);
	git_oid head;

	assert_int_equal(checkout_switch(&fixture->checkout, &id, &err), 0);
	assert_int_equal(git_reference_name_to_id(&head, fixture->checkout.repository, "HEAD"), 0);
	assert_true(git_oid_equal(&head, &id));
}

static void test_forth_and_back(void **state)
{
	struct fixture fixture = {.folder = NULL};
	_cleanup_free_ char *built = NULL;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	fixture_open(&fixture);
	switch_to(&fixture, "4");
	assert_true(has_file(&fixture, "4"));
	assert_false(has_file(&fixture, "5"));
	built = xasprintf("%s/built", fixture.path);
	assert_int_equal(file_write(built, "x", 1, &err), 0);
	switch_to(&fixture, "2");
	assert_false(has_file(&fixture, "4"));
	assert_true(file_exists(built));
	fixture_close(&fixture);
}

/* What a kill leaves: half a repository, locks. */
static void test_after_a_kill(void **state)
{
	static const char *const locks[] = {"index.lock", "HEAD.lock"};
	struct fixture fixture = {.folder = NULL};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *alternates = NULL;

	(void)state;
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_SIZE(locks); i++) {
		_cleanup_free_ char *lock = xasprintf("%s/.git/%s", fixture.path, locks[i]);

		assert_int_equal(file_write(lock, "", 0, &err), 0);
	}
	switch_to(&fixture, "3");
	alternates = xasprintf("%s/.git/objects/info/alternates", fixture.path);
	assert_int_equal(unlink(alternates), 0);
	checkout_close(&fixture.checkout);
	assert_int_equal(checkout_open(&fixture.checkout, fixture.path, &fixture.history, &err), 0);
	switch_to(&fixture, "4");
	fixture_close(&fixture);
}

static void test_revert(void **state)
{
	struct fixture fixture = {.folder = NULL};
	_cleanup_(error_clear) struct error err = {0};
	git_oid tip, culprit, reverted, again;
	char *reason = NULL;
	git_odb *odb = NULL;

	(void)state;
	fixture_open(&fixture);
	tip = id_of(&fixture.made, "5");
	culprit = id_of(&fixture.made, "3");
	assert_int_equal(
		checkout_revert(&fixture.checkout, &tip, &culprit, &reverted, &reason, &err), 1);
	assert_int_equal(checkout_revert(&fixture.checkout, &tip, &culprit, &again, &reason, &err),
			 1);
	assert_true(git_oid_equal(&reverted, &again));
	assert_int_equal(checkout_switch(&fixture.checkout, &reverted, &err), 0);
	assert_false(has_file(&fixture, "3"));
	assert_true(has_file(&fixture, "5"));
	/* The user's repository has not got it. */
	assert_int_equal(git_repository_odb(&odb, fixture.history.repository), 0);
	assert_false(git_odb_exists(odb, &reverted));
	git_odb_free(odb);
	culprit = id_of(&fixture.made, "1");
	assert_int_equal(
		checkout_revert(&fixture.checkout, &tip, &culprit, &reverted, &reason, &err), 0);
	assert_non_null(reason);
	free(reason);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forth_and_back),
		cmocka_unit_test(test_after_a_kill),
		cmocka_unit_test(test_revert),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
