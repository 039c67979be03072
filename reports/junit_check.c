/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/junit_check.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include <libxml/xmlreader.h>

#include "common/alloc.h"
#include "common/string_index.h"

/* What has been read so far; one node at a time, as a tree would be larger than the report. */
struct reading {
	struct junit_counts counts;
	struct string_index names;
	bool in_case;
	size_t outcomes; /* of the case being read */
};

static bool is_named(xmlTextReaderPtr reader, const char *name)
{
	return xmlStrEqual(xmlTextReaderConstName(reader), BAD_CAST name);
}

static int begin_case(struct reading *reading, xmlTextReaderPtr reader, struct error *err)
{
	xmlChar *classname = xmlTextReaderGetAttribute(reader, BAD_CAST "classname");
	xmlChar *name = xmlTextReaderGetAttribute(reader, BAD_CAST "name");
	_cleanup_free_ char *key = xasprintf("%s\n%s", classname ? (const char *)classname : "",
					     name ? (const char *)name : "");
	int result = -1;

	if (!classname || !name)
		error_set(err, ERROR_DATA, "JUnit: a case has no name");
	else if (!string_index_add(&reading->names, key, 0))
		error_set(err, ERROR_DATA, "JUnit: two cases are named '%s' '%s'",
			  (const char *)classname, (const char *)name);
	else
		result = 0;
	xmlFree(classname);
	xmlFree(name);
	reading->counts.tests++;
	reading->in_case = !xmlTextReaderIsEmptyElement(reader);
	reading->outcomes = 0;
	return result;
}

static int count_outcome(struct reading *reading, xmlTextReaderPtr reader, struct error *err)
{
	bool failure = is_named(reader, "failure"), error = is_named(reader, "error");
	bool skipped = is_named(reader, "skipped");

	if (!reading->in_case || !(failure || error || skipped))
		return 0;
	reading->counts.failures += failure;
	reading->counts.errors += error;
	reading->counts.skipped += skipped;
	if (reading->outcomes++)
		return error_set(err, ERROR_DATA, "JUnit: a case has several outcomes");
	return 0;
}

static int read_node(struct reading *reading, xmlTextReaderPtr reader, struct error *err)
{
	switch (xmlTextReaderNodeType(reader)) {
	case XML_READER_TYPE_ELEMENT:
		if (is_named(reader, "testcase"))
			return begin_case(reading, reader, err);
		return count_outcome(reading, reader, err);
	case XML_READER_TYPE_END_ELEMENT:
		if (is_named(reader, "testcase"))
			reading->in_case = false;
		return 0;
	default:
		return 0;
	}
}

static int not_well_formed(struct error *err)
{
	const xmlError *cause = xmlGetLastError();
	const char *message = cause && cause->message ? cause->message : "too large";

	return error_set(err, ERROR_DATA, "JUnit: the document is not well-formed: line %d: %.*s",
			 cause ? cause->line : 0, (int)strcspn(message, "\n"), message);
}

static int read_all(struct reading *reading, xmlTextReaderPtr reader, struct error *err)
{
	int more;

	while ((more = xmlTextReaderRead(reader)) == 1)
		if (read_node(reading, reader, err) < 0)
			return -1;
	return more < 0 ? not_well_formed(err) : 0;
}

static int compare_counts(const struct junit_counts *counts, const struct junit_counts *expected,
			  struct error *err)
{
	if (counts->tests == expected->tests && counts->failures == expected->failures &&
	    counts->errors == expected->errors && counts->skipped == expected->skipped)
		return 0;
	return error_set(err, ERROR_DATA,
			 "JUnit: %zu cases with %zu failures, %zu errors, %zu skipped were "
			 "written, %zu, %zu, %zu, %zu were meant",
			 counts->tests, counts->failures, counts->errors, counts->skipped,
			 expected->tests, expected->failures, expected->errors, expected->skipped);
}

int junit_check(const char *document, size_t length, const struct junit_counts *expected,
		struct error *err)
{
	xmlTextReaderPtr reader =
		length <= INT_MAX ? xmlReaderForMemory(document, (int)length, "junit.xml", NULL,
						       XML_PARSE_NONET | XML_PARSE_NOERROR |
							       XML_PARSE_NOWARNING)
				  : NULL;
	struct reading reading = {0};
	int result;

	if (!reader)
		return error_set(err, ERROR_DATA, "JUnit: the document is too large to check");
	result = read_all(&reading, reader, err);
	if (result == 0)
		result = compare_counts(&reading.counts, expected, err);
	string_index_release(&reading.names);
	xmlFreeTextReader(reader);
	return result;
}
