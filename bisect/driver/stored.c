/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Past results as evidence: run sets in the store whose boots say which commit they ran
 * (environment item kernel.commit), or whose variant is named by the commit's id.
 */
#include <string.h>

#include "analyzer/comparison.h"
#include "bisect/driver/driver.h"
#include "store/timeline.h"

/* False when both record the item, and differently. */
static bool item_agrees(const struct past_conditions *past, const struct boot *boot,
			const char *key)
{
	const char *now = environment_get(past->environment, key);
	const char *then = environment_get(&boot->environment, key);

	return !now || !then || !strcmp(now, then);
}

/* What levels depend on besides the machine class and the commit. */
static bool boot_agrees(const struct past_conditions *past, const struct boot *boot)
{
	static const char *const keys[] = {
		"kernel.build_digest", "kernel.cmdline", "target.qemu",
		"agent.version",       "agent.compiler",
	};

	if (!past->environment)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!item_agrees(past, boot, keys[i]))
			return false;
	}
	/*
	 * A kernel that was built elsewhere has its configuration, which names the compiler. Within
	 * a bisection it may differ, as commits change what there is to configure.
	 */
	return environment_get(&boot->environment, "kernel.build_digest") ||
	       item_agrees(past, boot, "kernel.config_digest");
}

/* The same benchmark and metric. */
static const struct series *wanted_series(const struct driver *driver, const struct run_set *set)
{
	const struct bisect_options *options = &driver->bisection->options;
	const struct series *found = NULL;

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

/* The environment's item, or a variant that is named by its commit. */
static bool parse_commit(const char *recorded, const char *variant, git_oid *commit)
{
	const char *text = recorded ? recorded : variant;

	return strlen(text) == GIT_OID_HEXSZ && !git_oid_fromstr(commit, text);
}

static bool commit_of_boot(const struct run_set *set, const struct boot *boot, git_oid *commit)
{
	return parse_commit(environment_get(&boot->environment, "kernel.commit"), set->variant,
			    commit);
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

		if (boot->status != BOOT_OK || !boot_agrees(driver->past, boot) ||
		    !commit_of_boot(set, boot, &observation.commit) ||
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

/* True for a set of a commit that the search can use. */
static bool is_of_range(const struct driver *driver, const struct timeline *timeline,
			const struct timeline_set *set)
{
	git_oid commit;
	size_t site;

	return parse_commit(set->commit, timeline->variant, &commit) &&
	       view_site(&driver->view, &commit, &site) && !is_known(driver->bisection, set->id);
}

static int use_timeline(struct driver *driver, const struct timeline *timeline, size_t *used,
			struct error *err)
{
	array_for_each (item, &timeline->sets) {
		struct run_set set;
		int code;

		if (!is_of_range(driver, timeline, item))
			continue;
		if (store_load(driver->store, item->id, &set, err) < 0)
			return -1;
		code = use_set(driver, &set, used, err);
		run_set_release(&set);
		if (code < 0)
			return -1;
	}
	return 0;
}

static int use_all(struct driver *driver, size_t *used, struct error *err)
{
	_cleanup_(timeline_list_release) struct timeline_list list = {0};

	if (store_load_timelines(driver->store, NULL, &list, err) < 0)
		return -1;
	array_for_each (timeline, &list) {
		if (!strcmp(timeline->machine, driver->past->machine) &&
		    use_timeline(driver, timeline, used, err) < 0)
			return -1;
	}
	return 0;
}

int driver_use_store(struct driver *driver, struct error *err)
{
	const struct bisect_options *options = &driver->bisection->options;
	size_t used = 0;

	if (driver->used_store || !driver->store || !driver->past || !driver->past->machine ||
	    !driver->view.has_range || !driver->bisection->measures || !options->bench ||
	    !options->metric)
		return 0;
	driver->used_store = true;
	if (use_all(driver, &used, err) < 0)
		return -1;
	if (!used)
		return 0;
	log_note(driver->log, "%zu past results from the store count as evidence", used);
	return driver_look(driver, err);
}
