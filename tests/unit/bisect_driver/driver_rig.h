/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A repository, a bisection of it, and a measurer that is a simulation. */
#ifndef KREGRESS_TESTS_UNIT_BISECT_DRIVER_DRIVER_RIG_H
#define KREGRESS_TESTS_UNIT_BISECT_DRIVER_DRIVER_RIG_H

#include "tests/unit/bisect/unit.h"

#include <string.h>

#include "bisect/driver/driver.h"
#include "common/file.h"
#include "tests/bisect/repository.h"

/* See tests/unit/bisect/test_history.c: libgit2 1.5.1 leaks what libpcre2 allocates. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libpcre2-8\n";
}

/* A chain of commits "1" to `count`. */
static inline void make_chain(struct made_repository *made, int count)
{
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(made_repository_init(made, &err), 0);
	for (int i = 1; i <= count; i++) {
		_cleanup_free_ char *line =
			i > 1 ? xasprintf("%d %d", i, i - 1) : xasprintf("%d", i);

		assert_int_equal(made_repository_add(made, line, &err), 0);
	}
}

static inline git_oid id_of(const struct made_repository *made, const char *name)
{
	const struct made_commit *commit = made_repository_find(made, name);

	assert_non_null(commit);
	return commit->id;
}

/* Records of a bisection between two commits. The caller frees them. */
static inline json_t *start_records(const struct made_repository *made, const char *bad,
				    const char *good, bool flaky)
{
	struct bisect_options options = {.steps = 1, .prior_nothing = -1, .flaky = flaky};
	struct mark marks[2] = {{.kind = MARK_BAD}, {.kind = MARK_GOOD}};
	json_t *records = json_array();

	options.repository = made->path;
	marks[0].commit = id_of(made, bad);
	marks[1].commit = id_of(made, good);
	json_array_append_new(records, record_start(&options));
	json_array_append_new(records, record_mark(&marks[0]));
	json_array_append_new(records, record_mark(&marks[1]));
	return records;
}

#endif
