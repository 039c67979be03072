/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which commits are worth building while another one is measured. */
#include "bisect/driver/driver.h"

/* The next commit if the step's outcome were slow or fast; false when that would settle it. */
static bool next_after(const struct driver *driver, const struct next_step *next, bool slow,
		       git_oid *commit)
{
	_cleanup_(view_release) struct view view = {.range = {.dag = DAG_INIT}};
	_cleanup_(error_clear) struct error ignored = {0};
	const struct search *search = &driver->view.search;
	const struct level_change effect = view_effect(&driver->view);
	struct next_step after;

	if (view_load(&view, driver->bisection, driver->history, &ignored) < 0 || !view.has_range)
		return false;
	for (size_t i = 0; i < next->step.repeats; i++) {
		if (search->settings.kind == EVIDENCE_OUTCOMES)
			search_add_outcome(&view.search, next->step.site, slow);
		else if (effect.known)
			search_add_value(&view.search, next->step.site,
					 slow ? effect.slow : effect.fast);
	}
	search_update(&view.search);
	after = view_next(&view, NULL);
	*commit = after.commit;
	return after.stage == STAGE_MEASURE;
}

void driver_build_ahead(struct driver *driver, const struct next_step *next)
{
	struct measurer *measurer = driver->measurer;
	struct commit_ids wanted = {0};
	bool slow_first = next->step.slow_probability > 0.5;
	git_oid commit;

	if (!measurer->build_ahead || driver->settings.jobs < 2 || next->stage != STAGE_MEASURE)
		return;
	/* The commit itself is built in the foreground; endpoints first, as both are needed. */
	if (!driver->view.search.value_count)
		*array_append(&wanted) = driver->view.goods.items[0];
	for (int i = 0; i < 2; i++) {
		if (next_after(driver, next, i ? !slow_first : slow_first, &commit))
			*array_append(&wanted) = commit;
	}
	if (wanted.count > driver->settings.jobs - 1)
		wanted.count = driver->settings.jobs - 1;
	if (wanted.items)
		measurer->build_ahead(measurer->context, wanted.items, wanted.count);
	array_release(&wanted);
}
