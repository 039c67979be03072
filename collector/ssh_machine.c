/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/ssh_machine.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "common/alloc.h"

enum { QUESTION_TIMEOUT_S = 60 };

static const char token_key[] = "kregress.boot=";

static const char question[] =
	"echo \"boot_id=$(cat /proc/sys/kernel/random/boot_id)\"\n"
	"echo \"release=$(uname -r)\"\n"
	"echo \"arch=$(uname -m)\"\n"
	"echo \"cmdline=$(cat /proc/cmdline)\"\n"
	"echo \"model=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)\"\n"
	"echo \"cpus=$(grep -c '^processor' /proc/cpuinfo)\"\n"
	"echo \"user=$(id -u)\"\n"
	"PATH=$PATH:/usr/sbin:/sbin\n"
	"echo \"kexec=$(command -v kexec)\"\n";

static const struct {
	const char *key;
	size_t offset;
} answers[] = {
	{"boot_id=", offsetof(struct ssh_machine, boot_id)},
	{"release=", offsetof(struct ssh_machine, release)},
	{"arch=", offsetof(struct ssh_machine, arch)},
	{"cmdline=", offsetof(struct ssh_machine, cmdline)},
	{"model=", offsetof(struct ssh_machine, model)},
	{"cpus=", offsetof(struct ssh_machine, cpus)},
	{"user=", offsetof(struct ssh_machine, user)},
	{"kexec=", offsetof(struct ssh_machine, kexec)},
};

static char **answer_slot(struct ssh_machine *machine, size_t index)
{
	return (char **)((char *)machine + answers[index].offset);
}

void ssh_machine_parse(const char *text, struct ssh_machine *machine)
{
	_cleanup_(string_list_release) struct string_list lines = {0};

	string_list_split(&lines, text, "\r\n");
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		size_t length = strlen(answers[i].key);

		array_for_each (line, &lines)
			if (!strncmp(*line, answers[i].key, length))
				replace_string(answer_slot(machine, i), *line + length);
		if (!*answer_slot(machine, i))
			*answer_slot(machine, i) = xstrdup("");
	}
}

void ssh_machine_release(struct ssh_machine *machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++)
		free(*answer_slot(machine, i));
	*machine = (struct ssh_machine){0};
}

int ssh_machine_read(const struct ssh_session *session, struct ssh_machine *machine,
		     struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf output = STRBUF_INIT;

	ssh_machine_release(machine);
	if (ssh_session_must(session, question, QUESTION_TIMEOUT_S, &output, err) < 0)
		return -1;
	ssh_machine_parse(strbuf_text(&output), machine);
	if (*machine->boot_id && *machine->release)
		return 0;
	error_set(err, ERROR_HARNESS, "%s: does not say which kernel it runs: %s",
		  session->target->host, strbuf_text(&output));
	return error_hint(err, "the machine has to run Linux, with /proc mounted and a sh");
}

/* Where the token's word begins, or NULL. */
static const char *find_token(const char *cmdline)
{
	const char *found = cmdline;

	while ((found = strstr(found, token_key)) && found > cmdline && found[-1] != ' ')
		found++;
	return found;
}

char *ssh_boot_token(const char *cmdline)
{
	const char *found = find_token(cmdline);

	if (!found)
		return xstrdup("");
	found += strlen(token_key);
	return xstrndup(found, strcspn(found, " "));
}

char *ssh_boot_cmdline(const char *cmdline, const char *token, const char *append)
{
	const char *found = find_token(cmdline);
	size_t length = found ? (size_t)(found - cmdline) : strlen(cmdline);

	while (length && cmdline[length - 1] == ' ')
		length--;
	return xasprintf("%.*s%s%s%s%s%s", (int)length, cmdline, length ? " " : "", token_key,
			 token, append && *append ? " " : "", append ? append : "");
}

char *ssh_image_release(const char *path)
{
	/* Offsets of the boot protocol: signature, and the version's place less 0x200. */
	enum { SIGNATURE = 0x202, VERSION = 0x20e, HEADER = 0x210, LONGEST = 128 };
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned char header[HEADER];
	char text[LONGEST + 1] = "";
	ssize_t got;

	if (fd < 0 || pread(fd, header, sizeof(header), 0) != (ssize_t)sizeof(header) ||
	    memcmp(header + SIGNATURE, "HdrS", 4) != 0)
		return NULL;
	got = pread(fd, text, LONGEST, 0x200 + header[VERSION] + 256 * header[VERSION + 1]);
	if (got <= 0)
		return NULL;
	return *text && *text != ' ' ? xstrndup(text, strcspn(text, " ")) : NULL;
}
