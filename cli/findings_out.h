/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings on standard output. */
#ifndef KREGRESS_CLI_FINDINGS_OUT_H
#define KREGRESS_CLI_FINDINGS_OUT_H

#include "common/error.h"
#include "store/finding.h"

/*
 * A line for each change: a finding, or the members of a group that are in one state. The order of
 * the list is kept.
 */
int findings_print_list(const struct finding_list *list, struct error *err) __must_check;

/* All there is to know about each. */
int findings_print_all(const struct finding_list *list, struct error *err) __must_check;

/* {"format":"kregress-findings-1","findings":[...]}, every member a finding with its group. */
int findings_print_json(const struct finding_list *list, struct error *err) __must_check;

#endif
