/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/junit_xml.h"

#include "common/alloc.h"
#include "common/number.h"
#include "reports/junit_body.h"

#define PROPERTY_LIMIT 4000

void junit_open(struct junit *junit, const char *name)
{
	junit->failed |= xmlTextWriterStartElement(junit->writer, BAD_CAST name) < 0;
}

void junit_close(struct junit *junit)
{
	junit->failed |= xmlTextWriterFullEndElement(junit->writer) < 0;
}

void junit_attribute(struct junit *junit, const char *name, const char *value)
{
	junit->failed |=
		xmlTextWriterWriteAttribute(junit->writer, BAD_CAST name, BAD_CAST value) < 0;
}

void junit_attribute_count(struct junit *junit, const char *name, size_t count)
{
	_cleanup_free_ char *text = xasprintf("%zu", count);

	junit_attribute(junit, name, text);
}

void junit_attribute_line(struct junit *junit, const char *name, const char *value)
{
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;

	junit_line(&line, value, PROPERTY_LIMIT);
	junit_attribute(junit, name, strbuf_text(&line));
}

void junit_attribute_time(struct junit *junit, double seconds)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	number_append_fixed(&text, seconds, 3);
	junit_attribute(junit, "time", strbuf_text(&text));
}

void junit_content(struct junit *junit, const struct strbuf *text)
{
	junit->failed |= xmlTextWriterWriteString(junit->writer, BAD_CAST strbuf_text(text)) < 0;
}

void junit_element(struct junit *junit, const char *name, const struct strbuf *text)
{
	junit_open(junit, name);
	junit_content(junit, text);
	junit_close(junit);
}

void junit_property(struct junit *junit, const char *name, const char *value)
{
	junit_open(junit, "property");
	junit_attribute_line(junit, "name", name);
	junit_attribute_line(junit, "value", value);
	junit->failed |= xmlTextWriterEndElement(junit->writer) < 0;
}

void junit_property_text(struct junit *junit, const char *name, struct strbuf *value)
{
	junit_property(junit, name, strbuf_text(value));
	strbuf_clear(value);
}
