/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of a mail: both kernels side by side, a second line with what supports them. */
#ifndef KREGRESS_REPORTS_MAIL_TABLE_H
#define KREGRESS_REPORTS_MAIL_TABLE_H

#include "reports/report.h"

/* A reply can put "> " in front without a line growing over 78. */
#define MAIL_WIDTH 75

/*
 * Appends, with a heading each: changes that were judged, judged series without a certain change
 * (at most 40, the others counted), and background that was not judged.
 */
void mail_table_append(struct strbuf *out, const struct report *report);

#endif
