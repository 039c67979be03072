/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of a table as people paste it from mails: quote marks, comments, rules of dashes and
 * blank lines are taken away, the rest is split into words.
 */
#ifndef KREGRESS_COLLECTOR_IMPORT_LINES_H
#define KREGRESS_COLLECTOR_IMPORT_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/import/importer.h"
#include "common/array.h"

/* A longer line is refused: it is no table that anyone wrote. */
#define TABLE_LINE_MAX 65536
/* The same for a word, brackets or a remark. */
#define TABLE_WORD_MAX 256

struct table_line {
	size_t number;	  /* in the file, from 1 */
	size_t indent;	  /* columns of white space before the first word */
	bool after_blank; /* the line before it is blank */
	/* Words; "(...)" is one word; never empty. Without the brackets and the colon below. */
	struct string_list words;
	size_t colon;	    /* words before the first ':' that ends a word; 0: none */
	char *brackets;	    /* text from "[...]", several joined by a comma; NULL: none */
	size_t brackets_at; /* words before the first bracket */
};

struct table_lines {
	struct table_line *items;
	size_t count;
	size_t capacity;
};

/*
 * Reads the lines that hold anything. Errors name file and line: ill-formed UTF-8, NUL and other
 * control characters, a line or word that is too long, a bracket without its end, no line at all.
 */
int table_lines_read(struct table_lines *lines, const struct import_input *input, struct error *err)
	__must_check;
void table_lines_release(struct table_lines *lines);

/* Puts "NAME:LINE" in front of the message; without a hint, says what a table is. Returns -1. */
int table_line_fail(const struct import_input *input, const struct table_line *line,
		    struct error *err);

/* The words from `first` up to `end`, with `separator` between them. Owned by the caller. */
char *table_line_join(const struct table_line *line, size_t first, size_t end, char separator);

/* True for a word that is or tries to be a number: "1.5s", "-3", ".836", also "nan" and "inf". */
bool word_is_numeric(const char *word);

#endif
