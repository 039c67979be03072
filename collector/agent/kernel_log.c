/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/kernel_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The kernel's own limit for a record is below that. */
#define RECORD_SIZE 8192

/* More records than the kernel's buffer holds: the bound of the loop. */
#define RECORDS_MAX 100000

int kernel_log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/* A record is "PRIORITY,SEQUENCE,TIME,FLAGS;MESSAGE" and lines of key and value behind it. */
void kernel_log_add_record(char *record, const char *who, char *text, size_t size)
{
	char *message = strchr(record, ';');
	size_t used = strlen(text);

	if (!message)
		return;
	message++;
	message[strcspn(message, "\n")] = '\0';
	if (strstr(message, who))
		snprintf(text + used, size - used, "%s%s", used ? "; " : "", message);
}

void kernel_log_take(int fd, const char *who, char *text, size_t size)
{
	char record[RECORD_SIZE];

	text[0] = '\0';
	if (fd < 0)
		return;
	for (int i = 0; i < RECORDS_MAX; i++) {
		ssize_t got = read(fd, record, sizeof(record) - 1);

		/* EPIPE: older records were overwritten, the next read goes on behind them. */
		if (got < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (got <= 0)
			break;
		record[got] = '\0';
		kernel_log_add_record(record, who, text, size);
	}
	close(fd);
}
