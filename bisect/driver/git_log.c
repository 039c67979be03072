/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/driver/git_log.h"

#include <ctype.h>
#include <string.h>

static const char *const reserved[] = {"help",	    "start",  "skip",	"next", "reset",
				       "visualize", "view",   "replay", "log",	"run",
				       "terms",	    "status", "value"};

static int refuse_term(const char *term, const char *why, struct error *err)
{
	error_set(err, ERROR_USAGE, "'%s' cannot be a term: %s", term, why);
	return error_hint(err, "choose two words such as slow and fast");
}

static int check_term(const char *term, const char *const *opposite, struct error *err)
{
	if (!*term || *term == '-')
		return refuse_term(term, "it is no word", err);
	for (const char *at = term; *at; at++) {
		if (!isalnum((unsigned char)*at) && !strchr("-_.", *at))
			return refuse_term(term, "only letters, digits and - _ . are allowed", err);
	}
	for (size_t i = 0; i < ARRAY_SIZE(reserved); i++) {
		if (!strcmp(term, reserved[i]))
			return refuse_term(term, "it is a command of its own", err);
	}
	for (size_t i = 0; opposite[i]; i++) {
		if (!strcmp(term, opposite[i]))
			return refuse_term(term, "it has the other meaning already", err);
	}
	return 0;
}

int terms_check(const char *bad, const char *good, struct error *err)
{
	static const char *const means_good[] = {"good", "old", NULL};
	static const char *const means_bad[] = {"bad", "new", NULL};

	if (bad && check_term(bad, means_good, err) < 0)
		return -1;
	if (good && check_term(good, means_bad, err) < 0)
		return -1;
	if (bad && good && !strcmp(bad, good))
		return error_set(err, ERROR_USAGE, "both terms are '%s'; they must differ", bad);
	return 0;
}

static int append_comment(struct strbuf *out, const char *word, const git_oid *commit,
			  const struct history *history, struct error *err)
{
	_cleanup_(commit_note_release) struct commit_note note = {0};

	if (history_describe(history, commit, &note, err) < 0)
		return -1;
	strbuf_printf(out, "# %s: [%s] %s\n", word, git_oid_tostr_s(commit), note.subject);
	return 0;
}

static int append_mark(struct strbuf *out, const char *word, const git_oid *commit,
		       const struct history *history, struct error *err)
{
	if (append_comment(out, word, commit, history, err) < 0)
		return -1;
	strbuf_printf(out, "git bisect %s %s\n", word, git_oid_tostr_s(commit));
	return 0;
}

/* In single quotes, as a shell takes it. */
static void append_quoted(struct strbuf *out, const char *text)
{
	strbuf_append(out, " '");
	for (; *text; text++) {
		if (*text == '\'')
			strbuf_append(out, "'\\''");
		else
			strbuf_append_char(out, *text);
	}
	strbuf_append_char(out, '\'');
}

static void append_start(struct strbuf *out, const struct bisection *bisection)
{
	const struct bisect_options *options = &bisection->options;
	const char *bad = bisection_term(bisection, MARK_BAD);
	const char *good = bisection_term(bisection, MARK_GOOD);

	strbuf_append(out, "git bisect start");
	if (strcmp(bad, "bad") != 0 || strcmp(good, "good") != 0) {
		_cleanup_free_ char *new = xasprintf("--term-new=%s", bad);
		_cleanup_free_ char *old = xasprintf("--term-old=%s", good);

		append_quoted(out, new);
		append_quoted(out, old);
	}
	if (options->first_parent)
		append_quoted(out, "--first-parent");
	if (options->paths.count)
		append_quoted(out, "--");
	for (size_t i = 0; i < options->paths.count; i++)
		append_quoted(out, options->paths.items[i]);
	strbuf_append_char(out, '\n');
}

/* What values settled, as marks that lead git to the same commit. */
static int append_settled(struct strbuf *out, const struct bisection *bisection,
			  const struct view *view, const git_oid *culprit,
			  const struct history *history, struct error *err)
{
	const uint32_t *parents;
	size_t index;
	size_t count;

	if (!range_find(&view->range, culprit, &index))
		return 0;
	if (!git_oid_equal(culprit, &view->bad) &&
	    append_mark(out, bisection_term(bisection, MARK_BAD), culprit, history, err) < 0)
		return -1;
	count = dag_parents(&view->range.dag, index, &parents);
	for (size_t p = 0; p < count; p++) {
		if (append_mark(out, bisection_term(bisection, MARK_GOOD),
				&view->range.ids.items[parents[p]], history, err) < 0)
			return -1;
	}
	return 0;
}

int git_log_write(struct strbuf *out, const struct bisection *bisection, const struct view *view,
		  const struct history *history, struct error *err)
{
	struct next_step next = view_next(view, NULL);
	_cleanup_free_ char *first =
		xasprintf("first %s commit", bisection_term(bisection, MARK_BAD));

	append_start(out, bisection);
	array_for_each (mark, &bisection->marks) {
		if (append_mark(out, bisection_term(bisection, mark->kind), &mark->commit, history,
				err) < 0)
			return -1;
	}
	if (next.stage != STAGE_FOUND)
		return 0;
	if ((bisection->measures || bisection->options.flaky) &&
	    append_settled(out, bisection, view, &next.commit, history, err) < 0)
		return -1;
	return append_comment(out, first, &next.commit, history, err);
}

bool git_log_recognise(const char *text)
{
	text += strspn(text, " \t\r\n");
	return *text == '#' || !strncmp(text, "git bisect", 10) || !strncmp(text, "git-bisect", 10);
}

/* Splits words that may be in single quotes. False when a quote is open at the end. */
static bool split_quoted(const char *text, struct string_list *words)
{
	while (*(text += strspn(text, " \t"))) {
		_cleanup_(strbuf_release) struct strbuf word = STRBUF_INIT;
		bool quoted = false;

		for (; *text && (quoted || (*text != ' ' && *text != '\t')); text++) {
			if (*text == '\'')
				quoted = !quoted;
			else if (*text == '\\' && !quoted && text[1])
				strbuf_append_char(&word, *++text);
			else
				strbuf_append_char(&word, *text);
		}
		if (quoted)
			return false;
		string_list_add(words, strbuf_text(&word));
	}
	return true;
}

struct log_reader {
	const struct history *history;
	struct bisect_options *options;
	json_t *records;
};

static void add_mark(const struct log_reader *reader, const git_oid *commit, enum mark_kind kind,
		     const char *word)
{
	struct mark mark = {.commit = *commit, .kind = kind, .word = (char *)word};

	json_array_append_new(reader->records, record_mark(&mark));
}

/* The value of "--NAME=value" or "--NAME value". */
static const char *option_value(const struct string_list *words, size_t *at, const char *name)
{
	size_t length = strlen(name);
	const char *word = words->items[*at];

	if (strncmp(word, name, length) != 0)
		return NULL;
	if (word[length] == '=')
		return word + length + 1;
	if (!word[length] && *at + 1 < words->count)
		return words->items[++*at];
	return NULL;
}

/* True when the word was an option of start. */
static bool read_start_option(const struct log_reader *reader, const struct string_list *words,
			      size_t *at)
{
	static const char *const bad_names[] = {"--term-new", "--term-bad"};
	static const char *const good_names[] = {"--term-old", "--term-good"};
	const char *value;

	for (int i = 0; i < 2; i++) {
		value = option_value(words, at, bad_names[i]);
		if (value) {
			replace_string(&reader->options->term_bad, value);
			return true;
		}
		value = option_value(words, at, good_names[i]);
		if (value) {
			replace_string(&reader->options->term_good, value);
			return true;
		}
	}
	if (!strcmp(words->items[*at], "--first-parent"))
		return reader->options->first_parent = true;
	if (!strcmp(words->items[*at], "--no-checkout"))
		return reader->options->no_checkout = true;
	return false;
}

static int read_start(const struct log_reader *reader, const struct string_list *words,
		      struct error *err)
{
	bool paths = false;
	size_t revisions = 0;

	for (size_t i = 3; i < words->count; i++) {
		git_oid commit;

		if (paths) {
			string_list_add(&reader->options->paths, words->items[i]);
		} else if (!strcmp(words->items[i], "--")) {
			paths = true;
		} else if (!read_start_option(reader, words, &i)) {
			if (history_resolve(reader->history, words->items[i], &commit, err) < 0)
				return -1;
			add_mark(reader, &commit, revisions++ ? MARK_GOOD : MARK_BAD, NULL);
		}
	}
	return terms_check(reader->options->term_bad, reader->options->term_good, err);
}

static int kind_of_word(const struct bisect_options *options, const char *word)
{
	const char *bad = options->term_bad;
	const char *good = options->term_good;

	if (!strcmp(word, "skip"))
		return MARK_SKIP;
	if (bad ? !strcmp(word, bad) : !strcmp(word, "bad") || !strcmp(word, "new"))
		return MARK_BAD;
	if (good ? !strcmp(word, good) : !strcmp(word, "good") || !strcmp(word, "old"))
		return MARK_GOOD;
	return -1;
}

static int read_words(const struct log_reader *reader, const struct string_list *words,
		      struct error *err)
{
	int kind;
	git_oid commit;

	if (!strcmp(words->items[2], "start"))
		return read_start(reader, words, err);
	kind = kind_of_word(reader->options, words->items[2]);
	if (kind < 0)
		return error_set(err, ERROR_DATA, "'%s' is no word of this bisection",
				 words->items[2]);
	for (size_t i = 3; i < words->count; i++) {
		if (history_resolve(reader->history, words->items[i], &commit, err) < 0)
			return -1;
		add_mark(reader, &commit, (enum mark_kind)kind, words->items[2]);
	}
	return 0;
}

/* "git-bisect WORD" is "git bisect WORD". */
static int read_line(const struct log_reader *reader, const char *line, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_free_ char *plain = NULL;

	if (!strncmp(line, "git-bisect", 10)) {
		plain = xasprintf("git bisect%s", line + 10);
		line = plain;
	}
	if (!split_quoted(line, &words))
		return error_set(err, ERROR_DATA, "a quote is not closed");
	if (!words.count || words.items[0][0] == '#')
		return 0;
	if (words.count < 3 || strcmp(words.items[0], "git") != 0 ||
	    strcmp(words.items[1], "bisect") != 0)
		return error_set(err, ERROR_DATA, "no line of a bisection: %s", line);
	return read_words(reader, &words, err);
}

int git_log_read(const char *name, const char *text, const struct history *history,
		 struct bisect_options *options, json_t *records, struct error *err)
{
	struct log_reader reader = {history, options, records};

	for (size_t number = 1; *text; number++) {
		size_t length = strcspn(text, "\n");
		_cleanup_free_ char *line = xstrndup(text, length);

		if (length && line[length - 1] == '\r')
			line[length - 1] = '\0';
		text += length + (text[length] ? 1 : 0);
		/* A comment may hold anything. */
		if (line[strspn(line, " \t")] == '#')
			continue;
		if (read_line(&reader, line, err) < 0)
			return error_wrap(err, "%s:%zu", name, number);
	}
	return 0;
}
