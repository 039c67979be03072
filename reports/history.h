/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a report of a history shows, whatever its format: series over their run sets, the changes
 * in them, and what is remembered about these. Writers compute nothing.
 *
 * Whoever makes a report fills everything but what is marked as derived, then calls
 * history_report_derive() once, then the writers. Every char pointer is owned by the report and
 * freed by history_report_release(); NULL means unknown unless stated. Findings are borrowed.
 */
#ifndef KREGRESS_REPORTS_HISTORY_H
#define KREGRESS_REPORTS_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/change_point.h"
#include "common/array.h"
#include "common/error.h"
#include "common/metric.h"
#include "common/strbuf.h"
#include "reports/presentation.h"
#include "store/finding.h"

/* In which order the points of a series are taken. */
enum history_order {
	HISTORY_BY_TIME,    /* as the run sets were made */
	HISTORY_BY_COMMITS, /* by the commit graph of a repository */
	HISTORY_BY_LINES,   /* as they stand in a file */
};

/* One run set in one series. */
struct history_point {
	char *run_set;	       /* id; NULL for a line of a file */
	char *commit;	       /* 40 hex digits */
	char *time;	       /* UTC, "2026-11-30T20:33:07" */
	double location;       /* in the series' unit */
	double standard_error; /* of the location; negative: not known */
	size_t boots;	       /* values behind it; 0: not known */
};

/* What a change means to a reader, the gravest first; derived from finding, kind and q. */
enum history_grade {
	HISTORY_REGRESSED,    /* a regression that is new or reopened: asks for attention */
	HISTORY_ACKNOWLEDGED, /* a regression that somebody is at work on */
	HISTORY_KNOWN,	      /* a regression that is to stay */
	HISTORY_IMPROVED,     /* an improvement, unless withdrawn */
	HISTORY_CHANGED,      /* sure, but nothing is remembered about it: of a file, say */
	HISTORY_SPREAD,	      /* the values lie closer together or farther apart; no finding */
	HISTORY_FIXED,	      /* a regression that was taken back */
	HISTORY_UNSURE,	      /* q is above the report's alpha; no finding */
	HISTORY_WITHDRAWN,    /* later run sets show no change there */
};
#define HISTORY_GRADES 9

/*
 * One change of one series. Before, after, difference and ratio are those of struct change_point;
 * for CHANGE_KIND_SPREAD standard deviations.
 */
struct history_change {
	size_t index; /* the first point after the change, 1 to points.count - 1 */
	size_t low;   /* interval of index at 95%, both included */
	size_t high;
	enum change_kind kind;
	bool regression; /* to the worse; of the spread: farther apart */
	bool seen;	 /* by the present detection; false: remembered from earlier ones only */
	double before;
	double after;
	double difference;
	struct interval difference_ci;
	double ratio; /* 0 where ratio_ci is not known */
	struct interval ratio_ci;
	double p;
	double q;    /* over all changes of the report; negative: not known */
	char *cause; /* what else changed on the machine there: "microcode: 0x1 -> 0x2" */
	const struct finding *finding; /* borrowed, outlives the report; NULL: none is remembered */
	/* Derived: */
	enum history_grade grade;
	size_t group_size; /* changes of this report in the finding's group, itself included */
};

/* A level, or a slope, between two changes; derived. */
struct history_level {
	size_t first; /* points, both included */
	size_t last;
	double from; /* location at the first and at the last point */
	double to;
};

struct history_series {
	char *benchmark; /* the file's name for a series of a file */
	char *params;	 /* "" for none, never NULL */
	char *metric;	 /* "" for none, never NULL */
	char *unit;	 /* "" for none, never NULL */
	enum better better;
	char *variant; /* NULL: of a file */
	char *machine; /* class; NULL: unknown */
	enum history_order order;
	bool known;	 /* false: could not be searched, as a value is not finite */
	double noise_sd; /* of single points; autocorrelation of lag 1 */
	double autocorrelation;
	size_t run_sets; /* that were searched; 0: as many as there are points */
	/* In the order they were taken; a series without changes may leave them out. */
	ARRAY_OF(struct history_point) points;
	ARRAY_OF(struct history_change) changes; /* ascending by index */
	ARRAY_OF(struct history_level) levels;	 /* derived; cover all points */
};

/* A change by its place in the report. */
struct history_item {
	size_t series;
	size_t change;
};

struct history_report {
	char *created_at; /* UTC, "2026-11-30T20:33:07" without zone */
	char *hostname;
	char *source;	  /* the store or file that was read */
	char *repository; /* whose commit graph orders the points; NULL: none */
	char *since;	  /* the revision or time that points begin at, as asked for; NULL: all */
	double alpha;	  /* of q, for a change to be remembered */
	enum change_method method;
	struct string_list notes; /* what the reader has to know: order and why, what is left out */
	ARRAY_OF(struct history_series) series; /* ordered by variant, machine and name */
	/* Derived: every change, the gravest first, those of one group together. */
	ARRAY_OF(struct history_item) items;
	size_t counts[HISTORY_GRADES]; /* derived: changes of each grade */
	size_t points;		       /* derived: searched, of all series */
	size_t steady;		       /* derived: series without a change seen or remembered */
	bool several; /* derived: series of more than one variant or machine class */
	/* The caller's, like that of a report: columns and colour of the text, the JUnit flavour.
	 */
	struct presentation presentation;
};

/* Fills what is derived. Once, when everything else is in place. */
void history_report_derive(struct history_report *report);
void history_report_release(struct history_report *report);

/* "time", "commits", "lines" */
const char *history_order_name(enum history_order order);

/* "regressed", "acknowledged", "known", "improved", "changed", "spread", "fixed", "unsure",
 * "withdrawn" */
const char *history_grade_name(enum history_grade grade);

/* A format of history reports. */
struct history_writer {
	const char *name; /* "text", "json", "junit", "html", "markdown" */
	const char *summary;
	/* Appends the whole document. Fails only on what cannot be expressed. */
	int (*write)(const struct history_report *report, struct strbuf *out, struct error *err);
};

extern const struct history_writer history_writers[]; /* ended by an entry whose name is NULL */
const struct history_writer *history_writer_find(const char *name);

/* A line per change, as wide as presentation.columns; for a terminal. */
int history_write_text(const struct history_report *report, struct strbuf *out, struct error *err);

/* `kregress-history-1`, described by docs/history.schema.json. */
int history_write_json(const struct history_report *report, struct strbuf *out, struct error *err);

/*
 * A case per series. It fails while a regression is new or reopened, is skipped while one is
 * acknowledged only, and passes otherwise with what there is as its output.
 */
int history_write_junit(const struct history_report *report, struct strbuf *out, struct error *err);

/* One self-contained page (html_page.h) with a plot of every series that changed. */
int history_write_html(const struct history_report *report, struct strbuf *out, struct error *err);

/* A short comment, the changes that ask for attention in a table, everything else folded. */
int history_write_markdown(const struct history_report *report, struct strbuf *out,
			   struct error *err);

#endif
