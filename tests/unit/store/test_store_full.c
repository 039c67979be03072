/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/file.h"
#include "store/gc.h"
#include "store/store.h"
#include "tests/unit/store/equal_sets.h"
#include "tests/unit/store/sample_sets.h"
#include "tests/unit/store/store_fixture.h"

#define SAMPLES	  5000
#define MAX_BOOTS 100 /* far more than the file system takes */

static int mount_setup(void **state)
{
	if (fixture_setup(state) < 0)
		return -1;
	return mount("kregress-test", fixture_folder, "tmpfs", 0, "size=2m");
}

static int mount_teardown(void **state)
{
	if (umount2(fixture_folder, MNT_DETACH) < 0)
		return -1;
	return fixture_teardown(state);
}

/* Stores boot after boot until one fails; gives the number of those stored. */
static uint32_t fill_with_boots(struct store *store, struct run_set *set, struct error *err)
{
	for (uint32_t boot = 0; boot < MAX_BOOTS; boot++) {
		plain_set_grow(set, SAMPLES);
		if (store_add_boot(store, set, boot, err) < 0)
			return boot;
	}
	fail_msg("%d boots fit into 2 MiB", MAX_BOOTS);
	return 0;
}

static void assert_boots(struct store *store, uint32_t boots)
{
	_cleanup_(run_set_release) struct run_set back = {0};
	_cleanup_(error_clear) struct error err = {0};
	size_t samples = 0;

	assert_success(store_load(store, "full", &back, &err), &err);
	assert_int_equal(back.boots.count, boots);
	array_for_each (series, &back.series) {
		samples += series->samples.count;
		array_for_each (sample, &series->samples)
			assert_true(sample->value ==
				    100 + sample->boot +
					    (sample->iteration * 4 +
					     (uint32_t)(series - back.series.items)) /
						    1000.0);
	}
	assert_int_equal(samples, (size_t)boots * SAMPLES);
}

static void a_full_disk_keeps_earlier_boots(void **state)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *expected = NULL;
	uint32_t stored;

	(void)state;
	plain_set_make(&set, "full", 0, 0);
	assert_success(store_begin_run_set(store, &set, &err), &err);
	stored = fill_with_boots(store, &set, &err);
	assert_true(stored > 0);
	assert_int_equal(err.kind, ERROR_IO);
	expected = xasprintf("%s: the disk is full: nothing of this boot was stored; earlier data "
			     "is intact",
			     fixture_path);
	assert_string_equal(err.message, expected);
	assert_non_null(strstr(err.hint, "free space"));
	assert_boots(store, stored);
	store_close(store);
	store = fixture_open();
	assert_boots(store, stored);

	/* With space again, the same boot can be stored. */
	error_clear(&err);
	assert_int_equal(mount("kregress-test", fixture_folder, "tmpfs", MS_REMOUNT, "size=16m"),
			 0);
	assert_success(store_add_boot(store, &set, stored, &err), &err);
	assert_boots(store, stored + 1);
}

/* Takes all space that is left. */
static void fill_disk(void)
{
	_cleanup_free_ char *filler = path_below(fixture_folder, "filler");
	static const char block[65536];
	_cleanup_close_ int fd = open(filler, O_WRONLY | O_CREAT, 0600);

	assert_true(fd >= 0);
	for (size_t size = sizeof(block); size; size /= 2)
		for (int i = 0; i < 1000 && write(fd, block, size) > 0; i++)
			;
}

/* They and the journal take about two thirds of the disk. */
static void make_two_sets(struct store *store, struct run_set *old, struct run_set *new)
{
	_cleanup_(error_clear) struct error err = {0};

	plain_set_make(old, "old", 2, SAMPLES);
	plain_set_make(new, "full", 2, SAMPLES);
	assert_success(store_add_run_set(store, old, &err), &err);
	assert_success(store_add_run_set(store, new, &err), &err);
}

static void a_removal_on_a_full_disk_is_whole_or_none(void **state)
{
	_cleanup_(run_set_release) struct run_set old, new, back = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};
	struct gc_set set = {.number = 1};

	(void)state;
	make_two_sets(store, &old, &new);
	set.id = old.id;
	/* Closing the store gives the journal's room up, which else would be used again. */
	store_close(store);
	store = fixture_open();
	fill_disk();
	assert_int_equal(store_remove_set(store, &set, &err), -1);
	assert_int_equal(err.kind, ERROR_IO);
	assert_non_null(strstr(err.message, "the disk is full: nothing of this removal was stored; "
					    "earlier data is intact"));
	assert_success(store_load(store, "old", &back, &err), &err);
	assert_sets_equal(&old, &back);
	error_clear(&err);
	assert_int_equal(mount("kregress-test", fixture_folder, "tmpfs", MS_REMOUNT, "size=16m"),
			 0);
	assert_int_equal(store_remove_set(store, &set, &err), 1);
	assert_boots(store, 2);
}

static void writing_anew_on_a_full_disk_keeps_all(void **state)
{
	_cleanup_(run_set_release) struct run_set old, new;
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};
	struct gc_set set = {.number = 1};
	enum gc_vacuum outcome;

	(void)state;
	make_two_sets(store, &old, &new);
	set.id = old.id;
	assert_int_equal(store_remove_set(store, &set, &err), 1);
	store_close(store);
	store = fixture_open();
	fill_disk();
	assert_int_equal(store_vacuum(store, "2020-01-01T00:00:00Z", true, &outcome, &err), -1);
	assert_int_equal(err.kind, ERROR_IO);
	assert_non_null(strstr(err.message, "the disk is full"));
	assert_boots(store, 2);
	error_clear(&err);
	assert_int_equal(mount("kregress-test", fixture_folder, "tmpfs", MS_REMOUNT, "size=16m"),
			 0);
	assert_success(store_vacuum(store, "2020-01-01T00:00:00Z", true, &outcome, &err), &err);
	assert_boots(store, 2);
}

static void no_space_for_a_new_store_is_named(void **state)
{
	_cleanup_free_ char *filler = path_below(fixture_folder, "filler");
	_cleanup_store_ struct store *store = NULL;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	free(fixture_path);
	fixture_path = path_below(fixture_folder, "store.db");
	fill_disk();
	assert_int_equal(store_open(fixture_path, &store, &err), -1);
	assert_int_equal(err.kind, ERROR_IO);
	assert_non_null(strstr(err.message, "the disk is full"));
	assert_non_null(err.hint);
	/* What the failed attempt left is no obstacle. */
	error_clear(&err);
	assert_int_equal(truncate(filler, 0), 0);
	assert_success(store_open(fixture_path, &store, &err), &err);
}

static void a_read_only_disk_is_named(void **state)
{
	_cleanup_store_ struct store *store = NULL;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	store_close(fixture_open());
	assert_int_equal(
		mount("kregress-test", fixture_folder, "tmpfs", MS_REMOUNT | MS_RDONLY, "size=2m"),
		0);
	assert_int_equal(store_open(fixture_path, &store, &err), -1);
	assert_int_equal(err.kind, ERROR_IO);
	assert_non_null(strstr(err.message, "cannot be opened for writing"));
	assert_non_null(err.hint);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, mount_setup, mount_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_full_disk_keeps_earlier_boots),
		TEST(a_removal_on_a_full_disk_is_whole_or_none),
		TEST(writing_anew_on_a_full_disk_keeps_all),
		TEST(no_space_for_a_new_store_is_named),
		TEST(a_read_only_disk_is_named),
	};

	/* A mount namespace of its own: the system's mounts stay as they are. */
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) {
		fprintf(stderr, "skipped: a private mount namespace is not permitted: %s\n",
			strerror(errno));
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
