/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bisection in memory: what its journal says, and nothing else. bisection_apply() of all records
 * in their order gives the state; everything that is decided is computed from it (view.h).
 */
#ifndef KREGRESS_BISECT_DRIVER_BISECTION_H
#define KREGRESS_BISECT_DRIVER_BISECTION_H

#include <git2.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "bisect/core/search.h"
#include "bisect/driver/measurer.h"
#include "common/array.h"
#include "common/error.h"
#include "common/metric.h"

enum mark_kind {
	MARK_GOOD,
	MARK_BAD,
	MARK_SKIP,
};

/* "This commit is ...": from the user, or from a script that is taken to be always right. */
struct mark {
	git_oid commit;
	enum mark_kind kind;
	char *word;   /* the term it was given by; NULL: the term in force */
	bool by_run;  /* not by hand */
	bool base;    /* the commit was a merge base that had to be tested */
	char *reason; /* MARK_SKIP: why, or NULL */
	char *log_path;
	double duration_s;
};

/* What a value was measured for. All of them are evidence. */
enum purpose {
	PURPOSE_SEARCH,
	PURPOSE_BASE,	/* is this merge base like good? */
	PURPOSE_PROOF,	/* culprit and parent, interleaved */
	PURPOSE_REVERT, /* bad and bad with the culprit reverted, interleaved */
	PURPOSE_STORE,	/* found in the store */
	PURPOSE_USER,	/* given by hand */
};

struct observation {
	git_oid commit;
	enum measurement_state state; /* MEASURED_VALUE, _PASS or _FAIL */
	double value;
	enum purpose purpose;
	char *run_set_id;
	char *log_path;
	double duration_s;
};

struct build_note {
	git_oid commit;
	bool broken;
	bool cached;
	char *reason;
	char *log_path;
	char *identity;
	char *config;
	double duration_s;
};

/* A merge base that was measured: as fast as good, or slow like bad. */
struct base_verdict {
	git_oid commit;
	bool slow;
};

/* The closing proof, or the revert's, judged by the analyzer. */
struct proof {
	git_oid culprit;
	git_oid base;	   /* the parent; for a revert: bad */
	git_oid candidate; /* the culprit; for a revert: the commit that reverts it */
	bool revert;
	bool fix;	/* the commit made it faster: all is the other way round */
	bool done;	/* false: could not be tried, see reason */
	bool confirmed; /* culprit regressed against parent; revert improved against bad */
	char *verdict;	/* "regressed" */
	char *reason;	/* why it could not be tried */
	size_t count;	/* values a side */
	double ratio;	/* candidate to base; 0: unknown */
	double ratio_low;
	double ratio_high; /* 0 with ratio_low: unknown */
	double p;	   /* negative: none */
};

/* What `start` fixes. */
struct bisect_options {
	char *repository; /* absolute path */
	char *term_bad;	  /* NULL: not fixed yet */
	char *term_good;
	bool first_parent;
	bool no_checkout;
	bool flaky;
	uint64_t steps; /* 1 or 2 */
	struct string_list paths;
	char *bench;  /* benchmark, with parameters in brackets, or NULL */
	char *metric; /* or NULL */
	char *variant;
	double prior_nothing; /* negative: the default of the kind of evidence */
	bool has_better;
	enum better better;
	uint64_t seed;
	char *started_at; /* UTC */
};

struct bisection {
	bool started;
	struct bisect_options options;
	bool measures; /* evidence is values, not pass and fail */
	bool exact;    /* values repeat exactly */
	enum better better;
	ARRAY_OF(struct mark) marks;
	ARRAY_OF(struct observation) observations;
	ARRAY_OF(struct build_note) builds;
	ARRAY_OF(struct base_verdict) bases;
	ARRAY_OF(struct proof) proofs;
	size_t proved; /* observations that are older than the last proof */
	char *answer;  /* state of the last answer; NULL: none, or evidence came after it */
};

void bisection_release(struct bisection *bisection);

/* Applies one record of the journal; ERROR_DATA for one that is no record. */
int bisection_apply(struct bisection *bisection, const json_t *record, struct error *err)
	__must_check;
int bisection_apply_all(struct bisection *bisection, const json_t *records, const char *name,
			struct error *err) __must_check;

/* Records, as new objects. Text that is not UTF-8 is made visible. */
json_t *record_start(const struct bisect_options *options);
json_t *record_mark(const struct mark *mark);
json_t *record_evidence(const struct observation *observation);
json_t *record_build(const struct build_note *build);
json_t *record_base(const struct base_verdict *base);
json_t *record_proof(const struct proof *proof);
/* `bench` and `metric`: what is measured, or NULL. */
json_t *record_measures(bool exact, enum better better, const char *bench, const char *metric);
json_t *record_note(const char *text);
json_t *record_answer(const char *state, const char *time, const json_t *commits);

/* The word for bad and good commits: the terms in force. */
const char *bisection_term(const struct bisection *bisection, enum mark_kind kind);

/* "search", "base", "proof", "revert", "store", "user". */
const char *purpose_name(enum purpose purpose);

/* "good", "bad", "skip": as records have it, whatever the terms are. */
const char *mark_kind_name(enum mark_kind kind);

/* The build of a commit that was noted last, or NULL. */
const struct build_note *bisection_build(const struct bisection *bisection, const git_oid *commit);

/* The last mark of a commit, or NULL. */
const struct mark *bisection_mark(const struct bisection *bisection, const git_oid *commit);

/* The last proof of that culprit, or NULL. */
const struct proof *bisection_proof(const struct bisection *bisection, const git_oid *culprit,
				    bool revert);

#endif
