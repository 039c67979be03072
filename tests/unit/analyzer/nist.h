/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NIST's univariate data sets, where the reference data are at hand. */
#ifndef KREGRESS_TESTS_UNIT_ANALYZER_NIST_H
#define KREGRESS_TESTS_UNIT_ANALYZER_NIST_H

#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/file.h"

/* The values of a set, or 0 when the folder of reference data is absent. */
static inline size_t nist_read(const char *name, double *values, size_t room)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
	_cleanup_free_ char *path = xasprintf("%s/stats/nist/%s.dat", SHARED_DATA, name);
	const char *position;
	size_t n = 0;

	if (!file_exists(path))
		return 0;
	if (file_read(path, &content, &err))
		fail_msg("%s", err.message);
	position = strstr(content.text, "Data: Y");
	position = position ? strstr(position, "---\n") : NULL;
	assert_non_null(position);
	position += 4;
	while (n < room) {
		char *end;
		double value = strtod(position, &end);

		if (end == position)
			break;
		values[n++] = value;
		position = end;
	}
	return n;
}

#endif
