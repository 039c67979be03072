/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/svg_path.h"

#include <math.h>
#include <stdlib.h>

static long tenths(double value)
{
	return lround(fmax(-1e6, fmin(value, 1e6)) * 10);
}

/* A number in tenths without what SVG can do without: "-.5", "12", "3.1". */
static void append_number(struct strbuf *out, long value)
{
	ldiv_t parts = ldiv(labs(value), 10);

	if (value < 0)
		strbuf_append_char(out, '-');
	if (parts.quot || !parts.rem)
		strbuf_printf(out, "%ld", parts.quot);
	if (parts.rem)
		strbuf_printf(out, ".%ld", parts.rem);
}

static void append_pair(struct svg_path *path, long x, long y)
{
	append_number(&path->text, x - path->x);
	if (y >= path->y)
		strbuf_append_char(&path->text, ' ');
	append_number(&path->text, y - path->y);
	path->x = x;
	path->y = y;
}

void svg_path_move(struct svg_path *path, double x, double y)
{
	strbuf_append_char(&path->text, 'm');
	append_pair(path, tenths(x), tenths(y));
	path->drawing = true;
}

void svg_path_line(struct svg_path *path, double x, double y)
{
	/* Pairs behind a move or a line are lines. */
	if (!path->drawing)
		strbuf_append_char(&path->text, 'l');
	else if (tenths(x) >= path->x)
		strbuf_append_char(&path->text, ' ');
	append_pair(path, tenths(x), tenths(y));
	path->drawing = true;
}

void svg_path_horizontal(struct svg_path *path, double x)
{
	strbuf_append_char(&path->text, 'h');
	append_number(&path->text, tenths(x) - path->x);
	path->x = tenths(x);
	path->drawing = false;
}

void svg_path_vertical(struct svg_path *path, double y)
{
	strbuf_append_char(&path->text, 'v');
	append_number(&path->text, tenths(y) - path->y);
	path->y = tenths(y);
	path->drawing = false;
}

void svg_path_outline(struct svg_path *path, const char *commands)
{
	strbuf_append(&path->text, commands);
	path->drawing = false;
}

void svg_path_rectangle(struct svg_path *path, double left, double top, double right, double bottom)
{
	svg_path_move(path, left, top);
	svg_path_horizontal(path, right);
	svg_path_vertical(path, bottom);
	svg_path_horizontal(path, left);
	svg_path_close(path);
	/* Closing takes the pen back to the start. */
	path->y = tenths(top);
}

void svg_path_close(struct svg_path *path)
{
	strbuf_append_char(&path->text, 'z');
	path->drawing = false;
}

const char *svg_path_text(const struct svg_path *path)
{
	return strbuf_text(&path->text);
}

void svg_path_release(struct svg_path *path)
{
	strbuf_release(&path->text);
	*path = (struct svg_path){0};
}
