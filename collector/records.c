/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "collector/tool_output.h"
#include "common/alloc.h"
#include "common/text.h"
#include "store/disturbance.h"

enum { LINE_LIMIT = 1 << 16, OUTPUT_LIMIT = 1 << 20 };

void record_reader_init(struct record_reader *reader, struct run_set *set, uint32_t boot)
{
	record_reader_init_states(reader, set, boot, 1);
}

void record_reader_init_states(struct record_reader *reader, struct run_set *set, uint32_t boot,
			       uint32_t states)
{
	*reader = (struct record_reader){
		.set = set, .boot = boot, .first_boot = boot, .states = states};
	reader->disturbance = xcalloc(states, sizeof(*reader->disturbance));
}

void record_reader_release(struct record_reader *reader)
{
	free(reader->agent_error);
	free(reader->damage);
	free(reader->current);
	for (uint32_t i = 0; i < reader->states; i++)
		json_decref(reader->disturbance[i]);
	free(reader->disturbance);
	strbuf_release(&reader->pending);
	strbuf_release(&reader->output);
}

static void damaged(struct record_reader *reader, const char *format, ...) _printf_(2, 3);

/* The cause may quote what came: control characters are made visible. */
static void damaged(struct record_reader *reader, const char *format, ...)
{
	_cleanup_(strbuf_release) struct strbuf visible = STRBUF_INIT;
	_cleanup_free_ char *what = NULL;
	va_list args;

	if (reader->damage)
		return;
	va_start(args, format);
	what = xvasprintf(format, args);
	va_end(args);
	text_append_visible(&visible, what);
	reader->damage = xasprintf("record %llu: %s", (unsigned long long)reader->count,
				   strbuf_text(&visible));
}

/* A string of the record; its absence is damage. */
static const char *get_text(struct record_reader *reader, const json_t *record, const char *key)
{
	const char *text = json_string_value(json_object_get(record, key));

	if (!text)
		damaged(reader, "has no text '%s'", key);
	return text;
}

/* The same for a name, which cannot be empty. */
static const char *get_name(struct record_reader *reader, const json_t *record, const char *key)
{
	const char *name = get_text(reader, record, key);

	if (name && !*name) {
		damaged(reader, "has an empty '%s'", key);
		return NULL;
	}
	return name;
}

/* What is known of the machine holds for all its states; behind a `state` record, for that one. */
static void set_environment(struct record_reader *reader, const char *key, const char *value)
{
	struct boot *boots = reader->set->boots.items;
	uint32_t first = reader->switches ? reader->boot : reader->first_boot;
	uint32_t count = reader->switches ? 1 : reader->states;

	for (uint32_t i = first; i < first + count; i++)
		environment_set(&boots[i].environment, key, value);
}

static void read_hello(struct record_reader *reader, const json_t *record)
{
	const char *format = get_text(reader, record, "format");
	const char *agent = get_text(reader, record, "agent");

	if (format && strcmp(format, "kregress-agent-1") != 0)
		damaged(reader, "format '%s' is not kregress-agent-1", format);
	else if (agent)
		set_environment(reader, "agent.version", agent);
}

static void read_env(struct record_reader *reader, const json_t *record)
{
	const char *key = get_text(reader, record, "key");
	const char *value = get_text(reader, record, "value");

	if (key && value)
		set_environment(reader, key, value);
}

static void read_state(struct record_reader *reader, const json_t *record)
{
	const json_t *state = json_object_get(record, "state");
	json_int_t number = json_integer_value(state);

	if (!json_is_integer(state) || number < 0 || number >= (json_int_t)reader->states) {
		damaged(reader, "state %lld is none of the %u that the plan has", (long long)number,
			reader->states);
		return;
	}
	reader->switches++;
	reader->boot = reader->first_boot + (uint32_t)number;
}

static void read_begin(struct record_reader *reader, const json_t *record)
{
	const char *benchmark = get_name(reader, record, "benchmark");
	const char *params = get_text(reader, record, "params");

	strbuf_clear(&reader->output);
	free(reader->current);
	reader->current = benchmark && params ? series_label(benchmark, params) : NULL;
}

static bool values_valid(struct record_reader *reader, const json_t *values)
{
	size_t index;
	json_t *value;

	if (!json_array_size(values)) {
		damaged(reader, "has no values");
		return false;
	}
	json_array_foreach (values, index, value) {
		if (!json_is_number(value) || !isfinite(json_number_value(value)) ||
		    json_number_value(value) < 0) {
			damaged(reader, "value %zu is not a finite number of at least 0",
				index + 1);
			return false;
		}
	}
	return true;
}

/* Whether the series has values of that invocation, or of a later one, in this boot. */
static bool is_repeated(const struct record_reader *reader, const struct series *series,
			json_int_t invocation)
{
	for (size_t i = series->samples.count; i-- > 0;) {
		const struct sample *last = &series->samples.items[i];

		if (last->boot == reader->boot)
			return last->invocation >= invocation;
		/* Boots before this one: what follows is theirs. */
		if (last->boot < reader->first_boot)
			return false;
	}
	return false;
}

static void read_sample(struct record_reader *reader, const json_t *record)
{
	const char *benchmark = get_name(reader, record, "benchmark");
	const char *params = get_text(reader, record, "params");
	const char *metric = get_name(reader, record, "metric");
	const char *unit = get_text(reader, record, "unit");
	const char *direction = get_text(reader, record, "better");
	const json_t *values = json_object_get(record, "values");
	const json_t *start = json_object_get(record, "invocation");
	json_int_t invocation = json_integer_value(start);
	enum better better = BETTER_LOWER;
	struct series *series;
	size_t index;
	json_t *value;

	if (reader->damage || !values_valid(reader, values))
		return;
	if (!better_parse(direction, &better) || !json_is_integer(start) || invocation < 0 ||
	    invocation > UINT32_MAX) {
		damaged(reader, "direction or invocation is out of range");
		return;
	}
	series = run_set_series(reader->set, benchmark, params, metric, unit, better);
	if (!series) {
		damaged(reader, "%s changes its unit or direction", benchmark);
		return;
	}
	if (is_repeated(reader, series, invocation)) {
		damaged(reader, "invocation %lld of %s repeats or goes back", (long long)invocation,
			benchmark);
		return;
	}
	json_array_foreach (values, index, value)
		series_add_sample(series, reader->boot, (uint32_t)invocation, (uint32_t)index,
				  json_number_value(value));
}

/* Output that its importer refuses costs the benchmark, not the boot. */
static void import_output(struct record_reader *reader, const char *benchmark, const char *params,
			  uint32_t invocation)
{
	_cleanup_(error_clear) struct error err = {0};
	const struct tool_output output = {
		.benchmark = benchmark,
		.params = params,
		.boot = reader->boot,
		.invocation = invocation,
		.text = strbuf_text(&reader->output),
		.length = reader->output.length,
	};

	if (tool_output_add(reader->set, &output, &err) < 0)
		boot_add_failure(&reader->set->boots.items[reader->boot], benchmark, params,
				 err.message, false);
	strbuf_clear(&reader->output);
}

static void read_output(struct record_reader *reader, const json_t *record)
{
	const char *benchmark = get_name(reader, record, "benchmark");
	const char *params = get_text(reader, record, "params");
	const char *text = get_text(reader, record, "text");
	const json_t *start = json_object_get(record, "invocation");
	const json_t *last = json_object_get(record, "last");
	json_int_t invocation = json_integer_value(start);

	if (reader->damage)
		return;
	if (!json_is_integer(start) || invocation < 0 || invocation > UINT32_MAX ||
	    !json_is_boolean(last)) {
		damaged(reader, "invocation or 'last' is out of range");
		return;
	}
	strbuf_append(&reader->output, text);
	if (reader->output.length > OUTPUT_LIMIT)
		damaged(reader, "the output of %s is longer than %d bytes", benchmark,
			OUTPUT_LIMIT);
	else if (json_is_true(last))
		import_output(reader, benchmark, params, (uint32_t)invocation);
}

/* A whole number, not below 0. */
static bool is_count(const json_t *number)
{
	return json_is_integer(number) && json_integer_value(number) >= 0;
}

static bool are_counts(const json_t *record, const char *const *keys, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!is_count(json_object_get(record, keys[i])))
			return false;
	return true;
}

/* A repetition each: duration, steal, switches, interrupts. */
static bool are_contexts(const json_t *samples)
{
	size_t index, part;
	json_t *sample, *number;

	if (!json_array_size(samples))
		return false;
	json_array_foreach (samples, index, sample) {
		if (json_array_size(sample) != 4)
			return false;
		json_array_foreach (sample, part, number)
			if (!is_count(number))
				return false;
	}
	return true;
}

static void read_context(struct record_reader *reader, const json_t *record)
{
	static const char *const counts[] = {"invocation", "duration_ns", "steal_ns",
					     "involuntary_switches", "interrupts"};
	const json_t *samples = json_object_get(record, "samples");
	json_t **list = &reader->disturbance[reader->boot - reader->first_boot];
	json_t *kept;

	if (!get_name(reader, record, "benchmark") || !get_text(reader, record, "params"))
		return;
	if (!are_counts(record, counts, ARRAY_SIZE(counts))) {
		damaged(reader, "a count of the context is missing or below 0");
		return;
	}
	if (samples && !are_contexts(samples)) {
		damaged(reader, "'samples' of the context are not arrays of four counts");
		return;
	}
	if (!*list)
		*list = json_array();
	kept = json_object();
	json_object_set(kept, "benchmark", json_object_get(record, "benchmark"));
	json_object_set(kept, "params", json_object_get(record, "params"));
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		json_object_set(kept, counts[i], json_object_get(record, counts[i]));
	if (samples)
		json_object_set(kept, "samples", json_object_get(record, "samples"));
	json_array_append_new(*list, kept);
}

static void read_no_samples(struct record_reader *reader, const json_t *record, bool unavailable)
{
	const char *benchmark = get_name(reader, record, "benchmark");
	const char *params = get_text(reader, record, "params");
	const char *reason = get_text(reader, record, "reason");

	if (!reader->damage)
		boot_add_failure(&reader->set->boots.items[reader->boot], benchmark, params, reason,
				 unavailable);
}

static void read_unavailable(struct record_reader *reader, const json_t *record)
{
	read_no_samples(reader, record, true);
}

static void read_failed(struct record_reader *reader, const json_t *record)
{
	read_no_samples(reader, record, false);
}

static void read_log(struct record_reader *reader, const json_t *record)
{
	(void)get_text(reader, record, "message");
}

static void read_error(struct record_reader *reader, const json_t *record)
{
	const char *message = get_text(reader, record, "message");

	if (message)
		replace_string(&reader->agent_error, message);
}

static void read_end(struct record_reader *reader, const json_t *record)
{
	json_t *count = json_object_get(record, "count");
	const char *status = get_text(reader, record, "status");

	if (!status)
		return;
	if (!json_is_integer(count) || (uint64_t)json_integer_value(count) != reader->count) {
		damaged(reader, "the end counts %lld records, %llu came",
			(long long)json_integer_value(count), (unsigned long long)reader->count);
		return;
	}
	reader->ended = true;
	reader->failed = strcmp(status, "ok") != 0;
}

static const struct {
	const char *type;
	void (*read)(struct record_reader *reader, const json_t *record);
} record_types[] = {
	{"hello", read_hello},	 {"env", read_env},	    {"begin", read_begin},
	{"sample", read_sample}, {"failed", read_failed},   {"unavailable", read_unavailable},
	{"log", read_log},	 {"error", read_error},	    {"end", read_end},
	{"output", read_output}, {"context", read_context}, {"state", read_state},
};

static void read_record(struct record_reader *reader, const json_t *record)
{
	const char *type = get_text(reader, record, "type");
	json_t *seq = json_object_get(record, "seq");

	if (!type)
		return;
	if (!json_is_integer(seq) || (uint64_t)json_integer_value(seq) != reader->count) {
		damaged(reader, "its sequence number is %lld: records were lost or repeated",
			(long long)json_integer_value(seq));
		return;
	}
	if (reader->count == 0 && strcmp(type, "hello") != 0) {
		damaged(reader, "the first record is '%s', not 'hello'", type);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(record_types); i++) {
		if (!strcmp(record_types[i].type, type)) {
			record_types[i].read(reader, record);
			return;
		}
	}
	damaged(reader, "type '%s' is not known", type);
}

static void read_line(struct record_reader *reader, const char *line, size_t length)
{
	json_error_t problem;
	json_t *record;

	if (length && line[length - 1] == '\r')
		length--;
	record = json_loadb(line, length, JSON_REJECT_DUPLICATES, &problem);
	if (!json_is_object(record)) {
		_cleanup_free_ char *start = xstrndup(line, length < 60 ? length : 60);

		damaged(reader, "is not a JSON object (%s): %s",
			record ? "other JSON" : problem.text, start);
	} else {
		read_record(reader, record);
		reader->count++;
	}
	json_decref(record);
}

void record_reader_feed(struct record_reader *reader, const char *bytes, size_t length)
{
	while (length && !reader->damage && !reader->ended) {
		const char *newline = memchr(bytes, '\n', length);
		size_t part = newline ? (size_t)(newline - bytes) : length;

		strbuf_append_bytes(&reader->pending, bytes, part);
		if (reader->pending.length > LINE_LIMIT) {
			damaged(reader, "is longer than %d bytes", LINE_LIMIT);
			return;
		}
		if (!newline)
			return;
		read_line(reader, strbuf_text(&reader->pending), reader->pending.length);
		strbuf_clear(&reader->pending);
		bytes += part + 1;
		length -= part + 1;
	}
}

/* The first state is no change. */
static void note_switches(struct boot *boot, uint64_t switches)
{
	_cleanup_free_ char *changes =
		xasprintf("%llu", (unsigned long long)(switches ? switches - 1 : 0));

	environment_set(&boot->environment, "switch.changes", changes);
}

void record_reader_finish(struct record_reader *reader)
{
	if (!reader->ended && !reader->damage && reader->pending.length)
		damaged(reader, "breaks off in the middle of a line");
	for (uint32_t i = 0; i < reader->states; i++) {
		struct boot *boot = &reader->set->boots.items[reader->first_boot + i];

		if (reader->disturbance[i])
			disturbance_keep(boot, reader->disturbance[i]);
		if (reader->states > 1)
			note_switches(boot, reader->switches);
	}
}
