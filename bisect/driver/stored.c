/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Past results as evidence: run sets in the store whose boots say which commit they ran
 * (environment item kernel.commit), or whose variant is named by the commit's id.
 */
#include <string.h>

#include "analyzer/comparison.h"
#include "bisect/driver/driver.h"

/* Runs with the same benchmark and metric on the same class of machine. */
static const struct series *wanted_series(const struct driver *driver, const struct run_set *set)
{
	const struct bisect_options *options = &driver->bisection->options;
	const struct series *found = NULL;

	if (driver->machine && set->machine && *set->machine &&
	    strcmp(driver->machine, set->machine) != 0)
		return NULL;
	array_for_each (series, &set->series) {
		_cleanup_free_ char *label = series_label(series->benchmark, series->params);

		if (strcmp(series->metric, options->metric) != 0 ||
		    series->better != driver->bisection->better)
			continue;
		if (!strcmp(label, options->bench))
			return series;
		/* The bare name will do where it is not ambiguous. */
		if (!strcmp(series->benchmark, options->bench)) {
			if (found)
				return NULL;
			found = series;
		}
	}
	return found;
}

static bool commit_of_boot(const struct run_set *set, const struct boot *boot, git_oid *commit)
{
	const char *text = environment_get(&boot->environment, "kernel.commit");

	if (!text)
		text = set->variant;
	return strlen(text) == GIT_OID_HEXSZ && !git_oid_fromstr(commit, text);
}

static bool boot_value(const struct series *series, uint32_t boot, bool deterministic,
		       double *value)
{
	_cleanup_free_ double *samples = xcalloc(series->samples.count + 1, sizeof(*samples));
	_cleanup_free_ double *scratch = xcalloc(series->samples.count + 1, sizeof(*scratch));
	size_t count = 0;

	array_for_each (sample, &series->samples) {
		if (sample->boot == boot)
			samples[count++] = sample->value;
	}
	if (count)
		*value = boot_location(samples, count, deterministic, scratch);
	return count > 0;
}

static int use_set(struct driver *driver, const struct run_set *set, size_t *used,
		   struct error *err)
{
	const struct series *series = wanted_series(driver, set);
	struct observation observation = {.state = MEASURED_VALUE, .purpose = PURPOSE_STORE};
	size_t site;

	observation.run_set_id = set->id;
	for (size_t i = 0; series && i < set->boots.count; i++) {
		const struct boot *boot = &set->boots.items[i];

		if (boot->status != BOOT_OK || !commit_of_boot(set, boot, &observation.commit) ||
		    !view_site(&driver->view, &observation.commit, &site) ||
		    !boot_value(series, (uint32_t)i, driver->bisection->exact, &observation.value))
			continue;
		observation.duration_s = boot->duration_s;
		if (driver_record(driver, record_evidence(&observation), err) < 0)
			return -1;
		(*used)++;
	}
	return 0;
}

static bool is_known(const struct bisection *bisection, const char *run_set_id)
{
	array_for_each (item, &bisection->observations) {
		if (item->run_set_id && !strcmp(item->run_set_id, run_set_id))
			return true;
	}
	return false;
}

static int use_summary(struct driver *driver, const struct run_set_summary *summary, size_t *used,
		       struct error *err)
{
	struct run_set set;
	int code;

	if (!summary->samples || is_known(driver->bisection, summary->id))
		return 0;
	if (store_load(driver->store, summary->id, &set, err) < 0)
		return -1;
	code = use_set(driver, &set, used, err);
	run_set_release(&set);
	return code;
}

int driver_use_store(struct driver *driver, struct error *err)
{
	_cleanup_(run_set_summary_list_release) struct run_set_summary_list list = {0};
	const struct bisect_options *options = &driver->bisection->options;
	size_t used = 0;

	if (!driver->store || !driver->bisection->measures || !options->bench || !options->metric)
		return 0;
	if (store_list(driver->store, &list, err) < 0)
		return -1;
	array_for_each (summary, &list)
		if (use_summary(driver, summary, &used, err) < 0)
			return -1;
	if (used)
		log_note(driver->log, "%zu past results from the store count as evidence", used);
	return 0;
}
