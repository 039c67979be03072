/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Importers: other tools' output becomes run sets, one per variant that the input names.
 *
 * A format is one row of importers[] and one file that holds its functions. Importers do no IO and
 * read no clock; all they need is in `struct import_input`.
 */
#ifndef KREGRESS_COLLECTOR_IMPORT_IMPORTER_H
#define KREGRESS_COLLECTOR_IMPORT_IMPORTER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "common/metric.h"
#include "store/run_set.h"

struct import_input {
	const char *name; /* of the file, for messages */
	const char *text; /* any bytes; need not end in NUL */
	size_t length;
	/*
	 * What each value is a replicate of. LEVEL_BOOT (0): every value is an independent run.
	 * LEVEL_INVOCATION, LEVEL_ITERATION: all values of a variant belong to one boot.
	 */
	enum level level;
	/* Used where the input itself states none; NULL: none. */
	const char *metric;
	const char *unit;
	/* Goes before what unit or name suggest, not before a direction that the input states. */
	bool has_better;
	enum better better;
	/* Of tools' output, which names no variant; NULL: after the file's name. */
	const char *variant;
	const char *instance;	/* which of several that ran at once; NULL: one only */
	const char *created_at; /* UTC, "2026-11-30T20:33:07Z" */
	const char *machine;	/* machine class; NULL: "unknown" */
};

enum import_kind {
	IMPORT_TOOL,	       /* all values of a file are of one variant */
	IMPORT_NAMES_VARIANTS, /* the file says of which */
	IMPORT_STATISTICS,     /* as IMPORT_TOOL, made from raw output that counts where it is */
};

struct importer {
	const char *name;    /* as on the command line: "table" */
	const char *summary; /* one line */
	/* True when `text` looks like this format. */
	bool (*recognise)(const char *text, size_t length);
	/*
	 * Appends the run sets to `*sets`. Refused input gives ERROR_DATA and "NAME:LINE: ...",
	 * and `*sets` stays as it was.
	 */
	int (*read)(const struct import_input *input, struct run_set_list *sets, struct error *err);
	enum import_kind kind;
};

/* The formats, in the order in which they are tried; ended by an entry whose name is NULL. */
extern const struct importer importers[];

/* The format of that name, or NULL. */
const struct importer *importer_find(const char *name);

/* The first format that recognises the text, or NULL. */
const struct importer *importer_recognise(const char *text, size_t length);

/*
 * Reads the input as `format`, the name of an importer or "auto". ERROR_USAGE for a name that is
 * not known, ERROR_DATA for input that no format recognises; both list the formats.
 */
int importer_read(const char *format, const struct import_input *input, struct run_set_list *sets,
		  struct error *err) __must_check;

/* Rows of importers[], each in the file of its format. */
#define DECLARE_IMPORTER(name)                                                                     \
	bool name##_recognise(const char *text, size_t length);                                    \
	int name##_read(const struct import_input *input, struct run_set_list *sets,               \
			struct error *err)

DECLARE_IMPORTER(html_report);
DECLARE_IMPORTER(kregress1);
DECLARE_IMPORTER(hyperfine);
DECLARE_IMPORTER(google_benchmark);
DECLARE_IMPORTER(iperf3);
DECLARE_IMPORTER(rt_json);
DECLARE_IMPORTER(fio_json);
DECLARE_IMPORTER(fio);
DECLARE_IMPORTER(lkp_mail);
DECLARE_IMPORTER(perf_bench);
DECLARE_IMPORTER(perf_bench_simple);
DECLARE_IMPORTER(stress_ng);
DECLARE_IMPORTER(stress_ng_yaml);
DECLARE_IMPORTER(sysbench);
DECLARE_IMPORTER(tbench);
DECLARE_IMPORTER(dbench);
DECLARE_IMPORTER(cyclictest);
DECLARE_IMPORTER(oslat);
DECLARE_IMPORTER(schbench);
DECLARE_IMPORTER(hackbench);
DECLARE_IMPORTER(will_it_scale);
DECLARE_IMPORTER(netperf);
DECLARE_IMPORTER(lmbench);
DECLARE_IMPORTER(time_bench);
DECLARE_IMPORTER(find_bit);
DECLARE_IMPORTER(rcuscale);
DECLARE_IMPORTER(refscale);
DECLARE_IMPORTER(vmalloc_test);
DECLARE_IMPORTER(ktap);
DECLARE_IMPORTER(kbuild);
DECLARE_IMPORTER(time);
DECLARE_IMPORTER(go_benchfmt);
DECLARE_IMPORTER(lkp_stats);
DECLARE_IMPORTER(csv);
DECLARE_IMPORTER(table);

#undef DECLARE_IMPORTER

#endif
