/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/exchange.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "common/number.h"
#include "common/text.h"
#include "store/exchange_json.h"

struct reader {
	const char *name;
	size_t line; /* number of the line being read, from 1 */
	bool ended;
	struct run_set_list sets;
	struct error *err;
};

enum need {
	OPTIONAL,
	REQUIRED,
};

/* Sets "NAME:LINE: ..."; text from the document is made visible. Returns -1. */
static int fail(struct reader *reader, const char *format, ...) _printf_(2, 3);

static int fail(struct reader *reader, const char *format, ...)
{
	_cleanup_free_ char *cause = NULL;
	_cleanup_(strbuf_release) struct strbuf visible = STRBUF_INIT;
	va_list args;

	va_start(args, format);
	cause = xvasprintf(format, args);
	va_end(args);
	text_append_visible(&visible, cause);
	return error_set(reader->err, ERROR_DATA, "%s:%zu: %s", reader->name, reader->line,
			 strbuf_text(&visible));
}

/* The run set that the current line belongs to, or NULL. */
static struct run_set *current_set(const struct reader *reader)
{
	return reader->sets.count ? reader->sets.items[reader->sets.count - 1] : NULL;
}

/* The member, or NULL when it is optional and not there. */
static int get_member(struct reader *reader, json_t *object, const char *key, enum need need,
		      json_t **value)
{
	*value = json_object_get(object, key);
	if (!*value && need == REQUIRED)
		return fail(reader, "key '%s' is missing", key);
	return 0;
}

/* `*text` stays as it is when the key is optional and not there. */
static int get_text(struct reader *reader, json_t *object, const char *key, enum need need,
		    char **text)
{
	json_t *value;

	if (get_member(reader, object, key, need, &value) < 0)
		return -1;
	if (!value)
		return 0;
	if (!json_is_string(value))
		return fail(reader, "key '%s' must be a string", key);
	free(*text);
	*text = xstrndup(json_string_value(value), json_string_length(value));
	return 0;
}

static int get_required(struct reader *reader, json_t *object, const char *key, char **text)
{
	if (get_text(reader, object, key, REQUIRED, text) < 0)
		return -1;
	if (*text)
		return 0;
	fail(reader, "key '%s' is missing", key);
	return -1;
}

/* A text that must be there and not empty. */
static int get_name(struct reader *reader, json_t *object, const char *key, char **text)
{
	if (get_required(reader, object, key, text) < 0)
		return -1;
	if (!**text)
		return fail(reader, "key '%s' must not be empty", key);
	return 0;
}

/* A whole number from 0 to 4294967295; 3.0 is one as well, as in JSON Schema. */
static int get_uint32(struct reader *reader, json_t *object, const char *key, enum need need,
		      uint32_t *number)
{
	json_t *value;
	double real;

	if (get_member(reader, object, key, need, &value) < 0)
		return -1;
	if (!value)
		return 0;
	real = json_number_value(value);
	if (!json_is_number(value) || real < 0 || real > UINT32_MAX || real != floor(real))
		return fail(reader, "key '%s' must be a whole number from 0 to %" PRIu32, key,
			    UINT32_MAX);
	*number = (uint32_t)real;
	return 0;
}

/* The number; negative zero, which not every writer and store keeps apart, becomes zero. */
static double number_value(const json_t *value)
{
	double number = json_number_value(value);

	return number == 0 ? 0 : number;
}

static int get_duration(struct reader *reader, json_t *object, const char *key, double *seconds)
{
	json_t *value = json_object_get(object, key);

	if (!value)
		return 0;
	if (!json_is_number(value))
		return fail(reader, "key '%s' must be a number", key);
	*seconds = number_value(value);
	if (*seconds < 0)
		return fail(reader, "key '%s' is a time and cannot be negative", key);
	return 0;
}

/* Whether `text` looks like "2026-11-30T20:33:07Z". */
static bool is_timestamp(const char *text)
{
	static const char pattern[] = "0000-00-00T00:00:00Z";

	for (size_t i = 0; i < sizeof(pattern); i++)
		if (pattern[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != pattern[i])
			return false;
	return true;
}

static int get_timestamp(struct reader *reader, json_t *object, const char *key, char **text)
{
	if (get_text(reader, object, key, OPTIONAL, text) < 0)
		return -1;
	if (*text && !is_timestamp(*text))
		return fail(reader, "key '%s' must be UTC like 2026-11-30T20:33:07Z, not '%s'", key,
			    *text);
	return 0;
}

static int read_header(struct reader *reader, json_t *object)
{
	_cleanup_free_ char *format = NULL;
	_cleanup_free_ char *generator = NULL;

	if (reader->line != 1)
		return fail(reader, "a second header");
	if (get_required(reader, object, "format", &format) < 0)
		return -1;
	if (strcmp(format, EXCHANGE_FORMAT) != 0) {
		fail(reader, "format '%s' is unknown: this program reads " EXCHANGE_FORMAT, format);
		return error_hint(reader->err, "export the data again as " EXCHANGE_FORMAT
					       ", or read it with the kregress that wrote it");
	}
	return get_text(reader, object, "generator", OPTIONAL, &generator);
}

static int get_seed(struct reader *reader, json_t *object, uint64_t *seed)
{
	_cleanup_(error_clear) struct error cause = {0};
	_cleanup_free_ char *text = NULL;

	if (get_text(reader, object, "seed", OPTIONAL, &text) < 0)
		return -1;
	if (text && number_parse_uint(text, UINT64_MAX, seed, &cause) < 0)
		return fail(reader, "key 'seed': %s", cause.message);
	return 0;
}

static int get_level(struct reader *reader, json_t *object, enum level *level)
{
	_cleanup_free_ char *text = NULL;

	if (get_required(reader, object, "level", &text) < 0)
		return -1;
	if (!level_parse(text, level))
		return fail(reader, "key 'level' must be boot, invocation or iteration, not '%s'",
			    text);
	return 0;
}

static int check_new_id(struct reader *reader, const struct run_set *set)
{
	array_for_each (other, &reader->sets)
		if (*other != set && !strcmp((*other)->id, set->id))
			return fail(reader, "run set '%s' is there twice", set->id);
	return 0;
}

static int read_run_set(struct reader *reader, json_t *object)
{
	struct run_set *set = xcalloc(1, sizeof(*set));

	/* In the list from the start, which releases it whatever happens. */
	run_set_list_add(&reader->sets, set);
	if (get_name(reader, object, "id", &set->id) < 0 || check_new_id(reader, set) < 0 ||
	    get_text(reader, object, "collection", OPTIONAL, &set->collection) < 0 ||
	    get_name(reader, object, "variant", &set->variant) < 0 ||
	    get_required(reader, object, "target", &set->target) < 0 ||
	    get_required(reader, object, "machine", &set->machine) < 0 ||
	    get_timestamp(reader, object, "created_at", &set->created_at) < 0 ||
	    get_seed(reader, object, &set->seed) < 0 || get_level(reader, object, &set->level) < 0)
		return -1;
	if (!set->collection || !*set->collection)
		replace_string(&set->collection, set->id);
	set->extra = json_collect_extra(object, exchange_run_set_keys);
	return 0;
}

static int get_status(struct reader *reader, json_t *object, enum boot_status *status)
{
	_cleanup_free_ char *text = NULL;

	if (get_required(reader, object, "status", &text) < 0)
		return -1;
	if (strcmp(text, "ok") != 0 && strcmp(text, "failed") != 0)
		return fail(reader, "key 'status' must be ok or failed, not '%s'", text);
	*status = strcmp(text, "ok") ? BOOT_FAILED : BOOT_OK;
	return 0;
}

static int get_environment(struct reader *reader, json_t *object, struct environment *environment)
{
	json_t *members = json_object_get(object, "environment");
	json_t *value;
	const char *key;

	if (members && !json_is_object(members))
		return fail(reader, "key 'environment' must be an object");
	json_object_foreach (members, key, value) {
		struct environment_item *item;

		if (!json_is_string(value))
			return fail(reader, "environment '%s' must be a string", key);
		item = array_append(environment);
		item->key = xstrdup(key);
		item->value = xstrdup(json_string_value(value));
	}
	return 0;
}

static int get_failure(struct reader *reader, json_t *object, struct boot *boot)
{
	_cleanup_free_ char *benchmark = NULL;
	_cleanup_free_ char *params = NULL;
	_cleanup_free_ char *reason = NULL;
	json_t *unavailable;

	if (!json_is_object(object))
		return fail(reader, "key 'failures' must hold objects");
	if (get_name(reader, object, "benchmark", &benchmark) < 0 ||
	    get_text(reader, object, "params", OPTIONAL, &params) < 0 ||
	    get_required(reader, object, "reason", &reason) < 0)
		return -1;
	unavailable = json_object_get(object, "unavailable");
	if (unavailable && !json_is_boolean(unavailable))
		return fail(reader, "key 'unavailable' must be true or false");
	boot_add_failure(boot, benchmark, params, reason, json_is_true(unavailable));
	return 0;
}

static int get_failures(struct reader *reader, json_t *object, struct boot *boot)
{
	json_t *failures = json_object_get(object, "failures");
	json_t *item;
	size_t i;

	if (failures && !json_is_array(failures))
		return fail(reader, "key 'failures' must be an array");
	json_array_foreach (failures, i, item)
		if (get_failure(reader, item, boot) < 0)
			return -1;
	return 0;
}

/* Boots and series are numbered from 0 in the order of their lines. */
static int check_number(struct reader *reader, json_t *object, const char *key, size_t next)
{
	uint32_t number;

	if (get_uint32(reader, object, key, REQUIRED, &number) < 0)
		return -1;
	if (number != next)
		return fail(reader, "%s %" PRIu32 " is out of order: %zu is next", key, number,
			    next);
	return 0;
}

static int read_boot(struct reader *reader, json_t *object)
{
	struct run_set *set = current_set(reader);
	struct boot *boot;

	if (check_number(reader, object, "boot", set->boots.count) < 0)
		return -1;
	boot = run_set_add_boot(set);
	if (get_uint32(reader, object, "block", OPTIONAL, &boot->block) < 0 ||
	    get_uint32(reader, object, "slot", OPTIONAL, &boot->slot) < 0 ||
	    get_status(reader, object, &boot->status) < 0 ||
	    get_text(reader, object, "reason", OPTIONAL, &boot->reason) < 0 ||
	    get_text(reader, object, "console_tail", OPTIONAL, &boot->console_tail) < 0 ||
	    get_timestamp(reader, object, "started_at", &boot->started_at) < 0 ||
	    get_duration(reader, object, "duration_s", &boot->duration_s) < 0 ||
	    get_environment(reader, object, &boot->environment) < 0 ||
	    get_failures(reader, object, boot) < 0)
		return -1;
	boot->extra = json_collect_extra(object, exchange_boot_keys);
	return 0;
}

static int get_better(struct reader *reader, json_t *object, enum better *better)
{
	_cleanup_free_ char *text = NULL;

	if (get_required(reader, object, "better", &text) < 0)
		return -1;
	if (!better_parse(text, better))
		return fail(reader, "key 'better' must be lower or higher, not '%s'", text);
	return 0;
}

static int check_new_series(struct reader *reader, const struct series *head)
{
	_cleanup_free_ char *label = series_label(head->benchmark, head->params);
	const struct series *found =
		run_set_find(current_set(reader), head->benchmark, head->params, head->metric);

	if (!found)
		return 0;
	if (strcmp(found->unit, head->unit) != 0)
		return fail(reader, "mixed units: %s %s is in '%s' and in '%s'", label,
			    head->metric, found->unit, head->unit);
	if (found->better != head->better)
		return fail(reader, "mixed directions: %s %s is better %s and better %s", label,
			    head->metric, better_name(found->better), better_name(head->better));
	return fail(reader, "series %s %s is there twice", label, head->metric);
}

static int get_series_head(struct reader *reader, json_t *object, struct series *head)
{
	head->params = xstrdup("");
	if (get_name(reader, object, "benchmark", &head->benchmark) < 0 ||
	    get_text(reader, object, "params", OPTIONAL, &head->params) < 0 ||
	    get_name(reader, object, "metric", &head->metric) < 0 ||
	    get_required(reader, object, "unit", &head->unit) < 0 ||
	    get_better(reader, object, &head->better) < 0)
		return -1;
	return check_new_series(reader, head);
}

static int read_series(struct reader *reader, json_t *object)
{
	struct run_set *set = current_set(reader);
	struct series head = {0};
	int status = -1;

	if (check_number(reader, object, "series", set->series.count) < 0)
		return -1;
	if (get_series_head(reader, object, &head) == 0) {
		struct series *series = run_set_series(set, head.benchmark, head.params,
						       head.metric, head.unit, head.better);

		series->extra = json_collect_extra(object, exchange_series_keys);
		status = 0;
	}
	free(head.benchmark);
	free(head.params);
	free(head.metric);
	free(head.unit);
	return status;
}

/* Where the values of a line belong. */
struct place {
	uint32_t series;
	uint32_t boot;
	uint32_t invocation;
	uint32_t iteration;
};

static int get_place(struct reader *reader, json_t *object, struct place *place)
{
	const struct run_set *set = current_set(reader);

	if (get_uint32(reader, object, "series", REQUIRED, &place->series) < 0 ||
	    get_uint32(reader, object, "boot", REQUIRED, &place->boot) < 0 ||
	    get_uint32(reader, object, "invocation", OPTIONAL, &place->invocation) < 0 ||
	    get_uint32(reader, object, "iteration", OPTIONAL, &place->iteration) < 0)
		return -1;
	if (place->series >= set->series.count)
		return fail(reader, "series %" PRIu32 " was not announced by a series line",
			    place->series);
	if (place->boot >= set->boots.count)
		return fail(reader, "boot %" PRIu32 " was not announced by a boot line",
			    place->boot);
	return 0;
}

/* Rising order, which also rules out that a sample is there twice. */
static int check_order(struct reader *reader, const struct series *series,
		       const struct place *place)
{
	const struct sample *last;
	bool rises;

	if (!series->samples.count)
		return 0;
	last = &series->samples.items[series->samples.count - 1];
	if (place->boot != last->boot)
		rises = place->boot > last->boot;
	else if (place->invocation != last->invocation)
		rises = place->invocation > last->invocation;
	else
		rises = place->iteration > last->iteration;
	if (!rises)
		return fail(reader,
			    "samples of series %" PRIu32
			    " repeat or do not rise by boot, invocation, iteration",
			    place->series);
	return 0;
}

static int add_values(struct reader *reader, struct series *series, const struct place *place,
		      json_t *values)
{
	bool is_time = !strcmp(series->metric, "time");
	json_t *item;
	size_t i;

	json_array_foreach (values, i, item) {
		double value = number_value(item);

		if (!json_is_number(item))
			return fail(reader, "value %zu must be a number", i + 1);
		if (is_time && value < 0)
			return fail(reader, "value %zu is a time and cannot be negative", i + 1);
		series_add_sample(series, place->boot, place->invocation,
				  place->iteration + (uint32_t)i, value);
	}
	return 0;
}

static int read_samples(struct reader *reader, json_t *object)
{
	struct run_set *set = current_set(reader);
	struct place place = {0};
	struct series *series;
	json_t *values;

	if (get_place(reader, object, &place) < 0 ||
	    get_member(reader, object, "values", REQUIRED, &values) < 0)
		return -1;
	if (!json_array_size(values))
		return fail(reader, "key 'values' must be an array of at least one number");
	if (json_array_size(values) - 1 > UINT32_MAX - place.iteration)
		return fail(reader, "the iterations end beyond %" PRIu32, UINT32_MAX);
	series = &set->series.items[place.series];
	if (check_order(reader, series, &place) < 0)
		return -1;
	return add_values(reader, series, &place, values);
}

static int read_end(struct reader *reader, json_t *object)
{
	uint32_t lines = 0;

	if (get_uint32(reader, object, "lines", REQUIRED, &lines) < 0)
		return -1;
	if (lines != reader->line - 1) {
		fail(reader, "the end line counts %" PRIu32 " lines before it, but there are %zu",
		     lines, reader->line - 1);
		return error_hint(reader->err, "lines are lost or added: export the data again");
	}
	reader->ended = true;
	return 0;
}

static const struct line_type {
	const char *type;
	int (*read)(struct reader *reader, json_t *object);
	bool needs_set;
} line_types[] = {
	{"header", read_header, false}, {"run_set", read_run_set, false}, {"boot", read_boot, true},
	{"series", read_series, true},	{"samples", read_samples, true},  {"end", read_end, false},
};

static const struct line_type *find_line_type(const char *type)
{
	for (size_t i = 0; i < ARRAY_SIZE(line_types); i++)
		if (!strcmp(line_types[i].type, type))
			return &line_types[i];
	return NULL;
}

static int read_object(struct reader *reader, json_t *object)
{
	_cleanup_free_ char *type = NULL;
	const struct line_type *line_type;

	if (get_required(reader, object, "type", &type) < 0)
		return -1;
	line_type = find_line_type(type);
	if (!line_type)
		return fail(reader, "line type '%s' is unknown to " EXCHANGE_FORMAT, type);
	if (reader->line == 1 && line_type->read != read_header)
		return fail(reader,
			    "the first line must be a header with \"format\":\"" EXCHANGE_FORMAT
			    "\"");
	if (line_type->needs_set && !current_set(reader))
		return fail(reader, "a %s line before the first run_set line", type);
	return line_type->read(reader, object);
}

static int read_line(struct reader *reader, const char *line, size_t length)
{
	_cleanup_json_ json_t *object = NULL;
	size_t bad = text_utf8_error(line, length);
	json_error_t cause;

	if (reader->ended)
		return fail(reader, "text behind the end line");
	if (bad < length)
		return fail(reader, "byte %zu (0x%02x) is not UTF-8 text", bad + 1,
			    (unsigned char)line[bad]);
	object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &cause);
	if (!object)
		return fail(reader, "not a JSON object: %s", cause.text);
	if (!json_is_object(object))
		return fail(reader, "not a JSON object but an array");
	return read_object(reader, object);
}

static int read_lines(struct reader *reader, const char *text, size_t length)
{
	const char *end = text + length;

	for (const char *line = text; line < end;) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		const char *stop = newline ? newline : end;

		reader->line++;
		if (read_line(reader, line, (size_t)(stop - line)) < 0)
			return -1;
		line = newline ? newline + 1 : end;
	}
	if (!reader->line) {
		reader->line = 1;
		return fail(reader, "an empty file is no " EXCHANGE_FORMAT " document");
	}
	if (!reader->ended) {
		fail(reader, "the end line is missing behind this line");
		return error_hint(reader->err, "the file was cut off: export or copy it again");
	}
	return 0;
}

int exchange_read(const char *name, const char *text, size_t length, struct run_set_list *sets,
		  struct error *err)
{
	struct reader reader = {.name = name, .err = err};
	int status = read_lines(&reader, text, length);

	if (status == 0) {
		array_for_each (set, &reader.sets)
			run_set_list_add(sets, *set);
		array_release(&reader.sets);
	} else {
		run_set_list_release(&reader.sets);
	}
	return status;
}
