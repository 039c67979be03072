/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of the journal, as they are read. */
#include "bisect/driver/bisection.h"

#include <math.h>
#include <string.h>

#include "bisect/driver/json_field.h"
#include "common/number.h"

static const char *const purpose_names[] = {
	[PURPOSE_SEARCH] = "search", [PURPOSE_BASE] = "base",	[PURPOSE_PROOF] = "proof",
	[PURPOSE_REVERT] = "revert", [PURPOSE_STORE] = "store", [PURPOSE_USER] = "user",
	[PURPOSE_USER + 1] = NULL,
};

static const char *const mark_names[] = {
	[MARK_GOOD] = "good",
	[MARK_BAD] = "bad",
	[MARK_SKIP] = "skip",
	[MARK_SKIP + 1] = NULL,
};

const char *purpose_name(enum purpose purpose)
{
	return purpose_names[purpose];
}

const char *mark_kind_name(enum mark_kind kind)
{
	return mark_names[kind];
}

static void options_release(struct bisect_options *options)
{
	free(options->repository);
	free(options->term_bad);
	free(options->term_good);
	string_list_release(&options->paths);
	free(options->bench);
	free(options->metric);
	free(options->variant);
	free(options->started_at);
}

static void release_lists(struct bisection *bisection)
{
	array_for_each (mark, &bisection->marks) {
		free(mark->word);
		free(mark->reason);
		free(mark->log_path);
	}
	array_for_each (observation, &bisection->observations) {
		free(observation->run_set_id);
		free(observation->log_path);
	}
	array_for_each (build, &bisection->builds) {
		free(build->reason);
		free(build->log_path);
		free(build->identity);
		free(build->config);
	}
	array_for_each (proof, &bisection->proofs) {
		free(proof->verdict);
		free(proof->reason);
	}
}

void bisection_release(struct bisection *bisection)
{
	release_lists(bisection);
	options_release(&bisection->options);
	array_release(&bisection->marks);
	array_release(&bisection->observations);
	array_release(&bisection->builds);
	array_release(&bisection->bases);
	array_release(&bisection->proofs);
	free(bisection->answer);
	*bisection = (struct bisection){0};
}

/* New evidence: what was answered before may no longer hold. */
static void forget_answer(struct bisection *bisection)
{
	free(bisection->answer);
	bisection->answer = NULL;
}

static int damaged(const char *what, struct error *err)
{
	return error_set(err, ERROR_DATA, "a record without a valid %s", what);
}

static int apply_paths(struct bisect_options *options, const json_t *record, struct error *err)
{
	const json_t *path;
	size_t index;

	json_array_foreach (json_object_get(record, "paths"), index, path) {
		if (!json_is_string(path))
			return damaged("path", err);
		string_list_add(&options->paths, json_string_value(path));
	}
	return 0;
}

static int apply_measuring(struct bisect_options *options, const json_t *record, struct error *err)
{
	const char *better = field_text(record, "better");

	options->flaky = field_flag(record, "flaky");
	options->steps = field_number(record, "steps", 1) == 2 ? 2 : 1;
	options->bench = field_copy(record, "benchmark");
	options->metric = field_copy(record, "metric");
	options->variant = field_copy(record, "variant");
	options->prior_nothing = field_number(record, "prior_nothing", -1);
	options->has_better = better != NULL;
	if (better && !better_parse(better, &options->better))
		return damaged("direction", err);
	return options->prior_nothing < 1 ? 0 : damaged("prior", err);
}

static int apply_start(struct bisection *bisection, const json_t *record, struct error *err)
{
	struct bisect_options *options = &bisection->options;
	const char *seed = field_text(record, "seed");

	if (bisection->started)
		return error_set(err, ERROR_DATA, "a second start");
	if (!field_text(record, "repository"))
		return damaged("repository", err);
	bisection->started = true;
	options->repository = field_copy(record, "repository");
	options->term_bad = field_copy(record, "term_bad");
	options->term_good = field_copy(record, "term_good");
	options->first_parent = field_flag(record, "first_parent");
	options->no_checkout = field_flag(record, "no_checkout");
	options->started_at = field_copy(record, "time");
	if (seed && number_parse_uint(seed, UINT64_MAX, &options->seed, err) < 0)
		return -1;
	if (apply_paths(options, record, err) < 0)
		return -1;
	return apply_measuring(options, record, err);
}

/* Without terms of its own a bisection takes those of its first mark. */
static void fix_terms(struct bisect_options *options, const char *word)
{
	bool news = word && (!strcmp(word, "new") || !strcmp(word, "old"));

	if (!word || options->term_bad || options->term_good)
		return;
	options->term_bad = xstrdup(news ? "new" : "bad");
	options->term_good = xstrdup(news ? "old" : "good");
}

static int apply_mark(struct bisection *bisection, const json_t *record, struct error *err)
{
	int kind = field_name(record, "kind", mark_names);
	struct mark *mark;
	git_oid id;

	if (kind < 0 || !field_id(record, "commit", &id))
		return damaged("mark", err);
	forget_answer(bisection);
	mark = array_append(&bisection->marks);
	mark->commit = id;
	mark->kind = (enum mark_kind)kind;
	mark->word = field_copy(record, "word");
	mark->by_run = field_flag(record, "run");
	mark->base = field_flag(record, "base");
	mark->reason = field_copy(record, "reason");
	mark->log_path = field_copy(record, "log");
	mark->duration_s = field_number(record, "duration_s", 0);
	if (mark->kind != MARK_SKIP)
		fix_terms(&bisection->options, mark->word);
	return 0;
}

static int apply_evidence(struct bisection *bisection, const json_t *record, struct error *err)
{
	static const char *const outcomes[] = {"pass", "fail", NULL};
	int purpose = field_name(record, "purpose", purpose_names);
	int outcome = field_name(record, "outcome", outcomes);
	bool has_value = json_is_number(json_object_get(record, "value"));
	struct observation *observation;
	git_oid id;

	if (purpose < 0 || has_value == (outcome >= 0) || !field_id(record, "commit", &id))
		return damaged("evidence", err);
	forget_answer(bisection);
	observation = array_append(&bisection->observations);
	observation->commit = id;
	observation->purpose = (enum purpose)purpose;
	observation->value = field_number(record, "value", 0);
	observation->state = MEASURED_VALUE;
	if (!has_value)
		observation->state = outcome ? MEASURED_FAIL : MEASURED_PASS;
	observation->run_set_id = field_copy(record, "run_set");
	observation->log_path = field_copy(record, "log");
	observation->duration_s = field_number(record, "duration_s", 0);
	return 0;
}

static int apply_build(struct bisection *bisection, const json_t *record, struct error *err)
{
	struct build_note *build;
	git_oid id;

	if (!field_id(record, "commit", &id))
		return damaged("commit", err);
	build = array_append(&bisection->builds);
	build->commit = id;
	build->broken = field_flag(record, "broken");
	build->cached = field_flag(record, "cached");
	build->reason = field_copy(record, "reason");
	build->log_path = field_copy(record, "log");
	build->identity = field_copy(record, "identity");
	build->config = field_copy(record, "config");
	build->duration_s = field_number(record, "duration_s", 0);
	return 0;
}

static int apply_base(struct bisection *bisection, const json_t *record, struct error *err)
{
	static const char *const levels[] = {"fast", "slow", NULL};
	int level = field_name(record, "level", levels);
	git_oid id;

	if (level < 0 || !field_id(record, "commit", &id))
		return damaged("merge base", err);
	*array_append(&bisection->bases) = (struct base_verdict){id, level == 1};
	return 0;
}

static int apply_proof(struct bisection *bisection, const json_t *record, struct error *err)
{
	static const char *const subjects[] = {"culprit", "revert", NULL};
	int of = field_name(record, "of", subjects);
	struct proof proof = {.revert = of == 1, .done = field_flag(record, "done")};

	if (of < 0 || !field_id(record, "culprit", &proof.culprit))
		return damaged("proof", err);
	if (proof.done && (!field_id(record, "base", &proof.base) ||
			   !field_id(record, "candidate", &proof.candidate)))
		return damaged("proof", err);
	proof.confirmed = field_flag(record, "confirmed");
	proof.verdict = field_copy(record, "verdict");
	proof.reason = field_copy(record, "reason");
	proof.count = (size_t)fmax(field_number(record, "count", 0), 0);
	proof.ratio = field_number(record, "ratio", 0);
	proof.ratio_low = field_number(record, "ratio_low", 0);
	proof.ratio_high = field_number(record, "ratio_high", 0);
	proof.p = field_number(record, "p", -1);
	proof.fix = field_flag(record, "fix");
	*array_append(&bisection->proofs) = proof;
	bisection->proved = bisection->observations.count;
	return 0;
}

static int apply_measures(struct bisection *bisection, const json_t *record, struct error *err)
{
	const char *better = field_text(record, "better");

	if (!better || !better_parse(better, &bisection->better))
		return damaged("direction", err);
	bisection->measures = true;
	bisection->exact = field_flag(record, "exact");
	if (field_text(record, "benchmark"))
		replace_string(&bisection->options.bench, field_text(record, "benchmark"));
	if (field_text(record, "metric"))
		replace_string(&bisection->options.metric, field_text(record, "metric"));
	return 0;
}

static int apply_answer(struct bisection *bisection, const json_t *record, struct error *err)
{
	const char *state = field_text(record, "state");

	if (!state)
		return damaged("state", err);
	replace_string(&bisection->answer, state);
	return 0;
}

static int apply_note(struct bisection *bisection, const json_t *record, struct error *err)
{
	(void)bisection;
	return field_text(record, "text") ? 0 : damaged("text", err);
}

static const struct {
	const char *type;
	int (*apply)(struct bisection *bisection, const json_t *record, struct error *err);
} record_types[] = {
	{"start", apply_start},	  {"mark", apply_mark}, {"evidence", apply_evidence},
	{"build", apply_build},	  {"base", apply_base}, {"proof", apply_proof},
	{"answer", apply_answer}, {"note", apply_note}, {"measures", apply_measures},
};

int bisection_apply(struct bisection *bisection, const json_t *record, struct error *err)
{
	const char *type = field_text(record, "type");

	for (size_t i = 0; type && i < ARRAY_SIZE(record_types); i++) {
		if (strcmp(type, record_types[i].type) != 0)
			continue;
		if (!bisection->started && record_types[i].apply != apply_start)
			return error_set(err, ERROR_DATA, "a record before start");
		return record_types[i].apply(bisection, record, err);
	}
	return error_set(err, ERROR_DATA, "unknown type '%s'", type ? type : "");
}

int bisection_apply_all(struct bisection *bisection, const json_t *records, const char *name,
			struct error *err)
{
	const json_t *record;
	size_t index;

	json_array_foreach (records, index, record) {
		if (bisection_apply(bisection, record, err) == 0)
			continue;
		error_wrap(err, "%s:%zu", name, index + 1);
		return error_hint(err, "was it written by a newer kregress?");
	}
	return 0;
}

const char *bisection_term(const struct bisection *bisection, enum mark_kind kind)
{
	const struct bisect_options *options = &bisection->options;

	if (kind == MARK_BAD)
		return options->term_bad ? options->term_bad : "bad";
	if (kind == MARK_GOOD)
		return options->term_good ? options->term_good : "good";
	return "skip";
}

const struct build_note *bisection_build(const struct bisection *bisection, const git_oid *commit)
{
	const struct build_note *found = NULL;

	array_for_each (build, &bisection->builds)
		if (git_oid_equal(&build->commit, commit))
			found = build;
	return found;
}

const struct mark *bisection_mark(const struct bisection *bisection, const git_oid *commit)
{
	const struct mark *found = NULL;

	array_for_each (mark, &bisection->marks)
		if (git_oid_equal(&mark->commit, commit))
			found = mark;
	return found;
}

const struct proof *bisection_proof(const struct bisection *bisection, const git_oid *culprit,
				    bool revert)
{
	const struct proof *found = NULL;

	array_for_each (proof, &bisection->proofs)
		if (proof->revert == revert && git_oid_equal(&proof->culprit, culprit))
			found = proof;
	return found;
}
