/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/record.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>

#include "collector/agent/stop.h"
#include "collector/agent/utf8.h"

/* Bytes of a string that are kept: escaped six times as long, two of them still fit a record. */
#define STRING_MAX 4096

void record_writer_init(struct record_writer *writer, int fd, bool drain)
{
	*writer = (struct record_writer){.fd = fd, .drain = drain};
}

static void append(struct record_writer *writer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void append(struct record_writer *writer, const char *format, ...)
{
	size_t room = RECORD_MAX - writer->used;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(writer->line + writer->used, room, format, args);
	va_end(args);
	if (length < 0 || (size_t)length >= room)
		writer->broken = true;
	else
		writer->used += (size_t)length;
}

static void append_code_point(struct record_writer *writer, uint32_t code)
{
	if (code == '"' || code == '\\')
		append(writer, "\\%c", (char)code);
	else if (code >= 0x20 && code < 0x7f)
		append(writer, "%c", (char)code);
	else if (code < 0x10000)
		append(writer, "\\u%04x", (unsigned)code);
	else
		append(writer, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((code - 0x10000) >> 10)),
		       (unsigned)(0xdc00 + ((code - 0x10000) & 0x3ff)));
}

static void append_quoted_up_to(struct record_writer *writer, const char *text, size_t max)
{
	const char *limit = text + strnlen(text, max);

	append(writer, "\"");
	while (text < limit && !writer->broken)
		append_code_point(writer, utf8_next(&text));
	append(writer, *text ? "...\"" : "\"");
}

static void append_quoted(struct record_writer *writer, const char *text)
{
	append_quoted_up_to(writer, text, STRING_MAX);
}

static void add_string(struct record_writer *writer, const char *key, const char *value)
{
	append(writer, ",\"%s\":", key);
	append_quoted(writer, value);
}

static void add_integer(struct record_writer *writer, const char *key, uint64_t value)
{
	append(writer, ",\"%s\":%llu", key, (unsigned long long)value);
}

/* The shortest digits that read back as the same number. */
static void append_number(struct record_writer *writer, double value)
{
	char digits[40];

	if (!isfinite(value)) {
		writer->broken = true;
		return;
	}
	for (int precision = 1; precision <= 17; precision++) {
		snprintf(digits, sizeof(digits), "%.*g", precision, value);
		if (strtod(digits, NULL) == value)
			break;
	}
	append(writer, "%s", digits);
}

static void start(struct record_writer *writer, const char *type)
{
	writer->used = 0;
	append(writer, "{\"seq\":%llu,\"type\":\"%s\"", (unsigned long long)writer->seq, type);
}

static void finish(struct record_writer *writer)
{
	append(writer, "}\n");
	if (writer->broken)
		return;
	if (stop_write(writer->fd, writer->line, writer->used) < 0)
		writer->broken = true;
	else if (writer->drain)
		tcdrain(writer->fd);
	writer->seq++;
}

static void start_bench(struct record_writer *writer, const char *type, const char *benchmark,
			const char *params)
{
	start(writer, type);
	add_string(writer, "benchmark", benchmark);
	add_string(writer, "params", params);
}

static void bench_reason(struct record_writer *writer, const char *type, const char *benchmark,
			 const char *params, const char *reason)
{
	start_bench(writer, type, benchmark, params);
	add_string(writer, "reason", reason);
	finish(writer);
}

static void message(struct record_writer *writer, const char *type, const char *text)
{
	start(writer, type);
	add_string(writer, "message", text);
	finish(writer);
}

void record_hello(struct record_writer *writer, const char *version)
{
	start(writer, "hello");
	add_string(writer, "format", "kregress-agent-1");
	add_string(writer, "agent", version);
	finish(writer);
}

void record_env(struct record_writer *writer, const char *key, const char *value)
{
	start(writer, "env");
	add_string(writer, "key", key);
	add_string(writer, "value", value);
	finish(writer);
}

void record_begin(struct record_writer *writer, const char *benchmark, const char *params)
{
	start_bench(writer, "begin", benchmark, params);
	finish(writer);
}

void record_sample(struct record_writer *writer, const struct record_series *series,
		   uint64_t invocation, uint64_t loops, const double *values, size_t count)
{
	start_bench(writer, "sample", series->benchmark, series->params);
	add_string(writer, "metric", series->metric);
	add_string(writer, "unit", series->unit);
	add_string(writer, "better", series->better);
	add_integer(writer, "invocation", invocation);
	add_integer(writer, "loops", loops);
	append(writer, ",\"values\":[");
	for (size_t i = 0; i < count; i++) {
		append(writer, "%s", i ? "," : "");
		append_number(writer, values[i]);
	}
	append(writer, "]");
	finish(writer);
}

/* The numbers in the order of the record's keys. */
static void append_contexts(struct record_writer *writer, const struct record_disturbance *samples,
			    size_t count)
{
	append(writer, ",\"samples\":[");
	for (size_t i = 0; i < count; i++)
		append(writer, "%s[%llu,%llu,%llu,%llu]", i ? "," : "",
		       (unsigned long long)samples[i].duration_ns,
		       (unsigned long long)samples[i].steal_ns,
		       (unsigned long long)samples[i].involuntary_switches,
		       (unsigned long long)samples[i].interrupts);
	append(writer, "]");
}

void record_context(struct record_writer *writer, const char *benchmark, const char *params,
		    uint64_t invocation, const struct record_disturbance *disturbance,
		    const struct record_disturbance *samples, size_t count)
{
	start_bench(writer, "context", benchmark, params);
	add_integer(writer, "invocation", invocation);
	add_integer(writer, "duration_ns", disturbance->duration_ns);
	add_integer(writer, "steal_ns", disturbance->steal_ns);
	add_integer(writer, "involuntary_switches", disturbance->involuntary_switches);
	add_integer(writer, "interrupts", disturbance->interrupts);
	if (count && count <= RECORD_CONTEXTS_MAX)
		append_contexts(writer, samples, count);
	finish(writer);
}

/* Where the next part ends: behind the last line that fits, or in the middle of a longer one. */
static size_t part_length(const char *text, size_t length)
{
	const char *newline;

	if (length <= RECORD_OUTPUT_PART)
		return length;
	newline = memrchr(text, '\n', RECORD_OUTPUT_PART);
	return newline ? (size_t)(newline - text) + 1 : RECORD_OUTPUT_PART;
}

static void output_part(struct record_writer *writer, const char *benchmark, const char *params,
			uint64_t invocation, const char *text, size_t length, bool last)
{
	char part[RECORD_OUTPUT_PART + 1];

	/* NUL bytes would end the text early. */
	for (size_t i = 0; i < length; i++)
		part[i] = text[i] ? text[i] : ' ';
	part[length] = '\0';
	start_bench(writer, "output", benchmark, params);
	add_integer(writer, "invocation", invocation);
	append(writer, ",\"last\":%s,\"text\":", last ? "true" : "false");
	append_quoted_up_to(writer, part, RECORD_OUTPUT_PART);
	finish(writer);
}

void record_output(struct record_writer *writer, const char *benchmark, const char *params,
		   uint64_t invocation, const char *text, size_t length)
{
	do {
		size_t part = part_length(text, length);

		output_part(writer, benchmark, params, invocation, text, part, part == length);
		text += part;
		length -= part;
	} while (length && !writer->broken);
}

void record_state(struct record_writer *writer, uint64_t state, const char *name)
{
	start(writer, "state");
	add_integer(writer, "state", state);
	add_string(writer, "name", name);
	finish(writer);
}

void record_unavailable(struct record_writer *writer, const char *benchmark, const char *params,
			const char *reason)
{
	bench_reason(writer, "unavailable", benchmark, params, reason);
}

void record_failed(struct record_writer *writer, const char *benchmark, const char *params,
		   const char *reason)
{
	bench_reason(writer, "failed", benchmark, params, reason);
}

void record_log(struct record_writer *writer, const char *text)
{
	message(writer, "log", text);
}

void record_error(struct record_writer *writer, const char *text)
{
	message(writer, "error", text);
}

void record_end(struct record_writer *writer, bool ok)
{
	uint64_t count = writer->seq;

	start(writer, "end");
	add_integer(writer, "count", count);
	add_string(writer, "status", ok ? "ok" : "failed");
	finish(writer);
}
