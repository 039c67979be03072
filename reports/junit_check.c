/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/junit_check.h"

#include <limits.h>
#include <libxml/hash.h>
#include <libxml/parser.h>

static bool is_element(const xmlNode *node, const char *name)
{
	return node->type == XML_ELEMENT_NODE && xmlStrEqual(node->name, BAD_CAST name);
}

static int count_case(xmlNode *node, struct junit_counts *counts, struct error *err)
{
	size_t before = counts->failures + counts->errors + counts->skipped;

	counts->tests++;
	for (xmlNode *child = node->children; child; child = child->next) {
		counts->failures += is_element(child, "failure");
		counts->errors += is_element(child, "error");
		counts->skipped += is_element(child, "skipped");
	}
	if (counts->failures + counts->errors + counts->skipped > before + 1)
		return error_set(err, ERROR_DATA, "JUnit: a case has several outcomes");
	return 0;
}

static int claim_name(xmlNode *node, xmlHashTablePtr names, struct error *err)
{
	xmlChar *classname = xmlGetProp(node, BAD_CAST "classname");
	xmlChar *name = xmlGetProp(node, BAD_CAST "name");
	int result = -1;

	if (!classname || !name)
		error_set(err, ERROR_DATA, "JUnit: a case has no name");
	else if (xmlHashAddEntry2(names, classname, name, names) < 0)
		error_set(err, ERROR_DATA, "JUnit: two cases are named '%s' '%s'",
			  (const char *)classname, (const char *)name);
	else
		result = 0;
	xmlFree(classname);
	xmlFree(name);
	return result;
}

static int walk(xmlNode *root, struct junit_counts *counts, xmlHashTablePtr names,
		struct error *err)
{
	for (xmlNode *suite = root->children; suite; suite = suite->next) {
		for (xmlNode *node = suite->children; node; node = node->next) {
			if (!is_element(node, "testcase"))
				continue;
			if (count_case(node, counts, err) < 0 || claim_name(node, names, err) < 0)
				return -1;
		}
	}
	return 0;
}

static int check_tree(xmlDoc *document, const struct junit_counts *expected, struct error *err)
{
	xmlHashTablePtr names = xmlHashCreate(0);
	struct junit_counts counts = {0};
	int result = walk(xmlDocGetRootElement(document), &counts, names, err);

	xmlHashFree(names, NULL);
	if (result == 0 &&
	    (counts.tests != expected->tests || counts.failures != expected->failures ||
	     counts.errors != expected->errors || counts.skipped != expected->skipped))
		return error_set(err, ERROR_DATA,
				 "JUnit: %zu cases with %zu failures, %zu errors, %zu skipped were "
				 "written, %zu, %zu, %zu, %zu were meant",
				 counts.tests, counts.failures, counts.errors, counts.skipped,
				 expected->tests, expected->failures, expected->errors,
				 expected->skipped);
	return result;
}

int junit_check(const char *document, size_t length, const struct junit_counts *expected,
		struct error *err)
{
	xmlDoc *tree =
		length <= INT_MAX
			? xmlReadMemory(document, (int)length, "junit.xml", NULL,
					XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING)
			: NULL;
	const xmlError *cause = xmlGetLastError();
	int result;

	if (!tree)
		return error_set(err, ERROR_DATA,
				 "JUnit: the document is not well-formed: line %d: %s",
				 cause ? cause->line : 0,
				 cause && cause->message ? cause->message : "too large\n");
	result = check_tree(tree, expected, err);
	xmlFreeDoc(tree);
	return result;
}
