/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON Lines carried inside an HTML page as a data block, a <script> of a type that no browser
 * runs: whoever gets the page by mail has the numbers, too.
 */
#ifndef KREGRESS_COMMON_EMBEDDED_H
#define KREGRESS_COMMON_EMBEDDED_H

#include <stdbool.h>
#include <stddef.h>

#include "common/strbuf.h"

/* Media type of the data block that holds a document of the format kregress-1. */
#define EMBEDDED_TYPE "application/x-kregress-1"

/*
 * Appends `json` (JSON Lines) as it may stand in a data block of HTML and XML alike: the
 * characters < > &, U+007F, U+FFFE and U+FFFF become \uNNNN, which JSON allows inside strings, the
 * only place they occur.
 */
void embedded_append(struct strbuf *out, const char *json, size_t length);

/*
 * Finds the content of the first data block of EMBEDDED_TYPE in a page: `*start` and `*size`
 * within `page`. False when there is none or it has no end. Any bytes may be given.
 */
bool embedded_find(const char *page, size_t length, size_t *start, size_t *size);

#endif
