/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine under test, reached by ssh. A boot is: the variant's kernel is copied there and booted
 * once (ssh_boot.h), the agent and the module are copied, and an ssh process carries the records on
 * its standard output.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "collector/ssh_boot.h"
#include "collector/target.h"
#include "common/file.h"
#include "common/process.h"

/*
 * Starts the agent in the folder $1 and removes the folder at the end. The standard input ends
 * when the connection does: then, and when ssh is stopped here, the agent is stopped. It gets time
 * to put back what it changed.
 */
static const char agent_script[] =
	"trap : HUP TERM PIPE\n"
	"cd \"$1\" || exit\n"
	"echo $$ >pid || exit\n"
	"exec 3<&0\n"
	"./kregress-agent --plan plan </dev/null 3<&- &\n"
	"agent=$!\n"
	"echo $agent >agent\n"
	"(cat <&3; kill -TERM $agent; sleep 10; kill -KILL $agent) >/dev/null 2>&1 &\n"
	"watch=$!\n"
	"exec 3<&-\n"
	"wait $agent\n"
	"code=$?\n"
	"while kill -0 $agent 2>/dev/null; do wait $agent; code=$?; done\n"
	"kill $watch 2>/dev/null\n"
	"cd /\n"
	"rm -rf \"$1\"\n"
	"exit $code\n";

/* What a user who is not root can be asked for. */
static int check_rights(const struct prepared_variant *variant, const struct ssh_machine *machine,
			struct error *err)
{
	const struct target_config *target = variant->target_config;

	if (variant->config->kernel || variant->module) {
		error_set(err, ERROR_USAGE,
			  "%s: the login is not root's (user number %s): it can neither load "
			  "kregress.ko nor boot a kernel",
			  target->host, machine->user);
		return error_hint(err,
				  "set target.%s.user = root; without kernel, kdir and module any "
				  "user will do",
				  target->name);
	}
	if (target->reboot && !strcmp(target->reboot_command, "reboot")) {
		error_set(err, ERROR_USAGE,
			  "%s: the login is not root's (user number %s): it cannot reboot",
			  target->host, machine->user);
		return error_hint(err,
				  "set target.%s.reboot-command, such as sudo -n reboot, or "
				  "reboot = false",
				  target->name);
	}
	return 0;
}

static int check_machine(const struct prepared_variant *variant, const struct ssh_machine *machine,
			 struct error *err)
{
	const struct target_config *target = variant->target_config;
	struct utsname here;

	if (uname(&here) == 0 && strcmp(here.machine, machine->arch) != 0)
		return error_set(err, ERROR_USAGE,
				 "%s is a machine of kind %s, the agent is for %s", target->host,
				 machine->arch, here.machine);
	if (strcmp(machine->user, "0") != 0 && check_rights(variant, machine, err) < 0)
		return -1;
	if (variant->config->kernel && !strcmp(target->install, "kexec") && !*machine->kexec) {
		error_set(err, ERROR_USAGE, "%s: has no kexec", target->host);
		return error_hint(err,
				  "install it there (Debian: kexec-tools), or set "
				  "target.%s.install = command and boot-command",
				  target->name);
	}
	return 0;
}

static int check_files(const struct variant_config *config, struct error *err)
{
	if (config->kernel && access(config->kernel, R_OK) < 0)
		return error_set_errno(err, ERROR_USAGE, errno, "kernel image %s", config->kernel);
	if (config->initrd && access(config->initrd, R_OK) < 0)
		return error_set_errno(err, ERROR_USAGE, errno, "initrd %s", config->initrd);
	if (config->append && !config->kernel) {
		error_set(err, ERROR_USAGE,
			  "a command line is given, but no kernel to boot with it");
		return error_hint(err, "set variant.%s.kernel, or remove append", config->name);
	}
	return 0;
}

static void describe(struct prepared_variant *variant, const struct ssh_machine *machine)
{
	const struct target_config *target = variant->target_config;
	bool boots = variant->config->kernel || target->reboot;

	variant->machine = xasprintf("%s x%s", *machine->model ? machine->model : machine->arch,
				     machine->cpus);
	variant->level = boots ? LEVEL_BOOT : LEVEL_INVOCATION;
	environment_set(&variant->environment, "target.host", target->host);
	environment_set(&variant->environment, "target.boot",
			!boots			   ? "none: runs within one boot"
			: !variant->config->kernel ? "reboot"
						   : target->install);
	if (variant->config->kernel)
		environment_set(&variant->environment, "kernel.image", variant->config->kernel);
}

static int ssh_prepare(struct prepared_variant *variant, const struct plan *plan,
		       const struct config *config, const struct log *log, struct error *err)
{
	_cleanup_(ssh_session_close) struct ssh_session session = {.master = -1};
	_cleanup_(ssh_machine_release) struct ssh_machine machine = {0};

	(void)plan;
	(void)config;
	if (check_files(variant->config, err) < 0)
		return -1;
	log_progress(log, "asking %s", variant->target_config->host);
	if (ssh_reach(&session, variant->target_config, &machine, err) < 0 ||
	    check_machine(variant, &machine, err) < 0)
		return -1;
	describe(variant, &machine);
	if (variant->level == LEVEL_INVOCATION)
		log_note(log,
			 "%s: %s is not rebooted: boots are runs within one boot, and what differs "
			 "from boot to boot is not in the figures",
			 variant->config->name, variant->target_config->host);
	return 0;
}

/* Brings the machine to the state that the variant asks for. As ssh_boot_kernel(). */
static int bring_up(const struct prepared_variant *variant, struct ssh_session *session,
		    struct ssh_machine *machine, struct error *err)
{
	const struct target_config *target = variant->target_config;
	_cleanup_free_ char *token = ssh_boot_token(machine->cmdline);

	if (variant->config->kernel)
		return ssh_boot_kernel(session, variant->config, machine, err);
	if (target->reboot)
		return ssh_reboot(session, machine, err);
	if (!*token)
		return 0;
	error_set(err, ERROR_HARNESS, "%s runs the kernel of another variant (%s)", target->host,
		  machine->release);
	return error_hint(err, "reboot it, or remove target.%s.reboot = false", target->name);
}

static int copy_parts(const struct prepared_variant *variant, const struct plan *plan,
		      const struct ssh_session *session, const char *folder, struct error *err)
{
	_cleanup_free_ char *agent = xasprintf("%s/kregress-agent", folder);
	_cleanup_free_ char *module = xasprintf("%s/kregress.ko", folder);
	_cleanup_free_ char *plan_path = xasprintf("%s/plan", folder);
	_cleanup_free_ char *text =
		variant_plan_text(variant, plan, variant->module ? module : NULL, 0);

	if (ssh_session_copy(session, variant->agent, agent, true, err) < 0 ||
	    ssh_session_write(session, text, plan_path, err) < 0)
		return -1;
	if (variant->module && ssh_session_copy(session, variant->module, module, false, err) < 0)
		return -1;
	return 0;
}

/* Made over the session, removed by the agent's script, or here when it comes to none. */
static int copy_there(const struct prepared_variant *variant, const struct plan *plan,
		      const struct ssh_session *session, char **folder, struct error *err)
{
	if (ssh_make_folder(session, folder, err) < 0)
		return -1;
	if (copy_parts(variant, plan, session, *folder, err) == 0)
		return 0;
	ssh_session_remove(session, *folder);
	return -1;
}

/* A standard input that stays open as long as the process that reads it. */
static int open_endless(const char *work, struct error *err)
{
	_cleanup_free_ char *path = xasprintf("%s/input", work);
	int fd;

	if (mkfifo(path, 0600) < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s", path);
	fd = open(path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? error_set_errno(err, ERROR_IO, errno, "%s", path) : fd;
}

static int start_agent(const struct target_config *target, const char *folder, const char *work,
		       int record_fd, pid_t *pid, struct error *err)
{
	_cleanup_free_ char *errors_path = xasprintf("%s/" BOOT_ERRORS_FILE, work);
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_(strbuf_release) struct strbuf script = STRBUF_INIT;
	_cleanup_close_ int input = open_endless(work, err);
	_cleanup_close_ int errors = -1;

	if (input < 0)
		return -1;
	errors = open(errors_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (errors < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s", errors_path);
	strbuf_append(&script, "set -- ");
	ssh_append_quoted(&script, folder);
	strbuf_printf(&script, "\n%s", agent_script);
	ssh_direct_argv(target, strbuf_text(&script), &argv);
	struct process_streams streams = {input, record_fd, errors};
	return process_start(&argv, &streams, pid, err);
}

static int ssh_launch(const struct prepared_variant *variant, const struct plan *plan,
		      const char *work, int record_fd, pid_t *pid, struct error *err)
{
	_cleanup_(ssh_session_close) struct ssh_session session = {.master = -1};
	_cleanup_(ssh_machine_release) struct ssh_machine machine = {0};
	_cleanup_free_ char *folder = NULL;
	int result;

	if (ssh_reach(&session, variant->target_config, &machine, err) < 0)
		return -1;
	result = bring_up(variant, &session, &machine, err);
	if (result != 0)
		return result;
	if (copy_there(variant, plan, &session, &folder, err) < 0)
		return -1;
	if (start_agent(variant->target_config, folder, work, record_fd, pid, err) == 0)
		return 0;
	ssh_session_remove(&session, folder);
	return -1;
}

/* Reboots into the machine's own kernel when it still runs a variant's. */
static int ssh_finish(const struct prepared_variant *variant, const struct log *log,
		      struct error *err)
{
	const struct target_config *target = variant->target_config;
	_cleanup_(ssh_session_close) struct ssh_session session = {.master = -1};
	_cleanup_(ssh_machine_release) struct ssh_machine machine = {0};
	_cleanup_free_ char *token = NULL;

	if (!target->return_first)
		return 0;
	log_progress(log, "returning %s to its own kernel", target->host);
	if (ssh_reach(&session, target, &machine, err) < 0)
		return -1;
	token = ssh_boot_token(machine.cmdline);
	if (!*token && strcmp(target->install, "command") != 0)
		return 0;
	if (ssh_reboot(&session, &machine, err) < 0)
		return -1;
	log_note(log, "%s runs its own kernel again: %s", target->host, machine.release);
	return 0;
}

const struct target target_ssh = {
	.kind = "ssh",
	.prepare = ssh_prepare,
	.launch = ssh_launch,
	.finish = ssh_finish,
	.process_name = "ssh",
	.one_at_a_time = true,
};
