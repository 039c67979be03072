/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run sets and reports for the tests of reports/. */
#ifndef KREGRESS_TESTS_UNIT_REPORTS_SETS_H
#define KREGRESS_TESTS_UNIT_REPORTS_SETS_H

#include "reports/report.h"

/* A set of that variant with `boots` good boots; ids and times are fixed. */
void set_init(struct run_set *set, const char *variant, size_t boots);

/* Adds values to boots 0, 1, ...; `count` values, one a boot. */
void set_add(struct run_set *set, const char *benchmark, const char *params, const char *metric,
	     const char *unit, enum better better, const double *values, size_t count);

/* Makes boot `index` a failed one. */
void set_fail_boot(struct run_set *set, size_t index, const char *reason, const char *console);

/* The defaults: alpha 0.05, limit 2%, method auto. */
struct report_options default_options(void);

/* The report of one or more variants; fails the test when it cannot be built. */
struct report build(const struct run_set *base, const struct run_set *const *variants, size_t count,
		    const struct report_options *options);

/* The finding of a series and variant; fails the test when there is none. */
const struct report_finding *finding_of(const struct report *report, const char *benchmark,
					const char *params, const char *metric, size_t variant);

/* The document of that format; fails the test when it cannot be written. Owned by the caller. */
char *write_report(const struct report *report, const char *format);

/*
 * "Re-tune x86 uaccess code for PREEMPT_VOLUNTARY", linux-kernel, August 2013: three samples each
 * of vmark, tbench 8, hackbench -l 10000 and kbuild vmlinux, voluntary and preempt.
 */
void sets_2013(struct run_set *voluntary, struct run_set *preempt);

/*
 * "PREEMPT_RT and I-PIPE: the numbers, part 4", linux-kernel, July 2005: fork and mmap in
 * microseconds, one value each of vanilla, preempt_rt and ipipe.
 */
void sets_2005(struct run_set *vanilla, struct run_set *preempt_rt, struct run_set *ipipe);

/*
 * Names, reasons and a console that break readers: controls, ill-formed UTF-8, markup, a CDATA
 * end, 300 characters, two benchmarks that are equal once cleaned, 1 MB of console.
 */
void sets_hostile(struct run_set *base, struct run_set *variant);

#endif
