/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/bisect/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "bisect/history.h"
#include "common/file.h"
#include "tests/bisect/repository.h"

/*
 * libgit2 1.5.1 leaks what its own git_config_foreach_match() allocates in libpcre2, which opening
 * a repository with extensions calls. LeakSanitizer reads this; nothing else does.
 */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libpcre2-8\n";
}

static void make(struct made_repository *made, const char *const *lines, size_t count)
{
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(made_repository_init(made, &err), 0);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(made_repository_add(made, lines[i], &err), 0);
}

static const char *const straight[] = {"A", "B A", "C B", "D C"};

static void git(const struct made_repository *made, const char *arguments)
{
	struct string_list list = {NULL, 0, 0};
	_cleanup_free_ char *output = NULL;

	string_list_split(&list, arguments, " ");
	assert_int_equal(made_repository_git(made, &list, &output), 0);
	string_list_release(&list);
}

/* Opening fails, says `message`, and says what to do. */
static void check_refused(const char *path, const char *message)
{
	_cleanup_(error_clear) struct error err = {0};
	struct history history;

	assert_int_equal(history_open(&history, path, &err), -1);
	if (!strstr(err.message, message))
		print_error("'%s' is not in '%s'\n", message, err.message);
	assert_non_null(strstr(err.message, message));
	assert_non_null(err.hint);
	assert_null(history.repository);
}

static void test_refuses_incomplete(void **state)
{
	struct made_repository made;
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *shallow = NULL;
	char id[GIT_OID_HEXSZ + 2];

	(void)state;
	make(&made, straight, ARRAY_SIZE(straight));
	git(&made, "config remote.origin.promisor true");
	check_refused(made.path, "partial clone");
	git(&made, "config remote.origin.promisor false");
	shallow = path_below(made.path, ".git/shallow");
	snprintf(id, sizeof(id), "%s\n", git_oid_tostr_s(&made.commits.items[2].id));
	assert_int_equal(file_write(shallow, id, strlen(id), &err), 0);
	check_refused(made.path, "shallow");
	made_repository_release(&made);
}

static void test_refuses_formats(void **state)
{
	struct made_repository made;
	_cleanup_free_ char *other = NULL;

	(void)state;
	make(&made, straight, 1);
	git(&made, "init --quiet --object-format=sha256 sha256");
	other = path_below(made.path, "sha256");
	check_refused(other, "SHA-256");
	git(&made, "config core.repositoryformatversion 1");
	git(&made, "config extensions.refstorage reftable");
	check_refused(made.path, "reftable");
	made_repository_release(&made);
	check_refused("/", "no git repository");
}

static void test_refuses_foreign_owner(void **state)
{
	struct made_repository made;
	_cleanup_free_ char *inner = NULL;

	(void)state;
	if (geteuid() != 0)
		skip(); /* only root can give files away */
	make(&made, straight, 1);
	inner = path_below(made.path, ".git");
	assert_int_equal(chown(inner, 12345, 12345), 0);
	assert_int_equal(chown(made.path, 12345, 12345), 0);
	check_refused(made.path, "another user");
	made_repository_release(&made);
}

static void test_describe_and_resolve(void **state)
{
	static const char *const lines[] = {"A", "B A", "C B touch=x", "D C touch=x ours"};
	struct made_repository made;
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(history_release) struct history history = {NULL};
	_cleanup_(commit_note_release) struct commit_note note = {NULL, NULL, 0, 0};
	struct commit_ids ids = {0};
	git_oid id;

	(void)state;
	make(&made, lines, ARRAY_SIZE(lines));
	git(&made, "-c user.name=T -c user.email=t@example.org tag -a -m annotated release B");
	assert_int_equal(history_open(&history, made.path, &err), 0);
	assert_int_equal(history_resolve(&history, "release", &id, &err), 0);
	assert_true(git_oid_equal(&id, &made.commits.items[1].id));
	assert_int_equal(history_describe(&history, &id, &note, &err), 0);
	assert_string_equal(note.subject, "B");
	assert_string_equal(note.author, "Ann Author <ann@example.org>");
	assert_int_equal(note.author_time_s, 1700000120);
	assert_int_equal(note.author_offset_min, 60);
	assert_int_equal(history_resolve_all(&history, "A..D", &ids, &err), 0);
	assert_int_equal(ids.count, 3);
	assert_int_equal(history_resolve_all(&history, "A..nowhere", &ids, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	error_clear(&err);
	/* A tree is no commit. */
	assert_int_equal(history_resolve(&history, "D^{tree}", &id, &err), -1);
	array_release(&ids);
	made_repository_release(&made);
}

/* A merge that takes nothing from the side has the tree of its first parent. */
static void test_equal_trees(void **state)
{
	static const char *const lines[] = {"A", "B A", "S A", "M B S ours", "N M"};
	struct made_repository made;
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(history_release) struct history history = {NULL};
	_cleanup_(range_release) struct range range = {0};
	struct commit_ids goods = {0};
	size_t b;
	size_t m;

	(void)state;
	make(&made, lines, ARRAY_SIZE(lines));
	*array_append(&goods) = made.commits.items[0].id;
	assert_int_equal(history_open(&history, made.path, &err), 0);
	assert_int_equal(
		range_load(&range, &history, &made.commits.items[4].id, &goods, NULL, &err), 0);
	assert_int_equal(dag_count(&range.dag), 4);
	assert_true(git_oid_equal(&range.ids.items[3], &made.commits.items[4].id));
	assert_true(range_find(&range, &made.commits.items[1].id, &b));
	assert_true(range_find(&range, &made.commits.items[3].id, &m));
	assert_false(range_find(&range, &goods.items[0], &b));
	assert_true(git_oid_equal(&range.trees.items[m], &range.trees.items[b]));
	assert_false(git_oid_equal(&range.trees.items[3], &range.trees.items[b]));
	array_release(&goods);
	made_repository_release(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refuses_incomplete),
		cmocka_unit_test(test_refuses_formats),
		cmocka_unit_test(test_refuses_foreign_owner),
		cmocka_unit_test(test_describe_and_resolve),
		cmocka_unit_test(test_equal_trees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
