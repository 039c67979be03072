/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/export_names.h"

#include <string.h>

#include "common/text.h"
#include "reports/format.h"

#define LETTERS_AND_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

enum { COMMIT_DIGITS = 40 };

char *export_clean(const char *text, const char *others)
{
	struct strbuf out = STRBUF_INIT;

	for (; *text; text++) {
		bool allowed = strchr(LETTERS_AND_DIGITS, *text) || strchr(others, *text);

		strbuf_append_char(&out, allowed ? *text : '_');
	}
	if (!out.length)
		strbuf_append(&out, "unnamed");
	return strbuf_take(&out);
}

char *export_name_claim(struct export_names *names, const char *name,
			const struct report_finding *finding)
{
	char *unique = xstrdup(name);

	/* Ids differ between findings: the second try is free unless a name imitates it. */
	while (!string_index_add(&names->taken, unique, 0)) {
		char *longer = xasprintf("%s-%s", unique, finding->id);

		free(unique);
		unique = longer;
	}
	return unique;
}

char *export_finding_name(const struct report *report, const struct report_series *series,
			  const struct report_finding *finding)
{
	_cleanup_(strbuf_release) struct strbuf name = STRBUF_INIT;
	struct strbuf visible = STRBUF_INIT;

	format_series_name(&name, series);
	if (report->variants.count > 1)
		strbuf_printf(&name, " @%s", report->variants.items[finding->variant].name);
	text_append_visible(&visible, strbuf_text(&name));
	return strbuf_take(&visible);
}

void export_names_release(struct export_names *names)
{
	string_index_release(&names->taken);
}

bool export_has_value(const struct report_series *series, const struct report_finding *finding)
{
	return !series->context && finding->comparison.candidate.n > 0;
}

const char *export_commit(const struct report_variant *variant)
{
	array_for_each (item, &variant->environment)
		if (!strcmp(item->key, "kernel.commit") &&
		    strspn(item->value, "0123456789abcdef") == COMMIT_DIGITS &&
		    !item->value[COMMIT_DIGITS])
			return item->value;
	return NULL;
}
