/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checks by format. Each sets format and summary, and adds remarks. */
#ifndef KREGRESS_REPORTS_CHECK_FORMATS_H
#define KREGRESS_REPORTS_CHECK_FORMATS_H

#include <jansson.h>

#include "reports/check/check.h"

/* `consumer`: NULL for all. */
void check_junit(struct check_result *result, const char *document, size_t length,
		 const char *consumer);

/* KCIDB v5 and kregress-comparison-1; the root is an object. */
void check_kcidb(struct check_result *result, const json_t *root);
void check_comparison(struct check_result *result, const json_t *root);

/* `document` ends with NUL. */
void check_prometheus(struct check_result *result, const char *document);
void check_benchfmt(struct check_result *result, const char *document);

#endif
