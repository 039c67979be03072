/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/store/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/alloc.h"
#include "common/file.h"

char *fixture_folder;
char *fixture_path;

int fixture_setup(void **state)
{
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	if (folder_make_temporary(&fixture_folder, &err) < 0)
		return -1;
	fixture_path = path_below(fixture_folder, "sub/store.db");
	return 0;
}

int fixture_teardown(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	int status = folder_remove(fixture_folder, &err);

	(void)state;
	free(fixture_folder);
	free(fixture_path);
	return status;
}

void assert_success(int status, const struct error *err)
{
	if (status != 0)
		fail_msg("%s", err->message);
}

struct store *fixture_open(void)
{
	_cleanup_(error_clear) struct error err = {0};
	struct store *store = NULL;

	assert_success(store_open(fixture_path, &store, &err), &err);
	return store;
}
