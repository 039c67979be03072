/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A kernel image under QEMU. The agent is the guest's first process; the first serial port is the
 * console, the second one, on QEMU's standard output, carries the records.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "collector/boot_run.h"
#include "collector/host.h"
#include "collector/host_tsc.h"
#include "collector/initramfs.h"
#include "collector/target.h"
#include "collector/tools.h"
#include "common/file.h"
#include "common/interrupt.h"
#include "common/process.h"
#include "common/text.h"

/* A working KVM boots a kernel well within this time. */
static const double kvm_probe_timeout_s = 25;

static int qemu_version(struct prepared_variant *variant, struct error *err)
{
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_free_ char *line = NULL;

	string_list_add(&argv, variant->target_config->qemu);
	string_list_add(&argv, "--version");
	if (process_run_read(&argv, 30, &text, err) < 0) {
		if (err->kind != ERROR_INTERRUPTED)
			err->kind = ERROR_HARNESS;
		return error_hint(err,
				  "install QEMU (Debian: qemu-system-x86) or name the program "
				  "in target.%s.qemu",
				  variant->target_config->name);
	}
	line = xstrndup(strbuf_text(&text), strcspn(strbuf_text(&text), "\n"));
	environment_set(&variant->environment, "target.qemu", line);
	return 0;
}

static int check_kernel(struct prepared_variant *variant, struct error *err)
{
	const char *kernel = variant->config->kernel;

	if (!kernel) {
		error_set(err, ERROR_USAGE, "no kernel image is given");
		return error_hint(err, "set variant.%s.kernel to a bzImage or vmlinuz",
				  variant->config->name);
	}
	if (access(kernel, R_OK) < 0)
		return error_set_errno(err, ERROR_USAGE, errno, "kernel image %s", kernel);
	environment_set(&variant->environment, "kernel.image", kernel);
	return 0;
}

/* config-RELEASE beside vmlinuz-RELEASE, as distributions lay it out. */
static char *guess_kernel_config(const char *kernel)
{
	const char *slash = strrchr(kernel, '/');
	const char *base = slash ? slash + 1 : kernel;
	const char *release = strncmp(base, "vmlinuz-", 8) ? NULL : base + 8;

	return release ? xasprintf("%.*sconfig-%s", (int)(base - kernel), kernel, release) : NULL;
}

static int digest_kernel_config(struct prepared_variant *variant, struct error *err)
{
	const struct variant_config *config = variant->config;
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf digest = STRBUF_INIT;
	_cleanup_free_ char *path = config->kernel_config ? xstrdup(config->kernel_config)
							  : guess_kernel_config(config->kernel);

	if (!path || (!config->kernel_config && !file_exists(path)))
		return 0;
	if (file_read(path, &text, err) < 0)
		return error_wrap(err, "variant.%s.config", config->name);
	text_append_digest(&digest, strbuf_text(&text), text.length, 40);
	environment_set(&variant->environment, "kernel.config_digest", strbuf_text(&digest));
	return 0;
}

static void add_words(struct string_list *argv, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		string_list_add(argv, words[i]);
}

/* An instruction takes a nanosecond of the guest's time: its counter runs at 1 GHz. */
#define ICOUNT_TSC_KHZ 1000000

/*
 * What an emulated guest should believe of its time stamp counter. On a busy host the kernel's own
 * calibration errs, and its watchdog would give the counter up. Owned by the caller.
 */
static char *tsc_parameters(const struct prepared_variant *variant)
{
	uint64_t khz = variant->target_config->icount ? ICOUNT_TSC_KHZ : host_tsc_khz();

	if (strcmp(variant->accel, "tcg"))
		return xstrdup("");
	if (!khz)
		return xstrdup(" no_timer_check tsc=reliable");
	return xasprintf(" no_timer_check tsc=reliable tsc_early_khz=%" PRIu64, khz);
}

/* The guest's command line. nokaslr: addresses, and with them instruction counts, repeat. */
static char *guest_cmdline(const struct prepared_variant *variant)
{
	_cleanup_free_ char *tsc = tsc_parameters(variant);

	return xasprintf("console=ttyS0 panic=-1 loglevel=5 %s%s%s",
			 variant->target_config->icount ? "nokaslr " : "",
			 variant->config->append ? variant->config->append : "", tsc);
}

/*
 * Where instructions are counted nothing else may differ between two boots: the guest's random
 * numbers come from the boot's number within its variant, its wall clock from its instructions.
 * Boot i of one variant can so be compared with boot i of another; boots of one variant differ.
 */
static void add_icount(struct string_list *argv, uint32_t block)
{
	static const char *const icount[] = {"-icount", "shift=0,sleep=off", "-rtc",
					     "base=2020-01-01T00:00:00,clock=vm", "-seed"};
	_cleanup_free_ char *seed = xasprintf("%" PRIu32, block + 1);

	add_words(argv, icount, ARRAY_SIZE(icount));
	string_list_add(argv, seed);
}

static void qemu_argv(const struct prepared_variant *variant, uint32_t block, const char *work,
		      struct string_list *argv)
{
	static const char *const fixed[] = {
		"-nodefaults", "-no-user-config", "-display",
		"none",	       "-no-reboot",	  "-monitor",
		"none",	       "-chardev",	  "stdio,id=records,signal=off",
		"-serial",
	};
	_cleanup_free_ char *memory =
		xasprintf("%llu", (unsigned long long)variant->target_config->memory_mb);
	_cleanup_free_ char *cpus =
		xasprintf("%llu", (unsigned long long)variant->target_config->cpus);
	_cleanup_free_ char *console = xasprintf("file:%s/" BOOT_CONSOLE_FILE, work);
	_cleanup_free_ char *initrd = xasprintf("%s/initramfs", work);
	_cleanup_free_ char *cmdline = guest_cmdline(variant);
	const char *const machine[] = {"-accel", variant->accel, "-m", memory, "-smp", cpus};
	const char *const guest[] = {
		console,   "-serial", "chardev:records", "-kernel", variant->config->kernel,
		"-initrd", initrd,    "-append",	 cmdline};

	string_list_add(argv, variant->target_config->qemu);
	add_words(argv, machine, ARRAY_SIZE(machine));
	if (!strcmp(variant->accel, "kvm"))
		add_words(argv, (const char *const[]){"-cpu", "host"}, 2);
	if (variant->target_config->icount)
		add_icount(argv, block);
	add_words(argv, fixed, ARRAY_SIZE(fixed));
	add_words(argv, guest, ARRAY_SIZE(guest));
}

static int qemu_launch(const struct prepared_variant *variant, const struct plan *plan,
		       const char *work, int record_fd, pid_t *pid, struct error *err)
{
	_cleanup_free_ char *plan_text =
		variant_plan_text(variant, plan, variant->module ? "/kregress/kregress.ko" : NULL,
				  variant->target_config->cpus);
	_cleanup_free_ char *initrd = xasprintf("%s/initramfs", work);
	_cleanup_free_ char *errors_path = xasprintf("%s/" BOOT_ERRORS_FILE, work);
	_cleanup_(string_list_release) struct string_list argv = {0}, files = {0};
	const struct tool_place tools_at = plan_tool_place(plan, variant->target_config->cpus);
	const struct initramfs content = {variant->agent, variant->module, plan_text, &files};
	_cleanup_close_ int errors = -1;

	if (tools_list_files(&plan->bench, &tools_at, &files, err) < 0 ||
	    initramfs_write(initrd, &content, err) < 0)
		return -1;
	errors = open(errors_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (errors < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s", errors_path);
	qemu_argv(variant, plan->block, work, &argv);
	struct process_streams streams = {-1, record_fd, errors};
	return process_start(&argv, &streams, pid, err);
}

/* Boots the variant once under KVM with next to nothing to do. 1: it works, 0: it does not. */
static int probe_kvm(struct prepared_variant *variant, struct error *err)
{
	struct suite_config tiny = {.repetitions = 1, .boots = 1, .timeout_s = 5};
	struct target_config quick = *variant->target_config;
	struct variant_config as_booted = *variant->config;
	struct prepared_variant trial = *variant;
	struct boot_run *run = xcalloc(1, sizeof(*run));
	struct schedule_slot slot = {0};
	struct plan plan;
	int result;

	quick.timeout_s = kvm_probe_timeout_s;
	trial.target_config = &quick;
	trial.accel = (char[]){"kvm"};
	trial.module = NULL;
	as_booted.switches = (struct string_list){0};
	trial.config = &as_booted;
	plan_init(&plan, &tiny);
	string_list_add(&plan.bench, "syscall.null");
	result = boot_run_start(run, &trial, &plan, &slot, err);
	if (result == 0) {
		result = boot_runs_wait(&run, 1, err);
		if (result == 0) {
			boot_run_end(run);
			result = run->set.boots.items[0].status == BOOT_OK;
		}
		boot_run_release(run);
	}
	plan_release(&plan);
	free(run);
	return result;
}

static int choose_accel(struct prepared_variant *variant, const struct log *log, struct error *err)
{
	const char *wanted = variant->target_config->accel;
	int works = 0;

	if (variant->target_config->icount || strcmp(wanted, "auto") != 0) {
		variant->accel = xstrdup(!strcmp(wanted, "kvm") ? "kvm" : "tcg");
		return 0;
	}
	if (access("/dev/kvm", R_OK | W_OK) == 0) {
		log_progress(log, "trying KVM, for at most %.0f s", kvm_probe_timeout_s);
		works = probe_kvm(variant, err);
		if (works < 0 && err->kind == ERROR_INTERRUPTED)
			return -1;
		error_clear(err);
	}
	if (works <= 0)
		log_note(log,
			 "%s: KVM does not work here, using TCG: times are those of an "
			 "emulator",
			 variant->config->name);
	variant->accel = xstrdup(works > 0 ? "kvm" : "tcg");
	return 0;
}

static int qemu_prepare(struct prepared_variant *variant, const struct plan *plan,
			const struct config *config, const struct log *log, struct error *err)
{
	const struct target_config *target = variant->target_config;
	_cleanup_free_ char *host = host_machine_class();

	(void)config;
	if (plan->cpus > target->cpus)
		return error_set(err, ERROR_USAGE,
				 "a loop on %llu CPUs needs a guest with that "
				 "many: target.%s.cpus is %llu",
				 (unsigned long long)plan->cpus, target->name,
				 (unsigned long long)target->cpus);
	if (qemu_version(variant, err) < 0 || check_kernel(variant, err) < 0 ||
	    digest_kernel_config(variant, err) < 0 || choose_accel(variant, log, err) < 0)
		return -1;
	variant->machine = target->icount ? xstrdup("qemu-tcg-icount")
					  : xasprintf("qemu-%s x%llu on %s", variant->accel,
						      (unsigned long long)target->cpus, host);
	environment_set(&variant->environment, "target.accel", variant->accel);
	environment_set(&variant->environment, "target.host", host);
	return 0;
}

const struct target target_qemu = {
	.kind = "qemu",
	.prepare = qemu_prepare,
	.launch = qemu_launch,
	.process_name = "QEMU",
};
