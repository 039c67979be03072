/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bisection as JSON, format kregress-bisect-1 (docs/bisect.schema.json). */
#include "reports/bisect_report.h"
#include "reports/json_value.h"

static json_t *interval(double low, double high, bool known)
{
	json_t *object;

	if (!known)
		return json_null();
	object = json_object();
	json_object_set_new(object, "low", json_number(low, true));
	json_object_set_new(object, "high", json_number(high, true));
	return object;
}

static json_t *commit_object(const struct bisect_commit *commit)
{
	json_t *object = json_object();
	bool has_values = commit->count > 0;

	json_object_set_new(object, "commit", json_text(commit->id));
	json_object_set_new(object, "subject", json_text(commit->subject));
	json_object_set_new(object, "author", json_text(commit->author));
	json_object_set_new(object, "author_date", json_text(commit->author_date));
	json_object_set_new(object, "state", json_text(bisect_commit_state_name(commit->state)));
	json_object_set_new(object, "reason", json_text(commit->reason));
	json_object_set_new(object, "probability", json_number(commit->probability, true));
	json_object_set_new(object, "in_set", json_boolean(commit->in_set));
	json_object_set_new(object, "n", json_count(commit->count));
	json_object_set_new(object, "mean", json_number(commit->mean, has_values));
	json_object_set_new(object, "sd", json_number(commit->sd, commit->count > 1));
	json_object_set_new(object, "duration_s", json_number(commit->duration_s, true));
	return object;
}

static json_t *proof_object(const struct bisect_proof *proof)
{
	json_t *object;

	if (!proof->present)
		return json_null();
	object = json_object();
	json_object_set_new(object, "done", json_boolean(proof->done));
	json_object_set_new(object, "confirmed", json_boolean(proof->confirmed));
	json_object_set_new(object, "verdict", json_text(proof->verdict));
	json_object_set_new(object, "reason", json_text(proof->reason));
	json_object_set_new(object, "n", json_count(proof->count));
	json_object_set_new(object, "ratio", json_number(proof->ratio, proof->ratio > 0));
	json_object_set_new(object, "ratio_interval",
			    interval(proof->ratio_low, proof->ratio_high, proof->ratio_high > 0));
	json_object_set_new(object, "p", json_number(proof->p, proof->p >= 0));
	return object;
}

static json_t *effect_object(const struct bisect_effect *effect)
{
	json_t *object;

	if (!effect->known)
		return json_null();
	object = json_object();
	json_object_set_new(object, "ratio", json_number(effect->ratio, effect->ratio > 0));
	json_object_set_new(object, "ratio_interval",
			    interval(effect->ratio_low, effect->ratio_high, effect->ratio > 0));
	json_object_set_new(object, "difference", json_number(effect->difference, true));
	json_object_set_new(object, "difference_interval",
			    interval(effect->difference_low, effect->difference_high, true));
	return object;
}

static void set_counts(json_t *root, const struct bisect_report *report)
{
	json_object_set_new(root, "range", json_count(report->range));
	json_object_set_new(root, "measurements", json_count(report->measured));
	json_object_set_new(root, "skipped", json_count(report->skipped));
	json_object_set_new(root, "probability_nothing", json_number(report->nothing, true));
	json_object_set_new(root, "probability_set", json_number(report->mass, true));
	json_object_set_new(root, "finished", json_boolean(report->finished));
	json_object_set_new(root, "cost_left",
			    json_number(report->cost_left, report->cost_left > 0));
}

static void set_changes(json_t *root, const struct bisect_report *report)
{
	const struct bisect_second *second = &report->second;

	json_object_set_new(root, "effect", effect_object(&report->effect));
	json_object_set_new(root, "proof", proof_object(&report->proof));
	json_object_set_new(root, "revert", proof_object(&report->revert));
	json_object_set_new(root, "second_is_fix",
			    second->commit ? json_boolean(second->fix) : json_null());
	json_object_set_new(root, "second_effect", effect_object(&second->effect));
	json_object_set_new(root, "second_proof", proof_object(&second->proof));
	json_object_set_new(root, "second_revert", proof_object(&second->revert));
}

int bisect_write_json(const struct bisect_report *report, struct strbuf *out, struct error *err)
{
	json_t *root = json_object();
	json_t *commits = json_array();
	json_t *terms = json_object();
	json_t *path = json_array();

	json_object_set_new(root, "format", json_text("kregress-bisect-1"));
	json_object_set_new(root, "repository", json_text(report->repository));
	json_object_set_new(root, "started_at", json_text(report->started_at));
	json_object_set_new(terms, "bad", json_text(report->term_bad));
	json_object_set_new(terms, "good", json_text(report->term_good));
	json_object_set_new(root, "terms", terms);
	json_object_set_new(root, "benchmark", json_text(report->benchmark));
	json_object_set_new(root, "metric", json_text(report->metric));
	json_object_set_new(root, "evidence", json_text(report->measures ? "values" : "outcomes"));
	json_object_set_new(root, "state", json_text(report->state));
	json_object_set_new(root, "first_bad", json_text(report->first_bad));
	json_object_set_new(root, "second", json_text(report->second.commit));
	json_object_set_new(root, "next", json_text(report->next));
	set_counts(root, report);
	set_changes(root, report);
	for (size_t i = 0; i < report->path.count; i++)
		json_array_append_new(path, json_text(report->path.items[i]));
	json_object_set_new(root, "path", path);
	array_for_each (commit, &report->commits)
		json_array_append_new(commits, commit_object(commit));
	json_object_set_new(root, "commits", commits);
	return json_append(out, root, err);
}
