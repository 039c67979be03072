/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/exchange.h"

#include <inttypes.h>
#include <string.h>

#include "common/number.h"
#include "store/exchange_json.h"

struct writer {
	struct strbuf *out;
	size_t lines;
};

static void begin_line(struct writer *writer, const char *type)
{
	strbuf_printf(writer->out, "{\"type\":\"%s\"", type);
}

static void end_line(struct writer *writer)
{
	strbuf_append(writer->out, "}\n");
	writer->lines++;
}

static void add_text(struct writer *writer, const char *key, const char *text)
{
	if (!text)
		return;
	strbuf_printf(writer->out, ",\"%s\":", key);
	json_append_string(writer->out, text);
}

static void add_uint(struct writer *writer, const char *key, uint64_t value)
{
	strbuf_printf(writer->out, ",\"%s\":%" PRIu64, key, value);
}

static void add_real(struct writer *writer, const char *key, double value)
{
	strbuf_printf(writer->out, ",\"%s\":", key);
	number_append_exact(writer->out, value);
}

static void write_head(struct writer *writer, const struct run_set *set)
{
	begin_line(writer, "run_set");
	add_text(writer, "id", set->id);
	add_text(writer, "collection", set->collection ? set->collection : set->id);
	add_text(writer, "variant", set->variant);
	add_text(writer, "target", set->target ? set->target : "");
	add_text(writer, "machine", set->machine ? set->machine : "");
	add_text(writer, "created_at", set->created_at);
	/* As text: a JSON number does not carry 64 bits through every reader. */
	strbuf_printf(writer->out, ",\"seed\":\"%" PRIu64 "\"", set->seed);
	add_text(writer, "level", level_name(set->level));
	json_append_extra(writer->out, set->extra, exchange_run_set_keys);
	end_line(writer);
}

static void add_environment(struct writer *writer, const struct environment *environment)
{
	const char *separator = "";

	if (!environment->count)
		return;
	strbuf_append(writer->out, ",\"environment\":{");
	array_for_each (item, environment) {
		strbuf_append(writer->out, separator);
		json_append_string(writer->out, item->key);
		strbuf_append_char(writer->out, ':');
		json_append_string(writer->out, item->value);
		separator = ",";
	}
	strbuf_append_char(writer->out, '}');
}

static void add_failures(struct writer *writer, const struct boot *boot)
{
	const char *separator = "";

	if (!boot->failures.count)
		return;
	strbuf_append(writer->out, ",\"failures\":[");
	array_for_each (failure, &boot->failures) {
		strbuf_printf(writer->out, "%s{\"benchmark\":", separator);
		json_append_string(writer->out, failure->benchmark);
		add_text(writer, "params", failure->params);
		add_text(writer, "reason", failure->reason);
		strbuf_printf(writer->out, ",\"unavailable\":%s}",
			      failure->unavailable ? "true" : "false");
		separator = ",";
	}
	strbuf_append_char(writer->out, ']');
}

static void write_boot(struct writer *writer, size_t index, const struct boot *boot)
{
	begin_line(writer, "boot");
	add_uint(writer, "boot", index);
	add_uint(writer, "block", boot->block);
	add_uint(writer, "slot", boot->slot);
	add_text(writer, "status", boot->status == BOOT_OK ? "ok" : "failed");
	add_text(writer, "reason", boot->reason);
	add_text(writer, "console_tail", boot->console_tail);
	add_text(writer, "started_at", boot->started_at);
	add_real(writer, "duration_s", boot->duration_s);
	add_environment(writer, &boot->environment);
	add_failures(writer, boot);
	json_append_extra(writer->out, boot->extra, exchange_boot_keys);
	end_line(writer);
}

static bool follows(const struct sample *sample, const struct sample *before)
{
	return sample->boot == before->boot && sample->invocation == before->invocation &&
	       sample->iteration == before->iteration + 1;
}

/* One line for the samples of one invocation whose iterations are numbered without a gap. */
static const struct sample *write_samples(struct writer *writer, size_t series,
					  const struct sample *sample, const struct sample *end)
{
	begin_line(writer, "samples");
	add_uint(writer, "series", series);
	add_uint(writer, "boot", sample->boot);
	add_uint(writer, "invocation", sample->invocation);
	add_uint(writer, "iteration", sample->iteration);
	strbuf_append(writer->out, ",\"values\":[");
	do {
		number_append_exact(writer->out, sample->value);
		sample++;
		if (sample == end || !follows(sample, sample - 1))
			break;
		strbuf_append_char(writer->out, ',');
	} while (true);
	strbuf_append_char(writer->out, ']');
	end_line(writer);
	return sample;
}

static void write_series(struct writer *writer, size_t index, const struct series *series)
{
	struct series ordered = {0};
	const struct sample *sample, *end;

	begin_line(writer, "series");
	add_uint(writer, "series", index);
	add_text(writer, "benchmark", series->benchmark);
	add_text(writer, "params", series->params);
	add_text(writer, "metric", series->metric);
	add_text(writer, "unit", series->unit);
	add_text(writer, "better", better_name(series->better));
	json_append_extra(writer->out, series->extra, exchange_series_keys);
	end_line(writer);

	if (!series->samples.count)
		return;
	array_for_each (copied, &series->samples)
		*array_append(&ordered.samples) = *copied;
	series_sort(&ordered);
	sample = ordered.samples.items;
	end = sample + ordered.samples.count;
	while (sample != end)
		sample = write_samples(writer, index, sample, end);
	array_release(&ordered.samples);
}

void exchange_write(struct strbuf *out, const struct run_set_list *sets)
{
	struct writer writer = {.out = out};
	size_t lines;

	begin_line(&writer, "header");
	add_text(&writer, "format", EXCHANGE_FORMAT);
	add_text(&writer, "generator", "kregress " KREGRESS_VERSION);
	end_line(&writer);
	array_for_each (item, sets) {
		const struct run_set *set = *item;

		write_head(&writer, set);
		for (size_t i = 0; i < set->boots.count; i++)
			write_boot(&writer, i, &set->boots.items[i]);
		for (size_t i = 0; i < set->series.count; i++)
			write_series(&writer, i, &set->series.items[i]);
	}
	lines = writer.lines;
	begin_line(&writer, "end");
	add_uint(&writer, "lines", lines);
	end_line(&writer);
}
