/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/driver/driver.h"

#include <math.h>
#include <string.h>

#include "bisect/driver/json_field.h"
#include "bisect/driver/same_build.h"
#include "common/interrupt.h"

void driver_release(struct driver *driver)
{
	view_release(&driver->view);
	array_release(&driver->ready);
}

int driver_record(struct driver *driver, json_t *record, struct error *err)
{
	int code = journal_append(driver->journal, record, err);

	if (code == 0)
		code = bisection_apply(driver->bisection, record, err);
	json_decref(record);
	return code;
}

int driver_look(struct driver *driver, struct error *err)
{
	view_release(&driver->view);
	return view_load(&driver->view, driver->bisection, driver->history, err);
}

/* The next measurement is taken to need what the ones before it needed, builds and all. */
bool driver_time_is_up(const struct driver *driver)
{
	double spent = driver->settings.now_s() - driver->started_s;
	double next = driver->made ? spent / (double)driver->made : 0;

	return driver->settings.budget_s > 0 && spent + next > driver->settings.budget_s;
}

double *driver_values(const struct bisection *bisection, const git_oid *commit, int purpose,
		      size_t *count)
{
	double *values = xcalloc(bisection->observations.count + 1, sizeof(*values));

	*count = 0;
	array_for_each (item, &bisection->observations) {
		if (item->state == MEASURED_VALUE && git_oid_equal(&item->commit, commit) &&
		    (purpose < 0 || (int)item->purpose == purpose))
			values[(*count)++] = item->value;
	}
	return values;
}

static const char *short_id(const git_oid *id, char text[13])
{
	git_oid_tostr(text, 13, id);
	return text;
}

static int skip(struct driver *driver, const git_oid *commit, const char *reason,
		const char *log_path, struct error *err)
{
	struct mark mark = {.commit = *commit, .kind = MARK_SKIP, .by_run = true};
	char id[13];

	mark.reason = (char *)reason;
	mark.log_path = (char *)log_path;
	log_note(driver->log, "%s cannot be measured: %s", short_id(commit, id), reason);
	return driver_record(driver, record_mark(&mark), err);
}

static bool is_ready(const struct driver *driver, const git_oid *commit)
{
	for (size_t i = 0; i < driver->ready.count; i++) {
		if (git_oid_equal(&driver->ready.items[i], commit))
			return true;
	}
	return false;
}

static int note_build(struct driver *driver, const git_oid *commit,
		      const struct build_result *result, struct error *err)
{
	const struct build_note *known = bisection_build(driver->bisection, commit);
	struct build_note build = {
		.commit = *commit,
		.broken = result->state == BUILD_BROKEN,
		.cached = result->cached,
		.reason = result->reason,
		.log_path = result->log_path,
		.identity = result->identity,
		.config = result->config,
		.duration_s = result->duration_s,
	};

	/* Found again in the cache: nothing new. */
	if (known && result->cached && !build.broken && !known->broken)
		return 0;
	return driver_record(driver, record_build(&build), err);
}

/* 1: ready, 0: broken (skipped), -1. */
static int build(struct driver *driver, const git_oid *commit, char **reason, struct error *err)
{
	_cleanup_(build_result_release) struct build_result result = {0};
	char id[13];

	if (!driver->measurer->build || is_ready(driver, commit))
		return 1;
	log_progress(driver->log, "building %s", short_id(commit, id));
	if (driver->measurer->build(driver->measurer->context, commit, &result, err) < 0 ||
	    note_build(driver, commit, &result, err) < 0)
		return -1;
	if (result.state == BUILD_READY) {
		*array_append(&driver->ready) = *commit;
		return 1;
	}
	*reason = xasprintf("does not build: %s", result.reason ? result.reason : "no reason");
	return skip(driver, commit, *reason, result.log_path, err);
}

/* A script that is always right marks commits, as `git bisect run` does. */
static int note_outcome(struct driver *driver, const git_oid *commit,
			const struct measurement *measurement, enum purpose purpose,
			struct error *err)
{
	bool failed = measurement->state == MEASURED_FAIL;
	struct mark mark = {
		.commit = *commit,
		.kind = failed ? MARK_BAD : MARK_GOOD,
		.by_run = true,
		.base = failed && purpose == PURPOSE_BASE,
		.log_path = measurement->log_path,
		.duration_s = measurement->duration_s,
	};

	return driver_record(driver, record_mark(&mark), err);
}

static int note_measurement(struct driver *driver, const git_oid *commit,
			    const struct measurement *measurement, enum purpose purpose,
			    struct error *err)
{
	struct observation observation = {
		.commit = *commit,
		.state = measurement->state,
		.value = measurement->value,
		.purpose = purpose,
		.run_set_id = measurement->run_set_id,
		.log_path = measurement->log_path,
		.duration_s = measurement->duration_s,
	};

	if (measurement->state == MEASURED_VALUE && !isfinite(measurement->value))
		return error_set(err, ERROR_DATA, "a value that is no finite number");
	if (measurement->state != MEASURED_VALUE && !driver->bisection->options.flaky)
		return note_outcome(driver, commit, measurement, purpose, err);
	return driver_record(driver, record_evidence(&observation), err);
}

static int note_measurements(struct driver *driver, const git_oid *commit,
			     const struct measurement_list *list, enum purpose purpose,
			     char **reason, struct error *err)
{
	int count = 0;

	array_for_each (item, list) {
		if (item->state == MEASURED_BROKEN) {
			*reason = xstrdup(item->reason ? item->reason : "no reason");
			return skip(driver, commit, *reason, item->log_path, err);
		}
		if (note_measurement(driver, commit, item, purpose, err) < 0)
			return -1;
		count++;
	}
	return count;
}

int driver_measure(struct driver *driver, const git_oid *commit, size_t count, enum purpose purpose,
		   char **reason, struct error *err)
{
	_cleanup_(measurement_list_release) struct measurement_list list = {0};
	struct measurer *measurer = driver->measurer;
	int code;
	int ready = build(driver, commit, reason, err);

	if (ready <= 0)
		return ready;
	driver->current = *commit;
	driver->has_current = true;
	code = measurer->measure(measurer->context, commit, count, &list, err);
	driver->made += list.count;
	/* What was measured before something went wrong counts. */
	if (code < 0) {
		_cleanup_(error_clear) struct error second = {0};

		if (list.count > 1) {
			list.count--;
			if (note_measurements(driver, commit, &list, purpose, reason, &second) < 0)
				error_wrap(err, "%s", second.message);
			list.count++;
		}
		return -1;
	}
	return note_measurements(driver, commit, &list, purpose, reason, err);
}

static void fill_costs(const struct driver *driver, struct search_costs *costs, double *builds)
{
	const struct measurer *measurer = driver->measurer;
	const struct view *view = &driver->view;
	size_t sites = search_site_count(&view->search);

	*costs = (struct search_costs){.value = 1, .current = SIZE_MAX};
	if (measurer->measure_cost_s)
		costs->value = fmax(measurer->measure_cost_s(measurer->context), 1e-6);
	/* A checkout costs something even where nothing is built. */
	costs->move = 0.02 * costs->value;
	if (driver->has_current)
		(void)view_site(view, &driver->current, &costs->current);
	if (!measurer->build || !measurer->build_cost_s)
		return;
	for (size_t site = 0; site < sites; site++) {
		const git_oid *commit = view_commit(view, site);

		if (!is_ready(driver, commit))
			builds[site] = measurer->build_cost_s(measurer->context, commit);
	}
	costs->build = builds;
}

static void say_step(const struct driver *driver, const struct next_step *next)
{
	char id[13];

	log_progress(driver->log, "measuring %s (slow with probability %.2f); about %.0f s left",
		     short_id(&next->commit, id), next->step.slow_probability,
		     next->step.cost_left);
}

static int refuse_end(const struct driver *driver, const git_oid *commit, const char *reason,
		      struct error *err)
{
	const char *end = git_oid_equal(commit, &driver->view.bad) ? "bad" : "good";

	error_set(err, ERROR_DATA, "the %s commit %s cannot be measured: %s", end,
		  git_oid_tostr_s(commit), reason);
	return error_hint(err, "start again with another %s commit that works", end);
}

static bool is_end(const struct driver *driver, const git_oid *commit)
{
	return git_oid_equal(commit, &driver->view.bad) ||
	       (driver->view.goods.items && git_oid_equal(commit, &driver->view.goods.items[0]));
}

static int take_step(struct driver *driver, const struct next_step *next, struct error *err)
{
	_cleanup_free_ char *reason = NULL;
	size_t count = next->step.repeats;
	bool was_ready = is_ready(driver, &next->commit);
	int got;

	if (count > driver->settings.jobs)
		count = driver->settings.jobs;
	say_step(driver, next);
	got = build(driver, &next->commit, &reason, err);
	/* A build identical to another may have changed what is best done next. */
	if (got > 0 && !was_ready && build_is_known(driver->bisection, &next->commit))
		return 0;
	if (got > 0)
		got = driver_measure(driver, &next->commit, count, PURPOSE_SEARCH, &reason, err);
	if (got == 0 && is_end(driver, &next->commit))
		return refuse_end(driver, &next->commit, reason, err);
	return got < 0 ? -1 : 0;
}

static int take_base(struct driver *driver, const git_oid *base, struct error *err)
{
	_cleanup_free_ char *reason = NULL;

	if (driver->bisection->measures)
		return driver_test_base(driver, base, err);
	log_progress(driver->log, "testing the merge base");
	return driver_measure(driver, base, 1, PURPOSE_BASE, &reason, err) < 0 ? -1 : 0;
}

/* One run of an end outside the journal's evidence. 1: as it should be, 0: not, -1. */
static int verify_end(struct driver *driver, const git_oid *commit, bool fails, struct error *err)
{
	_cleanup_(measurement_list_release) struct measurement_list list = {0};
	_cleanup_(build_result_release) struct build_result result = {0};
	struct measurer *measurer = driver->measurer;

	if (measurer->build && measurer->build(measurer->context, commit, &result, err) < 0)
		return -1;
	if (result.state == BUILD_BROKEN)
		return refuse_end(driver, commit, result.reason, err);
	if (measurer->measure(measurer->context, commit, 1, &list, err) < 0)
		return -1;
	if (list.items[0].state == MEASURED_BROKEN)
		return refuse_end(driver, commit, list.items[0].reason, err);
	return (list.items[0].state == MEASURED_FAIL) == fails;
}

static int verify_ends(struct driver *driver, struct error *err)
{
	int good;
	int bad;

	if (!driver->settings.verify || driver->bisection->measures || driver->verified)
		return 1;
	driver->verified = true;
	good = verify_end(driver, &driver->view.goods.items[0], false, err);
	if (good < 0)
		return -1;
	bad = verify_end(driver, &driver->view.bad, true, err);
	if (bad < 0)
		return -1;
	if (!good)
		log_warning(driver->log, "the good commit fails");
	if (!bad)
		log_warning(driver->log, "the bad commit passes");
	return good && bad;
}

static json_t *answer_commits(const struct view *view)
{
	size_t count = dag_count(&view->range.dag);
	_cleanup_free_ size_t *set = xcalloc(count + 1, sizeof(*set));
	json_t *list = json_array();
	double reached;
	size_t size = search_credible_set(&view->search, view->search.settings.mass, set, &reached);

	for (size_t i = 0; i < size; i++) {
		json_t *item = json_object();

		field_set_id(item, "commit", view_commit(view, set[i]));
		field_set_number(item, "probability", search_probability(&view->search, set[i]));
		json_array_append_new(list, item);
	}
	return list;
}

static int note_answer(struct driver *driver, enum stage stage, struct error *err)
{
	_cleanup_free_ char *now = driver->settings.utc_now();
	json_t *commits;
	int code;

	if (driver->bisection->answer && !strcmp(driver->bisection->answer, stage_name(stage)))
		return 0;
	commits = driver->view.has_range ? answer_commits(&driver->view) : json_array();
	code = driver_record(driver, record_answer(stage_name(stage), now, commits), err);
	json_decref(commits);
	return code;
}

/* 1: a change was proved, look again; 0: nothing is left to prove. */
static int prove(struct driver *driver, const struct next_step *next, struct error *err)
{
	size_t before = driver->bisection->proofs.count;
	struct found_change changes[2];
	size_t count;

	if (next->stage != STAGE_FOUND || !driver->bisection->measures ||
	    !driver->settings.proof_values)
		return 0;
	count = view_changes(&driver->view, changes);
	for (size_t i = 0; i < count; i++) {
		if (driver_prove(driver, &changes[i], err) < 0)
			return -1;
		if (driver->bisection->proofs.count > before)
			return 1;
	}
	return 0;
}

/* 1: go on, 0: ended. */
static int step(struct driver *driver, enum driver_end *end, struct error *err)
{
	struct search_costs costs;
	_cleanup_free_ double *builds = NULL;
	struct next_step next;

	if (interrupt_signal())
		return error_set(err, ERROR_INTERRUPTED, "interrupted");
	if (driver_look(driver, err) < 0 || driver_use_store(driver, err) < 0)
		return -1;
	if (driver->view.has_range) {
		int as_said = verify_ends(driver, err);

		if (as_said <= 0) {
			*end = DRIVER_NOT_REPRODUCED;
			return as_said;
		}
		builds = xcalloc(search_site_count(&driver->view.search), sizeof(*builds));
		fill_costs(driver, &costs, builds);
	}
	next = view_next(&driver->view, driver->view.has_range ? &costs : NULL);
	if (stage_is_end(next.stage)) {
		int more = prove(driver, &next, err);

		if (more)
			return more;
		*end = DRIVER_SETTLED;
		driver->view.answered = next.stage;
		return note_answer(driver, next.stage, err);
	}
	if (driver_time_is_up(driver)) {
		*end = DRIVER_BUDGET;
		return 0;
	}
	driver_build_ahead(driver, &next);
	if (next.stage == STAGE_BASE)
		return take_base(driver, &next.commit, err) < 0 ? -1 : 1;
	return take_step(driver, &next, err) < 0 ? -1 : 1;
}

static int check_ends(const struct driver *driver, struct error *err)
{
	enum stage stage = view_next(&driver->view, NULL).stage;

	if (stage != STAGE_NO_BAD && stage != STAGE_NO_GOOD)
		return 0;
	error_set(err, ERROR_USAGE, "a %s commit is needed, too",
		  bisection_term(driver->bisection, stage == STAGE_NO_BAD ? MARK_BAD : MARK_GOOD));
	return error_hint(
		err, "name it: kregress bisect %s REVISION",
		bisection_term(driver->bisection, stage == STAGE_NO_BAD ? MARK_BAD : MARK_GOOD));
}

int driver_run(struct driver *driver, enum driver_end *end, struct error *err)
{
	int code;

	driver->started_s = driver->settings.now_s();
	if (driver_look(driver, err) < 0 || check_ends(driver, err) < 0)
		return -1;
	do {
		code = step(driver, end, err);
	} while (code > 0);
	return code;
}
