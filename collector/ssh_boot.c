/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/ssh_boot.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "collector/host.h"
#include "common/alloc.h"
#include "common/file.h"
#include "common/interrupt.h"
#include "common/process.h"
#include "store/run_set.h"

enum {
	RETRY_MS = 1000,
	COMMAND_TIMEOUT_S = 120,
	TOKEN_LENGTH = 12,
};

/*
 * A folder whose `pid` lives is in use; by a boot of the same owner, it is one that was given up.
 * $1 is where, $2 the owner.
 */
static const char folder_script[] =
	"for old in \"$1\"/kregress-ssh.*; do\n"
	"  [ -d \"$old\" ] || continue\n"
	"  pid=$(cat \"$old/pid\" 2>/dev/null)\n"
	"  owner=$(cat \"$old/owner\" 2>/dev/null)\n"
	"  if [ -n \"$pid\" ] && [ \"$owner\" != \"$2\" ] && kill -0 \"$pid\" 2>/dev/null; then\n"
	"    echo \"another measurement runs there: $owner, process $pid, $old\" >&2\n"
	"    exit 75\n"
	"  fi\n"
	"  agent=$(cat \"$old/agent\" 2>/dev/null)\n"
	"  [ -z \"$agent\" ] || kill -KILL \"$agent\" 2>/dev/null\n"
	"  rm -rf \"$old\"\n"
	"done\n"
	"folder=$(mktemp -d \"$1/kregress-ssh.XXXXXX\") || exit\n"
	"echo \"$2\" >\"$folder/owner\" || { rm -rf \"$folder\"; exit 1; }\n"
	"echo \"$folder\"\n";

static void sleep_unless_interrupted(int milliseconds)
{
	struct pollfd fd = {interrupt_fd(), POLLIN, 0};

	if (poll(&fd, 1, milliseconds) < 0) {
		/* A signal: whoever called looks at interrupt_signal(). */
	}
}

/* A new connection, and the answer to who is there. */
static int connect_and_ask(struct ssh_session *session, const struct target_config *target,
			   struct ssh_machine *machine, struct error *err)
{
	ssh_session_close(session);
	if (ssh_session_open(session, target, err) < 0)
		return -1;
	return ssh_machine_read(session, machine, err);
}

/*
 * Waits until the machine answers with another boot id than `before`. 0: it does; 1: time is up,
 * `err` says what it said last; -1: a signal came.
 */
static int wait_back(struct ssh_session *session, const struct target_config *target,
		     const char *before, struct ssh_machine *machine, struct error *err)
{
	double deadline_s = host_monotonic_s() + target->boot_timeout_s;

	while (host_monotonic_s() < deadline_s) {
		error_clear(err);
		if (interrupt_signal())
			return error_set(err, ERROR_INTERRUPTED, "interrupted");
		if (connect_and_ask(session, target, machine, err) == 0) {
			if (strcmp(machine->boot_id, before) != 0)
				return 0;
			error_set(err, ERROR_HARNESS, "%s: it has not gone down", target->host);
		}
		if (err->kind == ERROR_INTERRUPTED)
			return -1;
		ssh_session_close(session);
		sleep_unless_interrupted(RETRY_MS);
	}
	return 1;
}

/* Runs the power command here and waits for the machine; `why` is what made it needed. */
static int power_cycle(struct ssh_session *session, const struct target_config *target,
		       const char *before, struct ssh_machine *machine, struct error *err)
{
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_(strbuf_release) struct strbuf output = STRBUF_INIT;
	int back;

	string_list_add(&argv, "sh");
	string_list_add(&argv, "-c");
	string_list_add(&argv, target->power_command);
	if (process_run_read(&argv, COMMAND_TIMEOUT_S, &output, err) < 0)
		return error_wrap(err, "target.%s.power-command", target->name);
	back = wait_back(session, target, before, machine, err);
	if (back == 1) {
		error_wrap(err, "not back within %.0f s after the power command",
			   target->boot_timeout_s);
		return -1;
	}
	return back;
}

/*
 * The machine did not come back: the last way is its power. 1 when it is there again, with the
 * reason that the boot failed; -1 when it is lost.
 */
static int fall_back(struct ssh_session *session, const struct target_config *target,
		     const char *before, struct ssh_machine *machine, struct error *err)
{
	_cleanup_free_ char *last = xstrdup(err->message ? err->message : "");

	if (!target->power_command) {
		error_set(err, ERROR_HARNESS, "the machine is not back within %.0f s: %s",
			  target->boot_timeout_s, last);
		return error_hint(err,
				  "switch it on by hand; target.%s.power-command lets kregress "
				  "do that, boot-timeout gives it longer",
				  target->name);
	}
	error_clear(err);
	if (power_cycle(session, target, before, machine, err) < 0)
		return -1;
	error_set(err, ERROR_HARNESS,
		  "the machine was not back within %.0f s (%s); power-cycled, it runs %s",
		  target->boot_timeout_s, last, machine->release);
	return 1;
}

int ssh_reach(struct ssh_session *session, const struct target_config *target,
	      struct ssh_machine *machine, struct error *err)
{
	if (connect_and_ask(session, target, machine, err) == 0)
		return 0;
	if (!session->unreachable || !target->power_command)
		return -1;
	error_clear(err);
	return power_cycle(session, target, "", machine, err);
}

int ssh_make_folder(const struct ssh_session *session, char **folder, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf script = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf output = STRBUF_INIT;
	_cleanup_free_ char *host = host_name();
	_cleanup_free_ char *owner = xasprintf("%s:%ld", host, (long)getpid());
	_cleanup_free_ char *below = NULL;

	strbuf_append(&script, "set -- ");
	ssh_append_quoted(&script, session->target->folder);
	strbuf_append_char(&script, ' ');
	ssh_append_quoted(&script, owner);
	strbuf_printf(&script, "\n%s", folder_script);
	if (ssh_session_must(session, strbuf_text(&script), COMMAND_TIMEOUT_S, &output, err) < 0) {
		error_wrap(err, "making a folder below %s", session->target->folder);
		return -1;
	}
	*folder = xstrndup(strbuf_text(&output), strcspn(strbuf_text(&output), "\n"));
	below = xasprintf("%s/kregress-ssh.", session->target->folder);
	if (!strncmp(*folder, below, strlen(below)))
		return 0;
	error_set(err, ERROR_HARNESS, "%s: the machine answers '%s' where it makes a folder",
		  session->target->host, *folder);
	free(*folder);
	*folder = NULL;
	return error_hint(err, "does the login print something by itself?");
}

/* Begins what makes the connection break: after a second, so that this command still ends well. */
static void append_later(struct strbuf *script, const char *command)
{
	strbuf_printf(script, "sync\n(trap '' HUP; sleep 1; %s) </dev/null >/dev/null 2>&1 &\n",
		      command);
}

/* systemd stops services and unmounts before it kexecs what is loaded. */
static void append_kexec(struct strbuf *script, const char *folder, bool initrd,
			 const char *cmdline)
{
	strbuf_printf(script,
		      "PATH=$PATH:/usr/sbin:/sbin\n"
		      "kexec -l %s/kernel%s%s%s --command-line=",
		      folder, initrd ? " --initrd=" : "", initrd ? folder : "",
		      initrd ? "/initrd" : "");
	ssh_append_quoted(script, cmdline);
	/* Not its own code: kexec exits with 255, as ssh does for a broken connection. */
	strbuf_printf(script, " || exit 1\nrm -rf %s\n", folder);
	append_later(script, "if [ -d /run/systemd/system ]; then systemctl kexec; "
			     "else kexec -e; fi");
}

static void append_boot_command(struct strbuf *script, const char *folder, bool initrd,
				const char *cmdline, const char *command)
{
	strbuf_printf(script, "export KREGRESS_KERNEL=%s/kernel\n", folder);
	if (initrd)
		strbuf_printf(script, "export KREGRESS_INITRD=%s/initrd\n", folder);
	strbuf_append(script, "export KREGRESS_CMDLINE=");
	ssh_append_quoted(script, cmdline);
	strbuf_printf(script, "\n%s\n", command);
}

static int copy_kernel(const struct ssh_session *session, const struct variant_config *variant,
		       const char *folder, struct error *err)
{
	_cleanup_free_ char *kernel = xasprintf("%s/kernel", folder);
	_cleanup_free_ char *initrd = xasprintf("%s/initrd", folder);

	if (ssh_session_copy(session, variant->kernel, kernel, false, err) < 0)
		return -1;
	if (variant->initrd && ssh_session_copy(session, variant->initrd, initrd, false, err) < 0)
		return -1;
	return 0;
}

/* Copies the kernel and sets it off. 1 when the machine refuses it; -1 when it cannot be asked. */
static int install(const struct ssh_session *session, const struct variant_config *variant,
		   const char *cmdline, struct error *err)
{
	bool by_command = !strcmp(session->target->install, "command");
	_cleanup_(strbuf_release) struct strbuf script = STRBUF_INIT;
	_cleanup_free_ char *folder = NULL;
	int code;

	if (ssh_make_folder(session, &folder, err) < 0)
		return -1;
	if (copy_kernel(session, variant, folder, err) < 0) {
		ssh_session_remove(session, folder);
		return -1;
	}
	if (by_command)
		append_boot_command(&script, folder, variant->initrd != NULL, cmdline,
				    session->target->boot_command);
	else
		append_kexec(&script, folder, variant->initrd != NULL, cmdline);
	code = ssh_session_run(session, strbuf_text(&script), -1, COMMAND_TIMEOUT_S, NULL, err);
	/* A command may take the machine down before ssh has its exit code. */
	if (code == 0 || (code == 255 && by_command))
		return 0;
	ssh_session_remove(session, folder);
	if (code < 0 || code == 255)
		return -1;
	error_wrap(err, by_command ? "boot-command" : "the machine refuses the kernel");
	return 1;
}

/* 0 when what came up is what was to be booted, else 1 with the reason. */
static int check_booted(const struct ssh_machine *machine, const char *token, const char *expected,
			struct error *err)
{
	_cleanup_free_ char *found = token ? ssh_boot_token(machine->cmdline) : NULL;

	if (expected && strcmp(machine->release, expected) != 0)
		error_set(err, ERROR_HARNESS,
			  "the machine came back with kernel %s instead of %s: it fell back",
			  machine->release, expected);
	else if (token && strcmp(found, token) != 0)
		error_set(err, ERROR_HARNESS,
			  "the machine came back with kernel %s, but not from this boot: its "
			  "command line is '%s'",
			  machine->release, machine->cmdline);
	else
		return 0;
	return 1;
}

int ssh_boot_kernel(struct ssh_session *session, const struct variant_config *variant,
		    struct ssh_machine *machine, struct error *err)
{
	const struct target_config *target = session->target;
	_cleanup_free_ char *expected = ssh_image_release(variant->kernel);
	_cleanup_free_ char *before = xstrdup(machine->boot_id);
	_cleanup_free_ char *token = run_set_make_id();
	_cleanup_free_ char *cmdline = NULL;
	bool by_kexec = !strcmp(target->install, "kexec");
	int result;

	token[TOKEN_LENGTH] = '\0';
	cmdline = ssh_boot_cmdline(machine->cmdline, token, variant->append);
	result = install(session, variant, cmdline, err);
	if (result != 0)
		return result;
	error_clear(err);
	result = wait_back(session, target, before, machine, err);
	if (result < 0)
		return -1;
	if (result > 0)
		return fall_back(session, target, before, machine, err);
	return check_booted(machine, by_kexec ? token : NULL, expected, err);
}

int ssh_reboot(struct ssh_session *session, struct ssh_machine *machine, struct error *err)
{
	const struct target_config *target = session->target;
	_cleanup_(strbuf_release) struct strbuf script = STRBUF_INIT;
	_cleanup_free_ char *before = xstrdup(machine->boot_id);
	int back;

	strbuf_append(&script, "PATH=$PATH:/usr/sbin:/sbin\n");
	append_later(&script, target->reboot_command);
	if (ssh_session_must(session, strbuf_text(&script), COMMAND_TIMEOUT_S, NULL, err) < 0)
		return error_wrap(err, "rebooting");
	back = wait_back(session, target, before, machine, err);
	if (back > 0)
		back = fall_back(session, target, before, machine, err);
	if (back > 0)
		error_clear(err); /* power-cycled is rebooted */
	return back < 0 ? -1 : 0;
}
