/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/check/junit_reading.h"

#include <string.h>

static bool is_named(const xmlNode *node, const char *name)
{
	return node->type == XML_ELEMENT_NODE && xmlStrEqual(node->name, BAD_CAST name);
}

/* A copy of the attribute, NULL when there is none. */
static char *attribute(xmlNode *node, const char *name)
{
	xmlChar *value = xmlGetNoNsProp(node, BAD_CAST name);
	char *copy = xstrdup((const char *)value);

	xmlFree(value);
	return copy;
}

static bool has_attribute(xmlNode *node, const char *name)
{
	return xmlHasProp(node, BAD_CAST name);
}

static void note_length(struct junit_reading *reading, const xmlNode *node, size_t length)
{
	if (length > JUNIT_TEXT_MAX && !reading->huge_line)
		reading->huge_line = xmlGetLineNo(node);
}

/* The text below, without blanks around. */
static char *content(struct junit_reading *reading, xmlNode *node)
{
	xmlChar *text = xmlNodeGetContent(node);
	const char *start = text ? (const char *)text : "";
	size_t length;
	char *copy;

	start += strspn(start, " \t\r\n");
	length = strlen(start);
	note_length(reading, node, length);
	while (length && strchr(" \t\r\n", start[length - 1]))
		length--;
	copy = xstrndup(start, length);
	xmlFree(text);
	return copy;
}

static bool outcome_of(const xmlNode *node, enum case_outcome *outcome)
{
	if (is_named(node, "failure"))
		*outcome = CASE_FAILED;
	else if (is_named(node, "error"))
		*outcome = CASE_ERROR;
	else if (is_named(node, "skipped"))
		*outcome = CASE_SKIPPED;
	else
		return false;
	return true;
}

static void read_outcome(struct junit_reading *reading, struct junit_case *entry, xmlNode *node,
			 enum case_outcome outcome)
{
	bool had_skipped = entry->outcome == CASE_SKIPPED;

	if (entry->outcomes++ && outcome == CASE_SKIPPED) {
		entry->also_skipped = true;
		return;
	}
	entry->also_skipped |= had_skipped;
	free(entry->message);
	free(entry->body);
	entry->outcome = outcome;
	entry->message = attribute(node, "message");
	entry->body = content(reading, node);
	entry->has_type = has_attribute(node, "type");
}

static void read_output(struct junit_reading *reading, struct junit_case *entry, xmlNode *node)
{
	char *text = content(reading, node);

	entry->has_output = true;
	entry->output_length += strlen(text);
	for (const char *at = strstr(text, "[[ATTACHMENT|"); at;
	     at = strstr(at + 1, "[[ATTACHMENT|"))
		entry->attachments++;
	free(text);
}

static void note_unknown(struct junit_reading *reading, const xmlNode *node)
{
	if (reading->unknown_element || node->type != XML_ELEMENT_NODE)
		return;
	reading->unknown_element = xstrdup((const char *)node->name);
	reading->unknown_line = xmlGetLineNo(node);
}

static void note_attributes(struct junit_reading *reading, const xmlNode *node)
{
	static const char *const known[] = {"classname", "name", "time", "file", "line"};

	for (const xmlAttr *item = node->properties; item; item = item->next) {
		bool found = false;

		for (size_t i = 0; i < ARRAY_SIZE(known); i++)
			found |= xmlStrEqual(item->name, BAD_CAST known[i]);
		if (!found && !reading->unknown_attribute)
			reading->unknown_attribute = xstrdup((const char *)item->name);
	}
}

static void read_case(struct junit_reading *reading, xmlNode *node, size_t suite)
{
	struct junit_case *entry = array_append(&reading->cases);
	enum case_outcome outcome;

	entry->line = xmlGetLineNo(node);
	entry->suite = suite;
	entry->classname = attribute(node, "classname");
	entry->name = attribute(node, "name");
	entry->time = attribute(node, "time");
	entry->has_file = has_attribute(node, "file") || has_attribute(node, "line");
	note_attributes(reading, node);
	for (xmlNode *child = node->children; child; child = child->next) {
		if (outcome_of(child, &outcome))
			read_outcome(reading, entry, child, outcome);
		else if (is_named(child, "system-out") || is_named(child, "system-err"))
			read_output(reading, entry, child);
		else if (is_named(child, "properties"))
			entry->has_properties = true;
		else
			note_unknown(reading, child);
	}
	reading->suites.items[suite].counts[entry->outcome]++;
}

static void add_suite(struct junit_reading *reading, xmlNode *node, size_t depth)
{
	struct junit_suite *suite = array_append(&reading->suites);

	suite->line = xmlGetLineNo(node);
	suite->depth = depth;
	suite->name = attribute(node, "name");
	suite->time = attribute(node, "time");
	suite->timestamp = attribute(node, "timestamp");
	suite->tests = attribute(node, "tests");
	suite->failures = attribute(node, "failures");
	suite->errors = attribute(node, "errors");
	suite->skipped = attribute(node, "skipped");
	suite->has_package = has_attribute(node, "package");
	suite->has_id = has_attribute(node, "id");
	suite->has_hostname = has_attribute(node, "hostname");
}

/* Looks at the length of a suite's output; true, as there is one. */
static bool check_output(struct junit_reading *reading, xmlNode *node)
{
	free(content(reading, node));
	return true;
}

/* Suites may hold suites; libxml2 limits how deep a document nests. */
static void read_suite(struct junit_reading *reading, xmlNode *node, size_t depth)
{
	size_t index = reading->suites.count;

	add_suite(reading, node, depth);
	for (xmlNode *child = node->children; child; child = child->next) {
		struct junit_suite *suite = &reading->suites.items[index];

		if (is_named(child, "testcase"))
			read_case(reading, child, index);
		else if (is_named(child, "testsuite"))
			read_suite(reading, child, depth + 1);
		else if (is_named(child, "properties"))
			suite->has_properties = true;
		else if (is_named(child, "system-out"))
			suite->has_output = check_output(reading, child);
		else if (is_named(child, "system-err"))
			suite->has_error_output = check_output(reading, child);
		else
			note_unknown(reading, child);
	}
}

bool junit_reading_of(struct junit_reading *reading, xmlDoc *document)
{
	xmlNode *root = xmlDocGetRootElement(document);

	*reading = (struct junit_reading){0};
	if (root && is_named(root, "testsuite")) {
		reading->root_is_suite = true;
		read_suite(reading, root, 0);
		return true;
	}
	if (!root || !is_named(root, "testsuites"))
		return false;
	reading->root_has_attributes = root->properties;
	for (xmlNode *child = root->children; child; child = child->next) {
		if (is_named(child, "testsuite"))
			read_suite(reading, child, 0);
		else
			note_unknown(reading, child);
	}
	return true;
}

void junit_reading_release(struct junit_reading *reading)
{
	array_for_each (suite, &reading->suites) {
		free(suite->name);
		free(suite->time);
		free(suite->timestamp);
		free(suite->tests);
		free(suite->failures);
		free(suite->errors);
		free(suite->skipped);
	}
	array_release(&reading->suites);
	array_for_each (entry, &reading->cases) {
		free(entry->classname);
		free(entry->name);
		free(entry->time);
		free(entry->message);
		free(entry->body);
	}
	array_release(&reading->cases);
	free(reading->unknown_element);
	free(reading->unknown_attribute);
}
