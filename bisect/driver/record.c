/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of the journal, as they are written. */
#include <string.h>

#include "bisect/driver/bisection.h"
#include "bisect/driver/json_field.h"

static json_t *new_record(const char *type)
{
	json_t *record = json_object();

	field_set_text(record, "type", type);
	return record;
}

static void set_measuring(json_t *record, const struct bisect_options *options)
{
	field_set_flag(record, "flaky", options->flaky);
	json_object_set_new(record, "steps", json_integer((json_int_t)options->steps));
	field_set_text(record, "benchmark", options->bench);
	field_set_text(record, "metric", options->metric);
	field_set_text(record, "variant", options->variant);
	if (options->prior_nothing >= 0)
		field_set_number(record, "prior_nothing", options->prior_nothing);
	if (options->has_better)
		field_set_text(record, "better", better_name(options->better));
}

json_t *record_start(const struct bisect_options *options)
{
	json_t *record = new_record("start");
	json_t *paths = json_array();

	field_set_text(record, "repository", options->repository);
	field_set_text(record, "term_bad", options->term_bad);
	field_set_text(record, "term_good", options->term_good);
	field_set_flag(record, "first_parent", options->first_parent);
	field_set_flag(record, "no_checkout", options->no_checkout);
	for (size_t i = 0; i < options->paths.count; i++)
		json_array_append_new(paths, json_string(options->paths.items[i]));
	json_object_set_new(record, "paths", paths);
	set_measuring(record, options);
	/* As text: a JSON number would not hold 64 bits everywhere. */
	json_object_set_new(record, "seed",
			    json_sprintf("%llu", (unsigned long long)options->seed));
	field_set_text(record, "time", options->started_at);
	return record;
}

json_t *record_mark(const struct mark *mark)
{
	json_t *record = new_record("mark");

	field_set_id(record, "commit", &mark->commit);
	field_set_text(record, "kind", mark_kind_name(mark->kind));
	field_set_text(record, "word", mark->word);
	field_set_flag(record, "run", mark->by_run);
	field_set_flag(record, "base", mark->base);
	field_set_text(record, "reason", mark->reason);
	field_set_text(record, "log", mark->log_path);
	if (mark->by_run)
		field_set_number(record, "duration_s", mark->duration_s);
	return record;
}

json_t *record_evidence(const struct observation *observation)
{
	json_t *record = new_record("evidence");

	field_set_id(record, "commit", &observation->commit);
	field_set_text(record, "purpose", purpose_name(observation->purpose));
	if (observation->state == MEASURED_VALUE)
		field_set_number(record, "value", observation->value);
	else
		field_set_text(record, "outcome",
			       observation->state == MEASURED_FAIL ? "fail" : "pass");
	field_set_text(record, "run_set", observation->run_set_id);
	field_set_text(record, "log", observation->log_path);
	field_set_number(record, "duration_s", observation->duration_s);
	return record;
}

json_t *record_build(const struct build_note *build)
{
	json_t *record = new_record("build");

	field_set_id(record, "commit", &build->commit);
	field_set_flag(record, "broken", build->broken);
	field_set_flag(record, "cached", build->cached);
	field_set_text(record, "reason", build->reason);
	field_set_text(record, "log", build->log_path);
	field_set_text(record, "identity", build->identity);
	field_set_text(record, "config", build->config);
	field_set_number(record, "duration_s", build->duration_s);
	return record;
}

json_t *record_base(const struct base_verdict *base)
{
	json_t *record = new_record("base");

	field_set_id(record, "commit", &base->commit);
	field_set_text(record, "level", base->slow ? "slow" : "fast");
	return record;
}

json_t *record_proof(const struct proof *proof)
{
	json_t *record = new_record("proof");

	field_set_id(record, "culprit", &proof->culprit);
	field_set_text(record, "of", proof->revert ? "revert" : "culprit");
	field_set_flag(record, "fix", proof->fix);
	field_set_flag(record, "done", proof->done);
	field_set_text(record, "reason", proof->reason);
	if (!proof->done)
		return record;
	field_set_id(record, "base", &proof->base);
	field_set_id(record, "candidate", &proof->candidate);
	field_set_flag(record, "confirmed", proof->confirmed);
	field_set_text(record, "verdict", proof->verdict);
	json_object_set_new(record, "count", json_integer((json_int_t)proof->count));
	if (proof->ratio > 0)
		field_set_number(record, "ratio", proof->ratio);
	if (proof->ratio_low > 0 || proof->ratio_high > 0) {
		field_set_number(record, "ratio_low", proof->ratio_low);
		field_set_number(record, "ratio_high", proof->ratio_high);
	}
	if (proof->p >= 0)
		field_set_number(record, "p", proof->p);
	return record;
}

json_t *record_measures(bool exact, enum better better, const char *bench, const char *metric)
{
	json_t *record = new_record("measures");

	field_set_flag(record, "exact", exact);
	field_set_text(record, "better", better_name(better));
	field_set_text(record, "benchmark", bench);
	field_set_text(record, "metric", metric);
	return record;
}

json_t *record_note(const char *text)
{
	json_t *record = new_record("note");

	field_set_text(record, "text", text);
	return record;
}

json_t *record_answer(const char *state, const char *time, const json_t *commits)
{
	json_t *record = new_record("answer");

	field_set_text(record, "state", state);
	field_set_text(record, "time", time);
	json_object_set_new(record, "commits", json_deep_copy(commits));
	return record;
}
