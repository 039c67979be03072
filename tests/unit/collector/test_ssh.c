/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What target ssh makes of texts: answers of a machine, command lines, images, ssh's complaints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collector/ssh_machine.h"
#include "common/file.h"
#include "common/process.h"
#include "tests/unit/collector/collector_fixture.h"

static void answers_are_read(void **state)
{
	_cleanup_(ssh_machine_release) struct ssh_machine machine = {0};

	(void)state;
	ssh_machine_parse("banner of the machine\r\nboot_id=0f-1\nrelease=6.1.0\narch=x86_64\n"
			  "cmdline=root=/dev/vda a=b\nmodel=\ncpus=4\nuser=0\n",
			  &machine);
	assert_string_equal(machine.boot_id, "0f-1");
	assert_string_equal(machine.release, "6.1.0");
	assert_string_equal(machine.arch, "x86_64");
	assert_string_equal(machine.cmdline, "root=/dev/vda a=b");
	assert_string_equal(machine.model, "");
	assert_string_equal(machine.cpus, "4");
	assert_string_equal(machine.user, "0");
	assert_string_equal(machine.kexec, "");
}

static void assert_cmdline(const char *cmdline, const char *append, const char *expected)
{
	_cleanup_free_ char *made = ssh_boot_cmdline(cmdline, "cafe", append);
	_cleanup_free_ char *token = ssh_boot_token(made);

	assert_string_equal(made, expected);
	assert_string_equal(token, "cafe");
}

static void a_command_line_is_the_machines_own_and_the_variants(void **state)
{
	(void)state;
	assert_cmdline("root=/dev/vda quiet", "preempt=full",
		       "root=/dev/vda quiet kregress.boot=cafe preempt=full");
	assert_cmdline("root=/dev/vda ", NULL, "root=/dev/vda kregress.boot=cafe");
	assert_cmdline("", "", "kregress.boot=cafe");
	/* Of a machine that runs a variant: nothing of that variant stays. */
	assert_cmdline("root=/dev/vda kregress.boot=0123 preempt=none x=y", "preempt=full",
		       "root=/dev/vda kregress.boot=cafe preempt=full");
	assert_cmdline("kregress.boot=0123", NULL, "kregress.boot=cafe");
	assert_cmdline("no-kregress.boot=1 quiet", NULL,
		       "no-kregress.boot=1 quiet kregress.boot=cafe");
}

static void a_machines_own_boot_has_no_token(void **state)
{
	_cleanup_free_ char *none = ssh_boot_token("root=/dev/vda no-kregress.boot=1");
	_cleanup_free_ char *last = ssh_boot_token("x kregress.boot=12");

	(void)state;
	assert_string_equal(none, "");
	assert_string_equal(last, "12");
}

static void the_image_states_its_release(void **state)
{
	char image[0x600] = "MZ";
	_cleanup_free_ char *path = path_below(fixture_folder, "image");
	_cleanup_free_ char *found = NULL;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	memcpy(image + 0x202, "HdrS", 4);
	image[0x20e] = 0x10;
	image[0x20f] = 0x03;
	strncpy(image + 0x510, "6.1.0-57-amd64 (debian) #1 SMP", 64);
	assert_success(file_write(path, image, sizeof(image), &err), &err);
	found = ssh_image_release(path);
	assert_non_null(found);
	assert_string_equal(found, "6.1.0-57-amd64");
}

static void what_is_no_image_states_none(void **state)
{
	static const char unsigned_image[0x600] = "MZ";
	char beyond[0x210] = "MZ";
	_cleanup_free_ char *path = path_below(fixture_folder, "image");
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_null(ssh_image_release(path));
	assert_success(file_write(path, "short", 5, &err), &err);
	assert_null(ssh_image_release(path));
	assert_success(file_write(path, unsigned_image, sizeof(unsigned_image), &err), &err);
	assert_null(ssh_image_release(path));
	memcpy(beyond + 0x202, "HdrS", 4);
	memset(beyond + 0x20e, 0xff, 2);
	assert_success(file_write(path, beyond, sizeof(beyond), &err), &err);
	assert_null(ssh_image_release(path));
}

/* sh reads back what was quoted for it. */
static void quoted_words_come_back(void **state)
{
	static const char hard[] = "it's $HOME `id` \"two\"  \\ * ; & 'three'";
	_cleanup_(strbuf_release) struct strbuf command = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf output = STRBUF_INIT;
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	strbuf_append(&command, "printf %s ");
	ssh_append_quoted(&command, hard);
	string_list_add(&argv, "sh");
	string_list_add(&argv, "-c");
	string_list_add(&argv, strbuf_text(&command));
	assert_success(process_run_read(&argv, 30, &output, &err), &err);
	assert_string_equal(strbuf_text(&output), hard);
}

static void complaints_are_explained(void **state)
{
	static const struct {
		const char *said, *meaning, *advice;
		bool unreachable;
	} cases[] = {
		{"@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\n"
		 "Host key verification failed.\n",
		 "not the one that is known", "ssh-keygen -R", false},
		{"Host key verification failed.\n", "not known here", "by hand", false},
		{"root@box: Permission denied (publickey,password).\n", "login is refused",
		 "authorized_keys", false},
		{"ssh: connect to host box port 22: Connection refused\n", "nothing answers",
		 "port", true},
		{"ssh: connect to host box port 22: Connection timed out\n", "does not answer",
		 "is it on", true},
		{"cat: write error: No space left on device\n", "disk is full", "folder", false},
	};
	struct target_config target = {.name = (char[]){"lab"}, .host = (char[]){"box"}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(error_clear) struct error err = {0};

		assert_int_equal(ssh_explain(&target, cases[i].said, &err), cases[i].unreachable);
		assert_int_equal(err.kind, ERROR_HARNESS);
		assert_contains(err.message, "box: ");
		assert_contains(err.message, cases[i].meaning);
		assert_contains(err.hint, cases[i].advice);
		assert_contains(err.hint, "lab");
	}
}

static void other_words_are_passed_on(void **state)
{
	struct target_config target = {.name = (char[]){"lab"}, .host = (char[]){"box"}};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_false(ssh_explain(&target, "sh: 1: nonsense: not found\n", &err));
	assert_contains(err.message, "box: sh: 1: nonsense: not found");
	assert_false(ssh_explain(&target, "", &err));
	assert_contains(err.message, "without a word");
}

#define folder_test(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_read),
		cmocka_unit_test(a_command_line_is_the_machines_own_and_the_variants),
		cmocka_unit_test(a_machines_own_boot_has_no_token),
		folder_test(the_image_states_its_release),
		folder_test(what_is_no_image_states_none),
		cmocka_unit_test(quoted_words_come_back),
		cmocka_unit_test(complaints_are_explained),
		cmocka_unit_test(other_words_are_passed_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
