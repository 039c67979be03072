/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A page of HTML with SVG in it, written with libxml2: one file without script or network, light
 * and dark, for screen, print and screen readers. What it holds is well-formed XML as well.
 *
 * Any text may be given: what no document may hold is made visible, and so are the characters that
 * turn the direction of writing.
 */
#ifndef KREGRESS_REPORTS_HTML_PAGE_H
#define KREGRESS_REPORTS_HTML_PAGE_H

#include <libxml/xmlwriter.h>

#include "common/error.h"
#include "common/strbuf.h"

struct page {
	xmlTextWriterPtr writer;
	xmlBufferPtr buffer;
	struct strbuf scratch; /* of the text being cleaned */
	bool failed;	       /* sticks; page_close() reports it */
};

/*
 * Begins a page up to <main>: style, title, a link for keyboards that jumps to the content. Fails
 * with ERROR_IO when libxml2 gives no writer.
 */
int page_open(struct page *page, const char *title, struct error *err) __must_check;

/* Ends the page with a footer, appends it to `out` and releases it, also on failure. */
int page_close(struct page *page, const char *generator, struct strbuf *out, struct error *err)
	__must_check;

/* Releases a page that is given up. */
void page_release(struct page *page);

/* Opens an element; `class_name` may be NULL. */
void page_start(struct page *page, const char *element, const char *class_name);
/* Closes the innermost element; with an end tag, as HTML wants it. */
void page_end(struct page *page);
/* Closes an element that HTML allows no end tag (meta, input), or an empty one of SVG. */
void page_end_empty(struct page *page);

/* Attributes of the element just opened. */
void page_attribute(struct page *page, const char *name, const char *value);
void page_attribute_format(struct page *page, const char *name, const char *format, ...)
	_printf_(3, 4);
/* A coordinate: one decimal at most, the same in every locale. */
void page_attribute_number(struct page *page, const char *name, double value);

void page_text(struct page *page, const char *text);
void page_format(struct page *page, const char *format, ...) _printf_(2, 3);
/* The text of a buffer, which is emptied. */
void page_take(struct page *page, struct strbuf *text);

/* An element with nothing but text. */
void page_element(struct page *page, const char *element, const char *class_name, const char *text);
void page_element_take(struct page *page, const char *element, const char *class_name,
		       struct strbuf *text);
/* A name from outside, whose direction of writing stays its own. */
void page_name(struct page *page, const char *text);

/* Text that is markup or fit for it already. */
void page_raw(struct page *page, const char *markup);

/* A section with a heading of the second level that a screen reader can jump to. */
void page_section(struct page *page, const char *id, const char *heading);

/* A table in a region that scrolls by itself and takes the keyboard; page_table_end() closes both.
 */
void page_table(struct page *page, const char *class_name, const char *caption);
/* The heads of the columns; `numeric` has an N for each aligned as a number, a T for text. */
void page_table_head(struct page *page, const char *const *heads, size_t count,
		     const char *numeric);
void page_table_end(struct page *page);

#endif
