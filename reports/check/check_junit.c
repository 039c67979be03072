/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/check/formats.h"

#include <limits.h>
#include <string.h>

#include <libxml/parser.h>

#include "reports/check/consumers.h"
#include "reports/check/junit_rules.h"

#define PARSE_OPTIONS                                                                              \
	(XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES)

static xmlDoc *parse(const char *document, size_t length, int options)
{
	if (length > INT_MAX)
		return NULL;
	return xmlReadMemory(document, (int)length, "report.xml", NULL, PARSE_OPTIONS | options);
}

static void remark_parse_error(struct check_result *result)
{
	const xmlError *cause = xmlGetLastError();
	const char *message = cause && cause->message ? cause->message : "too large";

	check_remark(result, REMARK_ERROR, NULL, cause ? cause->line : 0,
		     "not well-formed, every reader refuses the file: %.*s",
		     (int)strcspn(message, "\n"), message);
}

/* A second look, so that more can be said than that it is refused. */
static xmlDoc *parse_and_remark(struct check_result *result, const char *document, size_t length)
{
	xmlDoc *tree = parse(document, length, 0);

	if (tree)
		return tree;
	remark_parse_error(result);
	tree = parse(document, length, XML_PARSE_HUGE);
	if (tree)
		check_remark(result, REMARK_ERROR, NULL, 0,
			     "deeper or longer than libxml2 takes by default: readers built on it, "
			     "such as GitLab's, refuse the file");
	return tree;
}

static void summarize(struct check_result *result, const struct junit_reading *reading)
{
	size_t counts[CASE_SKIPPED + 1] = {0};

	array_for_each (entry, &reading->cases)
		counts[entry->outcome]++;
	free(result->summary);
	result->summary = xasprintf(
		"JUnit: %zu suites, %zu cases: %zu failed, %zu in error, %zu skipped, %zu passed",
		reading->suites.count, reading->cases.count, counts[CASE_FAILED],
		counts[CASE_ERROR], counts[CASE_SKIPPED], counts[CASE_PASSED]);
}

static void apply_rules(struct check_result *result, const struct junit_reading *reading,
			const char *only, size_t bytes)
{
	junit_rules_common(result, reading);
	for (const struct consumer *consumer = consumers; consumer->name; consumer++)
		if (only ? !strcmp(only, consumer->name) : !consumer->only_when_named)
			junit_rules_of(result, reading, consumer, bytes);
}

void check_junit(struct check_result *result, const char *document, size_t length,
		 const char *consumer)
{
	xmlDoc *tree = parse_and_remark(result, document, length);
	struct junit_reading reading;

	result->format = "junit";
	result->summary = xstrdup("JUnit that cannot be read");
	if (!tree)
		return;
	if (junit_reading_of(&reading, tree)) {
		summarize(result, &reading);
		apply_rules(result, &reading, consumer, length);
	} else {
		check_remark(result, REMARK_ERROR, NULL, 0,
			     "the root element is neither testsuites nor testsuite");
	}
	junit_reading_release(&reading);
	xmlFreeDoc(tree);
}
