/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of findings in formats that allow few characters and no two of a name. */
#ifndef KREGRESS_REPORTS_EXPORT_NAMES_H
#define KREGRESS_REPORTS_EXPORT_NAMES_H

#include "common/string_index.h"
#include "reports/report.h"

/* The names given so far in one document; all zero is empty and valid. */
struct export_names {
	struct string_index taken;
};

/*
 * `text` with every character but ASCII letters, digits and those of `others` as '_', "unnamed"
 * for "". Owned by the caller.
 */
char *export_clean(const char *text, const char *others);

/* `name`, with "-ID" of the finding behind it when it is taken already. Owned by the caller. */
char *export_name_claim(struct export_names *names, const char *name,
			const struct report_finding *finding);

/*
 * "sched.hackbench [groups=4] time", with " @VARIANT" behind it where the report has several.
 * Control characters and ill-formed bytes as \xNN. Owned by the caller.
 */
char *export_finding_name(const struct report *report, const struct report_series *series,
			  const struct report_finding *finding);

void export_names_release(struct export_names *names);

/* True when the finding has a value of the variant to show. */
bool export_has_value(const struct report_series *series, const struct report_finding *finding);

/* The full commit hash of a side, from its environment item kernel.commit; NULL when unknown. */
const char *export_commit(const struct report_variant *variant);

#endif
