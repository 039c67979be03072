/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Path data of SVG in few bytes: relative coordinates in tenths, so that a page with thousands of
 * points stays small. Errors of rounding do not add up.
 */
#ifndef KREGRESS_REPORTS_SVG_PATH_H
#define KREGRESS_REPORTS_SVG_PATH_H

#include <stdbool.h>

#include "common/strbuf.h"

struct svg_path {
	struct strbuf text;
	long x; /* where the pen is, in tenths */
	long y;
	bool drawing; /* the next point of a line needs no command */
};

/* Lifts the pen and puts it down at a point; the next svg_path_line() starts there. */
void svg_path_move(struct svg_path *path, double x, double y);
void svg_path_line(struct svg_path *path, double x, double y);
void svg_path_horizontal(struct svg_path *path, double x);
void svg_path_vertical(struct svg_path *path, double y);

/* Commands that end where they began: "h0", "m-3-3h6v6h-6z". */
void svg_path_outline(struct svg_path *path, const char *commands);

/* Closed shapes. */
void svg_path_rectangle(struct svg_path *path, double left, double top, double right,
			double bottom);
void svg_path_close(struct svg_path *path);

/* The path commands; hold until the next call. */
const char *svg_path_text(const struct svg_path *path);
void svg_path_release(struct svg_path *path);

#endif
