/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report of a bisection shows, whatever its format. Writers compute nothing. */
#ifndef KREGRESS_REPORTS_BISECT_REPORT_H
#define KREGRESS_REPORTS_BISECT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/array.h"
#include "common/error.h"
#include "common/strbuf.h"

enum bisect_commit_state {
	BISECT_UNTESTED,
	BISECT_FAST, /* tested: like good */
	BISECT_SLOW, /* tested: like bad */
	BISECT_SKIPPED,
};

struct bisect_commit {
	char *id; /* 40 hex digits */
	char *subject;
	char *author;
	char *author_date; /* "2026-11-30 20:33:07 +0000" */
	enum bisect_commit_state state;
	char *reason;	    /* BISECT_SKIPPED: why, or NULL */
	double probability; /* that it made it slow */
	bool in_set;	    /* of the credible set */
	size_t count;	    /* values measured */
	double mean;
	double sd;	   /* 0 with fewer than two */
	double duration_s; /* of its measurements */
};

/* A closing proof; see struct proof in bisect/driver/bisection.h. */
struct bisect_proof {
	bool present;
	bool done;
	bool confirmed;
	bool fix; /* of a commit that made it faster */
	char *verdict;
	char *reason;
	size_t count;
	double ratio; /* 0: unknown, as its interval */
	double ratio_low;
	double ratio_high;
	double p; /* negative: none */
};

/* How a commit changed the level. */
struct bisect_effect {
	bool known;
	double ratio; /* 0: unknown, as its interval */
	double ratio_low;
	double ratio_high;
	double difference;
	double difference_low;
	double difference_high;
};

/* The other one of two changes. */
struct bisect_second {
	char *commit; /* NULL: there is one change */
	bool fix;     /* it made it faster */
	struct bisect_effect effect;
	struct bisect_proof proof;
	struct bisect_proof revert;
};

struct bisect_report {
	char *repository;
	char *started_at;
	char *state; /* "found", "found among", "not reproduced", ... */
	char *term_bad;
	char *term_good;
	char *benchmark; /* or NULL */
	char *metric;	 /* or NULL */
	bool measures;	 /* values, else pass and fail */
	size_t range;	 /* commits that were candidates */
	size_t measured; /* values or outcomes in all */
	size_t skipped;
	double nothing;	  /* probability that no commit made it slow */
	double mass;	  /* probability of the set */
	bool finished;	  /* nothing is left to do */
	double cost_left; /* predicted measurements; 0 when finished or unknown */
	char *next;	  /* the commit to be tested next, or NULL */
	char *first_bad;  /* "found": its id, or NULL */
	struct bisect_effect effect;
	struct bisect_proof proof;
	struct bisect_proof revert;
	struct bisect_second second; /* "found" with two changes */
	struct string_list path; /* ids in the order in which they were measured, without repeats
				  * in a row */
	/* Those that were tested or skipped and those of the set, older ones first; or, for
	 * bisect_write_bars(), the whole range. */
	ARRAY_OF(struct bisect_commit) commits;
};

void bisect_report_release(struct bisect_report *report);

/* "fast", "slow", "skipped", "untested". */
const char *bisect_commit_state_name(enum bisect_commit_state state);

/* Appends one sentence that says what came out. */
void bisect_report_summary(struct strbuf *out, const struct bisect_report *report);

/* Appends "change +2.1% (95% interval +1.8% .. +2.4%)", or nothing. */
void bisect_report_effect(struct strbuf *out, const struct bisect_effect *effect);

/*
 * Appends what a proof found, or why it was not tried, behind "proof: " or, where it is that of the
 * revert, "revert on the tip: "; nothing where there is none.
 */
void bisect_report_proof(struct strbuf *out, const struct bisect_proof *proof, bool revert);

/* The writers. Each appends a whole document. */
/* The commits with bars for their probabilities, newest first, and the path taken. */
int bisect_write_bars(const struct bisect_report *report, struct strbuf *out, struct error *err);
int bisect_write_text(const struct bisect_report *report, struct strbuf *out, struct error *err);
int bisect_write_json(const struct bisect_report *report, struct strbuf *out, struct error *err);
int bisect_write_junit(const struct bisect_report *report, struct strbuf *out, struct error *err);

#endif
