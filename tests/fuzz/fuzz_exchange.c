/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libFuzzer target: the reader of the exchange format takes arbitrary bytes; what it accepts is
 * written and read again without a difference.
 *
 * clang -fsanitize=fuzzer,address,undefined
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "store/exchange.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void read_or_abort(const struct strbuf *text, struct run_set_list *sets)
{
	_cleanup_(error_clear) struct error err = {0};

	if (exchange_read("again", text->text, text->length, sets, &err) < 0)
		abort();
}

static void check_round_trip(const struct run_set_list *sets)
{
	_cleanup_(strbuf_release) struct strbuf first = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf second = STRBUF_INIT;
	_cleanup_(run_set_list_release) struct run_set_list back = {0};

	exchange_write(&first, sets);
	read_or_abort(&first, &back);
	exchange_write(&second, &back);
	if (strcmp(first.text, second.text) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};

	if (exchange_read("fuzz", (const char *)bytes, length, &sets, &err) == 0)
		check_round_trip(&sets);
	else if (sets.count || !err.message || strncmp(err.message, "fuzz:", 5) != 0)
		abort();
	return 0;
}
