/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a report is shown, as far as its readers may choose. It changes no verdict and no number. */
#ifndef KREGRESS_REPORTS_PRESENTATION_H
#define KREGRESS_REPORTS_PRESENTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

/* Dialects of JUnit XML. */
enum junit_flavour {
	JUNIT_JENKINS, /* valid for Jenkins' xunit plug-in; what most readers take */
	JUNIT_RICH,    /* with file, line and properties of cases: more to see, in no schema */
	JUNIT_ANT,     /* valid for Ant's schema as well: no output of cases, bare root */
};

/* What a test dashboard shows a kind of finding as. */
enum shown_as {
	SHOWN_BY_DEFAULT, /* an open finding skipped, an improvement passed */
	SHOWN_PASSED,
	SHOWN_SKIPPED,
	SHOWN_FAILED,
};

/* What a bisection found. */
struct culprit {
	const char *commit;	 /* 12 to 40 hex digits, or a range "GOOD..BAD"; NULL: none known */
	const char *subject;	 /* or NULL */
	double probability_frac; /* that it is this one; 0 when unknown */
	bool confirmed;		 /* measured again against its parent, and slower */
	bool restored;		 /* the tip with it reverted is as fast as before */
};

/*
 * All zero is the default. What the pointers point to is the caller's and outlives the report that
 * holds the presentation.
 */
struct presentation {
	enum junit_flavour junit_flavour;
	enum shown_as inconclusive;
	enum shown_as improvement;
	const char *attachments; /* paths separated by commas, or NULL; see attachment_check() */
	const char *source_file; /* what `rich` names as a case's file; NULL: kregress.conf */
	const char *origin;	 /* KCIDB: the CI system; NULL: kregress */
	const char *build_id;	 /* KCIDB: of the variants' kernel, with its origin; or NULL */
	struct culprit culprit;
	const char *reported_by; /* "Name <address>" for the mail's tag, or NULL */
	size_t columns;		 /* the text's width; 0: as wide as its content */
	bool colour;		 /* the text carries terminal colours */
};

/* "jenkins", "rich", "ant"; false for anything else. */
bool junit_flavour_parse(const char *text, enum junit_flavour *flavour);

/* "pass", "skip", "fail"; false for anything else. */
bool shown_as_parse(const char *text, enum shown_as *shown);

/* Refuses paths that dashboards cannot read in "[[ATTACHMENT|PATH]]": with [, ] or |. */
int attachment_check(const char *paths, struct error *err) __must_check;

/* [a-z0-9_]+ as KCIDB wants it. */
bool origin_is_valid(const char *origin);

/* "ORIGIN:ANYTHING" */
bool origin_id_is_valid(const char *id);

/* A commit as struct culprit describes it. */
bool commit_is_valid(const char *commit);

#endif
