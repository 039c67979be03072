/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints an exchange document that makes use of every key, for the check against the schema. */
#include <stdio.h>

#include "store/exchange.h"
#include "tests/unit/store/sample_sets.h"

int main(void)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	sample_sets_make(&sets);
	exchange_write(&text, &sets);
	return fwrite(text.text, 1, text.length, stdout) == text.length && !fflush(stdout) ? 0 : 1;
}
