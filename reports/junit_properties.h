/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the numbers come from, as properties of suites and, in the flavour `rich`, of cases. */
#ifndef KREGRESS_REPORTS_JUNIT_PROPERTIES_H
#define KREGRESS_REPORTS_JUNIT_PROPERTIES_H

#include "reports/junit_xml.h"
#include "reports/report.h"

/* The element `properties` of the suite of a variant. */
void junit_suite_properties(struct junit *junit, const struct report *report, size_t variant);

/* The element `properties` of a case. */
void junit_case_properties(struct junit *junit, const struct report_series *series,
			   const struct report_finding *finding);

#endif
