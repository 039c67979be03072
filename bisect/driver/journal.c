/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/driver/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/file.h"
#include "common/text.h"

enum { SUM_DIGITS = 16 };

static const char sum_key[] = ",\"sum\":\"";

/* Bytes behind what the sum covers: the key, the digits, a quote and a brace. */
#define SUM_TAIL (sizeof(sum_key) - 1 + SUM_DIGITS + 2)

void journal_format(struct strbuf *out, uint64_t seq, const json_t *record)
{
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;
	_cleanup_free_ char *body = json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(17));

	if (!body)
		abort();
	strbuf_printf(&line, "{\"seq\":%llu%s", (unsigned long long)seq, body[1] == '}' ? "" : ",");
	strbuf_append_bytes(&line, body + 1, strlen(body) - 2);
	strbuf_append(out, strbuf_text(&line));
	strbuf_append(out, sum_key);
	text_append_digest(out, strbuf_text(&line), line.length, SUM_DIGITS);
	strbuf_append(out, "\"}\n");
}

static bool sum_is_right(const char *line, size_t length)
{
	_cleanup_(strbuf_release) struct strbuf sum = STRBUF_INIT;

	if (length <= SUM_TAIL ||
	    memcmp(line + length - SUM_TAIL, sum_key, sizeof(sum_key) - 1) != 0)
		return false;
	text_append_digest(&sum, line, length - SUM_TAIL, SUM_DIGITS);
	return !memcmp(line + length - SUM_DIGITS - 2, strbuf_text(&sum), SUM_DIGITS);
}

struct line_place {
	const char *name;
	size_t number; /* from 1 */
	bool last;
};

/* 0: appended; 1: the last line, torn; -1: damaged. */
static int parse_line(const struct line_place *place, const char *line, size_t length,
		      json_t *records, struct error *err)
{
	json_error_t why;
	json_t *record = json_loadb(line, length, JSON_REJECT_DUPLICATES, &why);
	json_int_t seq;

	if (!record && place->last)
		return 1;
	if (!json_is_object(record)) {
		json_decref(record);
		error_set(err, ERROR_DATA, "%s:%zu: damaged: %s", place->name, place->number,
			  record ? "no JSON object" : why.text);
		return error_hint(err,
				  "the bisection cannot be trusted beyond this line; keep the "
				  "lines before it with head -n %zu and replay them",
				  place->number - 1);
	}
	seq = json_integer_value(json_object_get(record, "seq"));
	json_array_append_new(records, record);
	if (!sum_is_right(line, length))
		error_set(err, ERROR_DATA, "%s:%zu: damaged: the checksum is wrong", place->name,
			  place->number);
	else if (seq != (json_int_t)place->number)
		error_set(err, ERROR_DATA, "%s:%zu: damaged: record %zu is missing", place->name,
			  place->number, place->number);
	else
		return 0;
	return error_hint(err,
			  "the bisection cannot be trusted beyond this line; keep the lines "
			  "before it with head -n %zu and replay them",
			  place->number - 1);
}

int journal_parse(const char *name, const char *text, size_t length, json_t **records,
		  size_t *good_length, struct error *err)
{
	size_t at = 0;
	json_t *list = json_array();

	for (size_t number = 1; at < length; number++) {
		const char *end = memchr(text + at, '\n', length - at);
		size_t next = end ? (size_t)(end - text) + 1 : length;
		struct line_place place = {name, number, next == length};
		size_t bytes = next - at - (end ? 1 : 0);
		int code;

		/* A line without its end was not written to the end, whatever it holds. */
		code = end ? parse_line(&place, text + at, bytes, list, err) : 1;
		if (code > 0)
			break;
		if (code < 0) {
			json_decref(list);
			return -1;
		}
		at = next;
	}
	*good_length = at;
	*records = list;
	return 0;
}

int journal_write(const char *path, const json_t *records, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	const json_t *record;
	size_t index;

	json_array_foreach (records, index, record)
		journal_format(&text, index + 1, record);
	return file_write(path, strbuf_text(&text), text.length, err);
}

static int cut_torn(struct journal *journal, size_t good_length, size_t length, struct error *err)
{
	if (good_length == length)
		return 0;
	journal->torn = xasprintf("%s: the last record was not written to its end (%zu bytes); it "
				  "does not count",
				  journal->path, length - good_length);
	if (journal->fd < 0)
		return 0;
	if (ftruncate(journal->fd, (off_t)good_length) < 0 || fsync(journal->fd) < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot cut off a torn record",
				       journal->path);
	return 0;
}

int journal_open(struct journal *journal, const char *path, bool writable, json_t **records,
		 struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	size_t good_length;

	*journal = (struct journal)JOURNAL_INIT;
	if (!file_exists(path))
		return 0;
	journal->path = xstrdup(path);
	if (writable)
		journal->fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (writable && journal->fd < 0) {
		error_set_errno(err, ERROR_IO, errno, "%s: cannot open", path);
		journal_close(journal);
		return -1;
	}
	if (file_read(path, &text, err) < 0 ||
	    journal_parse(path, strbuf_text(&text), text.length, records, &good_length, err) < 0) {
		journal_close(journal);
		return -1;
	}
	journal->next = json_array_size(*records) + 1;
	journal->length = good_length;
	if (cut_torn(journal, good_length, text.length, err) == 0)
		return 1;
	json_decref(*records);
	journal_close(journal);
	return -1;
}

void journal_close(struct journal *journal)
{
	if (journal->fd >= 0)
		close(journal->fd);
	free(journal->path);
	free(journal->torn);
	*journal = (struct journal)JOURNAL_INIT;
}

static int check_still_there(const struct journal *journal, struct error *err)
{
	struct stat opened;
	struct stat there;

	if (fstat(journal->fd, &opened) == 0 && stat(journal->path, &there) == 0 &&
	    opened.st_dev == there.st_dev && opened.st_ino == there.st_ino &&
	    (uint64_t)there.st_size == journal->length)
		return 0;
	error_set(err, ERROR_DATA, "%s: the journal was removed or changed while it was in use",
		  journal->path);
	return error_hint(err,
			  "does the command remove .kregress, or run `kregress bisect` itself? "
			  "Start the bisection again");
}

static int write_line(struct journal *journal, const struct strbuf *line, struct error *err)
{
	size_t done = 0;

	while (done < line->length) {
		ssize_t written = write(journal->fd, strbuf_text(line) + done, line->length - done);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return error_set_errno(err, ERROR_IO, written < 0 ? errno : ENOSPC,
					       "%s: cannot write", journal->path);
		done += (size_t)written;
	}
	if (fsync(journal->fd) < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot sync", journal->path);
	return 0;
}

int journal_append(struct journal *journal, const json_t *record, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;

	if (check_still_there(journal, err) < 0)
		return -1;
	journal_format(&line, journal->next, record);
	if (write_line(journal, &line, err) < 0) {
		error_hint(err, "make room; the bisection goes on with `kregress bisect run`");
		/* Where even this fails the next opening finds the torn line. */
		if (ftruncate(journal->fd, (off_t)journal->length) < 0)
			error_wrap(err, "a torn record stays");
		return -1;
	}
	journal->length += line.length;
	journal->next++;
	return 0;
}
