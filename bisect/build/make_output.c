/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/build/make_output.h"

#include <stdbool.h>
#include <string.h>

#include "common/alloc.h"
#include "common/array.h"
#include "common/strbuf.h"
#include "common/text.h"

static const char space_advice[] = "make room, or lower kregress.build-cache-mb";
static const char memory_advice[] = "build with fewer jobs, or add memory";
static const char package_advice[] =
	"install what building kernels needs (Debian: bc bison flex libelf-dev libssl-dev)";

/* What no source code can cause. Where `beside` is given, it has to stand in the same line. */
static const struct {
	const char *text;
	const char *beside;
	const char *advice;
} lab_signs[] = {
	{"No space left on device", NULL, space_advice},
	{"Disk quota exceeded", NULL, space_advice},
	{"Read-only file system", NULL, NULL},
	{"Input/output error", NULL, NULL},
	{"Too many open files", NULL, NULL},
	{"Killed signal terminated program", NULL, memory_advice},
	{"virtual memory exhausted", NULL, memory_advice},
	{"Cannot allocate memory", NULL, memory_advice},
	{"Error 137", NULL, memory_advice},
	{"] Killed", NULL, memory_advice},
	{"command not found", NULL, package_advice},
	{": not found", "sh: ", package_advice},
	{"No such file or directory", "make: ", package_advice},
	{"No such file or directory", "gelf.h", package_advice},
	{"No such file or directory", "libelf.h", package_advice},
	{"No such file or directory", "<openssl/", package_advice},
	{"No such file or directory", "error: openssl/", package_advice},
	{"cannot find -lelf", NULL, package_advice},
	{"cannot find -lcrypto", NULL, package_advice},
};

/* What a first error looks like, the plainest first. */
static const char *const error_signs[] = {"error: ", "Error: ", "undefined reference",
					  "ERROR: ", "*** "};

static bool is_lab_line(const char *line, size_t sign)
{
	return strstr(line, lab_signs[sign].text) &&
	       (!lab_signs[sign].beside || strstr(line, lab_signs[sign].beside));
}

static char *shortened(const char *line, const char *source)
{
	_cleanup_(strbuf_release) struct strbuf visible = STRBUF_INIT;
	size_t length = strlen(source);
	const char *at = length ? strstr(line, source) : NULL;

	if (at) {
		strbuf_append_bytes(&visible, line, (size_t)(at - line));
		line = at + length + (at[length] == '/');
	}
	text_append_visible(&visible, line);
	return xstrndup(strbuf_text(&visible), visible.length < 300 ? visible.length : 300);
}

static const char *first_with(const struct string_list *lines, const char *sign)
{
	array_for_each (line, lines)
		if (strstr(*line, sign))
			return *line;
	return NULL;
}

static const char *first_error(const struct string_list *lines)
{
	for (size_t i = 0; i < ARRAY_SIZE(error_signs); i++) {
		const char *line = first_with(lines, error_signs[i]);

		if (line)
			return line;
	}
	return lines->count ? lines->items[lines->count - 1] : "make said nothing";
}

struct make_failure make_failure_read(const char *output, const char *source)
{
	_cleanup_(string_list_release) struct string_list lines = {0};
	struct make_failure failure = {0};

	string_list_split(&lines, output, "\r\n");
	for (size_t sign = 0; sign < ARRAY_SIZE(lab_signs) && !failure.lab_cause; sign++)
		array_for_each (line, &lines)
			if (!failure.lab_cause && is_lab_line(*line, sign)) {
				failure.lab_cause = shortened(*line, source);
				failure.lab_advice = lab_signs[sign].advice;
			}
	failure.first_error = shortened(first_error(&lines), source);
	return failure;
}

void make_failure_release(struct make_failure *failure)
{
	free(failure->lab_cause);
	free(failure->first_error);
	*failure = (struct make_failure){0};
}
