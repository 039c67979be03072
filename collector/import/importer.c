/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/import/importer.h"

#include <string.h>

#include "common/strbuf.h"

/* The table comes last: it takes nearly any text with numbers in it. */
const struct importer importers[] = {
	{"kregress-1", "JSON Lines that kregress export writes", kregress1_recognise,
	 kregress1_read},
	{"table", "plain text table of benchmarks, variants and values", table_recognise,
	 table_read},
	{0},
};

const struct importer *importer_find(const char *name)
{
	for (const struct importer *importer = importers; importer->name; importer++)
		if (!strcmp(importer->name, name))
			return importer;
	return NULL;
}

const struct importer *importer_recognise(const char *text, size_t length)
{
	for (const struct importer *importer = importers; importer->name; importer++)
		if (importer->recognise(text, length))
			return importer;
	return NULL;
}

static char *list_formats(void)
{
	struct strbuf names = STRBUF_INIT;

	for (const struct importer *importer = importers; importer->name; importer++)
		strbuf_printf(&names, "%s%s", importer == importers ? "" : ", ", importer->name);
	return strbuf_take(&names);
}

static int unknown_format(const char *format, struct error *err)
{
	_cleanup_free_ char *formats = list_formats();

	error_set(err, ERROR_USAGE, "there is no import format '%s'", format);
	return error_hint(err, "formats: auto, %s", formats);
}

static int not_recognised(const struct import_input *input, struct error *err)
{
	_cleanup_free_ char *formats = list_formats();

	error_set(err, ERROR_DATA, "%s:1: the text is in none of the formats %s", input->name,
		  formats);
	return error_hint(err, "name the format instead of 'auto' to see which line does not fit");
}

int importer_read(const char *format, const struct import_input *input, struct run_set_list *sets,
		  struct error *err)
{
	const struct importer *importer;

	if (!strcmp(format, "auto")) {
		importer = importer_recognise(input->text, input->length);
		if (!importer)
			return not_recognised(input, err);
	} else {
		importer = importer_find(format);
		if (!importer)
			return unknown_format(format, err);
	}
	return importer->read(input, sets, err);
}
