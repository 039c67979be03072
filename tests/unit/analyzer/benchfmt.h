/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples from files in Go's benchmark format. */
#ifndef KREGRESS_TESTS_UNIT_ANALYZER_BENCHFMT_H
#define KREGRESS_TESTS_UNIT_ANALYZER_BENCHFMT_H

#include "tests/unit/analyzer/near.h"

#include <string.h>

#include "common/alloc.h"
#include "common/array.h"
#include "common/file.h"
#include "common/number.h"

struct benchfmt_query {
	const char *file; /* in the folder of benchstat's data */
	const char *note; /* take only lines below "note: ..." of this text; NULL takes all */
	const char *name; /* without "Benchmark", with the suffix of the processors */
	const char *unit;
};

struct sample {
	double values[32];
	size_t n;
};

static inline char *benchfmt_path(const char *file)
{
	return xasprintf("%s/stats/benchstat/%s", SHARED_DATA, file);
}

/* Appends a file's content; fails the test when it cannot be read. */
static inline void benchfmt_read(const char *file, struct strbuf *content)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *path = benchfmt_path(file);

	if (file_read(path, content, &err))
		fail_msg("%s", err.message);
}

static inline void sample_add(struct sample *sample, const char *text)
{
	_cleanup_(error_clear) struct error err = {0};

	assert_in_range(sample->n, 0, ARRAY_SIZE(sample->values) - 1);
	if (number_parse(text, &sample->values[sample->n++], &err))
		fail_msg("%s", err.message);
}

/* A line is "BenchmarkNAME iterations value unit value unit ...". */
static inline void benchfmt_line(const char *line, const struct benchfmt_query *query,
				 struct sample *sample)
{
	const char prefix[] = "Benchmark";
	_cleanup_(string_list_release) struct string_list fields = {0};

	string_list_split(&fields, line, " \t\r");
	if (fields.count < 4 || strncmp(fields.items[0], prefix, sizeof(prefix) - 1) != 0 ||
	    strcmp(fields.items[0] + sizeof(prefix) - 1, query->name) != 0)
		return;
	for (size_t i = 2; i + 1 < fields.count; i += 2) {
		if (!strcmp(fields.items[i + 1], query->unit))
			sample_add(sample, fields.items[i]);
	}
}

static inline struct sample benchfmt_sample(const struct benchfmt_query *query)
{
	const char note[] = "note: ";
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
	_cleanup_(string_list_release) struct string_list lines = {0};
	struct sample sample = {.n = 0};
	bool wanted = !query->note;

	benchfmt_read(query->file, &content);
	string_list_split(&lines, strbuf_text(&content), "\n");
	for (size_t i = 0; i < lines.count; i++) {
		const char *line = lines.items[i];

		if (query->note && !strncmp(line, note, sizeof(note) - 1))
			wanted = !strcmp(line + sizeof(note) - 1, query->note);
		if (wanted)
			benchfmt_line(line, query, &sample);
	}
	return sample;
}

#endif
