/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz target for the importers: any bytes, in the format that recognises them or, by the first
 * byte, in a given one, give run sets that the exchange format accepts, or an error with file,
 * line and hint and nothing else.
 */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/importer.h"
#include "common/strbuf.h"
#include "store/exchange.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void check_sets(const struct run_set_list *sets)
{
	_cleanup_(run_set_list_release) struct run_set_list again = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	require(sets->count > 0);
	for (size_t i = 0; i < sets->count; i++)
		array_for_each (series, &sets->items[i]->series)
			array_for_each (sample, &series->samples)
				require(isfinite(sample->value) &&
					sample->boot < sets->items[i]->boots.count);
	exchange_write(&text, sets);
	require(exchange_read("again", strbuf_text(&text), text.length, &again, &err) == 0);
	require(again.count == sets->count);
}

static size_t count_importers(void)
{
	size_t count = 0;

	while (importers[count].name)
		count++;
	return count;
}

/* "fuzz:3: cause", or "fuzz: cause" of a usage that does not fit. */
static void check_error(const struct error *err)
{
	require(!strncmp(err->message, "fuzz:", 5) && err->hint);
	require(err->kind == ERROR_USAGE || isdigit((unsigned char)err->message[5]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};
	struct import_input input = {.name = "fuzz", .created_at = "2026-11-30T20:33:07Z"};
	const char *format = "auto";

	if (!size)
		return 0;
	input.text = (const char *)data + 1;
	input.length = size - 1;
	if (data[0] >= 128)
		format = importers[data[0] % count_importers()].name;
	if (importer_read(format, &input, &sets, &err) == 0) {
		check_sets(&sets);
	} else {
		check_error(&err);
		require(!sets.count);
	}
	return 0;
}
