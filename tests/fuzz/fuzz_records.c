/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz target: the reader of the agent's record stream takes arbitrary bytes in pieces of any size.
 * The pieces do not matter, damage names its record, and what was read can be exchanged. The first
 * byte is the size of the pieces.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collector/records.h"
#include "store/exchange.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void read_in_pieces(struct record_reader *reader, struct run_set *set, const char *text,
			   size_t length, size_t piece)
{
	run_set_init(set, "fuzz");
	run_set_add_boot(set);
	record_reader_init(reader, set, 0);
	for (size_t at = 0; at < length; at += piece)
		record_reader_feed(reader, text + at, length - at < piece ? length - at : piece);
	record_reader_finish(reader);
}

static void check_reader(const struct record_reader *reader)
{
	require(!reader->ended || !reader->damage);
	require(!reader->failed || reader->ended);
	require(!reader->damage || !strncmp(reader->damage, "record ", 7));
	for (const char *c = reader->damage; c && *c; c++)
		require((unsigned char)*c >= 0x20);
}

static void check_samples(const struct run_set *set)
{
	array_for_each (series, &set->series) {
		require(series->samples.count > 0);
		array_for_each (sample, &series->samples)
			require(isfinite(sample->value) && sample->value >= 0 && sample->boot == 0);
	}
}

/* The set as an exchange document; the ids, which are random, are made equal. */
static void write_set(struct strbuf *out, struct run_set *set)
{
	struct run_set *items[] = {set};
	const struct run_set_list list = {items, 1, 1};

	replace_string(&set->id, "0123456789abcdef0123456789abcdef");
	exchange_write(out, &list);
}

static void check_exchange(const struct strbuf *document)
{
	_cleanup_(run_set_list_release) struct run_set_list back = {0};
	_cleanup_(error_clear) struct error err = {0};

	require(exchange_read("again", strbuf_text(document), document->length, &back, &err) == 0);
	require(back.count == 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	_cleanup_(strbuf_release) struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;
	_cleanup_(run_set_release) struct run_set whole_set, set;
	_cleanup_(record_reader_release) struct record_reader whole, reader;
	size_t piece = length ? (size_t)bytes[0] + 1 : 1;
	const char *text = (const char *)bytes + (length ? 1 : 0);

	length -= length ? 1 : 0;
	read_in_pieces(&whole, &whole_set, text, length, length ? length : 1);
	read_in_pieces(&reader, &set, text, length, piece);
	check_reader(&whole);
	check_samples(&whole_set);
	require(whole.count == reader.count && whole.ended == reader.ended);
	require(!whole.damage == !reader.damage);
	require(!whole.damage || !strcmp(whole.damage, reader.damage));
	write_set(&first, &whole_set);
	write_set(&second, &set);
	require(!strcmp(strbuf_text(&first), strbuf_text(&second)));
	check_exchange(&first);
	return 0;
}
