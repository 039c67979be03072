/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A detected change as the report has it. */
#ifndef KREGRESS_CLI_HISTORY_CHANGE_H
#define KREGRESS_CLI_HISTORY_CHANGE_H

#include "reports/history.h"

/* To the worse; of the spread: values lie farther apart. */
bool change_is_regression(const struct change_point *point, enum better better);

/* Seen, without a cause and a finding; its q is its p. */
struct history_change history_change_of(const struct change_point *point, enum better better);

#endif
