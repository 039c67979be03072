/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/html_page.h"

#include <string.h>

#include "common/alloc.h"
#include "common/number.h"
#include "reports/html_style.h"
#include "reports/xml_text.h"

/* Nothing may be loaded and no script runs, whatever a name smuggles in. */
#define POLICY "default-src 'none'; style-src 'unsafe-inline'"

/* Bytes of a character that changes the direction of the text around it, or 0. */
static size_t direction_mark(const char *text)
{
	const unsigned char *byte = (const unsigned char *)text;

	if (byte[0] == 0xd8 && byte[1] == 0x9c)
		return 2; /* U+061C */
	if (byte[0] != 0xe2)
		return 0;
	if (byte[1] == 0x80 && (byte[2] == 0x8e || byte[2] == 0x8f ||  /* U+200E, U+200F */
				(byte[2] >= 0xaa && byte[2] <= 0xae))) /* U+202A to U+202E */
		return 3;
	return byte[1] == 0x81 && byte[2] >= 0xa6 && byte[2] <= 0xa9 ? 3 : 0; /* U+2066 on */
}

/* The text fit for the page; holds until the next call. */
static const char *clean(struct page *page, const char *text, bool line)
{
	struct strbuf kept = STRBUF_INIT;
	const char *from;

	strbuf_clear(&page->scratch);
	if (line)
		xml_append_line(&page->scratch, text);
	else
		xml_append_text(&page->scratch, text);
	if (!strpbrk(strbuf_text(&page->scratch), "\xd8\xe2"))
		return strbuf_text(&page->scratch);
	for (from = strbuf_text(&page->scratch); *from;) {
		size_t mark = direction_mark(from);

		for (size_t i = 0; i < mark; i++)
			strbuf_printf(&kept, "\\x%02x", (unsigned char)from[i]);
		if (!mark)
			strbuf_append_char(&kept, *from);
		from += mark ? mark : 1;
	}
	strbuf_release(&page->scratch);
	page->scratch = kept;
	return strbuf_text(&page->scratch);
}

void page_start(struct page *page, const char *element, const char *class_name)
{
	page->failed |= xmlTextWriterStartElement(page->writer, BAD_CAST element) < 0;
	if (class_name)
		page->failed |= xmlTextWriterWriteAttribute(page->writer, BAD_CAST "class",
							    BAD_CAST class_name) < 0;
}

void page_end(struct page *page)
{
	page->failed |= xmlTextWriterFullEndElement(page->writer) < 0;
}

void page_end_empty(struct page *page)
{
	page->failed |= xmlTextWriterEndElement(page->writer) < 0;
}

void page_attribute(struct page *page, const char *name, const char *value)
{
	page->failed |= xmlTextWriterWriteAttribute(page->writer, BAD_CAST name,
						    BAD_CAST clean(page, value, true)) < 0;
}

void page_attribute_format(struct page *page, const char *name, const char *format, ...)
{
	_cleanup_free_ char *value = NULL;
	va_list args;

	va_start(args, format);
	value = xvasprintf(format, args);
	va_end(args);
	page_attribute(page, name, value);
}

void page_attribute_number(struct page *page, const char *name, double value)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	number_append_fixed(&text, value, 1);
	if (text.length > 2 && !strcmp(text.text + text.length - 2, ".0"))
		text.text[text.length - 2] = '\0';
	page->failed |= xmlTextWriterWriteAttribute(page->writer, BAD_CAST name,
						    BAD_CAST strbuf_text(&text)) < 0;
}

void page_text(struct page *page, const char *text)
{
	page->failed |=
		xmlTextWriterWriteString(page->writer, BAD_CAST clean(page, text, false)) < 0;
}

void page_format(struct page *page, const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list args;

	va_start(args, format);
	text = xvasprintf(format, args);
	va_end(args);
	page_text(page, text);
}

void page_take(struct page *page, struct strbuf *text)
{
	page_text(page, strbuf_text(text));
	strbuf_clear(text);
}

void page_element(struct page *page, const char *element, const char *class_name, const char *text)
{
	page_start(page, element, class_name);
	page_text(page, text);
	page_end(page);
}

void page_element_take(struct page *page, const char *element, const char *class_name,
		       struct strbuf *text)
{
	page_element(page, element, class_name, strbuf_text(text));
	strbuf_clear(text);
}

void page_name(struct page *page, const char *text)
{
	page_element(page, "bdi", NULL, text);
}

void page_raw(struct page *page, const char *markup)
{
	page->failed |= xmlTextWriterWriteRaw(page->writer, BAD_CAST markup) < 0;
}

static void meta(struct page *page, const char *name, const char *content)
{
	page_start(page, "meta", NULL);
	page_attribute(page, "name", name);
	page_attribute(page, "content", content);
	page_end_empty(page);
}

static void write_head(struct page *page, const char *title)
{
	page_start(page, "head", NULL);
	page_start(page, "meta", NULL);
	page_attribute(page, "charset", "utf-8");
	page_end_empty(page);
	page_start(page, "meta", NULL);
	page_attribute(page, "http-equiv", "Content-Security-Policy");
	page_attribute(page, "content", POLICY);
	page_end_empty(page);
	meta(page, "viewport", "width=device-width, initial-scale=1");
	meta(page, "color-scheme", "light dark");
	meta(page, "referrer", "no-referrer");
	page_element(page, "title", NULL, title);
	page_start(page, "style", NULL);
	page_raw(page, html_style);
	page_end(page);
	page_end(page);
}

static void write_start(struct page *page, const char *title)
{
	page_raw(page, "<!DOCTYPE html>\n");
	page_start(page, "html", NULL);
	page_attribute(page, "lang", "en");
	write_head(page, title);
	page_start(page, "body", NULL);
	page_start(page, "a", "skip");
	page_attribute(page, "href", "#main");
	page_text(page, "Skip to the content");
	page_end(page);
}

int page_open(struct page *page, const char *title, struct error *err)
{
	*page = (struct page){.buffer = xmlBufferCreate()};
	if (page->buffer)
		page->writer = xmlNewTextWriterMemory(page->buffer, 0);
	if (!page->writer) {
		page_release(page);
		return error_set(err, ERROR_IO, "HTML: libxml2 gave no writer");
	}
	write_start(page, title);
	return 0;
}

void page_release(struct page *page)
{
	if (page->writer)
		xmlFreeTextWriter(page->writer);
	if (page->buffer)
		xmlBufferFree(page->buffer);
	strbuf_release(&page->scratch);
	*page = (struct page){0};
}

int page_close(struct page *page, const char *generator, struct strbuf *out, struct error *err)
{
	bool failed;

	page_element(page, "footer", NULL, generator);
	page_end(page);
	page_end(page);
	page_raw(page, "\n");
	failed = page->failed || xmlTextWriterFlush(page->writer) < 0;
	if (!failed)
		strbuf_append_bytes(out, xmlBufferContent(page->buffer),
				    (size_t)xmlBufferLength(page->buffer));
	page_release(page);
	return failed ? error_set(err, ERROR_IO, "HTML: libxml2 could not write the page") : 0;
}

void page_section(struct page *page, const char *id, const char *heading)
{
	page_raw(page, "\n");
	page_start(page, "section", NULL);
	page_attribute_format(page, "aria-labelledby", "%s-h", id);
	page_attribute(page, "id", id);
	page_start(page, "h2", NULL);
	page_attribute_format(page, "id", "%s-h", id);
	page_text(page, heading);
	page_end(page);
}

void page_table(struct page *page, const char *class_name, const char *caption)
{
	page_start(page, "div", "scroll");
	page_attribute(page, "role", "group");
	page_attribute(page, "aria-label", "table");
	page_attribute(page, "tabindex", "0");
	page_start(page, "table", class_name);
	page_element(page, "caption", NULL, caption);
}

static const char *head_class(char kind)
{
	if (kind == 'N')
		return "n";
	return kind == 'T' ? "text" : NULL;
}

void page_table_head(struct page *page, const char *const *heads, size_t count, const char *numeric)
{
	page_start(page, "thead", NULL);
	page_start(page, "tr", NULL);
	for (size_t i = 0; i < count; i++) {
		page_start(page, "th", head_class(numeric[i]));
		page_attribute(page, "scope", "col");
		page_text(page, heads[i]);
		page_end(page);
	}
	page_end(page);
	page_end(page);
	page_start(page, "tbody", NULL);
}

void page_table_end(struct page *page)
{
	page_end(page);
	page_end(page);
	page_end(page);
}
