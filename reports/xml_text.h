/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text from outside made fit for XML 1.0: libxml2 writes whatever it is given, and one byte that
 * is no XML Char makes readers reject the whole file.
 */
#ifndef KREGRESS_REPORTS_XML_TEXT_H
#define KREGRESS_REPORTS_XML_TEXT_H

#include <stddef.h>

#include "common/strbuf.h"

/*
 * Appends `text` with every byte that is ill-formed UTF-8, a control character other than tab and
 * line feed, or a code point that XML forbids, as \xNN. CR LF becomes LF.
 */
void xml_append_text(struct strbuf *out, const char *text);

/* The same on one line: tabs and line breaks become spaces. For attributes. */
void xml_append_line(struct strbuf *out, const char *text);

#endif
