/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/driver/measurer.h"

void build_result_release(struct build_result *result)
{
	free(result->reason);
	free(result->log_path);
	free(result->identity);
	free(result->config);
	*result = (struct build_result){0};
}

static void measurement_release(struct measurement *measurement)
{
	free(measurement->reason);
	free(measurement->log_path);
	free(measurement->run_set_id);
}

void measurement_list_release(struct measurement_list *list)
{
	array_for_each (item, list)
		measurement_release(item);
	array_release(list);
}
