/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/agent/agent_process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int input_file(const char *text)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	lseek(fd, 0, SEEK_SET);
	return fd;
}

void agent_start(struct agent_process *agent, const char *program, const char *const *arguments,
		 const char *input, int output_fd)
{
	const char *list[8] = {program};
	int input_fd = input_file(input);

	for (size_t i = 0; i + 2 < 8 && arguments[i]; i++)
		list[i + 1] = arguments[i];
	agent->output_fd = output_fd >= 0 ? output_fd : memfd_create("output", MFD_CLOEXEC);
	agent->pid = fork();
	if (agent->pid == 0) {
		dup2(input_fd, 0);
		dup2(agent->output_fd, 1);
		execv(program, (char **)(void *)list);
		_exit(127);
	}
	close(input_fd);
}

int agent_wait(struct agent_process *agent)
{
	int status;

	if (waitpid(agent->pid, &status, 0) != agent->pid)
		return -1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

char *agent_output(const struct agent_process *agent)
{
	struct stat info;
	char *text;

	if (fstat(agent->output_fd, &info) < 0)
		abort();
	text = calloc(1, (size_t)info.st_size + 1);
	if (!text || pread(agent->output_fd, text, (size_t)info.st_size, 0) != info.st_size)
		abort();
	return text;
}

bool agent_await(const struct agent_process *agent, const char *text)
{
	const struct timespec step = {0, 10000000};

	for (int i = 0; i < 6000; i++) {
		char *output = agent_output(agent);
		bool found = strstr(output, text) != NULL;

		free(output);
		if (found)
			return true;
		nanosleep(&step, NULL);
	}
	return false;
}

static json_t *refuse(json_t *records, const char *line, const char *why)
{
	fprintf(stderr, "record '%.200s': %s\n", line, why);
	json_decref(records);
	return NULL;
}

static bool is_ascii(const char *line)
{
	for (; *line; line++)
		if (*line < 0x20 || *line > 0x7e)
			return false;
	return true;
}

static json_t *parse_lines(char *text)
{
	json_t *records = json_array();
	char *newline;

	for (; *text; text = newline + 1) {
		json_t *record;

		newline = strchr(text, '\n');
		if (!newline)
			return refuse(records, text, "cut");
		*newline = '\0';
		record = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
		if (!record || !is_ascii(text) || newline - text >= 65536)
			return refuse(records, text, "no record");
		if (json_integer_value(json_object_get(record, "seq")) !=
			    (json_int_t)json_array_size(records) ||
		    !json_is_string(json_object_get(record, "type"))) {
			json_decref(record);
			return refuse(records, text, "wrong seq or no type");
		}
		json_array_append_new(records, record);
	}
	return records;
}

static const char *string_of(json_t *record, const char *key)
{
	const char *value = json_string_value(json_object_get(record, key));

	return value ? value : "";
}

json_t *agent_records(const struct agent_process *agent, const char *status)
{
	char *text = agent_output(agent);
	json_t *records = parse_lines(text);
	size_t count = records ? json_array_size(records) : 0;
	json_t *last = count ? json_array_get(records, count - 1) : NULL;

	free(text);
	if (!records)
		return NULL;
	if (!last || strcmp(string_of(json_array_get(records, 0), "format"), "kregress-agent-1"))
		return refuse(records, "0", "no hello");
	if (strcmp(string_of(last, "type"), "end") || strcmp(string_of(last, "status"), status) ||
	    json_integer_value(json_object_get(last, "count")) != (json_int_t)count - 1)
		return refuse(records, "last", "not the end that was expected");
	return records;
}

json_t *agent_next(json_t *records, size_t *position, const char *type)
{
	while (*position < json_array_size(records)) {
		json_t *record = json_array_get(records, (*position)++);

		if (!strcmp(string_of(record, "type"), type))
			return record;
	}
	return NULL;
}

bool agent_left_nothing(void)
{
	return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}
