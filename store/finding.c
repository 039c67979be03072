/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/finding.h"

#include <string.h>

#include "common/string_index.h"
#include "store/database.h"

#define COLUMNS                                                                                    \
	"id, group_id, machine, variant, benchmark, params, metric, unit, better, kind,"           \
	" regression, state, before_set, after_set, low_set, high_set, good_commit, bad_commit,"   \
	" before_value, after_value, ratio_low, ratio_high, p, q, contradictions, evaluated_set,"  \
	" fixed_by, cause, note, found_at, changed_at"

static const char *const state_names[] = {
	[FINDING_NEW] = "new",		 [FINDING_ACKNOWLEDGED] = "acknowledged",
	[FINDING_KNOWN] = "known",	 [FINDING_FIXED] = "fixed",
	[FINDING_REOPENED] = "reopened", [FINDING_WITHDRAWN] = "withdrawn",
};

const char *finding_state_name(enum finding_state state)
{
	return state_names[state];
}

bool finding_state_parse(const char *text, enum finding_state *state)
{
	for (size_t i = 0; i < ARRAY_SIZE(state_names); i++) {
		if (strcmp(text, state_names[i]) != 0)
			continue;
		*state = (enum finding_state)i;
		return true;
	}
	return false;
}

void finding_release(struct finding *finding)
{
	char *const owned[] = {
		finding->id,	     finding->group,	   finding->machine,
		finding->variant,    finding->benchmark,   finding->params,
		finding->metric,     finding->unit,	   finding->kind,
		finding->before_set, finding->after_set,   finding->low_set,
		finding->high_set,   finding->good_commit, finding->bad_commit,
		finding->cause,	     finding->note,	   finding->fixed_by,
		finding->found_at,   finding->changed_at,  finding->evaluated_set,
	};

	for (size_t i = 0; i < ARRAY_SIZE(owned); i++)
		free(owned[i]);
	*finding = (struct finding){0};
}

void finding_list_release(struct finding_list *list)
{
	array_for_each (finding, list)
		finding_release(finding);
	array_release(list);
}

static void fill_numbers(const struct query *query, struct finding *finding)
{
	finding->regression = query_int(query, 10) != 0;
	finding->before = query_real(query, 18);
	finding->after = query_real(query, 19);
	finding->ratio_low = query_real(query, 20);
	finding->ratio_high = query_real(query, 21);
	finding->p = query_real(query, 22);
	finding->q = query_real(query, 23);
	finding->contradictions = (uint32_t)query_int(query, 24);
}

static int fill(const struct query *query, struct finding *finding, struct error *err)
{
	_cleanup_free_ char *better = query_text(query, 8);
	_cleanup_free_ char *state = query_text(query, 11);
	char **const texts[31] = {
		[0] = &finding->id,	     [1] = &finding->group,
		[2] = &finding->machine,     [3] = &finding->variant,
		[4] = &finding->benchmark,   [5] = &finding->params,
		[6] = &finding->metric,	     [7] = &finding->unit,
		[9] = &finding->kind,	     [12] = &finding->before_set,
		[13] = &finding->after_set,  [14] = &finding->low_set,
		[15] = &finding->high_set,   [16] = &finding->good_commit,
		[17] = &finding->bad_commit, [25] = &finding->evaluated_set,
		[26] = &finding->fixed_by,   [27] = &finding->cause,
		[28] = &finding->note,	     [29] = &finding->found_at,
		[30] = &finding->changed_at,
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (texts[i])
			*texts[i] = query_text(query, (int)i);
	fill_numbers(query, finding);
	if (better_parse(better, &finding->better) && finding_state_parse(state, &finding->state)) {
		finding->stored = true;
		finding->stored_state = finding->state;
		return 0;
	}
	return error_set(err, ERROR_DATA, "%s: finding %s is damaged", query->store->path,
			 finding->id);
}

static int append_all(struct query *query, struct finding_list *list, struct error *err)
{
	int row;

	while ((row = query_step(query, err)) > 0)
		if (fill(query, array_append(list), err) < 0)
			return -1;
	return row;
}

int store_load_findings(struct store *store, struct finding_list *list, struct error *err)
{
	_cleanup_query_ struct query query = {0};

	if (query_open(&query, store,
		       "SELECT " COLUMNS " FROM findings ORDER BY found_at DESC, group_id, p, id",
		       err) < 0)
		return -1;
	return append_all(&query, list, err);
}

static void bind_names(struct query *query, const struct finding *finding)
{
	const char *const texts[] = {
		finding->id,	  finding->group,     finding->machine,
		finding->variant, finding->benchmark, finding->params,
		finding->metric,  finding->unit,      better_name(finding->better),
		finding->kind,
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		query_bind_text(query, texts[i]);
}

static void bind_change(struct query *query, const struct finding *finding)
{
	query_bind_int(query, finding->regression);
	query_bind_text(query, finding_state_name(finding->state));
	query_bind_text(query, finding->before_set);
	query_bind_text(query, finding->after_set);
	query_bind_text(query, finding->low_set);
	query_bind_text(query, finding->high_set);
	query_bind_text(query, finding->good_commit);
	query_bind_text(query, finding->bad_commit);
	query_bind_real(query, finding->before);
	query_bind_real(query, finding->after);
	query_bind_real(query, finding->ratio_low);
	query_bind_real(query, finding->ratio_high);
	query_bind_real(query, finding->p);
	query_bind_real(query, finding->q);
}

static void bind_life(struct query *query, const struct finding *finding)
{
	query_bind_int(query, finding->contradictions);
	query_bind_text(query, finding->evaluated_set);
	query_bind_text(query, finding->fixed_by);
	query_bind_text(query, finding->cause);
	query_bind_text(query, finding->note);
	query_bind_text(query, finding->found_at);
	query_bind_text(query, finding->changed_at);
}

static int put_one(struct query *remove, struct query *insert, const struct finding *finding,
		   struct error *err)
{
	query_bind_text(remove, finding->id);
	if (query_run(remove, err) < 0)
		return -1;
	bind_names(insert, finding);
	bind_change(insert, finding);
	bind_life(insert, finding);
	return query_run(insert, err);
}

static int put_all(struct store *store, const struct finding_list *list, struct error *err)
{
	_cleanup_query_ struct query remove = {0}, insert = {0};

	if (query_open(&remove, store, "DELETE FROM findings WHERE id = $1", err) < 0 ||
	    query_open(&insert, store,
		       "INSERT INTO findings (" COLUMNS ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8,"
		       " $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,"
		       " $24, $25, $26, $27, $28, $29, $30, $31)",
		       err) < 0)
		return -1;
	array_for_each (finding, list)
		if (put_one(&remove, &insert, finding, err) < 0)
			return -1;
	return 0;
}

/* People's word goes before what was computed from an older one. */
static void keep_decision(struct finding *finding, const struct finding *present)
{
	replace_string(&finding->note, present->note);
	if (finding->stored && finding->stored_state == present->state)
		return;
	finding->state = present->state;
	replace_string(&finding->fixed_by, present->fixed_by);
	replace_string(&finding->changed_at, present->changed_at);
}

static int keep_decisions(struct store *store, struct finding_list *list, struct error *err)
{
	_cleanup_(finding_list_release) struct finding_list present = {0};
	_cleanup_(string_index_release) struct string_index index = {0};

	if (store_load_findings(store, &present, err) < 0)
		return -1;
	for (size_t i = 0; i < present.count; i++)
		string_index_add(&index, present.items[i].id, i);
	array_for_each (finding, list) {
		size_t at;

		if (string_index_find(&index, finding->id, &at))
			keep_decision(finding, &present.items[at]);
	}
	return 0;
}

int store_put_findings(struct store *store, struct finding_list *list, struct error *err)
{
	int status;

	if (transaction_begin(store, "these findings", err) < 0)
		return -1;
	status = keep_decisions(store, list, err);
	if (status == 0)
		status = put_all(store, list, err);
	return transaction_end(store, status, err);
}

/* A prefix of ids has to mean one of them, a prefix of groups all members of one. */
static int check_found(const struct store *store, const char *prefix,
		       const struct finding_list *list, size_t first, bool by_group,
		       struct error *err)
{
	bool one = true;

	for (size_t i = first + 1; i < list->count; i++)
		one &= by_group && !strcmp(list->items[i].group, list->items[first].group);
	if (list->count == first) {
		error_set(err, ERROR_USAGE, "%s: no finding begins with '%s'", store->path, prefix);
		return error_hint(err, "`kregress findings list` shows them");
	}
	if (one)
		return 0;
	error_set(err, ERROR_USAGE, "%s: %zu findings begin with '%s'", store->path,
		  list->count - first, prefix);
	return error_hint(err, "write more digits");
}

static int find_by(struct store *store, const char *column, const char *prefix,
		   struct finding_list *list, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	_cleanup_free_ char *sql = xasprintf("SELECT " COLUMNS " FROM findings"
					     " WHERE substr(%s, 1, length($1)) = $1 ORDER BY p, id",
					     column);

	if (query_open(&query, store, sql, err) < 0)
		return -1;
	query_bind_text(&query, prefix);
	return append_all(&query, list, err);
}

int store_find_findings(struct store *store, const char *prefix, struct finding_list *list,
			struct error *err)
{
	size_t first = list->count;
	bool by_group = false;

	if (!*prefix)
		return error_set(err, ERROR_USAGE, "the id of a finding is empty");
	if (find_by(store, "id", prefix, list, err) < 0)
		return -1;
	by_group = list->count == first;
	if (by_group && find_by(store, "group_id", prefix, list, err) < 0)
		return -1;
	return check_found(store, prefix, list, first, by_group, err);
}

static void mark(struct finding *finding, enum finding_state state, const char *note,
		 const char *now)
{
	if (finding->state != state)
		replace_string(&finding->changed_at, now);
	finding->state = state;
	if (note && finding->note) {
		_cleanup_free_ char *both = xasprintf("%s\n%s", finding->note, note);

		replace_string(&finding->note, both);
	} else if (note) {
		replace_string(&finding->note, note);
	}
}

/* What is decided about a group says nothing about members that are done with. */
static bool is_over(const struct finding *finding, enum finding_state decision)
{
	if (decision == FINDING_REOPENED)
		return finding->state != FINDING_FIXED && finding->state != FINDING_WITHDRAWN;
	return finding->state == FINDING_WITHDRAWN || finding->state == FINDING_FIXED;
}

static int mark_all(struct store *store, const char *prefix, enum finding_state state,
		    const char *note, const char *now, struct error *err)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};

	if (store_find_findings(store, prefix, &list, err) < 0)
		return -1;
	array_for_each (finding, &list)
		if (list.count == 1 || !is_over(finding, state))
			mark(finding, state, note, now);
	return put_all(store, &list, err);
}

int store_mark_findings(struct store *store, const char *prefix, enum finding_state state,
			const char *note, const char *now, struct error *err)
{
	if (transaction_begin(store, "this mark", err) < 0)
		return -1;
	return transaction_end(store, mark_all(store, prefix, state, note, now, err), err);
}
