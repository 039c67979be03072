/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the importers of tools' output share: lines, rules for them, and the one variant that all
 * values of a file belong to.
 */
#ifndef KREGRESS_COLLECTOR_IMPORT_TOOL_H
#define KREGRESS_COLLECTOR_IMPORT_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/import/builder.h"
#include "collector/import/line_pattern.h"
#include "common/strbuf.h"

struct tool_line {
	const char *text; /* ended by NUL, without blanks at its ends */
	bool complete;	  /* false: the file ends before the line does */
};

struct tool_reader {
	const struct import_input *input; /* not owned */
	struct import_builder builder;
	char *variant;
	char *text;
	ARRAY_OF(struct tool_line) lines;
	size_t line;	 /* number of the line being read, from 1 */
	char *instance;	 /* of several that ran at once; NULL: one only */
	size_t unclosed; /* line of what has begun and gave no value so far; 0: nothing */
	size_t values;	 /* added so far */
	/* Where the text of interest begins in a line; NULL: at its front. */
	const char *(*strip)(const char *line);
};

struct tool_series {
	const char *benchmark; /* as the tool writes it; characters of no name become "_" */
	const char *params;    /* "groups=2,mode=process"; NULL or "" when there are none */
	const char *metric;
	const char *unit;
	enum better better;
};

/*
 * A line that begins with `anchor` (or, after a '*', holds it) must match the pattern of one of the
 * rules with such an anchor, so that a damaged line is an error and not a line of no interest.
 * `take` is NULL where the values are of no interest. Of the rules that match, the first is taken.
 */
struct tool_rule {
	const char *anchor;
	const char *pattern;
	int (*take)(struct tool_reader *reader, void *state, const struct line_match *match,
		    struct error *err);
};

/* Cuts the text into lines. Refused, with the line: NUL bytes and text that is not UTF-8. */
int tool_reader_init(struct tool_reader *reader, const struct import_input *input,
		     struct error *err) __must_check;
void tool_reader_release(struct tool_reader *reader);

/* Reads all lines by the rules, of which one without anchor is the last. Errors name the line. */
int tool_reader_run(struct tool_reader *reader, const struct tool_rule *rules, void *state,
		    struct error *err) __must_check;

/*
 * Adds a value to a series of the file's variant. With a unit that says so, nothing negative.
 * Errors do not name the line.
 */
int tool_add(struct tool_reader *reader, const struct tool_series *series, double value,
	     struct error *err) __must_check;

/* Puts "NAME:LINE" of the current line in front, and a hint where there is none. Returns -1. */
int tool_fail(struct tool_reader *reader, struct error *err);

/* Refuses the end of something of which the beginning is missing or damaged. Returns -1. */
int tool_out_of_place(struct error *err);

/*
 * Appends the run set to `*sets`. Refused when something is unclosed or no value was added: the
 * file was cut, or the tool failed.
 */
int tool_reader_finish(struct tool_reader *reader, struct run_set_list *sets, struct error *err)
	__must_check;

/* The line without the time and level that the kernel's log puts in front of it. */
const char *kernel_log_text(const char *line);

/* Appends "KEY=VALUE", with a comma before it unless it is the first. */
void tool_param(struct strbuf *params, const char *key, const char *value);
void tool_param_capture(struct strbuf *params, const char *key, const struct line_capture *capture);

/* The name of the variant: as the input says, else after the file. Owned by the caller. */
char *tool_variant(const struct import_input *input);

/* True when one of the first lines of the text matches the pattern. */
bool tool_text_has(const char *text, size_t length, const char *pattern);

/* True when the text holds `word` anywhere. */
bool tool_text_holds(const char *text, size_t length, const char *word);

#endif
