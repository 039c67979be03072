/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status, visualize, log, replay */
#include <string.h>

#include "bisect/driver/git_log.h"
#include "cli/bisecting.h"
#include "collector/host.h"
#include "common/file.h"

struct show_options {
	struct common_options common;
	struct bisecting_files files;
};

static const struct option_spec show_specs[] = {
	BISECTING_FILE_OPTIONS(struct show_options),
	COMMON_OPTIONS(struct show_options),
	OPTION_END,
};

static bool prints_to_stdout(const struct bisecting_files *files)
{
	const char *const paths[] = {files->junit, files->json, files->text, files->html};

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		if (paths[i] && !strcmp(paths[i], "-"))
			return true;
	}
	return false;
}

static int show(const struct bisecting *bisecting, const struct view *view,
		const struct bisecting_files *files, bool bars, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_(bisect_report_release) struct bisect_report report = {0};

	if (bisecting_write_files(bisecting, view, files, err) < 0)
		return -1;
	if (prints_to_stdout(files))
		return EXIT_OK;
	if (bisecting_report(bisecting, view, bars, &report, err) < 0)
		return -1;
	if ((bars ? bisect_write_bars : bisect_write_text)(&report, &out, err) < 0)
		return -1;
	return print_text(strbuf_text(&out), err);
}

static int run_show(const struct command *command, int argc, char **argv, bool bars,
		    struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(view_release) struct view view = {.range = {.dag = DAG_INIT}};
	struct bisecting bisecting;
	struct show_options options = {0};
	int code;

	if (options_parse(show_specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(command, &words, 0, 0, err) < 0 ||
	    bisecting_open_started(&bisecting, &options.common, BISECTING_READ, err) < 0)
		return -1;
	code = view_load(&view, &bisecting.bisection, &bisecting.history, err);
	if (code == 0)
		code = show(&bisecting, &view, &options.files, bars, err);
	bisecting_close(&bisecting);
	return code;
}

static int run_status(int argc, char **argv, struct error *err)
{
	return run_show(&command_bisect_status, argc, argv, false, err);
}

static int run_visualize(int argc, char **argv, struct error *err)
{
	return run_show(&command_bisect_visualize, argc, argv, true, err);
}

const struct command command_bisect_status = {
	.name = "bisect status",
	.arguments = "",
	.summary = "tell how far it is",
	.description =
		"Prints the answer so far, what was measured, and the cost left. Can be used "
		"while `bisect run` works.",
	.examples = "  kregress bisect status --json\n",
	.options = show_specs,
	.run = run_status,
};

const struct command command_bisect_visualize = {
	.name = "bisect visualize",
	.arguments = "",
	.summary = "show the probability of every commit as bars, and the path taken",
	.description = "Commits that are out of the question are counted only.",
	.examples = "",
	.options = show_specs,
	.run = run_visualize,
};

struct log_options {
	struct common_options common;
	bool git;
};

static const struct option_spec log_specs[] = {
	OPTION_ROW(struct log_options, git, OPTION_FLAG, "git", 0, NULL,
		   "in git's format, for `git bisect replay`"),
	COMMON_OPTIONS(struct log_options),
	OPTION_END,
};

/* The journal as it is, up to its last whole record. */
static int print_journal(const struct bisecting *bisecting, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_free_ char *whole = NULL;

	if (file_read(bisecting->journal.path, &text, err) < 0)
		return -1;
	whole = xstrndup(strbuf_text(&text), (size_t)bisecting->journal.length);
	return print_text(whole, err);
}

static int print_git_log(const struct bisecting *bisecting, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(view_release) struct view view = {.range = {.dag = DAG_INIT}};

	if (view_load(&view, &bisecting->bisection, &bisecting->history, err) < 0 ||
	    git_log_write(&text, &bisecting->bisection, &view, &bisecting->history, err) < 0)
		return -1;
	return print_text(strbuf_text(&text), err);
}

static int run_log(int argc, char **argv, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	struct bisecting bisecting;
	struct log_options options = {0};
	int code;

	if (options_parse(log_specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_bisect_log, &words, 0, 0, err) < 0 ||
	    bisecting_open_started(&bisecting, &options.common, BISECTING_READ, err) < 0)
		return -1;
	code = (options.git ? print_git_log : print_journal)(&bisecting, err);
	bisecting_close(&bisecting);
	return code;
}

const struct command command_bisect_log = {
	.name = "bisect log",
	.arguments = "",
	.summary = "print what was done, for `bisect replay`",
	.description = "Prints the journal: JSON Lines, a record each.",
	.examples = "  kregress bisect log > journal.jsonl\n"
		    "  kregress bisect log --git | git bisect replay /dev/stdin\n",
	.options = log_specs,
	.run = run_log,
};

struct replay_options {
	struct common_options common;
	const char *repository;
};

static const struct option_spec replay_specs[] = {
	OPTION_ROW(struct replay_options, repository, OPTION_STRING, "repository", 'R', "DIRECTORY",
		   "the git repository (default: the one that holds this folder)"),
	COMMON_OPTIONS(struct replay_options),
	OPTION_END,
};

/* Lines that end in CR LF, as some editors and mail leave them. */
static void drop_carriage_returns(struct strbuf *text)
{
	size_t kept = 0;

	for (size_t i = 0; i < text->length; i++) {
		if (text->text[i] == '\r' && i + 1 < text->length && text->text[i + 1] == '\n')
			continue;
		text->text[kept++] = text->text[i];
	}
	if (text->text)
		text->text[kept] = '\0';
	text->length = kept;
}

/* A journal from elsewhere: the same bisection in this repository. */
static int read_journal(const char *path, const struct strbuf *text, const char *repository,
			json_t **records, struct error *err)
{
	json_t *record;
	size_t index;
	size_t good_length;

	if (journal_parse(path, strbuf_text(text), text->length, records, &good_length, err) < 0)
		return -1;
	if (good_length < text->length) {
		json_decref(*records);
		return error_set(err, ERROR_DATA, "%s: the last record is not whole", path);
	}
	json_array_foreach (*records, index, record) {
		const char *type = json_string_value(json_object_get(record, "type"));

		json_object_del(record, "seq");
		json_object_del(record, "sum");
		if (type && !strcmp(type, "start"))
			json_object_set_new(record, "repository", json_string(repository));
	}
	return 0;
}

static int read_git_log(const char *path, const struct strbuf *text, const struct history *history,
			json_t **records, struct error *err)
{
	_cleanup_(bisection_release) struct bisection draft = {0};
	json_t *marks = json_array();
	int code;

	draft.options.repository = xstrdup(git_repository_path(history->repository));
	draft.options.steps = 1;
	draft.options.prior_nothing = -1;
	draft.options.started_at = host_utc_now();
	code = git_log_read(path, strbuf_text(text), history, &draft.options, marks, err);
	if (code == 0) {
		*records = json_array();
		json_array_append_new(*records, record_start(&draft.options));
		json_array_extend(*records, marks);
	}
	json_decref(marks);
	return code;
}

static int check_replay(const char *path, const json_t *records, const struct history *history,
			struct error *err)
{
	_cleanup_(bisection_release) struct bisection bisection = {0};
	_cleanup_(view_release) struct view view = {.range = {.dag = DAG_INIT}};

	if (!json_array_size(records))
		return error_set(err, ERROR_DATA, "%s: nothing to replay", path);
	if (bisection_apply_all(&bisection, records, path, err) < 0)
		return -1;
	return view_load(&view, &bisection, history, err);
}

static int replay(struct bisecting *bisecting, const char *path, const struct history *history,
		  struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(view_release) struct view view = {.range = {.dag = DAG_INIT}};
	json_t *records = NULL;
	int code;

	if (file_read(path, &text, err) < 0)
		return -1;
	drop_carriage_returns(&text);
	if (git_log_recognise(strbuf_text(&text)))
		code = read_git_log(path, &text, history, &records, err);
	else
		code = read_journal(path, &text, git_repository_path(history->repository), &records,
				    err);
	if (code < 0)
		return -1;
	code = check_replay(path, records, history, err);
	if (code == 0)
		code = bisecting_lock(bisecting, err);
	if (code == 0)
		code = bisecting_create(bisecting, records, err);
	json_decref(records);
	if (code < 0 || view_load(&view, &bisecting->bisection, &bisecting->history, err) < 0)
		return -1;
	code = bisecting_say(bisecting, &view, err);
	/* What it found is no news. */
	return code < 0 ? -1 : EXIT_OK;
}

static int run_replay(int argc, char **argv, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(history_release) struct history history = {NULL};
	struct bisecting bisecting;
	struct replay_options options = {0};
	int code;

	if (options_parse(replay_specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_bisect_replay, &words, 1, 1, err) < 0 ||
	    history_open(&history, options.repository ? options.repository : ".", err) < 0 ||
	    bisecting_open(&bisecting, &options.common, BISECTING_WRITE, err) < 0)
		return -1;
	code = replay(&bisecting, words.items[0], &history, err);
	bisecting_close(&bisecting);
	return code;
}

const struct command command_bisect_replay = {
	.name = "bisect replay",
	.arguments = "FILE",
	.summary = "begin a bisection with what a log says",
	.description = "Takes a log of `kregress bisect log` or of `git bisect log`, in the place "
		       "of any other bisection.",
	.examples = "",
	.options = replay_specs,
	.run = run_replay,
};
