/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/junit_document.h"

static void common_counts(struct junit *junit, const struct junit_counts *counts)
{
	junit_attribute_count(junit, "tests", counts->tests);
	junit_attribute_count(junit, "failures", counts->failures);
	junit_attribute_count(junit, "errors", counts->errors);
}

void junit_suite_counts(struct junit *junit, const struct junit_counts *counts)
{
	common_counts(junit, counts);
	junit_attribute_count(junit, "skipped", counts->skipped);
	junit_attribute_time(junit, counts->time_s);
}

void junit_outcome(struct junit *junit, const char *name, const char *type,
		   const struct strbuf *message, const struct strbuf *body)
{
	junit_open(junit, name);
	if (type)
		junit_attribute(junit, "type", type);
	junit_attribute(junit, "message", strbuf_text(message));
	junit_content(junit, body);
	junit_close(junit);
}

/* Ant's schema allows no attribute of the root. */
static void open_root(struct junit *junit, enum junit_flavour flavour,
		      const struct junit_counts *counts)
{
	junit->failed |= xmlTextWriterSetIndent(junit->writer, 1) < 0;
	junit->failed |= xmlTextWriterStartDocument(junit->writer, NULL, "UTF-8", NULL) < 0;
	junit_open(junit, "testsuites");
	if (flavour == JUNIT_ANT)
		return;
	junit_attribute(junit, "name", "kregress");
	common_counts(junit, counts);
	junit_attribute_time(junit, counts->time_s);
}

static int write_into(xmlBufferPtr buffer, junit_suites_fn write_suites, const void *report,
		      enum junit_flavour flavour, const struct junit_counts *counts,
		      struct error *err)
{
	struct junit junit = {.writer = xmlNewTextWriterMemory(buffer, 0)};

	if (!junit.writer)
		return error_set(err, ERROR_IO, "JUnit: libxml2 gave no writer");
	open_root(&junit, flavour, counts);
	write_suites(&junit, report);
	junit_close(&junit);
	junit.failed |= xmlTextWriterEndDocument(junit.writer) < 0;
	xmlFreeTextWriter(junit.writer);
	junit_names_release(&junit.names);
	if (junit.failed)
		return error_set(err, ERROR_IO, "JUnit: libxml2 could not write the document");
	return junit_check((const char *)xmlBufferContent(buffer), (size_t)xmlBufferLength(buffer),
			   counts, err);
}

int junit_document_write(junit_suites_fn write_suites, const void *report,
			 enum junit_flavour flavour, const struct junit_counts *counts,
			 struct strbuf *out, struct error *err)
{
	xmlBufferPtr buffer = xmlBufferCreate();
	int result;

	if (!buffer)
		return error_set(err, ERROR_IO, "JUnit: libxml2 gave no buffer");
	result = write_into(buffer, write_suites, report, flavour, counts, err);
	if (result == 0)
		strbuf_append_bytes(out, xmlBufferContent(buffer), (size_t)xmlBufferLength(buffer));
	xmlBufferFree(buffer);
	return result;
}
