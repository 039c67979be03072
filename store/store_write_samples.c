/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores the series of a set and their samples, with statements prepared once for all of them. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "common/strbuf.h"
#include "store/store_internal.h"

/* Numbers are given out here: the transaction holds the write lock. */
struct writer {
	struct store *store;
	int64_t set_number;
	int64_t next_series;
	int64_t next_position;
	int64_t next_name;
	struct query find;
	struct query find_name;
	struct query add_name;
	struct query add;
	struct query add_sample;
	struct strbuf rows; /* samples for the kind's copy() */
};

static void writer_close(struct writer *writer)
{
	query_close(&writer->find);
	query_close(&writer->find_name);
	query_close(&writer->add_name);
	query_close(&writer->add);
	query_close(&writer->add_sample);
	strbuf_release(&writer->rows);
}

static int next_position(struct writer *writer, struct error *err)
{
	_cleanup_query_ struct query query = {0};

	if (query_open(&query, writer->store,
		       "SELECT COALESCE(MAX(position) + 1, 0) FROM set_series WHERE run_set = $1",
		       err) < 0)
		return -1;
	query_bind_int(&query, writer->set_number);
	if (query_step(&query, err) < 0)
		return -1;
	writer->next_position = query_int(&query, 0);
	return 0;
}

static int find_numbers(struct writer *writer, struct error *err)
{
	struct store *store = writer->store;

	if (database_scalar(store, "SELECT COALESCE(MAX(number), 0) + 1 FROM set_series",
			    &writer->next_series, err) < 0 ||
	    database_scalar(store, "SELECT COALESCE(MAX(number), 0) + 1 FROM series_names",
			    &writer->next_name, err) < 0)
		return -1;
	return next_position(writer, err);
}

static int prepare(struct writer *writer, struct error *err)
{
	const struct {
		struct query *query;
		const char *sql;
	} statements[] = {
		{&writer->find,
		 "SELECT e.number, n.unit, n.better FROM series_names n"
		 " CROSS JOIN set_series e WHERE e.name = n.number AND e.run_set = $1"
		 " AND n.benchmark = $2 AND n.params = $3 AND n.metric = $4"},
		{&writer->find_name, "SELECT number FROM series_names WHERE benchmark = $1"
				     " AND params = $2 AND metric = $3 AND unit = $4"
				     " AND better = $5"},
		{&writer->add_name, "INSERT INTO series_names (number, benchmark, params, metric,"
				    " unit, better) VALUES ($1, $2, $3, $4, $5, $6)"},
		{&writer->add, "INSERT INTO set_series (number, run_set, position, name, extra)"
			       " VALUES ($1, $2, $3, $4, $5)"},
		{&writer->add_sample, "INSERT INTO samples (series, boot, invocation, iteration,"
				      " value) VALUES ($1, $2, $3, $4, $5)"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(statements); i++)
		if (query_open(statements[i].query, writer->store, statements[i].sql, err) < 0)
			return -1;
	return find_numbers(writer, err);
}

/* 1 with the number of the stored series, 0 when it is not stored, -1 also for another unit. */
static int find_series(struct writer *writer, const struct series *series, int64_t *number,
		       struct error *err)
{
	struct query *query = &writer->find;
	_cleanup_free_ char *unit = NULL, *better = NULL;
	int row;

	query_bind_int(query, writer->set_number);
	query_bind_text(query, series->benchmark);
	query_bind_text(query, series->params);
	query_bind_text(query, series->metric);
	row = query_step(query, err);
	if (row <= 0)
		return row;
	*number = query_int(query, 0);
	unit = query_text(query, 1);
	better = query_text(query, 2);
	query_reset(query);
	if (!strcmp(unit, series->unit) && !strcmp(better, better_name(series->better)))
		return 1;
	return error_set(err, ERROR_DATA,
			 "mixed units: stored in '%s', better %s; now in '%s', better %s", unit,
			 better, series->unit, better_name(series->better));
}

static void bind_name(struct query *query, const struct series *series)
{
	query_bind_text(query, series->benchmark);
	query_bind_text(query, series->params);
	query_bind_text(query, series->metric);
	query_bind_text(query, series->unit);
	query_bind_text(query, better_name(series->better));
}

static int ensure_name(struct writer *writer, const struct series *series, int64_t *name,
		       struct error *err)
{
	int row;

	bind_name(&writer->find_name, series);
	row = query_step(&writer->find_name, err);
	if (row < 0)
		return -1;
	if (row) {
		*name = query_int(&writer->find_name, 0);
		query_reset(&writer->find_name);
		return 0;
	}
	*name = writer->next_name++;
	query_bind_int(&writer->add_name, *name);
	bind_name(&writer->add_name, series);
	return query_run(&writer->add_name, err);
}

static int ensure_series(struct writer *writer, const struct series *series, int64_t *number,
			 struct error *err)
{
	int found = find_series(writer, series, number, err);
	int64_t name;

	if (found)
		return found < 0 ? -1 : 0;
	if (ensure_name(writer, series, &name, err) < 0)
		return -1;
	*number = writer->next_series++;
	query_bind_int(&writer->add, *number);
	query_bind_int(&writer->add, writer->set_number);
	query_bind_int(&writer->add, writer->next_position++);
	query_bind_int(&writer->add, name);
	query_bind_text(&writer->add, series->extra);
	return query_run(&writer->add, err);
}

static bool is_selected(const struct sample_selection *selection, const struct sample *sample)
{
	return selection->all || sample->boot == selection->boot;
}

static int refuse_sample(const struct sample *sample, const char *cause, struct error *err)
{
	return error_set(err, ERROR_DATA,
			 "boot %" PRIu32 ", invocation %" PRIu32 ", iteration %" PRIu32 ": %s",
			 sample->boot, sample->invocation, sample->iteration, cause);
}

static const char twice[] = "the sample is there twice";

static void append_row(struct strbuf *rows, int64_t series_number, const struct sample *sample)
{
	strbuf_printf(rows, "%" PRId64 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t", series_number,
		      sample->boot, sample->invocation, sample->iteration);
	number_append_exact(rows, sample->value);
	strbuf_append_char(rows, '\n');
}

/* At once, or with all others at the end. */
static int insert_sample(struct writer *writer, int64_t series_number, const struct sample *sample,
			 struct error *err)
{
	struct query *query = &writer->add_sample;

	if (!isfinite(sample->value))
		return refuse_sample(sample, "the value is not finite", err);
	if (writer->store->kind->copy) {
		append_row(&writer->rows, series_number, sample);
		return 0;
	}
	query_bind_int(query, series_number);
	query_bind_int(query, sample->boot);
	query_bind_int(query, sample->invocation);
	query_bind_int(query, sample->iteration);
	query_bind_real(query, sample->value);
	if (query_run(query, err) == 0)
		return 0;
	return err->kind == ERROR_DATA ? refuse_sample(sample, twice, err) : -1;
}

static bool has_selected(const struct sample_selection *selection, const struct series *series)
{
	if (selection->all)
		return true;
	array_for_each (sample, &series->samples)
		if (sample->boot == selection->boot)
			return true;
	return false;
}

static int insert_series_samples(struct writer *writer, const struct sample_selection *selection,
				 const struct series *series, struct error *err)
{
	int64_t number = 0;

	if (!has_selected(selection, series))
		return 0;
	if (ensure_series(writer, series, &number, err) < 0)
		return -1;
	array_for_each (sample, &series->samples) {
		if (!is_selected(selection, sample))
			continue;
		if (sample->boot >= selection->set->boots.count)
			return error_set(err, ERROR_DATA,
					 "a sample of boot %" PRIu32
					 ", which the set does not have",
					 sample->boot);
		if (insert_sample(writer, number, sample, err) < 0)
			return -1;
	}
	return 0;
}

static int compare_samples(const void *left, const void *right)
{
	const struct sample *a = left, *b = right;

	if (a->boot != b->boot)
		return a->boot < b->boot ? -1 : 1;
	if (a->invocation != b->invocation)
		return a->invocation < b->invocation ? -1 : 1;
	return (a->iteration > b->iteration) - (a->iteration < b->iteration);
}

/* Says which sample of the series is there twice, if one is. */
static int refuse_twice(const struct series *series, struct error *err)
{
	size_t count = series->samples.count;
	_cleanup_free_ struct sample *sorted = xreallocarray(NULL, count, sizeof(*sorted));

	if (count)
		memcpy(sorted, series->samples.items, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare_samples);
	for (size_t i = 1; i < count; i++)
		if (!compare_samples(&sorted[i - 1], &sorted[i]))
			return refuse_sample(&sorted[i], twice, err);
	return 0;
}

/* Puts where it happened in front; other messages are about the whole file and name it. */
static int wrap(const struct writer *writer, const struct series *series, struct error *err)
{
	_cleanup_free_ char *label = series_label(series->benchmark, series->params);

	if (err->kind != ERROR_DATA)
		return -1;
	return error_wrap(err, "%s: %s %s", writer->store->path, label, series->metric);
}

static int flush_rows(struct writer *writer, const struct run_set *set, struct error *err)
{
	struct store *store = writer->store;

	if (!writer->rows.length ||
	    store->kind->copy(store, "samples (series, boot, invocation, iteration, value)",
			      writer->rows.text, writer->rows.length, err) == 0)
		return 0;
	array_for_each (series, &set->series)
		if (err->kind == ERROR_DATA && refuse_twice(series, err) < 0)
			return wrap(writer, series, err);
	return -1;
}

int store_insert_samples(struct store *store, int64_t set_number,
			 const struct sample_selection *selection, struct error *err)
{
	_cleanup_(writer_close) struct writer writer = {.store = store, .set_number = set_number};

	if (prepare(&writer, err) < 0)
		return -1;
	array_for_each (series, &selection->set->series) {
		if (insert_series_samples(&writer, selection, series, err) < 0)
			return wrap(&writer, series, err);
	}
	return flush_rows(&writer, selection->set, err);
}
