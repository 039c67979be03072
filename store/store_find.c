/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what the user wrote to one run set. */
#include <inttypes.h>
#include <string.h>

#include "common/strbuf.h"
#include "store/store_internal.h"

/* The shortest beginning of an id that stands for it without a variant. */
#define ID_PREFIX_MIN 6

/* How many names a message lists. */
#define LISTED_MAX 20

/* A run set that fits; `fits` counts all, the number is that of the first. */
struct match {
	int64_t set_number;
	size_t fits;
	struct strbuf names; /* "voluntary@0123..., full@0123..." */
};

static int find_newest(struct store *store, const char *variant, struct match *match,
		       struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT r.number FROM run_sets r WHERE r.variant = $1"
		       " AND (EXISTS (SELECT 1 FROM boots b WHERE b.run_set = r.number)"
		       " OR EXISTS (SELECT 1 FROM series e JOIN samples s ON s.series = e.number"
		       " WHERE e.run_set = r.number))"
		       " ORDER BY COALESCE(r.created_at, r.stored_at) DESC, r.number DESC LIMIT 1",
		       err) < 0)
		return -1;
	query_bind_text(&query, variant);
	row = query_step(&query, err);
	if (row <= 0)
		return row;
	match->set_number = query_int(&query, 0);
	match->fits = 1;
	return 0;
}

static void note_match(const struct query *query, struct match *match)
{
	_cleanup_free_ char *variant = query_text(query, 1);
	_cleanup_free_ char *id = query_text(query, 2);

	if (!match->fits++)
		match->set_number = query_int(query, 0);
	if (match->fits <= LISTED_MAX)
		strbuf_printf(&match->names, "%s%s@%s", match->fits > 1 ? ", " : "", variant, id);
	else if (match->fits == LISTED_MAX + 1)
		strbuf_append(&match->names, ", ...");
}

static int note_matches(struct query *query, struct match *match, struct error *err)
{
	int row;

	while ((row = query_step(query, err)) > 0)
		note_match(query, match);
	return row;
}

static int find_qualified(struct store *store, const char *variant, const char *prefix,
			  struct match *match, struct error *err)
{
	_cleanup_query_ struct query query = {0};

	if (query_open(&query, store,
		       "SELECT number, variant, id FROM run_sets WHERE variant = $1"
		       " AND (substr(id, 1, length($2)) = $2"
		       " OR substr(collection, 1, length($2)) = $2)"
		       " ORDER BY number",
		       err) < 0)
		return -1;
	query_bind_text(&query, variant);
	query_bind_text(&query, prefix);
	return note_matches(&query, match, err);
}

static int find_by_id(struct store *store, const char *prefix, struct match *match,
		      struct error *err)
{
	_cleanup_query_ struct query query = {0};

	if (query_open(&query, store,
		       "SELECT number, variant, id FROM run_sets"
		       " WHERE substr(id, 1, length($1)) = $1 ORDER BY number",
		       err) < 0)
		return -1;
	query_bind_text(&query, prefix);
	return note_matches(&query, match, err);
}

/* A variant's name goes before VARIANT@PREFIX, and that before an id. */
static int find_match(struct store *store, const char *spec, struct match *match, struct error *err)
{
	const char *at = strrchr(spec, '@');

	if (find_newest(store, spec, match, err) < 0)
		return -1;
	if (!match->fits && at && at[1]) {
		_cleanup_free_ char *variant = xstrndup(spec, (size_t)(at - spec));

		if (find_qualified(store, variant, at + 1, match, err) < 0)
			return -1;
	}
	if (!match->fits && strlen(spec) >= ID_PREFIX_MIN)
		return find_by_id(store, spec, match, err);
	return 0;
}

/* "full (2 run sets), voluntary (1 run set)"; empty when the store is. */
static int list_variants(struct store *store, struct strbuf *names, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	size_t listed = 0;
	int row;

	if (query_open(&query, store,
		       "SELECT variant, COUNT(*) FROM run_sets GROUP BY variant ORDER BY variant",
		       err) < 0)
		return -1;
	while ((row = query_step(&query, err)) > 0) {
		_cleanup_free_ char *variant = query_text(&query, 0);
		int64_t sets = query_int(&query, 1);

		if (++listed > LISTED_MAX) {
			strbuf_append(names, ", ...");
			return 0;
		}
		strbuf_printf(names, "%s%s (%" PRId64 " run set%s)", listed > 1 ? ", " : "",
			      variant, sets, sets == 1 ? "" : "s");
	}
	return row;
}

static int refuse_unknown(struct store *store, const char *spec, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf names = STRBUF_INIT;

	if (list_variants(store, &names, err) < 0)
		return -1;
	if (!names.length) {
		error_set(err, ERROR_USAGE, "%s: no run set fits '%s': the store is empty",
			  store->path, spec);
		return error_hint(err, "collect with 'kregress run' or read data with "
				       "'kregress import'");
	}
	error_set(err, ERROR_USAGE, "%s: no run set with a boot fits '%s'; the store holds %s",
		  store->path, spec, strbuf_text(&names));
	return error_hint(err, "write VARIANT, VARIANT@ID, or at least %d digits of an id",
			  ID_PREFIX_MIN);
}

static int refuse_ambiguous(const struct store *store, const char *spec, const struct match *match,
			    struct error *err)
{
	error_set(err, ERROR_USAGE, "%s: %zu run sets fit '%s': %s", store->path, match->fits, spec,
		  strbuf_text(&match->names));
	return error_hint(err, "write more digits of the id");
}

int store_find_set(struct store *store, const char *spec, int64_t *set_number, struct error *err)
{
	struct match match = {.names = STRBUF_INIT};
	int status = find_match(store, spec, &match, err);

	if (status == 0 && !match.fits)
		status = refuse_unknown(store, spec, err);
	else if (status == 0 && match.fits > 1)
		status = refuse_ambiguous(store, spec, &match, err);
	*set_number = match.set_number;
	strbuf_release(&match.names);
	return status;
}
