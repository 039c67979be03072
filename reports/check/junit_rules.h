/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef KREGRESS_REPORTS_CHECK_JUNIT_RULES_H
#define KREGRESS_REPORTS_CHECK_JUNIT_RULES_H

#include "reports/check/check.h"
#include "reports/check/consumers.h"
#include "reports/check/junit_reading.h"

/* What holds for every reader: totals, names, outcomes, times. */
void junit_rules_common(struct check_result *result, const struct junit_reading *reading);

/* What one consumer shows, drops and refuses. */
void junit_rules_of(struct check_result *result, const struct junit_reading *reading,
		    const struct consumer *consumer, size_t bytes);

#endif
