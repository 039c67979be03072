/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What reads JUnit, and what each is known to do with it. */
#ifndef KREGRESS_REPORTS_CHECK_CONSUMERS_H
#define KREGRESS_REPORTS_CHECK_CONSUMERS_H

#include <stdbool.h>
#include <stddef.h>

/* Which of several cases with one name is shown. */
enum duplicates {
	DUPLICATES_ALL,
	DUPLICATES_FIRST,
	DUPLICATES_LAST,
};

/* One row per consumer; false and 0 mean that it does not care. */
struct consumer {
	const char *name;
	const char *summary;
	bool only_when_named; /* few read it: no part of a check of all */
	/* Refuses the file. */
	bool strict_schema; /* attributes and elements beyond the xunit schema, odd times */
	bool ant_schema;    /* the same against Ant's schema */
	bool needs_suite_name;
	bool needs_classname;
	size_t bytes_max;
	size_t cases_max;
	/* Shows less than there is. */
	bool drops_nested; /* cases of a suite within a suite */
	enum duplicates duplicates;
	size_t name_max;	 /* characters */
	bool body_hides_message; /* the attribute is lost where there is a body */
	bool skips_silently;	 /* no reason of a skipped case */
	bool skipped_needs_body; /* the reason is the body's, not the attribute's */
	bool skipped_wins;	 /* a case with a failure and `skipped` is shown as skipped */
	bool totals_from_attributes;
	bool needs_time;
	bool needs_timestamp;
	bool ignores_case_output;
	size_t passed_output_max; /* characters of a passed case's output */
	bool attachments;	  /* shows [[ATTACHMENT|path]] */
	bool first_attachment_of_failed_only;
	bool hides_classname;  /* cases of two classes with one name look alike */
	bool shows_properties; /* of cases */
	bool shows_file;
};

extern const struct consumer consumers[]; /* ended by an entry whose name is NULL */

/* The row, or NULL. */
const struct consumer *consumer_find(const char *name);

#endif
