/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The samples that an HTML report of ours carries with it. */
#include <string.h>

#include "collector/import/importer.h"
#include "common/alloc.h"
#include "common/embedded.h"
#include "store/exchange.h"

/* A page begins within so many bytes, behind a byte order mark or a comment. */
#define PREFIX_BYTES 1024

static bool is_html(const char *text, size_t length)
{
	size_t prefix = length < PREFIX_BYTES ? length : PREFIX_BYTES;
	_cleanup_free_ char *head = xstrndup(text, prefix);

	return strcasestr(head, "<!doctype html") || strcasestr(head, "<html");
}

bool html_report_recognise(const char *text, size_t length)
{
	return length && is_html(text, length);
}

int html_report_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_free_ char *name = xasprintf("%s (embedded samples)", input->name);
	size_t start, size;

	if (!embedded_find(input->text, input->length, &start, &size)) {
		error_set(err, ERROR_DATA, "%s:1: the page holds no samples", input->name);
		return error_hint(err, "only a whole HTML report of kregress holds them; one with "
				       "very many samples names the `kregress export` that has "
				       "them");
	}
	if (exchange_read(name, input->text + start, size, sets, err) == 0)
		return 0;
	return error_hint(err, "the page is damaged or not complete: write it again with "
			       "`kregress report html`");
}
