/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of bounded width. */
#ifndef KREGRESS_REPORTS_WRAP_H
#define KREGRESS_REPORTS_WRAP_H

#include <stddef.h>

#include "common/strbuf.h"

/*
 * Appends `text` in lines of at most `width` columns, each but the first behind `indent` blanks,
 * the last with a line feed. Breaks at blanks, and within a word only where the word alone is too
 * long. The first line starts at column `used`. Control characters and ill-formed bytes come as
 * \xNN.
 */
void wrap_append(struct strbuf *out, const char *text, size_t used, size_t indent, size_t width);

#endif
