/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A JUnit document as libxml2 reads it, for tests. */
#ifndef KREGRESS_TESTS_UNIT_REPORTS_JUNIT_DOCUMENT_H
#define KREGRESS_TESTS_UNIT_REPORTS_JUNIT_DOCUMENT_H

#include <stdbool.h>

#include <libxml/tree.h>

/* The tree; fails the test when the text is not well-formed. The caller frees it. */
xmlDoc *junit_parse(const char *text);

/* The value of an XPath expression as text. The caller uses xmlFree(). */
char *junit_evaluate(xmlDoc *document, const char *expression);

/* Fails the test when the expression's value is another one. */
void junit_expect(xmlDoc *document, const char *expression, const char *expected);

bool junit_is_valid(const char *schema_path, xmlDoc *document);

#endif
