/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of kregress.conf against docs/configuration.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "collector/config.h"
#include "common/file.h"
#include "tests/unit/collector/collector_fixture.h"

static const char every_key[] =
	"# every key of every section, in git's syntax\n"
	"[kregress]\n\tstore = data/store.db\n\tcache = /var/cache/kregress\n"
	"[target \"vm\"]\n\tkind = qemu\n\ticount = yes\n\taccel = tcg ; not kvm\n"
	"\tqemu = qemu-system-x86_64\n\tagent = bin/agent\n\tcpus = 1\n\tMemory-MB = 2048\n"
	"\ttimeout = 2m30s\n"
	"[target \"box\"]\n\tkind = ssh\n\thost = box.lab\n\tuser = root\n\tport = 2222\n"
	"\tidentity = keys/id\n\tssh-config = keys/config\n\tfolder = /var/tmp\n"
	"\tinstall = command\n\tboot-command = boot it\n\treboot-command = reboot -f\n"
	"\tpower-command = cycle\n\tboot-timeout = 10m\n\treboot = false\n\treturn = true\n"
	"[variant \"remote\"]\n\ttarget = box\n\tinitrd = images/initrd\n"
	"[Variant \"a.b c\"]\n\ttarget = vm\n\tkernel = \"images/vmlinuz #1\"\n"
	"\tconfig = images/config\n\tkdir = /usr/src/linux\n"
	"\tappend = \"preempt=full  quiet\"\\\n loglevel=3\n"
	"\tmodule = kregress.ko\n\tmodule-args = tick=1\n\tswitch = preempt=full\n"
	"\tswitch = \"sysctl:net.ipv4.tcp_rmem=4096 131072 6291456\"\n"
	"[suite \"quick\"]\n\tbench = lock.* mm.fork\n\tbench = "
	"sched.messaging[groups=4,fan=5],mm.[a-c]*\n"
	"\tboots = 12\n\tinvocations = 3\n\trepetitions = 20\n\twarmup = 2\n\tcpus = 4\n"
	"\tsample-time = 250us\n\ttimeout = 90\n"
	"[limit \"lock.*\"]\n\tchange = 1%\n[limit \"mm.fork\"]\n\tchange = 0.05\n";

static char *below(const char *name)
{
	return path_below(fixture_folder, name);
}

#define assert_path(path, name)                                                                    \
	do {                                                                                       \
		_cleanup_free_ char *expected_ = below(name);                                      \
		assert_string_equal(path, expected_);                                              \
	} while (0)

static void check_target(const struct config *config)
{
	_cleanup_(error_clear) struct error err = {0};
	const struct target_config *target = config_target(config, "vm", &err);

	assert_non_null(target);
	assert_string_equal(target->kind, "qemu");
	assert_true(target->icount);
	assert_string_equal(target->accel, "tcg");
	assert_string_equal(target->qemu, "qemu-system-x86_64");
	assert_path(target->agent, "bin/agent");
	assert_int_equal(target->cpus, 1);
	assert_int_equal(target->memory_mb, 2048);
	assert_true(target->timeout_s == 150);
}

static void check_ssh_target(const struct config *config)
{
	_cleanup_(error_clear) struct error err = {0};
	const struct target_config *target = config_target(config, "box", &err);
	const struct variant_config *variant = config_variant(config, "remote", &err);

	assert_non_null(target);
	assert_non_null(variant);
	assert_string_equal(target->kind, "ssh");
	assert_string_equal(target->host, "box.lab");
	assert_string_equal(target->user, "root");
	assert_int_equal(target->port, 2222);
	assert_path(target->identity, "keys/id");
	assert_path(target->ssh_config, "keys/config");
	assert_string_equal(target->folder, "/var/tmp");
	assert_string_equal(target->install, "command");
	assert_string_equal(target->boot_command, "boot it");
	assert_string_equal(target->reboot_command, "reboot -f");
	assert_string_equal(target->power_command, "cycle");
	assert_true(target->boot_timeout_s == 600);
	assert_false(target->reboot);
	assert_true(target->return_first);
	assert_path(variant->initrd, "images/initrd");
}

static void check_variant(const struct config *config)
{
	_cleanup_(error_clear) struct error err = {0};
	const struct variant_config *variant = config_variant(config, "a.b c", &err);

	assert_non_null(variant);
	assert_string_equal(variant->target, "vm");
	assert_path(variant->kernel, "images/vmlinuz #1");
	assert_path(variant->kernel_config, "images/config");
	assert_string_equal(variant->kdir, "/usr/src/linux");
	assert_string_equal(variant->append, "preempt=full  quiet loglevel=3");
	assert_path(variant->module, "kregress.ko");
	assert_string_equal(variant->module_args, "tick=1");
	assert_int_equal(variant->switches.count, 2);
	assert_string_equal(variant->switches.items[0], "preempt=full");
	assert_string_equal(variant->switches.items[1],
			    "sysctl:net.ipv4.tcp_rmem=4096 131072 6291456");
}

static void check_suite(const struct config *config)
{
	_cleanup_(error_clear) struct error err = {0};
	const struct suite_config *suite = config_suite(config, "quick", &err);

	assert_non_null(suite);
	assert_int_equal(suite->bench.count, 4);
	assert_string_equal(suite->bench.items[0], "lock.*");
	assert_string_equal(suite->bench.items[1], "mm.fork");
	/* Commas within brackets part parameters, not patterns. */
	assert_string_equal(suite->bench.items[2], "sched.messaging[groups=4,fan=5]");
	assert_string_equal(suite->bench.items[3], "mm.[a-c]*");
	assert_int_equal(suite->boots, 12);
	assert_int_equal(suite->invocations, 3);
	assert_int_equal(suite->repetitions, 20);
	assert_int_equal(suite->warmup, 2);
	assert_int_equal(suite->cpus, 4);
	assert_true(suite->sample_time_s == 250e-6);
	assert_true(suite->timeout_s == 90);
}

static void every_key_reaches_its_field(void **state)
{
	_cleanup_free_ char *path = fixture_write("kregress.conf", every_key, 0644);
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(config_release) struct config config;

	(void)state;
	assert_success(config_load(path, &config, &err), &err);
	assert_string_equal(config.path, path);
	assert_string_equal(config.folder, fixture_folder);
	assert_path(config.store, "data/store.db");
	assert_string_equal(config.cache, "/var/cache/kregress");
	check_target(&config);
	check_ssh_target(&config);
	check_variant(&config);
	check_suite(&config);
	assert_int_equal(config.limits.count, 2);
	assert_string_equal(config.limits.items[0].pattern, "lock.*");
	assert_true(config.limits.items[0].change_frac == 0.01);
	assert_string_equal(config.limits.items[1].pattern, "mm.fork");
	assert_true(config.limits.items[1].change_frac == 0.05);
}

static void check_defaults(const struct config *config)
{
	_cleanup_(error_clear) struct error err = {0};
	const struct target_config *target = config_target(config, "local", &err);
	const struct variant_config *variant = config_variant(config, "local", &err);
	const struct suite_config *suite = config_suite(config, "core", &err);

	assert_non_null(target);
	assert_string_equal(target->kind, "local");
	assert_false(target->icount);
	assert_string_equal(target->accel, "auto");
	assert_null(target->agent);
	assert_int_equal(target->cpus, 1);
	assert_int_equal(target->memory_mb, 512);
	assert_true(target->timeout_s == 180);
	assert_true(target->reboot && !target->return_first);
	assert_true(target->boot_timeout_s == 300);
	assert_string_equal(target->install, "kexec");
	assert_string_equal(target->reboot_command, "reboot");
	assert_non_null(variant);
	assert_string_equal(variant->target, "local");
	assert_null(variant->kernel);
	assert_null(variant->kdir);
	assert_non_null(suite);
	assert_int_equal(suite->bench.count, 1);
	assert_string_equal(suite->bench.items[0], "*");
	assert_int_equal(suite->boots, 0);
}

static void defaults_without_a_file(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(config_release) struct config config;

	(void)state;
	assert_int_equal(chdir(fixture_folder), 0);
	assert_int_equal(setenv("XDG_CACHE_HOME", "/cache", 1), 0);
	assert_success(config_load(NULL, &config, &err), &err);
	assert_null(config.path);
	assert_string_equal(config.store, "./.kregress/store.db");
	assert_string_equal(config.cache, "/cache/kregress");
	assert_int_equal(config.targets.count, 1);
	assert_int_equal(config.variants.count, 1);
	assert_int_equal(config.suites.count, 1);
	assert_int_equal(config.limits.count, 0);
	check_defaults(&config);
	assert_int_equal(chdir("/"), 0);
}

static void the_current_folders_file_is_read(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(config_release) struct config config;

	(void)state;
	free(fixture_write("kregress.conf", "[kregress]\nstore = s.db\n", 0644));
	assert_int_equal(chdir(fixture_folder), 0);
	assert_int_equal(setenv("XDG_CACHE_HOME", "not/absolute", 1), 0);
	assert_int_equal(setenv("HOME", "/home/someone", 1), 0);
	assert_success(config_load(NULL, &config, &err), &err);
	assert_string_equal(config.path, "kregress.conf");
	assert_string_equal(config.store, "./s.db");
	assert_string_equal(config.cache, "/home/someone/.cache/kregress");
	check_defaults(&config);
	assert_int_equal(chdir("/"), 0);
}

static void defaults_of_a_file_that_leaves_things_open(void **state)
{
	_cleanup_free_ char *path = fixture_write("some.conf",
						  "[target \"t\"]\ntimeout = 5\n"
						  "[target \"flag\"]\nicount\n"
						  "[variant \"v\"]\ntarget = local\n"
						  "[suite \"core\"]\nboots = 2\n"
						  "[suite \"none\"]\nboots = 3\n",
						  0644);
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(config_release) struct config config;

	(void)state;
	assert_success(config_load(path, &config, &err), &err);
	assert_string_equal(config_target(&config, "t", &err)->kind, "qemu");
	assert_string_equal(config_target(&config, "t", &err)->qemu, "qemu-system-x86_64");
	assert_true(config_target(&config, "t", &err)->timeout_s == 5);
	assert_true(config_target(&config, "flag", &err)->icount);
	assert_string_equal(config_suite(&config, "core", &err)->bench.items[0], "*");
	assert_int_equal(config_suite(&config, "core", &err)->boots, 2);
	assert_int_equal(config_suite(&config, "none", &err)->bench.count, 0);
	assert_path(config.store, ".kregress/store.db");
}

static const struct {
	const char *text;
	const char *message; /* behind "PATH: " */
	const char *hint;    /* NULL: the message says it all */
} refusals[] = {
	{"[kernel]\nx = 1\n", "kernel.x: unknown section",
	 "known sections: kregress, target, variant, suite, limit"},
	{"[include]\npath = /dev/null\n", "include.path: unknown section", "suite"},
	{"[kregress]\nstor = x\n", "kregress.stor: unknown key 'stor'",
	 "known keys of this section: store cache"},
	{"[target \"t\"]\nmemory = 1\n", "target.t.memory: unknown key 'memory'",
	 "kind icount accel qemu agent cpus memory-mb timeout"},
	{"[variant \"v\"]\nkernal = 1\n", "variant.v.kernal: unknown key 'kernal'",
	 "module module-args plant initrd switch"},
	{"[suite \"s\"]\nx = 1\n", "suite.s.x: unknown key 'x'",
	 "bench boots invocations repetitions warmup cpus sample-time timeout"},
	{"[limit \"l.*\"]\nx = 1\n", "limit.l.*.x: unknown key 'x'", "change"},
	{"[target]\nkind = qemu\n", "target.kind: section [target] needs a name", NULL},
	{"[kregress \"x\"]\nstore = a\n", "kregress.x.store: section [kregress] takes no name",
	 NULL},
	{"[target \"t\"]\nicount = perhaps\n",
	 "target.t.icount: 'perhaps' is neither true nor false", NULL},
	{"[target \"t\"]\ncpus = two\n", "target.t.cpus: 'two' is not a whole number", NULL},
	{"[target \"t\"]\ncpus = -1\n", "target.t.cpus: '-1' is not a whole number", NULL},
	{"[suite \"s\"]\nboots = 1000000001\n",
	 "suite.s.boots: '1000000001' is not a whole number from 0 to 1000000000", NULL},
	{"[suite \"s\"]\nboots =\n", "suite.s.boots: ", NULL},
	{"[suite \"s\"]\nboots\n", "suite.s.boots: has no value", NULL},
	{"[suite \"s\"]\ntimeout = soon\n",
	 "suite.s.timeout: 'soon' is not a duration like 90, 250ms", NULL},
	{"[suite \"s\"]\nsample-time = -1ms\n", "suite.s.sample-time: '-1ms' is not", NULL},
	{"[limit \"l\"]\nchange = much\n",
	 "limit.l.change: 'much' is not a fraction like 2% or 0.02", NULL},
	{"[variant \"v\"]\ntarget = local\nkernel\n", "variant.v.kernel: has no value", NULL},
	{"[variant \"v\"]\ntarget = local\nappend\n", "variant.v.append: has no value", NULL},
	{"[variant \"v\"]\ntarget = local\nswitch = preempt\n",
	 "variant.v.switch: 'preempt' is no setting", "preempt=MODE, sysctl:NAME=VALUE"},
	{"[variant \"v\"]\ntarget = local\nswitch = preempt=\n",
	 "variant.v.switch: 'preempt=' is no setting", NULL},
	{"[variant \"v\"]\ntarget = local\nswitch = sysctl:=1\n",
	 "variant.v.switch: 'sysctl:=1' is no setting", NULL},
	{"[variant \"v\"]\ntarget = local\nswitch = sysctl:../x=1\n",
	 "variant.v.switch: 'sysctl:../x=1' is no setting", NULL},
	{"[variant \"v\"]\ntarget = local\nswitch = file:sys=1\n",
	 "variant.v.switch: 'file:sys=1' is no setting", NULL},
	{"[variant \"v\"]\ntarget = local\nswitch = preempt=none\nswitch = preempt=full\n",
	 "variant.v.switch: sets preempt twice", NULL},
	{"[target \"t\"]\nkind = ssh2\n", "target.t.kind: 'ssh2' is no kind of target",
	 "known kinds: local, qemu, ssh"},
	{"[target \"t\"]\nkind = ssh\n", "target.t.host: is missing", "host = NAME"},
	{"[target \"t\"]\nkind = ssh\nhost = -oX=y\n", "target.t.host: is no host name", NULL},
	{"[target \"t\"]\nkind = ssh\nhost = h\nuser = -x\n", "target.t.user: '-x' is no user name",
	 NULL},
	{"[target \"t\"]\nkind = ssh\nhost = h\nport = 65536\n", "target.t.port: is above 65535",
	 NULL},
	{"[target \"t\"]\nkind = ssh\nhost = h\nfolder = tmp\n",
	 "target.t.folder: 'tmp' is not an absolute path", NULL},
	{"[target \"t\"]\nkind = ssh\nhost = h\ninstall = rpm\n",
	 "target.t.install: 'rpm' is neither kexec nor command", NULL},
	{"[target \"t\"]\nkind = ssh\nhost = h\ninstall = command\n",
	 "target.t.boot-command: is missing", NULL},
	{"[target \"t\"]\nkind = ssh\nhost = h\nicount = true\n",
	 "target.t.icount: ", "kind = qemu"},
	{"[variant \"v\"]\ntarget = local\ninitrd = i\n",
	 "variant.v.initrd: only a target of kind ssh boots one", NULL},
	{"[target \"t\"]\naccel = hvf\n", "target.t.accel: 'hvf' is none of auto, kvm, tcg", NULL},
	{"[target \"t\"]\nicount = true\ncpus = 2\n",
	 "target.t.icount: ", "kind = qemu, cpus = 1, and accel = tcg or auto"},
	{"[target \"t\"]\nicount = true\naccel = kvm\n", "target.t.icount: ", "accel"},
	{"[target \"local\"]\nicount = true\n", "target.local.icount: ", "kind = qemu"},
	{"[variant \"v\"]\nkernel = k\n", "variant.v: no target given", "add `target = NAME`"},
	{"[variant \"v\"]\ntarget = nowhere\n", "variant.v.target: no target named 'nowhere'",
	 " local"},
	{"[suite \"s\"\nboots = 1\n", "", "git's configuration syntax"},
	{"boots = 1\n[suite \"s\"]\n", "boots: stands before any section",
	 "known sections: kregress"},
	{".boots = 1\n", "", "git's configuration syntax"},
	{"[suite \"s\"]\nbo ots = 1\n", "", "git's configuration syntax"},
	{"[suite \"s\"]\nbench = \\q\n", "", "git's configuration syntax"},
};

static void refusals_name_file_key_and_remedy(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++) {
		_cleanup_free_ char *path = fixture_write("k.conf", refusals[i].text, 0644);
		_cleanup_free_ char *expected = xasprintf("%s: %s", path, refusals[i].message);
		_cleanup_(error_clear) struct error err = {0};
		static const struct config empty;
		struct config config;

		assert_refused(config_load(path, &config, &err), &err, ERROR_USAGE, expected);
		if (refusals[i].hint)
			assert_contains(err.hint, refusals[i].hint);
		assert_memory_equal(&config, &empty, sizeof(config));
	}
}

static void a_file_that_cannot_be_read_is_refused(void **state)
{
	_cleanup_free_ char *absent = below("absent.conf");
	_cleanup_(error_clear) struct error err = {0};
	struct config config;

	(void)state;
	assert_refused(config_load(absent, &config, &err), &err, ERROR_USAGE, absent);
	assert_contains(err.message, "no such file");
	assert_refused(config_load(fixture_folder, &config, &err), &err, ERROR_USAGE,
		       fixture_folder);
}

static void unknown_names_list_the_known(void **state)
{
	_cleanup_free_ char *path = fixture_write("kregress.conf", every_key, 0644);
	_cleanup_(error_clear) struct error variant = {0}, target = {0}, suite = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(config_release) struct config config;

	(void)state;
	assert_success(config_load(path, &config, &err), &err);
	assert_null(config_variant(&config, "full", &variant));
	assert_int_equal(variant.kind, ERROR_USAGE);
	assert_contains(variant.message, "no variant named 'full'");
	assert_contains(variant.hint, path);
	assert_contains(variant.hint, "a.b c");
	assert_contains(variant.hint, "local");
	assert_null(config_target(&config, "", &target));
	assert_contains(target.message, "no target named ''");
	assert_contains(target.hint, "vm box local");
	assert_null(config_suite(&config, "Core", &suite));
	assert_contains(suite.message, "no suite named 'Core'");
	assert_contains(suite.hint, "quick core");
}

#define folder_test(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		folder_test(every_key_reaches_its_field),
		folder_test(defaults_without_a_file),
		folder_test(the_current_folders_file_is_read),
		folder_test(defaults_of_a_file_that_leaves_things_open),
		folder_test(refusals_name_file_key_and_remedy),
		folder_test(a_file_that_cannot_be_read_is_refused),
		folder_test(unknown_names_list_the_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
