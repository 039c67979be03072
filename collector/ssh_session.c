/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/ssh_session.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "collector/host.h"
#include "common/alloc.h"
#include "common/file.h"
#include "common/process.h"
#include "common/text.h"

enum {
	CONNECT_TIMEOUT_S = 15, /* also for each of the steps of a login */
	COPY_TIMEOUT_S = 600,
	REMOVE_TIMEOUT_S = 10,
	SOCKET_SUFFIX = 20, /* what ssh appends to the socket's name while it makes it */
};

void ssh_append_quoted(struct strbuf *out, const char *text)
{
	strbuf_append_char(out, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			strbuf_append(out, "'\\''");
		else
			strbuf_append_char(out, *text);
	}
	strbuf_append_char(out, '\'');
}

/* The words that every call has. */
static void common_argv(const struct target_config *target, struct string_list *argv)
{
	static const char *const options[] = {
		"-T",
		"-o",
		"BatchMode=yes",
		"-o",
		"ServerAliveInterval=10",
		"-o",
		"ServerAliveCountMax=3",
		"-o",
		"ControlPersist=no",
		"-o",
		"ForwardX11=no",
		"-o",
		"ForwardAgent=no",
		"-o",
		"ClearAllForwardings=yes",
	};
	_cleanup_free_ char *timeout = xasprintf("ConnectTimeout=%d", CONNECT_TIMEOUT_S);

	string_list_add(argv, "ssh");
	if (target->ssh_config) {
		string_list_add(argv, "-F");
		string_list_add(argv, target->ssh_config);
	}
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		string_list_add(argv, options[i]);
	string_list_add(argv, "-o");
	string_list_add(argv, timeout);
	if (target->port) {
		_cleanup_free_ char *port = xasprintf("%llu", (unsigned long long)target->port);

		string_list_add(argv, "-p");
		string_list_add(argv, port);
	}
	if (target->user) {
		string_list_add(argv, "-l");
		string_list_add(argv, target->user);
	}
	if (target->identity) {
		string_list_add(argv, "-o");
		string_list_add(argv, "IdentitiesOnly=yes");
		string_list_add(argv, "-i");
		string_list_add(argv, target->identity);
	}
}

/* The login shell may be any: it starts sh. */
static void add_script(const char *host, const char *script, struct string_list *argv)
{
	_cleanup_(strbuf_release) struct strbuf command = STRBUF_INIT;

	strbuf_append(&command, "exec sh -c ");
	ssh_append_quoted(&command, script);
	string_list_add(argv, "--");
	string_list_add(argv, host);
	string_list_add(argv, strbuf_text(&command));
}

void ssh_direct_argv(const struct target_config *target, const char *script,
		     struct string_list *argv)
{
	common_argv(target, argv);
	string_list_add(argv, "-S");
	string_list_add(argv, "none");
	add_script(target->host, script, argv);
}

static void socket_argv(const struct ssh_session *session, const char *script,
			struct string_list *argv)
{
	common_argv(session->target, argv);
	string_list_add(argv, "-S");
	string_list_add(argv, session->socket);
	add_script(session->target->host, script, argv);
}

static const struct sign {
	const char *text;
	const char *meaning;
	const char *advice;
	bool unreachable;
} signs[] = {
	{"IDENTIFICATION HAS CHANGED", "the machine's host key is not the one that is known",
	 "if it was installed anew: ssh-keygen -R HOST, then log in once by hand", false},
	{"Host key verification failed", "the machine's host key is not known here",
	 "log in once by hand and check the key's fingerprint", false},
	{"Permission denied (", "the login is refused",
	 "kregress logs in by key and never asks: put the public key into authorized_keys there, "
	 "and name the private one in target.NAME.identity unless ssh finds it by itself",
	 false},
	{"Too many authentication failures", "the login is refused",
	 "name the key in target.NAME.identity", false},
	{"UNPROTECTED PRIVATE KEY", "the private key can be read by others", "chmod 600 it", false},
	{"Could not resolve hostname", "the host name is unknown", "check target.NAME.host", false},
	{"No space left on device", "the disk is full there",
	 "make room, or choose another place in target.NAME.folder", false},
	{"Read-only file system", "the folder cannot be written there",
	 "choose another place in target.NAME.folder", false},
	{"Connection refused", "nothing answers at ssh's port",
	 "is the machine on, and does it run an SSH server at target.NAME.port?", true},
	{"No route to host", "the machine cannot be reached", "is it on?", true},
	{"timed out", "the machine does not answer", "is it on?", true},
	{"not responding", "the connection is lost: the machine does not answer", "is it on?",
	 true},
	{"Connection closed", "the connection is lost", "is the machine rebooting?", true},
	{"Connection reset", "the connection is lost", "is the machine rebooting?", true},
	{"kex_exchange_identification", "no SSH server answers", "is the machine rebooting?", true},
	{"Broken pipe", "the connection is lost", "is the machine on?", true},
};

bool ssh_explain(const struct target_config *target, const char *said, struct error *err)
{
	_cleanup_free_ char *tail = text_tail(said, 8);

	for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
		if (!strstr(said, signs[i].text))
			continue;
		error_set(err, ERROR_HARNESS, "%s: %s: %s", target->host, signs[i].meaning, tail);
		error_hint(err, "%s (target %s)", signs[i].advice, target->name);
		return signs[i].unreachable;
	}
	error_set(err, ERROR_HARNESS, "%s: %s", target->host,
		  *tail ? tail : "ssh ended without a word");
	return false;
}

static void explain_file(const struct target_config *target, const char *path, struct error *err,
			 bool *unreachable)
{
	_cleanup_(strbuf_release) struct strbuf said = STRBUF_INIT;
	_cleanup_(error_clear) struct error ignored = {0};

	if (file_read(path, &said, &ignored) < 0)
		strbuf_clear(&said);
	*unreachable = ssh_explain(target, strbuf_text(&said), err);
}

static int start_master(struct ssh_session *session, const char *said, struct error *err)
{
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_close_ int errors = open(said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct process_streams streams = {-1, -1, errors};

	if (errors < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s", said);
	common_argv(session->target, &argv);
	string_list_add(&argv, "-M");
	string_list_add(&argv, "-S");
	string_list_add(&argv, session->socket);
	string_list_add(&argv, "-N");
	string_list_add(&argv, "--");
	string_list_add(&argv, session->target->host);
	if (process_start(&argv, &streams, &session->master, err) == 0)
		return 0;
	err->kind = ERROR_HARNESS;
	return error_hint(err, "install the ssh client (Debian: openssh-client)");
}

/* The socket is there as soon as the login is done. */
static int wait_for_socket(struct ssh_session *session, const char *said, struct error *err)
{
	double deadline_s = host_monotonic_s() + 3 * CONNECT_TIMEOUT_S;
	int ended = 0, status;

	while (ended == 0 && !file_exists(session->socket)) {
		ended = process_wait(&session->master, 0.02, &status);
		if (ended == 0 && host_monotonic_s() > deadline_s) {
			session->unreachable = true;
			return error_set(err, ERROR_HARNESS, "%s: no login within %d s",
					 session->target->host, 3 * CONNECT_TIMEOUT_S);
		}
	}
	if (ended < 0)
		return error_set(err, ERROR_INTERRUPTED, "interrupted");
	if (ended > 0) {
		explain_file(session->target, said, err, &session->unreachable);
		return -1;
	}
	return 0;
}

int ssh_session_open(struct ssh_session *session, const struct target_config *target,
		     struct error *err)
{
	_cleanup_free_ char *said = NULL;

	*session = (struct ssh_session){.target = target, .master = -1};
	if (folder_make_temporary(&session->folder, err) < 0)
		return -1;
	session->socket = xasprintf("%s/s", session->folder);
	said = xasprintf("%s/master", session->folder);
	if (strlen(session->socket) + SOCKET_SUFFIX >
	    sizeof(((struct sockaddr_un *)NULL)->sun_path)) {
		error_set(err, ERROR_USAGE, "%s: too long a path for ssh's control socket",
			  session->socket);
		return error_hint(err, "set TMPDIR to a folder with a shorter name");
	}
	if (start_master(session, said, err) < 0)
		return -1;
	return wait_for_socket(session, said, err);
}

void ssh_session_close(struct ssh_session *session)
{
	_cleanup_(error_clear) struct error ignored = {0};

	process_stop(&session->master);
	if (session->folder && folder_remove(session->folder, &ignored) < 0)
		error_clear(&ignored);
	free(session->folder);
	free(session->socket);
	*session = (struct ssh_session){.master = -1};
}

/* Runs the command with its streams in files. As ssh_session_run(), without the explanation. */
static int run_command(const struct string_list *argv, const struct process_streams *streams,
		       double timeout_s, struct error *err)
{
	int status = 0, ended;
	pid_t pid = -1;

	if (process_start(argv, streams, &pid, err) < 0)
		return -1;
	ended = process_wait(&pid, timeout_s, &status);
	if (ended > 0)
		return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
	process_stop(&pid);
	if (ended < 0)
		return error_set(err, ERROR_INTERRUPTED, "interrupted");
	return error_set(err, ERROR_HARNESS, "not done within %.0f s", timeout_s);
}

int ssh_session_run(const struct ssh_session *session, const char *script, int input_fd,
		    double timeout_s, struct strbuf *output, struct error *err)
{
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_free_ char *said = xasprintf("%s/said", session->folder);
	_cleanup_free_ char *printed = xasprintf("%s/printed", session->folder);
	_cleanup_close_ int out = open(printed, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	_cleanup_close_ int errors = open(said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool unreachable;
	int code;

	if (out < 0 || errors < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s", out < 0 ? printed : said);
	socket_argv(session, script, &argv);
	code = run_command(&argv, &(struct process_streams){input_fd, out, errors}, timeout_s, err);
	if (code < 0)
		return error_wrap(err, "%s", session->target->host);
	if (output && file_read(printed, output, err) < 0)
		return -1;
	if (code > 0)
		explain_file(session->target, said, err, &unreachable);
	return code;
}

int ssh_session_must(const struct ssh_session *session, const char *script, double timeout_s,
		     struct strbuf *output, struct error *err)
{
	return ssh_session_run(session, script, -1, timeout_s, output, err) == 0 ? 0 : -1;
}

static int copy_from(const struct ssh_session *session, int fd, const char *path, bool executable,
		     struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf script = STRBUF_INIT;

	strbuf_append(&script, "cat >");
	ssh_append_quoted(&script, path);
	if (executable) {
		strbuf_append(&script, " && chmod 700 ");
		ssh_append_quoted(&script, path);
	}
	return ssh_session_run(session, strbuf_text(&script), fd, COPY_TIMEOUT_S, NULL, err) ? -1
											     : 0;
}

int ssh_session_copy(const struct ssh_session *session, const char *local, const char *path,
		     bool executable, struct error *err)
{
	_cleanup_close_ int fd = open(local, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s", local);
	if (copy_from(session, fd, path, executable, err) < 0)
		return error_wrap(err, "copying %s", local);
	return 0;
}

int ssh_session_write(const struct ssh_session *session, const char *text, const char *path,
		      struct error *err)
{
	_cleanup_free_ char *local = xasprintf("%s/text", session->folder);

	if (file_write(local, text, strlen(text), err) < 0)
		return -1;
	return ssh_session_copy(session, local, path, false, err);
}

void ssh_session_remove(const struct ssh_session *session, const char *folder)
{
	static const struct process_streams nowhere = {-1, -1, -1};
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_(strbuf_release) struct strbuf script = STRBUF_INIT;
	_cleanup_(error_clear) struct error ignored = {0};
	double deadline_s = host_monotonic_s() + REMOVE_TIMEOUT_S;
	pid_t pid = -1;

	strbuf_append(&script, "rm -rf ");
	ssh_append_quoted(&script, folder);
	socket_argv(session, strbuf_text(&script), &argv);
	if (process_start(&argv, &nowhere, &pid, &ignored) < 0)
		return;
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		if (host_monotonic_s() > deadline_s) {
			process_stop(&pid);
			return;
		}
		usleep(10000);
	}
}
