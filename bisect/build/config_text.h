/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernel configurations (.config) as text: what they say, whatever order and comments. Pure. */
#ifndef KREGRESS_BISECT_BUILD_CONFIG_TEXT_H
#define KREGRESS_BISECT_BUILD_CONFIG_TEXT_H

#include <stdbool.h>

#include "common/array.h"
#include "common/strbuf.h"

/*
 * "CONFIG_X=y" and "# CONFIG_X is not set" as sorted "X=y" and "X=n"; other lines are dropped, and
 * so is what only describes the compiler. The last line of a symbol counts, as for kconfig.
 */
void config_symbols(const char *text, struct string_list *symbols);

/* Digest of the symbols that are set; owned by the caller. */
char *config_digest(const char *text);

/* True when the symbol (without CONFIG_) is "y". */
bool config_is_set(const char *text, const char *symbol);

/*
 * Appends a line "X: y -> n" for each symbol of `wanted` that `got` has otherwise, and returns how
 * many. A symbol that is missing counts as "n"; symbols that only `got` has are not listed: they
 * came with the commit.
 */
size_t config_append_differences(struct strbuf *out, const char *wanted, const char *got);

#endif
