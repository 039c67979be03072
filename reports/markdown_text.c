/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/markdown_text.h"

#include <stdbool.h>
#include <string.h>

#include "common/text.h"

/* A cell's text stays short, whatever a name or reason holds. */
#define CELL_LIMIT 500

void markdown_append(struct strbuf *out, const char *text)
{
	_cleanup_(strbuf_release) struct strbuf visible = STRBUF_INIT;
	size_t used = 0;

	text_append_visible(&visible, text);
	for (const char *byte = strbuf_text(&visible); *byte; byte++, used++) {
		bool continues = ((unsigned char)*byte & 0xc0) == 0x80;

		if (used >= CELL_LIMIT && !continues) {
			strbuf_append(out, "...");
			return;
		}
		if (*byte == '&')
			strbuf_append(out, "&amp;");
		else if (*byte == '<')
			strbuf_append(out, "&lt;");
		else if (*byte == '>')
			strbuf_append(out, "&gt;");
		else if (*byte == '@')
			strbuf_append(out, "&#64;");
		else if (strchr("\\`*_[]|~#$", *byte))
			strbuf_printf(out, "\\%c", *byte);
		else
			strbuf_append_char(out, *byte);
	}
}

void markdown_open_fold(struct strbuf *out, const char *summary)
{
	strbuf_printf(out, "<details><summary>%s</summary>\n\n", summary);
}

void markdown_close_fold(struct strbuf *out)
{
	strbuf_append(out, "\n</details>\n\n");
}
