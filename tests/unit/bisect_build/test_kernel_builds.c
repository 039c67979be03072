/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/bisect_build/fake_kernel.h"

#include <string.h>

#include "common/file.h"

static int set_up(void **state)
{
	struct fake_kernel *fake = xcalloc(1, sizeof(*fake));

	fake_kernel_init(fake);
	*state = fake;
	return 0;
}

static int tear_down(void **state)
{
	fake_kernel_release(*state);
	free(*state);
	return 0;
}

/* What a build came to; released by outcome_release(). */
struct outcome {
	int code;
	struct build_result result;
	struct built_kernel kernel;
	struct error err;
};

static struct outcome build(struct fake_kernel *fake, const git_oid *commit)
{
	struct outcome outcome = {0};

	outcome.code = kernel_builds_make(fake->open, commit, &outcome.result, &outcome.kernel,
					  &outcome.err);
	return outcome;
}

static void outcome_release(struct outcome *outcome)
{
	build_result_release(&outcome->result);
	built_kernel_release(&outcome->kernel);
	error_clear(&outcome->err);
}

#define _cleanup_outcome_ _cleanup_(outcome_release)

static void assert_ready(const struct outcome *outcome)
{
	if (outcome->code < 0)
		fail_msg("%s", outcome->err.message);
	if (outcome->result.state != BUILD_READY)
		fail_msg("broken: %s", outcome->result.reason);
	assert_true(file_exists(outcome->kernel.image));
	assert_true(file_exists(outcome->kernel.config));
}

static void test_builds_once(void **state)
{
	struct fake_kernel *fake = *state;
	git_oid first = fake_kernel_head(fake);
	git_oid again;

	fake_kernel_open(fake, 0);
	assert_false(kernel_builds_have(fake->open, &first));
	_cleanup_outcome_ struct outcome built = build(fake, &first);
	assert_ready(&built);
	assert_false(built.result.cached);
	assert_int_equal(fake_kernel_links(fake), 1);
	/* Another commit with the same files is the same kernel. */
	free(fake_kernel_shell(
		fake, "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m y"));
	again = fake_kernel_head(fake);
	assert_false(git_oid_equal(&first, &again));
	assert_true(kernel_builds_have(fake->open, &again));
	_cleanup_outcome_ struct outcome found = build(fake, &again);
	assert_ready(&found);
	assert_true(found.result.cached);
	assert_string_equal(found.kernel.image, built.kernel.image);
	assert_string_equal(found.result.identity, built.result.identity);
	assert_int_equal(fake_kernel_links(fake), 1);
}

static void test_cache_outlives_the_process(void **state)
{
	struct fake_kernel *fake = *state;
	git_oid commit = fake_kernel_head(fake);

	fake_kernel_open(fake, 0);
	_cleanup_outcome_ struct outcome built = build(fake, &commit);
	assert_ready(&built);
	kernel_builds_close(fake->open);
	fake->open = NULL;
	fake_kernel_open(fake, 0);
	_cleanup_outcome_ struct outcome found = build(fake, &commit);
	assert_true(found.result.cached);
}

static void test_key_covers_configuration_and_arguments(void **state)
{
	struct fake_kernel *fake = *state;
	git_oid commit = fake_kernel_head(fake);
	_cleanup_(error_clear) struct error err = {0};

	fake_kernel_open(fake, 0);
	_cleanup_outcome_ struct outcome built = build(fake, &commit);
	assert_ready(&built);
	kernel_builds_close(fake->open);
	string_list_add(&fake->make_arguments, "KCFLAGS=-O2");
	fake_kernel_open(fake, 0);
	assert_false(kernel_builds_have(fake->open, &commit));
	kernel_builds_close(fake->open);
	fake->open = NULL;
	string_list_release(&fake->make_arguments);
	assert_int_equal(file_write(fake->base_config, "CONFIG_MODULES=y\nCONFIG_B=y\n", 28, &err),
			 0);
	fake_kernel_open(fake, 0);
	assert_false(kernel_builds_have(fake->open, &commit));
}

static void test_broken_commit(void **state)
{
	struct fake_kernel *fake = *state;
	git_oid broken = fake_kernel_commit(fake, "code.c", "int f(int x)\n{\n\treturn y;\n}\n");
	git_oid mended = fake_kernel_commit(fake, "code.c", "int f(int x)\n{\n\treturn x;\n}\n");

	fake_kernel_open(fake, 0);
	_cleanup_outcome_ struct outcome outcome = build(fake, &broken);
	assert_int_equal(outcome.code, 0);
	assert_int_equal(outcome.result.state, BUILD_BROKEN);
	if (!strstr(outcome.result.reason, "code.c:3"))
		fail_msg("%s", outcome.result.reason);
	assert_non_null(strstr(outcome.result.reason, "error: "));
	assert_true(file_exists(outcome.result.log_path));
	assert_false(kernel_builds_have(fake->open, &broken));
	_cleanup_outcome_ struct outcome next = build(fake, &mended);
	assert_ready(&next);
}

static void test_broken_configuration(void **state)
{
	struct fake_kernel *fake = *state;
	git_oid broken = fake_kernel_commit(fake, "broken-config", "");

	fake_kernel_open(fake, 0);
	_cleanup_outcome_ struct outcome outcome = build(fake, &broken);
	assert_int_equal(outcome.code, 0);
	assert_int_equal(outcome.result.state, BUILD_BROKEN);
	assert_string_equal(outcome.result.reason, "Kconfig:3: syntax error: x");
}

static void expect_lab_error(struct fake_kernel *fake, const git_oid *commit, const char *says)
{
	_cleanup_outcome_ struct outcome outcome = build(fake, commit);

	assert_int_equal(outcome.code, -1);
	assert_int_equal(outcome.err.kind, ERROR_HARNESS);
	if (!strstr(outcome.err.message, says))
		fail_msg("'%s' does not say '%s'", outcome.err.message, says);
	assert_non_null(outcome.err.hint);
	assert_null(outcome.kernel.image);
	assert_false(kernel_builds_have(fake->open, commit));
}

static void test_full_disk_is_the_lab(void **state)
{
	struct fake_kernel *fake = *state;
	git_oid commit = fake_kernel_commit(fake, "trouble", "cat code.c > /dev/full\n");

	fake_kernel_open(fake, 0);
	expect_lab_error(fake, &commit, "No space left on device");
}

static void test_missing_program_is_the_lab(void **state)
{
	struct fake_kernel *fake = *state;
	git_oid commit = fake_kernel_commit(fake, "trouble", "exec sh -c no-such-program-as-bc\n");

	fake_kernel_open(fake, 0);
	expect_lab_error(fake, &commit, "not found");
}

/* A killed make leaves half an object file; it must not get into the next kernel. */
static void test_killed_build(void **state)
{
	struct fake_kernel *fake = *state;
	git_oid commit = fake_kernel_commit(
		fake, "trouble",
		"test -e $1/killed && exit 0\ntouch $1/killed\nprintf half > $1/code.o\n"
		"kill -9 $2\nsleep 5\n");

	fake_kernel_open(fake, 0);
	expect_lab_error(fake, &commit, "killed");
	_cleanup_outcome_ struct outcome outcome = build(fake, &commit);
	assert_ready(&outcome);
	assert_non_null(outcome.result.identity);
	assert_int_equal(fake_kernel_links(fake), 1);
}

static void test_identity(void **state)
{
	struct fake_kernel *fake = *state;
	git_oid first = fake_kernel_head(fake);
	git_oid comment = fake_kernel_commit(
		fake, "code.c", "/* A remark. */\nint f(int x)\n{\n\treturn x + 1;\n}\n");
	git_oid change =
		fake_kernel_commit(fake, "code.c", "int f(int x)\n{\n\treturn x + 2;\n}\n");

	fake_kernel_open(fake, 0);
	_cleanup_outcome_ struct outcome a = build(fake, &first);
	_cleanup_outcome_ struct outcome b = build(fake, &comment);
	_cleanup_outcome_ struct outcome c = build(fake, &change);
	assert_ready(&a);
	assert_ready(&b);
	assert_ready(&c);
	assert_int_equal(fake_kernel_links(fake), 3);
	assert_string_equal(a.result.identity, b.result.identity);
	assert_string_not_equal(a.result.identity, c.result.identity);
	/* Nothing that modules see has changed. */
	assert_string_equal(a.kernel.kdir, c.kernel.kdir);
}

static void test_header_changes_kdir(void **state)
{
	struct fake_kernel *fake = *state;
	git_oid first = fake_kernel_head(fake);
	git_oid header = fake_kernel_commit(fake, "include/a.h", "long a;\n");

	fake_kernel_open(fake, 0);
	_cleanup_outcome_ struct outcome a = build(fake, &first);
	_cleanup_outcome_ struct outcome b = build(fake, &header);
	assert_ready(&a);
	assert_ready(&b);
	assert_string_not_equal(a.kernel.kdir, b.kernel.kdir);
	_cleanup_free_ char *path = xasprintf("%s/include/a.h", b.kernel.kdir);
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	assert_int_equal(file_read(path, &text, &b.err), 0);
	assert_string_equal(strbuf_text(&text), "long a;\n");
	_cleanup_free_ char *symvers = xasprintf("%s/Module.symvers", b.kernel.kdir);
	assert_true(file_exists(symvers));
}

static void test_configuration_difference(void **state)
{
	struct fake_kernel *fake = *state;
	git_oid first = fake_kernel_head(fake);
	git_oid dropped = fake_kernel_commit(fake, "dropped", "");

	fake_kernel_open(fake, 0);
	_cleanup_outcome_ struct outcome a = build(fake, &first);
	_cleanup_outcome_ struct outcome b = build(fake, &dropped);
	assert_ready(&a);
	assert_ready(&b);
	assert_int_equal(a.kernel.config_changes, 0);
	assert_int_equal(b.kernel.config_changes, 1);
	assert_string_not_equal(a.result.config, b.result.config);
	_cleanup_free_ char *path = xasprintf("%s-changes", b.kernel.config);
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	assert_int_equal(file_read(path, &text, &b.err), 0);
	assert_string_equal(strbuf_text(&text), "DROPPED: y -> n\n");
}

/* Files, index, branches, refs and worktrees of the user, and what git says of them. */
static const char look[] =
	"git status --porcelain; git for-each-ref; git branch -a; git worktree list; "
	"git symbolic-ref HEAD; sha1sum .git/index .git/HEAD code.c notes; ls -la --time-style=+%N "
	"code.c notes; ls .git";

static void test_user_is_not_touched(void **state)
{
	struct fake_kernel *fake = *state;
	git_oid first = fake_kernel_head(fake);
	git_oid second = fake_kernel_commit(fake, "code.c", "int f(int x)\n{\n\treturn x;\n}\n");

	free(fake_kernel_shell(fake, "echo mine >> code.c; echo mine > notes; git branch bisect; "
				     "git update-ref refs/bisect/bad HEAD"));
	_cleanup_free_ char *before = fake_kernel_shell(fake, look);
	fake_kernel_open(fake, 0);
	_cleanup_outcome_ struct outcome a = build(fake, &first);
	_cleanup_outcome_ struct outcome b = build(fake, &second);
	assert_ready(&a);
	assert_ready(&b);
	_cleanup_free_ char *after = fake_kernel_shell(fake, look);
	assert_string_equal(before, after);
}

static void test_damaged_entry_is_built_again(void **state)
{
	struct fake_kernel *fake = *state;
	git_oid commit = fake_kernel_head(fake);

	fake_kernel_open(fake, 0);
	_cleanup_outcome_ struct outcome a = build(fake, &commit);
	assert_ready(&a);
	assert_int_equal(file_write(a.kernel.image, "damage", 6, &a.err), 0);
	_cleanup_outcome_ struct outcome b = build(fake, &commit);
	assert_ready(&b);
	assert_false(b.result.cached);
	_cleanup_outcome_ struct outcome c = build(fake, &commit);
	assert_true(c.result.cached);
}

static void test_size_is_limited(void **state)
{
	struct fake_kernel *fake = *state;
	git_oid first = fake_kernel_head(fake);
	git_oid second = fake_kernel_commit(fake, "include/a.h", "long a;\n");

	fake_kernel_open(fake, 1);
	_cleanup_outcome_ struct outcome a = build(fake, &first);
	assert_ready(&a);
	assert_true(kernel_builds_have(fake->open, &first));
	_cleanup_outcome_ struct outcome b = build(fake, &second);
	assert_ready(&b);
	assert_false(kernel_builds_have(fake->open, &first));
	assert_true(kernel_builds_have(fake->open, &second));
	assert_false(file_exists(a.kernel.kdir));
	assert_true(file_exists(b.kernel.kdir));
}

static void test_builds_ahead(void **state)
{
	struct fake_kernel *fake = *state;
	git_oid first = fake_kernel_head(fake);
	git_oid second = fake_kernel_commit(fake, "code.c", "int f(int x)\n{\n\treturn x;\n}\n");
	git_oid broken = fake_kernel_commit(fake, "code.c", "int f(int x\n");

	fake_kernel_open(fake, 0);
	_cleanup_outcome_ struct outcome a = build(fake, &first);
	assert_ready(&a);
	kernel_builds_ahead(fake->open, (git_oid[]){first, second, broken}, 3);
	_cleanup_outcome_ struct outcome b = build(fake, &second);
	assert_ready(&b);
	assert_int_equal(fake_kernel_links(fake), 2);
	/* A failure shows when the commit is asked for, and does not stand in another's way. */
	kernel_builds_ahead(fake->open, &broken, 1);
	_cleanup_outcome_ struct outcome c = build(fake, &broken);
	assert_int_equal(c.result.state, BUILD_BROKEN);
	kernel_builds_ahead(fake->open, &broken, 1);
	_cleanup_outcome_ struct outcome d = build(fake, &first);
	assert_true(d.result.cached);
	assert_true(kernel_builds_cost_s(fake->open, &first) == 0);
	assert_true(kernel_builds_cost_s(fake->open, &broken) > 0);
}

static void expect_refusal(struct fake_kernel *fake, enum error_kind kind, const char *says)
{
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(fake_kernel_try_open(fake, 0, &err), -1);
	assert_int_equal(err.kind, kind);
	assert_non_null(strstr(err.message, says));
	assert_non_null(err.hint);
}

static void test_refusals(void **state)
{
	struct fake_kernel *fake = *state;
	_cleanup_(error_clear) struct error err = {0};

	string_list_add(&fake->make_arguments, "CC=/nowhere/cc");
	expect_refusal(fake, ERROR_HARNESS, "/nowhere/cc");
	string_list_release(&fake->make_arguments);
	assert_int_equal(file_write(fake->base_config, "CONFIG_B=y\n", 11, &err), 0);
	expect_refusal(fake, ERROR_USAGE, "CONFIG_MODULES");
	replace_string(&fake->base_config, "/nowhere/config");
	expect_refusal(fake, ERROR_USAGE, "/nowhere/config");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_builds_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cache_outlives_the_process, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_key_covers_configuration_and_arguments, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_broken_commit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_broken_configuration, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full_disk_is_the_lab, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_missing_program_is_the_lab, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_killed_build, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_identity, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_header_changes_kdir, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_configuration_difference, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_user_is_not_touched, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damaged_entry_is_built_again, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_size_is_limited, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_builds_ahead, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
