/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/utc.h"

#include "common/alloc.h"

char *utc_text(time_t time)
{
	struct tm parts;
	char text[64];

	gmtime_r(&time, &parts);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
	return xstrdup(text);
}
