/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/history_point.h"

#include "analyzer/comparison.h"

/* How many samples from `first` on are of one boot. */
static size_t boot_length(const struct timeline_point *point, size_t first)
{
	size_t n = 1;

	while (first + n < point->samples.count &&
	       point->samples.items[first + n].boot == point->samples.items[first].boot)
		n++;
	return n;
}

/* The boots' values, in `boots`; returns how many. */
static size_t boot_values(const struct timeline_point *point, bool deterministic, double *boots)
{
	size_t total = point->samples.count, count = 0;
	_cleanup_free_ double *values = xcalloc(total + 1, sizeof(*values));
	_cleanup_free_ double *scratch = xcalloc(total + 1, sizeof(*scratch));

	for (size_t first = 0, n; first < total; first += n) {
		n = boot_length(point, first);
		for (size_t i = 0; i < n; i++)
			values[i] = point->samples.items[first + i].value;
		boots[count++] = boot_location(values, n, deterministic, scratch);
	}
	return count;
}

struct set_location set_location_of(const struct timeline_point *point, bool deterministic)
{
	_cleanup_free_ double *boots = xcalloc(point->samples.count + 1, sizeof(*boots));
	size_t count = boot_values(point, deterministic, boots);
	struct set_location location = {.boots = count};

	for (size_t i = 0; i < count; i++)
		location.mean += boots[i] / (double)count;
	for (size_t i = 0; i < count; i++)
		location.squares += (boots[i] - location.mean) * (boots[i] - location.mean);
	return location;
}

double pooled_boot_variance(const struct set_location *locations, size_t count)
{
	double squares = 0, freedom = 0;

	for (size_t i = 0; i < count; i++) {
		squares += locations[i].squares;
		freedom += locations[i].boots ? (double)locations[i].boots - 1 : 0;
	}
	return freedom > 0 ? squares / freedom : -1;
}
