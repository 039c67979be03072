/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/history_run.h"

#include <stdint.h>
#include <string.h>

#include "analyzer/adjustment.h"
#include "collector/host.h"
#include "common/text.h"
#include "reports/build.h"
#include "store/finding_group.h"

static void job_release(struct history_job *job)
{
	for (size_t i = 0; i < job->sighting_count; i++)
		free(job->sightings[i].cause);
	for (size_t i = 0; i < job->seen_count; i++)
		finding_release(&job->seen[i]);
	free(job->sightings);
	free(job->seen);
	free(job->match);
	free(job->known);
	free(job->sets);
}

void history_run_release(struct history_run *run)
{
	for (size_t i = 0; i < run->timelines.count; i++) {
		if (run->causes)
			history_causes_release(&run->causes[i]);
		if (run->names)
			timeline_series_list_release(&run->names[i]);
	}
	array_for_each (job, &run->jobs)
		job_release(job);
	array_release(&run->jobs);
	free(run->causes);
	free(run->names);
	free(run->orders);
	free(run->now);
	string_list_release(&run->order_notes);
	finding_list_release(&run->findings);
	timeline_list_release(&run->timelines);
}

/* As [limit] patterns are held against benchmarks. */
static bool series_matches(const char *pattern, const struct timeline_series *series)
{
	const struct report_limit limit = {.pattern = (char *)pattern, .change_frac = 1};
	const struct report_options options = {.limits = &limit, .limit_count = 1};

	return report_limit_for(&options, series->benchmark, series->params) > 0;
}

/* The harness's own baseline is background, as in comparisons, unless it is asked for. */
static bool is_background(const struct timeline_series *series)
{
	return !strcmp(series->benchmark, "loop.empty");
}

static bool is_selected(const struct history_selection *selection,
			const struct timeline_series *series)
{
	if (!selection->series && is_background(series))
		return false;
	return (!selection->series || series_matches(selection->series, series)) &&
	       (!selection->metric || !strcmp(selection->metric, series->metric));
}

static void add_jobs(struct history_run *run, size_t at, const struct history_selection *selection)
{
	array_for_each (series, &run->names[at])
		if (is_selected(selection, series))
			*array_append(&run->jobs) =
				(struct history_job){.timeline = at, .series = series};
}

static int load_timeline(struct history_run *run, size_t at,
			 const struct history_selection *selection,
			 const struct history_ordering *ordering, struct error *err)
{
	struct timeline *timeline = &run->timelines.items[at];
	_cleanup_free_ char *note = NULL;

	if (selection->machine && !text_matches(selection->machine, timeline->machine))
		return 0;
	if (history_ordering_apply(ordering, timeline, &run->orders[at], &note, err) < 0 ||
	    store_load_timeline_series(run->store, timeline, &run->names[at], err) < 0)
		return -1;
	history_causes_init(&run->causes[at], run->store, timeline);
	string_list_add(&run->order_notes, note);
	add_jobs(run, at, selection);
	return 0;
}

static int refuse_empty(const struct history_run *run, const struct history_selection *selection,
			struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf known = STRBUF_INIT;

	if (!run->timelines.count && !selection->variant) {
		error_set(err, ERROR_USAGE, "the store holds no finished run sets");
		return error_hint(err, "`kregress run` and `kregress import` make them");
	}
	error_set(err, ERROR_USAGE, "no series fits%s%s%s%s%s%s%s%s", selection->series ? " " : "",
		  selection->series ? selection->series : "", selection->metric ? " --metric " : "",
		  selection->metric ? selection->metric : "",
		  selection->variant ? " --variant " : "",
		  selection->variant ? selection->variant : "",
		  selection->machine ? " --machine " : "",
		  selection->machine ? selection->machine : "");
	array_for_each (timeline, &run->timelines)
		strbuf_printf(&known, "%s %s on '%s'", known.length ? "," : "", timeline->variant,
			      timeline->machine);
	if (known.length)
		return error_hint(err, "there are:%s", strbuf_text(&known));
	return error_hint(err, "`kregress list runs` shows what the store holds");
}

/* What names a series of a timeline; owned by the caller. */
static char *series_key(const char *variant, const char *machine,
			const struct timeline_series *series)
{
	return xasprintf("%s\n%s\n%s\n%s\n%s\n%s\n%d", variant, machine, series->benchmark,
			 series->params, series->metric, series->unit, series->better);
}

static char *finding_key(const struct finding *finding)
{
	const struct timeline_series series = {finding->benchmark, finding->params, finding->metric,
					       finding->unit, finding->better};

	return series_key(finding->variant, finding->machine, &series);
}

static void index_jobs(const struct history_run *run, struct string_index *index)
{
	for (size_t i = 0; i < run->jobs.count; i++) {
		const struct timeline *timeline =
			&run->timelines.items[run->jobs.items[i].timeline];
		_cleanup_free_ char *key =
			series_key(timeline->variant, timeline->machine, run->jobs.items[i].series);

		string_index_add(index, key, i);
	}
}

static void add_known(struct history_job *job, size_t finding)
{
	job->known = xreallocarray(job->known, job->known_count + 1, sizeof(*job->known));
	job->known[job->known_count++] = finding;
}

/* Findings of series that are not looked at are left out, so that they stay as they are. */
static int load_findings(struct history_run *run, struct error *err)
{
	_cleanup_(string_index_release) struct string_index index = {0};
	_cleanup_(finding_list_release) struct finding_list all = {0};

	if (store_load_findings(run->store, &all, err) < 0)
		return -1;
	index_jobs(run, &index);
	array_for_each (finding, &all) {
		_cleanup_free_ char *key = finding_key(finding);
		size_t job;

		if (!string_index_find(&index, key, &job))
			continue;
		add_known(&run->jobs.items[job], run->findings.count);
		*array_append(&run->findings) = *finding;
		*finding = (struct finding){0};
	}
	return 0;
}

int history_run_open(struct history_run *run, struct session *session,
		     const struct history_selection *selection,
		     const struct history_ordering *ordering, struct error *err)
{
	run->log = &session->log;
	run->store = session->store;
	run->now = host_utc_now();
	if (store_load_timelines(run->store, selection->variant, &run->timelines, err) < 0)
		return -1;
	run->orders = xcalloc(run->timelines.count + 1, sizeof(*run->orders));
	run->causes = xcalloc(run->timelines.count + 1, sizeof(*run->causes));
	run->names = xcalloc(run->timelines.count + 1, sizeof(*run->names));
	for (size_t i = 0; i < run->timelines.count; i++)
		if (load_timeline(run, i, selection, ordering, err) < 0)
			return -1;
	if (!run->jobs.count)
		return refuse_empty(run, selection, err);
	return load_findings(run, err);
}

/* A p for each test of a family, in the place of `q`. */
struct family {
	ARRAY_OF(double) p;
	ARRAY_OF(double *) q;
};

static void family_add(struct family *family, double p, double *q)
{
	*array_append(&family->p) = p;
	*array_append(&family->q) = q;
}

static void family_adjust(struct family *family)
{
	size_t count = family->p.count;
	_cleanup_free_ double *q = xcalloc(count + 1, sizeof(*q));

	if (count)
		adjustment_apply(ADJUSTMENT_BH, family->p.items, q, count);
	for (size_t i = 0; i < count; i++)
		if (family->q.items[i])
			*family->q.items[i] = q[i];
	array_release(&family->p);
	array_release(&family->q);
}

static bool is_spread(const struct history_sighting *sighting)
{
	return sighting->point.kind == CHANGE_KIND_SPREAD;
}

/*
 * What is new is held against all that might be: every series of the night is a test, and what is
 * known already does not make it easier for the others.
 */
static void join_families(struct history_job *job, struct family *fresh, struct family *remembered,
			  struct family *spread)
{
	size_t counts[3] = {0}, seen = 0;

	for (size_t i = 0; i < job->sighting_count; i++) {
		struct history_sighting *sighting = &job->sightings[i];

		if (is_spread(sighting)) {
			family_add(spread, sighting->point.p, &sighting->q);
			counts[2]++;
		} else if (job->match[seen++] == FINDING_UNMATCHED) {
			family_add(fresh, sighting->point.p, &sighting->q);
			counts[0]++;
		} else {
			family_add(remembered, sighting->point.p, &sighting->q);
			counts[1]++;
		}
	}
	if (!counts[0])
		family_add(fresh, 1, NULL);
	if (!counts[1])
		family_add(remembered, 1, NULL);
	if (!counts[2])
		family_add(spread, 1, NULL);
}

static void match_job(const struct history_run *run, struct history_job *job)
{
	_cleanup_free_ struct finding **known = xcalloc(job->known_count + 1, sizeof(*known));

	for (size_t i = 0; i < job->known_count; i++)
		known[i] = &run->findings.items[job->known[i]];
	job->match = xcalloc(job->seen_count + 1, sizeof(*job->match));
	finding_life_match(known, job->known_count, job->seen, job->seen_count, job->match);
}

static void adjust(struct history_run *run)
{
	struct family fresh = {0}, remembered = {0}, spread = {0};

	array_for_each (job, &run->jobs) {
		match_job(run, job);
		join_families(job, &fresh, &remembered, &spread);
	}
	family_adjust(&fresh);
	family_adjust(&remembered);
	family_adjust(&spread);
}

/* Which finding each sighting is; new ones lie from `first` on, in order. */
static void note_findings(struct history_job *job, size_t first)
{
	size_t seen = 0;

	for (size_t i = 0; i < job->sighting_count; i++) {
		struct history_sighting *sighting = &job->sightings[i];

		sighting->finding = SIZE_MAX;
		if (is_spread(sighting))
			continue;
		if (job->match[seen] != FINDING_UNMATCHED)
			sighting->finding = job->known[job->match[seen]];
		else if (!job->seen[seen].benchmark)
			sighting->finding = first++;
		seen++;
	}
}

static void copy_q(struct history_job *job)
{
	size_t seen = 0;

	for (size_t i = 0; i < job->sighting_count; i++)
		if (!is_spread(&job->sightings[i]))
			job->seen[seen++].q = job->sightings[i].q;
}

/* New findings go into `added`; theirs is the number `known` + index there. */
static void step(struct history_run *run, struct history_job *job, size_t known,
		 struct finding_list *added)
{
	_cleanup_free_ struct finding **all = xcalloc(job->known_count + 1, sizeof(*all));
	const struct timeline *timeline = &run->timelines.items[job->timeline];
	struct finding_evaluation evaluation = {.now = run->now, .alpha = run->settings.alpha};
	size_t first = known + added->count;

	if (!job->point_count)
		return;
	evaluation.newest_set = timeline->sets.items[job->sets[job->point_count - 1]].id;
	for (size_t i = 0; i < job->known_count; i++)
		all[i] = &run->findings.items[job->known[i]];
	copy_q(job);
	finding_life_step(all, job->known_count, job->seen, job->seen_count, job->match,
			  &evaluation, added);
	note_findings(job, first);
}

static void add_spot(const struct history_job *job, struct finding *finding,
		     struct finding_spot *spots, size_t *count)
{
	const struct finding_place *place = &finding->place;

	if (!place->known || finding->state == FINDING_WITHDRAWN)
		return;
	spots[(*count)++] = (struct finding_spot){
		.finding = finding,
		.index = job->sets[place->index],
		.low = job->sets[place->low],
		.high = job->sets[place->high],
	};
}

static void group_timeline(struct history_run *run, size_t timeline)
{
	_cleanup_free_ struct finding_spot *spots =
		xcalloc(run->findings.count + 1, sizeof(*spots));
	size_t count = 0;

	array_for_each (job, &run->jobs) {
		if (job->timeline != timeline)
			continue;
		for (size_t i = 0; i < job->known_count; i++)
			add_spot(job, &run->findings.items[job->known[i]], spots, &count);
	}
	finding_group(spots, count);
}

/* From here on new findings are known ones of their jobs. */
static void adopt(struct history_run *run, struct finding_list *added)
{
	array_for_each (finding, added) {
		*array_append(&run->findings) = *finding;
		*finding = (struct finding){0};
	}
	array_for_each (job, &run->jobs) {
		size_t known = job->known_count;

		for (size_t i = 0; i < job->sighting_count; i++) {
			size_t at = job->sightings[i].finding;
			bool is_known = at == SIZE_MAX;

			for (size_t k = 0; k < known && !is_known; k++)
				is_known = job->known[k] == at;
			if (!is_known)
				add_known(job, at);
		}
	}
}

void history_run_judge(struct history_run *run)
{
	_cleanup_(finding_list_release) struct finding_list added = {0};

	adjust(run);
	array_for_each (job, &run->jobs)
		step(run, job, run->findings.count, &added);
	adopt(run, &added);
	for (size_t i = 0; i < run->timelines.count; i++)
		group_timeline(run, i);
}

bool history_run_alerts(const struct history_run *run)
{
	array_for_each (finding, &run->findings)
		if (finding->place.known && finding_is_alert(finding))
			return true;
	return false;
}
