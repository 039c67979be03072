/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A connection to a machine under test through the system's ssh client. One master process holds
 * it (ssh_config(5), ControlMaster); commands and copies go over its control socket, without
 * another login. Nothing is ever asked: BatchMode. What the machine needs is sh, cat and the like.
 */
#ifndef KREGRESS_COLLECTOR_SSH_SESSION_H
#define KREGRESS_COLLECTOR_SSH_SESSION_H

#include <stdbool.h>
#include <sys/types.h>

#include "collector/config.h"
#include "common/error.h"
#include "common/strbuf.h"

struct ssh_session {
	const struct target_config *target;
	char *folder; /* of this machine: control socket, what commands print */
	char *socket;
	pid_t master;
	bool unreachable; /* after a failure to open: no answer, rather than a refusal */
};

/*
 * Connects. ERROR_HARNESS says why it cannot, with what to do: host key, login, no answer;
 * ERROR_INTERRUPTED after a signal. Whatever it returns, ssh_session_close() ends it.
 */
int ssh_session_open(struct ssh_session *session, const struct target_config *target,
		     struct error *err) __must_check;

/* Drops the connection; nothing stays here. All zero is closed. */
void ssh_session_close(struct ssh_session *session);

/*
 * Runs a script by the machine's sh and appends what it prints to `*output` (may be NULL). Its
 * standard input is `input_fd`, or empty with -1. Returns its exit code, 255 when the connection
 * broke; -1 when it could not be run or took longer than `timeout_s`. With a code above 0, `err`
 * is set, too: it says what the script said on stderr.
 */
int ssh_session_run(const struct ssh_session *session, const char *script, int input_fd,
		    double timeout_s, struct strbuf *output, struct error *err) __must_check;

/* The same for scripts that have to exit with 0: 0 or -1. */
int ssh_session_must(const struct ssh_session *session, const char *script, double timeout_s,
		     struct strbuf *output, struct error *err) __must_check;

/* Copies a file to `path` on the machine, with execute permission on request. */
int ssh_session_copy(const struct ssh_session *session, const char *local, const char *path,
		     bool executable, struct error *err) __must_check;

/* The same for a text. */
int ssh_session_write(const struct ssh_session *session, const char *text, const char *path,
		      struct error *err) __must_check;

/*
 * Removes a folder on the machine, if it can still be asked to; also after a signal to this
 * process. Takes a few seconds at most.
 */
void ssh_session_remove(const struct ssh_session *session, const char *folder);

/*
 * Appends the words of an ssh command that runs `script` on the machine over a connection of its
 * own: it dies with the process, and the script's standard input ends then.
 */
void ssh_direct_argv(const struct target_config *target, const char *script,
		     struct string_list *argv);

/* Appends `text` as one word of sh's. */
void ssh_append_quoted(struct strbuf *out, const char *text);

/* Sets the error for what ssh said on stderr; returns true when the machine gave no answer. */
bool ssh_explain(const struct target_config *target, const char *said, struct error *err);

#endif
