/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/core/site.h"

void site_add_value(struct site *site, double value)
{
	double before = value - site->mean;

	site->values++;
	site->mean += before / (double)site->values;
	site->squares += before * (value - site->mean);
}
