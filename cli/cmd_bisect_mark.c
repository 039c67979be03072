/* SPDX-License-Identifier: GPL-3.0-or-later */
/* good, bad, skip, terms of the bisection's own, and values given by hand. */
#include <math.h>
#include <string.h>

#include "cli/bisecting.h"
#include "common/number.h"

struct options {
	struct common_options common;
	struct string_list values;
	const char *reason;
};

static const struct option_spec specs[] = {
	OPTION_ROW(struct options, values, OPTION_STRINGS, "value", 0, "V",
		   "a value measured there, as evidence beside the mark; may be given several "
		   "times"),
	OPTION_ROW(struct options, reason, OPTION_STRING, "reason", 0, "TEXT", "why it is skipped"),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

/* The commit that is to be tested next, else HEAD. */
static int default_commit(const struct bisecting *bisecting, struct commit_ids *commits,
			  struct error *err)
{
	_cleanup_(view_release) struct view view = {.range = {.dag = DAG_INIT}};
	struct next_step next;

	if (view_load(&view, &bisecting->bisection, &bisecting->history, err) < 0)
		return -1;
	next = view_next(&view, NULL);
	if (next.stage == STAGE_MEASURE || next.stage == STAGE_BASE) {
		*array_append(commits) = next.commit;
		return 0;
	}
	return history_resolve_all(&bisecting->history, "HEAD", commits, err);
}

static int find_commits(const struct bisecting *bisecting, const struct string_list *words,
			struct commit_ids *commits, struct error *err)
{
	if (!words->count)
		return default_commit(bisecting, commits, err);
	for (size_t i = 0; i < words->count; i++) {
		size_t before = commits->count;

		if (history_resolve_all(&bisecting->history, words->items[i], commits, err) < 0)
			return -1;
		if (commits->count > before)
			continue;
		error_set(err, ERROR_USAGE, "'%s' holds no commit", words->items[i]);
		return error_hint(err, "A..B is what comes after A, up to B: are they swapped?");
	}
	return 0;
}

static bool is_pending_base(const struct bisecting *bisecting, const git_oid *commit)
{
	_cleanup_(view_release) struct view view = {.range = {.dag = DAG_INIT}};
	_cleanup_(error_clear) struct error ignored = {0};
	bool pending = false;

	if (view_load(&view, &bisecting->bisection, &bisecting->history, &ignored) < 0)
		return false;
	array_for_each (base, &view.bases)
		pending = pending || git_oid_equal(base, commit);
	return pending;
}

static void add_records(const struct bisecting *bisecting, const struct commit_ids *commits,
			enum mark_kind kind, const char *word, const struct options *options,
			json_t *records)
{
	array_for_each (commit, commits) {
		struct mark mark = {.commit = *commit, .kind = kind};

		mark.word = kind == MARK_SKIP ? NULL : (char *)word;
		mark.reason = kind == MARK_SKIP ? (char *)options->reason : NULL;
		mark.base = kind == MARK_BAD && is_pending_base(bisecting, commit);
		json_array_append_new(records, record_mark(&mark));
	}
}

static int add_values(const struct bisecting *bisecting, const struct commit_ids *commits,
		      const struct string_list *values, json_t *records, struct error *err)
{
	const struct bisect_options *options = &bisecting->bisection.options;
	enum better better = options->has_better ? options->better : BETTER_LOWER;

	if (values->count && commits->count != 1)
		return error_set(err, ERROR_USAGE, "values belong to one commit");
	if (values->count && !bisecting->bisection.measures)
		json_array_append_new(records, record_measures(false, better, NULL, NULL));
	for (size_t i = 0; i < values->count; i++) {
		struct observation observation = {.state = MEASURED_VALUE, .purpose = PURPOSE_USER};

		if (number_parse(values->items[i], &observation.value, err) < 0) {
			err->kind = ERROR_USAGE;
			return -1;
		}
		observation.commit = commits->items[0];
		json_array_append_new(records, record_evidence(&observation));
	}
	return 0;
}

/* All records are tried on the state before the first is written. */
static int try_records(const struct bisecting *bisecting, const json_t *records, struct error *err)
{
	_cleanup_(bisection_release) struct bisection draft = {0};
	_cleanup_(view_release) struct view view = {.range = {.dag = DAG_INIT}};
	_cleanup_free_ char *path = bisecting_path(bisecting, "journal");
	_cleanup_(journal_close) struct journal journal = JOURNAL_INIT;
	json_t *all = NULL;
	int code;

	if (journal_open(&journal, path, false, &all, err) < 0)
		return -1;
	json_array_extend(all, (json_t *)records);
	code = bisection_apply_all(&draft, all, path, err);
	json_decref(all);
	if (code < 0)
		return -1;
	return view_load(&view, &draft, &bisecting->history, err);
}

static int write_records(struct bisecting *bisecting, const json_t *records, struct error *err)
{
	_cleanup_(view_release) struct view view = {.range = {.dag = DAG_INIT}};
	json_t *record;
	size_t index;
	int code;

	if (try_records(bisecting, records, err) < 0)
		return -1;
	json_array_foreach ((json_t *)records, index, record) {
		if (bisecting_record(bisecting, json_incref(record), err) < 0)
			return -1;
	}
	if (view_load(&view, &bisecting->bisection, &bisecting->history, err) < 0)
		return -1;
	code = bisecting_say(bisecting, &view, err);
	if (code < 0 || bisecting_move_files(bisecting, &view, false, err) < 0)
		return -1;
	return code;
}

static int mark(struct bisecting *bisecting, enum mark_kind kind, const char *word,
		const struct string_list *words, const struct options *options, struct error *err)
{
	struct commit_ids commits = {0};
	json_t *records = json_array();
	int code = find_commits(bisecting, words, &commits, err);

	if (code == 0 && kind == MARK_BAD && commits.count > 1)
		code = error_set(err, ERROR_USAGE, "only one commit can be %s", word);
	if (code == 0) {
		add_records(bisecting, &commits, kind, word, options, records);
		code = add_values(bisecting, &commits, &options->values, records, err);
	}
	if (code == 0)
		code = write_records(bisecting, records, err);
	json_decref(records);
	array_release(&commits);
	return code;
}

/* MARK_..., or -1 with or without an error. */
static int kind_of_word(const struct bisection *bisection, const char *word, struct error *err)
{
	static const char *const known[] = {"good", "bad", "old", "new"};
	static const enum mark_kind kinds[] = {MARK_GOOD, MARK_BAD, MARK_GOOD, MARK_BAD};
	const struct bisect_options *options = &bisection->options;
	const char *bad = bisection_term(bisection, MARK_BAD);
	const char *good = bisection_term(bisection, MARK_GOOD);

	if (!strcmp(word, "skip"))
		return MARK_SKIP;
	if (!strcmp(word, bad))
		return MARK_BAD;
	if (!strcmp(word, good))
		return MARK_GOOD;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (strcmp(word, known[i]) != 0)
			continue;
		if (!options->term_bad && !options->term_good)
			return (int)kinds[i];
		error_set(err, ERROR_USAGE, "this bisection says %s and %s, not %s", bad, good,
			  word);
		return error_hint(err, "terms are not mixed within a bisection");
	}
	return -1;
}

int bisect_mark_word(const char *word, int argc, char **argv, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	struct bisecting bisecting = {0};
	struct options options = {0};
	int kind;
	int code;

	code = options_parse(specs, &options, argc, argv, &words, err);
	if (code == 0)
		code = bisecting_open(&bisecting, &options.common, BISECTING_WRITE, err);
	if (code < 0) {
		string_list_release(&options.values);
		return -1;
	}
	kind = kind_of_word(&bisecting.bisection, word, err);
	code = kind < 0 ? -1 : 0;
	if (code == 0 && !bisecting.bisection.started) {
		error_set(err, ERROR_USAGE, "no bisection is going on here");
		code = error_hint(err, "kregress bisect start BAD GOOD");
	}
	if (code == 0)
		code = mark(&bisecting, (enum mark_kind)kind, word, &words, &options, err);
	bisecting_close(&bisecting);
	string_list_release(&options.values);
	return code;
}

static int run_good(int argc, char **argv, struct error *err)
{
	return bisect_mark_word("good", argc, argv, err);
}

static int run_bad(int argc, char **argv, struct error *err)
{
	return bisect_mark_word("bad", argc, argv, err);
}

static int run_skip(int argc, char **argv, struct error *err)
{
	return bisect_mark_word("skip", argc, argv, err);
}

static int run_value(int argc, char **argv, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	struct bisecting bisecting = {0};
	struct options options = {0};
	struct commit_ids commits = {0};
	json_t *records = json_array();
	int code = options_parse(specs, &options, argc, argv, &words, err);

	if (code == 0)
		code = check_words(&command_bisect_value, &words, 2, SIZE_MAX, err);
	if (code == 0)
		code = bisecting_open_started(&bisecting, &options.common, BISECTING_WRITE, err);
	if (code == 0) {
		for (size_t i = 1; i < words.count; i++)
			string_list_add(&options.values, words.items[i]);
		code = history_resolve_all(&bisecting.history, words.items[0], &commits, err);
		if (code == 0)
			code = add_values(&bisecting, &commits, &options.values, records, err);
		if (code == 0)
			code = write_records(&bisecting, records, err);
		bisecting_close(&bisecting);
	}
	json_decref(records);
	array_release(&commits);
	string_list_release(&options.values);
	return code;
}

const struct command command_bisect_good = {
	.name = "bisect good",
	.arguments = "[REVISION|A..B]...",
	.summary = "say that commits are good",
	.description =
		"Without a revision: the commit that was to be tested next, else HEAD. Terms "
		"of the bisection's own take the place of good and bad.",
	.examples = "",
	.options = specs,
	.run = run_good,
};

const struct command command_bisect_bad = {
	.name = "bisect bad",
	.arguments = "[REVISION]",
	.summary = "say that a commit is bad",
	.description = "Without a revision: the commit that was to be tested next, else HEAD.",
	.examples = "",
	.options = specs,
	.run = run_bad,
};

const struct command command_bisect_skip = {
	.name = "bisect skip",
	.arguments = "[REVISION|A..B]...",
	.summary = "say that commits cannot be tested",
	.description = "They stay candidates. Without a revision: the commit that was to be tested "
		       "next, else HEAD.",
	.examples = "",
	.options = specs,
	.run = run_skip,
};

const struct command command_bisect_value = {
	.name = "bisect value",
	.arguments = "REVISION VALUE...",
	.summary = "give values that were measured at a commit",
	.description = "Each value is one boot or run. They are evidence like those that `bisect "
		       "run` measures.",
	.examples = "  kregress bisect value v6.1 20.91 20.87 21.02\n",
	.options = specs,
	.run = run_value,
};
