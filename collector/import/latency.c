/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/import/latency.h"

int latency_add(struct tool_reader *reader, const char *benchmark, const char *params,
		const struct latency *latency, struct error *err)
{
	const struct {
		const char *metric;
		double value;
	} parts[] = {
		{"latency-min", latency->min_us},
		{"latency-avg", latency->avg_us},
		{"latency-max", latency->max_us},
	};

	/* The mean is printed cut to an integer, or rounded. */
	if (latency->min_us > latency->avg_us + 1 || latency->avg_us > latency->max_us + 1)
		return error_set(err, ERROR_DATA, "min %g, avg %g and max %g are out of order",
				 latency->min_us, latency->avg_us, latency->max_us);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const struct tool_series series = {benchmark, params, parts[i].metric, "us",
						   BETTER_LOWER};

		if (tool_add(reader, &series, parts[i].value, err) < 0)
			return -1;
	}
	return 0;
}
