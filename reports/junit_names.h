/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names by which dashboards recognise a test: ASCII, at most 255 bytes, unique in the file. They
 * depend on what is measured only, so that a test keeps its history from run to run.
 */
#ifndef KREGRESS_REPORTS_JUNIT_NAMES_H
#define KREGRESS_REPORTS_JUNIT_NAMES_H

#include "common/string_index.h"
#include "reports/report.h"

/* The names given so far in one document. */
struct junit_names {
	struct string_index taken;
};

/*
 * The benchmark in [A-Za-z0-9._-], other characters as '_'. Different benchmarks may share a
 * classname; the case names are unique within it. Owned by the caller.
 */
char *junit_classname(const char *benchmark);

/*
 * "METRIC [PARAMS]", with " @VARIANT" behind it when `variant` is not NULL; other characters than
 * printable ASCII as '_'. A long name is shortened and one that is taken extended, both by a
 * digest of the full original. Owned by the caller.
 */
char *junit_case_name(struct junit_names *names, const char *classname, const char *benchmark,
		      const char *metric, const char *params, const char *variant);

/* "kregress.TARGET.MACHINE.VARIANT" in [A-Za-z0-9._-]. Owned by the caller. */
char *junit_suite_name(struct junit_names *names, const struct report_variant *variant);

void junit_names_release(struct junit_names *names);

#endif
