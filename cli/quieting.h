/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A quiet machine for the duration of a collection or a command: --fix. */
#ifndef KREGRESS_CLI_QUIETING_H
#define KREGRESS_CLI_QUIETING_H

#include "cli/cli.h"
#include "collector/noise/quiet.h"

struct quieting {
	struct machine machine;
	struct quiet *quiet; /* NULL when another kregress keeps the machine quiet */
};

/* At the start of every command: puts back what a kregress that was killed has left behind. */
void quieting_recover(void);

/* Sets what can be set, and notes it; until quieting_end(), or for good with `keep`. */
int quieting_begin(struct quieting *quieting, bool keep, const struct log *log, struct error *err)
	__must_check;

/* Puts everything back that is not to be kept; what fails is warned about. */
void quieting_end(struct quieting *quieting, const struct log *log);

/* What became of a source's files: "set to 0", "refused: ..."; NULL when none was to be changed. */
char *quieting_outcome(const struct quieting *quieting, const char *source);

#endif
