/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings are put back: in order, after SIGKILL, and by the next start. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collector/noise/quiet.h"
#include "common/file.h"
#include "tests/unit/collector_noise/fake_machine.h"

#define GOVERNOR_0 "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
#define NO_TURBO   "/sys/devices/system/cpu/intel_pstate/no_turbo"

static void assert_loud(const struct machine *machine)
{
	assert_file(machine, ASLR, "2");
	assert_file(machine, GOVERNOR_0, "powersave");
	assert_file(machine, NO_TURBO, "0");
	assert_file(machine, THP, "always");
	assert_file(machine, "/proc/irq/4/smp_affinity_list", "0-3");
}

static void assert_quiet(const struct machine *machine)
{
	assert_file(machine, ASLR, "0");
	assert_file(machine, GOVERNOR_0, "performance");
	assert_file(machine, NO_TURBO, "1");
	assert_file(machine, THP, "madvise");
	assert_file(machine, "/proc/irq/4/smp_affinity_list", "1-3");
	/* What suits is not touched, nor is swap where there is none. */
	assert_file(machine, "/proc/irq/9/smp_affinity_list", "2");
	assert_file(machine, "/proc/sys/vm/swappiness", "60");
}

static bool restore_file_is_there(const struct machine *machine)
{
	_cleanup_free_ char *path = machine_path(machine, RESTORE_FILE);

	return file_exists(path);
}

static struct quiet *begin(const struct machine *machine, bool keep)
{
	_cleanup_(error_clear) struct error err = {0};
	struct quiet *quiet = NULL;

	if (quiet_begin(machine, keep, &quiet, &err) != 0)
		fail_msg("not made quiet: %s", err.message);
	return quiet;
}

static size_t end(struct quiet *quiet)
{
	_cleanup_(error_clear) struct error err = {0};
	size_t restored = 0;

	assert_int_equal(quiet_end(quiet, NULL, &restored, &err), 0);
	return restored;
}

static size_t recover(const struct machine *machine, bool kept_too)
{
	_cleanup_(error_clear) struct error err = {0};
	size_t restored = 0;

	if (quiet_recover(machine, kept_too, NULL, &restored, &err) < 0)
		fail_msg("not recovered: %s", err.message);
	return restored;
}

static void test_begin_and_end(void **state)
{
	struct quiet *quiet = begin(*state, false);

	assert_quiet(*state);
	assert_true(restore_file_is_there(*state));
	assert_true(quiet_holds_latency(quiet));
	assert_int_equal(quiet_settings(quiet)->list.count, 5);
	assert_int_equal(end(quiet), 5);
	assert_loud(*state);
	assert_false(restore_file_is_there(*state));
}

static void test_second_one_leaves_it_alone(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	struct quiet *quiet = begin(*state, false);
	struct quiet *second;

	/* Something is left to change, and still it is not changed by the second. */
	fake_file(*state, ASLR, "2\n");
	assert_int_equal(quiet_begin(*state, false, &second, &err), 1);
	assert_null(second);
	assert_file(*state, ASLR, "2");
	assert_int_equal(recover(*state, true), 0);
	assert_file(*state, THP, "madvise");
	end(quiet);
	assert_loud(*state);
}

static void test_change_by_somebody_else_stays(void **state)
{
	struct quiet *quiet = begin(*state, false);

	fake_file(*state, ASLR, "1\n");
	assert_int_equal(end(quiet), 4);
	assert_file(*state, ASLR, "1");
	assert_file(*state, NO_TURBO, "0");
}

static void test_kept_until_asked_back(void **state)
{
	assert_int_equal(end(begin(*state, true)), 0);
	assert_quiet(*state);
	assert_int_equal(recover(*state, false), 0);
	assert_quiet(*state);
	assert_int_equal(recover(*state, true), 5);
	assert_loud(*state);
	assert_int_equal(recover(*state, true), 0);
}

/* A process that keeps the machine quiet until it is killed. */
static pid_t start_keeper(const struct machine *machine)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		struct error err = {0};
		struct quiet *quiet;

		if (quiet_begin(machine, false, &quiet, &err) != 0 || write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	assert_true(pid > 0);
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void kill_keeper(pid_t pid)
{
	int status;

	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
}

static bool wait_until_gone(const struct machine *machine)
{
	const struct timespec pause = {0, 10000000};

	for (int i = 0; i < 2000 && restore_file_is_there(machine); i++)
		nanosleep(&pause, NULL);
	return !restore_file_is_there(machine);
}

static void test_guard_restores_after_sigkill(void **state)
{
	pid_t keeper = start_keeper(*state);

	assert_quiet(*state);
	kill_keeper(keeper);
	assert_true(wait_until_gone(*state));
	assert_loud(*state);
}

/* As after a power cut of process and guard: the file is there, and nobody holds it. */
static void test_next_start_restores(void **state)
{
	static const char note[] =
		"kregress-restore 1 held\n" ASLR "\t2\t0\n" THP "\talways\tmadvise\nend\n";

	fake_file(*state, RESTORE_FILE, note);
	fake_file(*state, ASLR, "0\n");
	fake_file(*state, THP, "always [madvise] never\n");
	assert_int_equal(recover(*state, false), 2);
	assert_file(*state, ASLR, "2");
	assert_file(*state, THP, "always");
	assert_false(restore_file_is_there(*state));
}

static void test_damaged_restore_files(void **state)
{
	static const char *const notes[][2] = {
		{"kregress-restore 1 held\n" ASLR "\t2\t0\n", "breaks off"},
		{"something else\n" ASLR "\t2\t0\nend\n", "no kregress-restore"},
		{"kregress-restore 1 held\n" ASLR " 2 0\nend\n", "restore:2: is no setting"},
		{"kregress-restore 1 held\n/proc/../etc/x\t2\t0\nend\n", "is no setting"},
		{"", "breaks off"},
	};

	fake_file(*state, ASLR, "0\n");
	for (size_t i = 0; i < ARRAY_SIZE(notes); i++) {
		_cleanup_(error_clear) struct error err = {0};
		size_t restored = 0;

		fake_file(*state, RESTORE_FILE, notes[i][0]);
		assert_int_equal(quiet_recover(*state, false, NULL, &restored, &err), -1);
		assert_non_null(strstr(err.message, notes[i][1]));
		assert_non_null(err.hint);
		assert_file(*state, ASLR, "0");
	}
}

/* The machine itself, as far as this process may change it; all is put back. */
static void test_real_aslr(void **state)
{
	const struct machine real = {""};
	_cleanup_free_ char *before = machine_read(&real, ASLR);
	struct settings settings = {0};
	struct setting *setting;
	struct error err = {0};
	size_t restored;

	(void)state;
	if (!before || strcmp(before, "2") != 0 || machine_write(&real, ASLR, "2") != 0)
		skip();
	setting = array_append(&settings.list);
	*setting = (struct setting){
		.path = xstrdup(ASLR), .old_value = xstrdup("2"), .new_value = xstrdup("1")};
	assert_int_equal(machine_write(&real, ASLR, "1"), 0);
	assert_file(&real, ASLR, "1");
	assert_int_equal(settings_restore(&real, &settings, NULL, &restored, &err), 0);
	assert_int_equal(restored, 1);
	assert_file(&real, ASLR, "2");
	settings_release(&settings);
}

#define ON_FAKE(test) cmocka_unit_test_setup_teardown(test, fake_machine_make, fake_machine_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_FAKE(test_begin_and_end),
		ON_FAKE(test_second_one_leaves_it_alone),
		ON_FAKE(test_change_by_somebody_else_stays),
		ON_FAKE(test_kept_until_asked_back),
		ON_FAKE(test_guard_restores_after_sigkill),
		ON_FAKE(test_next_start_restores),
		ON_FAKE(test_damaged_restore_files),
		cmocka_unit_test(test_real_aslr),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
