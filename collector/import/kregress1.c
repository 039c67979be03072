/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exchange format kregress-1, which states level, unit, direction and machine itself. */
#include <string.h>

#include "collector/import/importer.h"
#include "common/alloc.h"
#include "store/exchange.h"

/* A header line is shorter than this. */
#define HEADER_BYTES 4096

/* A header of any version counts, so that an unknown version is named as the error. */
bool kregress1_recognise(const char *text, size_t length)
{
	_cleanup_free_ char *line = NULL;

	if (!length || text[0] != '{')
		return false;
	line = xstrndup(text, length < HEADER_BYTES ? length : HEADER_BYTES);
	line[strcspn(line, "\n")] = '\0';
	return strstr(line, "\"format\"") && strstr(line, "\"kregress-");
}

int kregress1_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	if (exchange_read(input->name, input->text, input->length, sets, err) == 0)
		return 0;
	return error_hint(err, "the file is damaged or not complete: export it again");
}
