/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a page of a made-up history: history-pages usual|hostile|large|empty FILE. */
#include <stdio.h>
#include <string.h>

#include <git2.h>

#include "common/file.h"
#include "tests/unit/reports/histories.h"

static void fill(struct history_rig *rig, const char *kind)
{
	if (!strcmp(kind, "usual"))
		history_rig_usual(rig);
	else if (!strcmp(kind, "hostile"))
		history_rig_hostile(rig);
	else if (!strcmp(kind, "large"))
		history_rig_large(rig, 50, 3000);
	else
		history_rig_empty(rig);
}

int main(int argc, char **argv)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(strbuf_release) struct strbuf page = STRBUF_INIT;
	struct history_rig rig;
	int result;

	if (argc != 3)
		return 2;
	git_libgit2_init();
	fill(&rig, argv[1]);
	result = history_write_html(&rig.report, &page, &err);
	if (result == 0)
		result = file_write(argv[2], strbuf_text(&page), page.length, &err);
	if (result < 0)
		fprintf(stderr, "%s\n", err.message);
	history_rig_release(&rig);
	git_libgit2_shutdown();
	return result < 0 ? 1 : 0;
}
