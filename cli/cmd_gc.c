/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/table_out.h"
#include "common/interrupt.h"
#include "common/number.h"
#include "common/utc.h"
#include "store/gc.h"

#define DAY_S	       86400
#define NOT_GIVEN      UINT64_MAX
#define DAYS_MAX       100000 /* nearer to now than the year 1700 */
#define AROUND_DEFAULT 10     /* sets: about what a change is found by */

struct options {
	struct common_options common;
	uint64_t keep_days;
	uint64_t keep_sets;
	uint64_t keep_around;
	const char *vacuum;
	bool dry_run;
	bool json;
};

static const struct option_spec specs[] = {
	OPTION_ROW(struct options, keep_days, OPTION_UINT, "keep-days", 0, "N",
		   "keep run sets that are not older than N days"),
	OPTION_ROW(struct options, keep_sets, OPTION_UINT, "keep-sets", 0, "N",
		   "keep the newest N run sets of each variant and machine class"),
	OPTION_ROW(struct options, keep_around, OPTION_UINT, "keep-around", 0, "N",
		   "keep N run sets on either side of a finding (default 10)"),
	OPTION_ROW(struct options, dry_run, OPTION_FLAG, "dry-run", 'n', NULL,
		   "show what would be removed, and remove nothing"),
	OPTION_ROW(struct options, vacuum, OPTION_STRING, "vacuum", 0, "WHEN",
		   "write the file anew to make it smaller: auto (default), always, never"),
	OPTION_ROW(struct options, json, OPTION_FLAG, "json", 0, NULL, "print JSON"),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

enum vacuum_when { VACUUM_AUTO, VACUUM_ALWAYS, VACUUM_NEVER };

/* What became of the plan. */
struct outcome {
	struct gc_plan plan;
	size_t removed;
	uint64_t bytes_before;
	uint64_t bytes_after;
	const char *vacuum; /* "done", "busy", "little", "never" */
	bool dry_run;
};

static void outcome_release(struct outcome *outcome)
{
	gc_plan_release(&outcome->plan);
}

static int parse_when(const char *text, enum vacuum_when *when, struct error *err)
{
	static const char *const names[] = {"auto", "always", "never"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(text, names[i]) != 0)
			continue;
		*when = (enum vacuum_when)i;
		return 0;
	}
	error_set(err, ERROR_USAGE, "--vacuum: '%s' is not known", text);
	return error_hint(err, "write auto, always or never");
}

static int check_policy(const struct options *options, struct error *err)
{
	if (options->keep_days == NOT_GIVEN && options->keep_sets == NOT_GIVEN) {
		error_set(err, ERROR_USAGE, "gc: what is to be kept is not given");
		return error_hint(err, "write --keep-days N or --keep-sets N, or both; "
				       "--dry-run shows what would be removed");
	}
	if (options->keep_days != NOT_GIVEN && options->keep_days > DAYS_MAX)
		return error_set(err, ERROR_USAGE, "--keep-days: at most %d", DAYS_MAX);
	return 0;
}

static int make_plan(struct store *store, const struct options *options, struct outcome *outcome,
		     struct error *err)
{
	_cleanup_free_ char *from = NULL;
	struct gc_policy policy = {.keep_around = options->keep_around};

	if (options->keep_days != NOT_GIVEN)
		from = utc_text(time(NULL) - (time_t)options->keep_days * DAY_S);
	if (options->keep_sets != NOT_GIVEN)
		policy.keep_sets = options->keep_sets;
	policy.keep_from = from;
	return store_plan_gc(store, &policy, &outcome->plan, err);
}

/* Ends early when a signal comes; what is removed by then stays so. */
static int remove_old(struct session *session, struct outcome *outcome, struct error *err)
{
	size_t old = 0, done = 0;

	array_for_each (set, &outcome->plan.sets)
		old += set->reason == GC_OLD;
	array_for_each (set, &outcome->plan.sets) {
		int removed;

		if (set->reason != GC_OLD)
			continue;
		if (interrupt_signal())
			return error_set(err, ERROR_INTERRUPTED,
					 "interrupted: %zu of %zu old run sets are removed",
					 outcome->removed, old);
		log_progress(&session->log, "removing %zu of %zu run sets", ++done, old);
		removed = store_remove_set(session->store, set, err);
		if (removed < 0)
			return error_wrap(err, "%zu of %zu old run sets are removed",
					  outcome->removed, old);
		if (!removed)
			set->reason = GC_FINDING; /* of now, or a baseline, or gone already */
		outcome->removed += (size_t)removed;
	}
	return 0;
}

static int give_room_back(struct session *session, enum vacuum_when when, struct outcome *outcome,
			  struct error *err)
{
	static const char *const names[] = {"done", "busy", "little"};
	_cleanup_free_ char *recent = utc_text(time(NULL) - DAY_S);
	enum gc_vacuum vacuum;

	if (when == VACUUM_NEVER)
		return 0;
	log_progress(&session->log, "writing the store anew");
	if (store_vacuum(session->store, recent, when == VACUUM_ALWAYS, &vacuum, err) < 0) {
		error_hint(err, "free space on the disk and run 'kregress gc' again");
		return error_wrap(err,
				  "%zu run sets are removed and their room is reused, but the "
				  "store was not made smaller",
				  outcome->removed);
	}
	outcome->vacuum = names[vacuum];
	return 0;
}

static int collect(struct session *session, const struct options *options, enum vacuum_when when,
		   struct outcome *outcome, struct error *err)
{
	outcome->vacuum = "never";
	outcome->dry_run = options->dry_run;
	if (store_size(session->store, &outcome->bytes_before, err) < 0 ||
	    make_plan(session->store, options, outcome, err) < 0)
		return -1;
	outcome->bytes_after = outcome->bytes_before;
	if (options->dry_run)
		return 0;
	if (remove_old(session, outcome, err) < 0 ||
	    give_room_back(session, when, outcome, err) < 0)
		return -1;
	return store_size(session->store, &outcome->bytes_after, err);
}

static size_t count_of(const struct outcome *outcome, enum gc_reason reason)
{
	size_t count = 0;

	array_for_each (set, &outcome->plan.sets)
		count += set->reason == reason;
	return count;
}

/* JSON */

static json_t *set_json(const struct gc_set *set)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:b, s:s, s:s?}", "id", set->id, "variant",
			 set->variant, "machine", set->machine, "created_at", set->created_at,
			 "kept", set->reason != GC_OLD, "reason", gc_reason_name(set->reason),
			 "referrer", set->referrer);
}

static int print_json(const struct outcome *outcome, struct error *err)
{
	json_t *sets = json_array(), *kept = json_object(), *root;
	_cleanup_free_ char *text = NULL;
	_cleanup_free_ char *line = NULL;

	array_for_each (set, &outcome->plan.sets)
		json_array_append_new(sets, set_json(set));
	for (int reason = GC_OLD + 1; reason < GC_REASONS; reason++)
		json_object_set_new(kept, gc_reason_name(reason),
				    json_integer((json_int_t)count_of(outcome, reason)));
	root = json_pack("{s:b, s:I, s:I, s:o, s:s, s:I, s:I, s:o}", "dry_run", outcome->dry_run,
			 "old", (json_int_t)count_of(outcome, GC_OLD), "removed",
			 (json_int_t)outcome->removed, "kept", kept, "vacuum", outcome->vacuum,
			 "bytes_before", (json_int_t)outcome->bytes_before, "bytes_after",
			 (json_int_t)outcome->bytes_after, "sets", sets);
	text = json_dumps(root, JSON_INDENT(2));
	json_decref(root);
	line = xasprintf("%s\n", text);
	return print_text(line, err);
}

/* Text */

static char *describe(const struct gc_set *set)
{
	switch (set->reason) {
	case GC_OLD:
		return xstrdup("old");
	case GC_UNFINISHED:
		return xstrdup("its collection is not finished");
	case GC_BASELINE:
		return xasprintf("baseline '%s'", set->referrer);
	case GC_AROUND:
		return xasprintf("near finding %s", set->referrer);
	default:
		return set->referrer ? xasprintf("finding %s", set->referrer)
				     : xstrdup("referred to since, or removed by another");
	}
}

/* Those that the policy alone keeps are counted only. */
static int print_sets(const struct outcome *outcome, struct error *err)
{
	static const char *const columns[] = {"run set", "machine", "created", "", "why", NULL};
	_cleanup_(table_out_release) struct table_out table = table_out_new(columns);
	size_t rows = 0;

	array_for_each (set, &outcome->plan.sets) {
		_cleanup_free_ char *name = xasprintf("%s@%.8s", set->variant, set->id);
		_cleanup_free_ char *why = NULL;
		const char *fate = outcome->dry_run ? "would go" : "removed";

		if (set->reason == GC_NEWEST || set->reason == GC_RECENT)
			continue;
		why = describe(set);
		rows++;
		table_out_add(&table,
			      (const char *const[]){name, set->machine, set->created_at,
						    set->reason == GC_OLD ? fate : "kept", why});
	}
	return rows ? table_out_print(&table, false, err) : 0;
}

static void append_kept(struct strbuf *out, const struct outcome *outcome)
{
	static const char *const words[GC_REASONS] = {
		[GC_UNFINISHED] = "unfinished", [GC_NEWEST] = "among the newest",
		[GC_RECENT] = "recent",		[GC_BASELINE] = "baselines",
		[GC_FINDING] = "of findings",	[GC_AROUND] = "near findings",
	};
	const char *separator = ": ";

	for (int reason = GC_OLD + 1; reason < GC_REASONS; reason++) {
		size_t count = count_of(outcome, reason);

		if (!count)
			continue;
		strbuf_printf(out, "%s%zu %s", separator, count, words[reason]);
		separator = ", ";
	}
}

static const char *vacuum_note(const struct outcome *outcome)
{
	if (!strcmp(outcome->vacuum, "busy"))
		return "; the file was not written anew, as a collection of the last day is not "
		       "finished: --vacuum always does it, and holds up whoever writes";
	if (!strcmp(outcome->vacuum, "little"))
		return "; the file was not written anew, as less than a tenth of it is free";
	return "";
}

static void append_size(struct strbuf *out, uint64_t bytes)
{
	number_append_significant(out, (double)bytes / 1e6, 4);
	strbuf_append(out, " MB");
}

static int print_summary(const struct outcome *outcome, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	size_t old = outcome->dry_run ? count_of(outcome, GC_OLD) : outcome->removed;
	size_t total = outcome->plan.sets.count;

	strbuf_printf(&out, "%s %zu of %zu run sets; %s %zu",
		      outcome->dry_run ? "would remove" : "removed", old, total,
		      outcome->dry_run ? "would keep" : "kept", total - old);
	append_kept(&out, outcome);
	strbuf_append(&out, "\nthe store takes ");
	append_size(&out, outcome->bytes_before);
	if (!outcome->dry_run) {
		strbuf_append(&out, " before, ");
		append_size(&out, outcome->bytes_after);
		strbuf_printf(&out, " after%s", vacuum_note(outcome));
	}
	strbuf_append(&out, "\n");
	return print_text(strbuf_text(&out), err);
}

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(outcome_release) struct outcome outcome = {0};
	struct options options = {.keep_days = NOT_GIVEN,
				  .keep_sets = NOT_GIVEN,
				  .keep_around = AROUND_DEFAULT,
				  .vacuum = "auto"};
	enum vacuum_when when = VACUUM_AUTO;

	if (options_parse(specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_gc, &words, 0, 0, err) < 0 ||
	    parse_when(options.vacuum, &when, err) < 0 || check_policy(&options, err) < 0 ||
	    session_open(&session, &options.common, true, err) < 0 ||
	    collect(&session, &options, when, &outcome, err) < 0)
		return -1;
	session_clear_progress(&session);
	if (options.json)
		return print_json(&outcome, err);
	return print_sets(&outcome, err) < 0 ? -1 : print_summary(&outcome, err);
}

const struct command command_gc = {
	.name = "gc",
	.arguments = "",
	.summary = "remove old run sets from the store",
	.description =
		"A run set is removed, with its samples, when neither --keep-days nor --keep-sets "
		"keeps it. Always kept are the newest set of each variant and machine class, sets "
		"of collections that are not finished, baselines, and what a finding refers to "
		"unless it is withdrawn: both sides of the change, all between them, and "
		"--keep-around sets on either side.\n\n"
		"Each set goes in one transaction: after a crash or an interruption it is there "
		"as a whole or not at all, and a second run goes on. Others may write "
		"meanwhile.\n\n"
		"At the end an SQLite file of which at least a tenth is free is written anew, "
		"which takes as much room again meanwhile and holds up whoever writes; it is left "
		"out while a collection of the last day is not finished. PostgreSQL reuses the "
		"room; with --vacuum always it writes the tables anew.",
	.examples = "  kregress gc --keep-days 90 --keep-sets 30 --dry-run\n"
		    "  kregress gc --keep-sets 100 --json\n",
	.options = specs,
	.run = run,
};
