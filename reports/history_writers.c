/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "reports/history.h"

const struct history_writer history_writers[] = {
	{"text", "a line per change, for a terminal", history_write_text},
	{"json", "every number; docs/history.schema.json", history_write_json},
	{"junit", "a case per series, for CI dashboards", history_write_junit},
	{"html", "one page with a plot of every series that changed", history_write_html},
	{"markdown", "a comment on a merge request", history_write_markdown},
	{NULL, NULL, NULL},
};

const struct history_writer *history_writer_find(const char *name)
{
	for (const struct history_writer *writer = history_writers; writer->name; writer++)
		if (!strcmp(writer->name, name))
			return writer;
	return NULL;
}
