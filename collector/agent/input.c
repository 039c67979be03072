/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/input.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Makes room for one more block and the NUL; NULL (and `buffer` freed) when it cannot. */
static char *grow(char *buffer, size_t capacity)
{
	char *bigger = realloc(buffer, capacity + 1);

	if (!bigger)
		free(buffer);
	return bigger;
}

static char *give_up(char *buffer, int errno_value)
{
	free(buffer);
	errno = errno_value;
	return NULL;
}

char *input_read(int fd, size_t limit, size_t *length)
{
	const size_t block = 16384;
	size_t used = 0;
	char *buffer = NULL;

	for (;;) {
		ssize_t got;

		buffer = grow(buffer, used + block);
		if (!buffer)
			return give_up(NULL, ENOMEM);
		got = read(fd, buffer + used, block);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return give_up(buffer, errno);
		if (got == 0)
			break;
		used += (size_t)got;
		if (used > limit)
			return give_up(buffer, EFBIG);
	}
	buffer[used] = '\0';
	*length = used;
	return buffer;
}

char *input_read_file(const char *path, size_t limit, size_t *length)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text;
	int saved;

	if (fd < 0)
		return NULL;
	text = input_read(fd, limit, length);
	saved = errno;
	close(fd);
	errno = saved;
	return text;
}

bool input_read_value(const char *path, char *buffer, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, buffer, size - 1);
	close(fd);
	while (got > 0 && isspace((unsigned char)buffer[got - 1]))
		got--;
	if (got <= 0)
		return false;
	buffer[got] = '\0';
	return true;
}

char *input_next_line(char **cursor, bool *complete)
{
	char *line = *cursor;
	char *end;

	if (!*line)
		return NULL;
	end = strchr(line, '\n');
	*complete = end != NULL;
	if (end)
		*end = '\0';
	*cursor = end ? end + 1 : line + strlen(line);
	return line;
}

bool input_parse_u64(const char *text, uint64_t *value)
{
	uint64_t sum = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		unsigned digit = (unsigned)(*text - '0');

		if (*text < '0' || *text > '9' || sum > (UINT64_MAX - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*value = sum;
	return true;
}
