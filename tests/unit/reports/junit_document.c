/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/reports/junit_document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <libxml/xpath.h>

#include "common/cleanup.h"

xmlDoc *junit_parse(const char *text)
{
	xmlDoc *document =
		xmlReadMemory(text, (int)strlen(text), "junit.xml", NULL, XML_PARSE_NONET);

	assert_non_null(document);
	return document;
}

char *junit_evaluate(xmlDoc *document, const char *expression)
{
	xmlXPathContext *context = xmlXPathNewContext(document);
	xmlXPathObject *object = xmlXPathEvalExpression(BAD_CAST expression, context);
	char *text;

	assert_non_null(object);
	text = (char *)xmlXPathCastToString(object);
	xmlXPathFreeObject(object);
	xmlXPathFreeContext(context);
	return text;
}

void junit_expect(xmlDoc *document, const char *expression, const char *expected)
{
	char *text = junit_evaluate(document, expression);

	if (strcmp(text, expected) != 0)
		fail_msg("%s is '%s', not '%s'", expression, text, expected);
	xmlFree(text);
}

static void ignore_message(void *context, const char *format, ...) _printf_(2, 3);

static void ignore_message(void *context, const char *format, ...)
{
	(void)context;
	(void)format;
}

bool junit_is_valid(const char *schema_path, xmlDoc *document)
{
	xmlSchemaParserCtxtPtr parser = xmlSchemaNewParserCtxt(schema_path);
	xmlSchemaPtr schema = xmlSchemaParse(parser);
	xmlSchemaValidCtxtPtr validator;
	int result;

	assert_non_null(schema);
	validator = xmlSchemaNewValidCtxt(schema);
	xmlSchemaSetValidErrors(validator, ignore_message, ignore_message, NULL);
	result = xmlSchemaValidateDoc(validator, document);
	xmlSchemaFreeValidCtxt(validator);
	xmlSchemaFree(schema);
	xmlSchemaFreeParserCtxt(parser);
	return result == 0;
}
