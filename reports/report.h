/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report model: every number, verdict and name that a writer shows. Writers compute nothing.
 *
 * report -> base and variants (what was compared, in which environment)
 *        -> series, each with the base's summary and one finding per new variant
 */
#ifndef KREGRESS_REPORTS_REPORT_H
#define KREGRESS_REPORTS_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/comparison.h"
#include "analyzer/comparison_effects.h"
#include "common/error.h"
#include "common/metric.h"
#include "common/strbuf.h"
#include "reports/culprit.h"
#include "reports/modes.h"
#include "reports/presentation.h"
#include "reports/quality.h"
#include "store/calibration.h"
#include "store/run_set.h"

/* Where a finding that is VERDICT_FAILED or not comparable comes from. */
enum finding_problem {
	PROBLEM_NONE,
	PROBLEM_CRASH,	     /* the benchmark, or every boot of the variant, failed */
	PROBLEM_MISSING,     /* the base has it, the variant does not */
	PROBLEM_NEW,	     /* the variant has it, the base does not: nothing to compare with */
	PROBLEM_UNAVAILABLE, /* the kernel cannot offer it, and says why */
	PROBLEM_MIXED,	     /* unit or direction differ between the two */
};

/* Boot values in order of boots, in the series' unit. */
struct value_list {
	double *items;
	size_t count;
	size_t capacity;
};

/* Blocks of boots. */
struct block_list {
	uint32_t *items;
	size_t count;
	size_t capacity;
};

struct report_finding {
	char *id;		      /* 16 hex digits, the same in every report and format */
	size_t variant;		      /* index into report.variants */
	enum finding_problem problem; /* what stands in the way, PROBLEM_NONE: compared */
	char *problem_text;	      /* owned explanation, NULL with PROBLEM_NONE */
	struct comparison comparison; /* verdict always valid; numbers when PROBLEM_NONE */
	double limit_frac;	      /* the limit it was judged against */
	double duration_s;	      /* time spent measuring it, both sides; 0 when unknown */
	size_t base_samples;	      /* raw samples behind the base's summary */
	size_t samples;		      /* raw samples behind the variant's summary */
	struct value_list values;     /* the variant's boot values; empty with PROBLEM_MIXED */
	struct block_list blocks;     /* the boots' blocks in the schedule, one per value */
	struct data_quality quality;  /* of the variant's samples */
	struct mode_comparison modes; /* where a side has two modes */
	/* More ways to size the change, when they were asked for (report.effects). */
	struct comparison_effects effects;
	/* What calibration found on this machine; boots 0: it was not calibrated. */
	struct {
		size_t boots; /* a side */
		double noise_floor_frac;
		double false_alarm_frac;
	} calibration;
};

/*
 * A benchmark that failed on both sides and left no samples has one series with the metric
 * REPORT_METRIC_RUN and no unit, so that its failure has a place.
 */
#define REPORT_METRIC_RUN "run"

struct report_series {
	char *benchmark;
	char *params;
	char *metric;
	char *unit;
	enum better better;
	/*
	 * The harness's own baseline (`loop.empty`): shown as background at most. Its findings take
	 * no part in the false discovery rate, in counts, exit codes or test outcomes.
	 */
	bool context;
	struct value_list base_values; /* empty when the base has no samples */
	struct block_list base_blocks;
	struct data_quality base_quality;
	ARRAY_OF(struct report_finding) findings; /* one per variant, in order of variants */
};

struct report_variant {
	char *name; /* as collected; "NAME@ID" where two sets of the report share the name */
	char *run_set_id;
	char *target;
	char *machine; /* machine class, or NULL */
	char *kernel;  /* release, or NULL when unknown */
	char *cmdline; /* kernel command line, or NULL */
	char *level;   /* what was repeated: "boot", ... */
	size_t boots_ok;
	size_t boots_failed;
	double boot_s; /* mean duration of a good boot; 0 when unknown */
	ARRAY_OF(struct environment_item) environment; /* of the first good boot, else the first */
	/* Failed boots: "boot 3 (slot 7): kernel panic: ..." with the console's tail behind it. */
	struct string_list failures;
	const struct run_set *set; /* the samples; borrowed, so it has to outlive the report */
};

struct report {
	char *created_at; /* UTC, "2026-11-30T20:33:07" without zone; year 1970: unknown */
	char *hostname;	  /* "localhost" when unknown */
	char *machine;	  /* machine class, or NULL */
	struct report_variant base;
	ARRAY_OF(struct report_variant) variants;
	ARRAY_OF(struct report_series) series; /* ordered by benchmark, parameters, metric */
	struct string_list notes; /* what the reader has to know: schedule, seed, level, one boot */
	double alpha;
	double limit_frac;  /* of findings that no pattern matches */
	enum method method; /* as asked for */
	enum adjustment adjustment;
	bool effects;	/* findings have them */
	bool looked_at; /* while it grew: alpha is what this look is judged at */
	uint64_t seed;
	struct presentation presentation; /* set by the caller after report_build() */
	struct found_culprit found;	  /* the caller's, too: what the presentation may show */
	const char *culprit_note;	  /* that one of the notes; NULL: no culprit is named */
};

/*
 * A limit for the benchmarks that match a shell pattern; the last match wins. A pattern is held
 * against NAME, "NAME [PARAMS]" and "NAME[PARAMS]"; its brackets may be meant either way.
 */
struct report_limit {
	char *pattern;
	double change_frac;
};

struct report_options {
	double limit_frac; /* when no pattern matches; 0: any change that is certain counts */
	const struct report_limit *limits;
	size_t limit_count;
	double alpha;
	enum method method;
	enum adjustment adjustment;		     /* for many series; ADJUSTMENT_BH by default */
	bool effects;				     /* fill finding.effects, too */
	const struct calibration_list *calibrations; /* of this machine class, or NULL */
	const char *created_at;			     /* as in report; NULL takes the newest set's */
	const char *hostname; /* NULL takes the base's environment item machine.hostname */
};

/*
 * Compares each of `variants` with `base`, series by series, with the false discovery rate
 * controlled over all findings together. The sets stay the caller's. Fails with ERROR_DATA when
 * nothing at all can be compared (no series in common and none failed).
 */
int report_build(const struct run_set *base, const struct run_set *const *variants, size_t count,
		 const struct report_options *options, struct report *report, struct error *err)
	__must_check;
void report_release(struct report *report);

/* Adds the note that names presentation.culprit. */
void report_note_culprit(struct report *report);

/* How many findings have that verdict; context series do not count. */
size_t report_count(const struct report *report, enum verdict verdict);

/* "none", "crash", "missing", "new", "unavailable", "mixed-unit". */
const char *finding_problem_name(enum finding_problem problem);

/* A sentence that gives the finding's reason, for people; appended, no line break in it. */
void report_explain(struct strbuf *out, const struct report *report,
		    const struct report_series *series, const struct report_finding *finding);

/*
 * Appends what to distrust in the finding's samples (drift, modes, outliers, warm-up), without a
 * line break; nothing where there is nothing.
 */
void report_warn(struct strbuf *out, const struct report *report,
		 const struct report_series *series, const struct report_finding *finding);

/* A report format: one file and one row in the table. */
struct report_writer {
	const char *name; /* "junit" */
	const char *summary;
	/* Appends the whole document. Fails only on what cannot be expressed. */
	int (*write)(const struct report *report, struct strbuf *out, struct error *err);
};

extern const struct report_writer report_writers[]; /* ended by an entry whose name is NULL */
const struct report_writer *report_writer_find(const char *name);

/* How many findings a format has no place for: it holds numbers only, or one direction. */
size_t report_left_out(const struct report *report, const char *format);

#endif
