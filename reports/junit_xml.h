/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements and attributes of a JUnit document, written through libxml2. */
#ifndef KREGRESS_REPORTS_JUNIT_XML_H
#define KREGRESS_REPORTS_JUNIT_XML_H

#include <stdbool.h>
#include <stddef.h>

#include <libxml/xmlwriter.h>

#include "common/strbuf.h"
#include "reports/junit_names.h"

/* A document being written; `failed` sticks. */
struct junit {
	xmlTextWriterPtr writer;
	struct junit_names names;
	bool failed;
};

void junit_open(struct junit *junit, const char *name);

/* With an end tag of its own even when empty: some readers take no empty-element tag here. */
void junit_close(struct junit *junit);

/* `value` is fit for XML. */
void junit_attribute(struct junit *junit, const char *name, const char *value);
void junit_attribute_count(struct junit *junit, const char *name, size_t count);

/* Any text, made fit and cut to one line of 4 kB. */
void junit_attribute_line(struct junit *junit, const char *name, const char *value);

/* Seconds with three places, the most that all schemas take. */
void junit_attribute_time(struct junit *junit, double seconds);

/* Character data; `text` is fit for XML. */
void junit_content(struct junit *junit, const struct strbuf *text);
void junit_element(struct junit *junit, const char *name, const struct strbuf *text);

/* A property element of any name and value. */
void junit_property(struct junit *junit, const char *name, const char *value);

/* The same; empties `value`. */
void junit_property_text(struct junit *junit, const char *name, struct strbuf *value);

#endif
