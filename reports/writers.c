/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/writers.h"

const struct report_writer report_writers[] = {
	{"text", "a table and a sentence per finding, for people", report_write_text},
	{"junit", "JUnit XML for CI dashboards", report_write_junit},
	{"json", "every number, kregress-comparison-1", report_write_json},
	{"markdown", "a short comment for a merge request", report_write_markdown},
	{0},
};

const struct report_writer *report_writer_find(const char *name)
{
	for (const struct report_writer *writer = report_writers; writer->name; writer++)
		if (!strcmp(writer->name, name))
			return writer;
	return NULL;
}
