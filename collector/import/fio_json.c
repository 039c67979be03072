/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fio --output-format=json: bandwidth, operations per second and completion latencies of each job
 * and direction that did anything.
 */
#include <string.h>

#include "collector/import/json_text.h"

bool fio_json_recognise(const char *text, size_t length)
{
	return json_text_recognise(text, length, "fio version", "jobs");
}

/* An option of the job, else of all jobs. */
static const char *find_option(const json_t *document, const json_t *job, const char *key)
{
	const char *value = json_text_at(json_object_get(job, "job options"), key);

	return value ? value : json_text_at(json_object_get(document, "global options"), key);
}

/* How many jobs before this one have its name: fio repeats it for each of numjobs. */
static size_t count_namesakes(const json_t *jobs, size_t index)
{
	const char *name = json_text_at(json_array_get(jobs, index), "jobname");
	size_t count = 0;

	for (size_t i = 0; name && i < index; i++) {
		const char *other = json_text_at(json_array_get(jobs, i), "jobname");

		count += other && !strcmp(other, name);
	}
	return count;
}

static void describe_job(struct strbuf *params, const json_t *document, const json_t *jobs,
			 size_t index)
{
	static const char *const options[] = {"rw", "bs", "iodepth", "numjobs"};
	const json_t *job = json_array_get(jobs, index);
	const char *name = json_text_at(job, "jobname");
	size_t before = count_namesakes(jobs, index);
	char number[24];

	tool_param(params, "job", name ? name : "unnamed");
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		const char *value = find_option(document, job, options[i]);

		if (value)
			tool_param(params, options[i], value);
	}
	if (before) {
		snprintf(number, sizeof(number), "%zu", before + 1);
		tool_param(params, "clone", number);
	}
}

static int add(struct tool_reader *reader, const char *direction, const char *params,
	       const char *metric, const char *unit, enum better better, double value,
	       struct error *err)
{
	_cleanup_free_ char *benchmark = xasprintf("fio.%s", direction);
	const struct tool_series series = {benchmark, params, metric, unit, better};

	return tool_add(reader, &series, value, err);
}

/* "99.000000" becomes "p99", for the percentiles that people compare. */
static int add_percentiles(struct tool_reader *reader, const char *direction, const char *params,
			   const json_t *latency, double factor, struct error *err)
{
	static const struct {
		const char *key, *metric;
	} known[] = {
		{"50.000000", "latency-p50"},	{"90.000000", "latency-p90"},
		{"95.000000", "latency-p95"},	{"99.000000", "latency-p99"},
		{"99.900000", "latency-p99.9"},
	};
	const json_t *percentiles = json_object_get(latency, "percentile");
	double value;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (json_number_at(percentiles, known[i].key, &value) &&
		    add(reader, direction, params, known[i].metric, "ns", BETTER_LOWER,
			value * factor, err) < 0)
			return -1;
	return 0;
}

/* Before fio 3, latencies are in microseconds and under another key. */
static int add_latency(struct tool_reader *reader, const char *direction, const char *params,
		       const json_t *stats, struct error *err)
{
	const json_t *latency = json_object_get(stats, "clat_ns");
	double factor = latency ? 1 : 1000;
	double mean;

	if (!latency)
		latency = json_object_get(stats, "clat");
	if (json_number_at(latency, "mean", &mean) &&
	    add(reader, direction, params, "latency-avg", "ns", BETTER_LOWER, mean * factor, err) <
		    0)
		return -1;
	return add_percentiles(reader, direction, params, latency, factor, err);
}

static int read_direction(struct tool_reader *reader, const char *direction, const char *params,
			  const json_t *stats, struct error *err)
{
	double ios, iops, bandwidth;

	if (!stats || (json_number_at(stats, "total_ios", &ios) && ios == 0))
		return 0;
	if (json_number_at(stats, "bw", &bandwidth))
		bandwidth *= 1024;
	else if (!json_number_at(stats, "bw_bytes", &bandwidth))
		return error_set(err, ERROR_DATA, "%s has no bandwidth", direction);
	json_number_at(stats, "bw_bytes", &bandwidth);
	if (!json_number_at(stats, "iops", &iops))
		return error_set(err, ERROR_DATA, "%s has no iops", direction);
	if (bandwidth == 0 && iops == 0)
		return 0;
	if (add(reader, direction, params, "bandwidth", "B/s", BETTER_HIGHER, bandwidth, err) < 0 ||
	    add(reader, direction, params, "rate", "IO/s", BETTER_HIGHER, iops, err) < 0)
		return -1;
	return add_latency(reader, direction, params, stats, err);
}

static int read_job(struct tool_reader *reader, const json_t *document, const json_t *jobs,
		    size_t index, struct error *err)
{
	static const char *const directions[] = {"read", "write", "trim"};
	_cleanup_(strbuf_release) struct strbuf params = STRBUF_INIT;
	const json_t *job = json_array_get(jobs, index);
	double problem;

	describe_job(&params, document, jobs, index);
	if (json_number_at(job, "error", &problem) && problem != 0)
		return error_set(err, ERROR_DATA, "job '%.80s' failed with error %g",
				 strbuf_text(&params), problem);
	for (size_t i = 0; i < ARRAY_SIZE(directions); i++)
		if (read_direction(reader, directions[i], strbuf_text(&params),
				   json_object_get(job, directions[i]), err) < 0)
			return -1;
	return 0;
}

static int read_jobs(struct tool_reader *reader, const json_t *document, struct error *err)
{
	const json_t *jobs = json_object_get(document, "jobs");

	if (!json_array_size(jobs))
		return error_set(err, ERROR_DATA, "there are no jobs");
	for (size_t i = 0; i < json_array_size(jobs); i++)
		if (read_job(reader, document, jobs, i, err) < 0)
			return -1;
	return 0;
}

int fio_json_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	_cleanup_(json_documents_release) struct json_documents documents = {0};

	if (tool_reader_init(&reader, input, err) < 0 ||
	    json_documents_read(&documents, input, false, err) < 0)
		return -1;
	array_for_each (document, &documents)
		if (read_jobs(&reader, *document, err) < 0)
			return json_fail(&reader, err);
	return tool_reader_finish(&reader, sets, err);
}
