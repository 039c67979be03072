/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs one case file: makes its repository, searches it with history and core, and, unless the
 * case says otherwise, with the installed git bisect; both must give the expected answer.
 *
 *	commit NAME PARENT... [touch=PATH] [ours]
 *	good NAME		bad NAME
 *	first-parent		path PATH
 *	skip NAME		cannot be tested; A..B as in git
 *	culprit NAME		every descendant of it is slow
 *	fast NAME, slow NAME	known from the start
 *	apart NAME COUNT	the first step is at least so many commits away from NAME
 *	first NAME...		the first step is one of these
 *	never NAME		is not measured
 *	steps COUNT		no more steps than this
 *	bases NAME...		merge bases that are tested first
 *	expect found NAME | among NAME... | error TEXT
 *	git none		the installed git behaves otherwise, or has no such thing
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bisect/core/choice.h"
#include "bisect/history.h"
#include "common/file.h"
#include "common/number.h"
#include "tests/bisect/repository.h"

struct case_file {
	struct made_repository made;
	struct string_list goods, skips, fast, slow, apart, first, never, bases, expect;
	struct range_options options;
	char *bad;
	char *culprit;
	size_t steps_max;
	bool without_git;
};

struct answer {
	enum search_state state;
	struct string_list commits; /* names */
	struct string_list steps;
	char *error;
};

static void case_release(struct case_file *file)
{
	struct string_list *lists[] = {
		&file->goods, &file->skips, &file->fast,  &file->slow,	 &file->apart,
		&file->first, &file->never, &file->bases, &file->expect, &file->options.paths};

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		string_list_release(lists[i]);
	free(file->bad);
	free(file->culprit);
	made_repository_release(&file->made);
}

static void answer_release(struct answer *answer)
{
	string_list_release(&answer->commits);
	string_list_release(&answer->steps);
	free(answer->error);
}

static int parse_count(const char *text, size_t *count, struct error *err)
{
	uint64_t value;

	if (number_parse_uint(text, 1000000, &value, err))
		return -1;
	*count = (size_t)value;
	return 0;
}

/* Directives that add their words to a list. */
static struct string_list *list_of(struct case_file *file, const char *word)
{
	const struct {
		const char *word;
		struct string_list *list;
	} lists[] = {
		{"good", &file->goods},		{"skip", &file->skips},	 {"fast", &file->fast},
		{"slow", &file->slow},		{"apart", &file->apart}, {"first", &file->first},
		{"never", &file->never},	{"bases", &file->bases}, {"expect", &file->expect},
		{"path", &file->options.paths},
	};

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		if (!strcmp(word, lists[i].word))
			return lists[i].list;
	}
	return NULL;
}

static int parse_line(struct case_file *file, char *line, struct error *err)
{
	char *rest = line + strcspn(line, " \t");
	struct string_list *list;

	if (*rest)
		*rest++ = '\0';
	list = list_of(file, line);
	if (!*line || *line == '#')
		return 0;
	if (list) {
		string_list_split(list, rest, " \t");
		return 0;
	}
	if (!strcmp(line, "commit"))
		return made_repository_add(&file->made, rest, err);
	if (!strcmp(line, "steps"))
		return parse_count(rest, &file->steps_max, err);
	if (!strcmp(line, "bad"))
		replace_string(&file->bad, rest);
	else if (!strcmp(line, "culprit"))
		replace_string(&file->culprit, rest);
	else if (!strcmp(line, "first-parent"))
		file->options.first_parent = true;
	else if (!strcmp(line, "git") && !strcmp(rest, "none"))
		file->without_git = true;
	else
		return error_set(err, ERROR_DATA, "unknown line '%s'", line);
	return 0;
}

static int read_case(struct case_file *file, const char *path, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct string_list lines = {NULL, 0, 0};
	int code = 0;

	if (made_repository_init(&file->made, err) || file_read(path, &text, err))
		return -1;
	string_list_split(&lines, strbuf_text(&text), "\n");
	for (size_t i = 0; i < lines.count && !code; i++)
		code = parse_line(file, lines.items[i], err);
	string_list_release(&lines);
	if (!code && (!file->bad || file->expect.count < 2))
		return error_set(err, ERROR_DATA, "%s: no 'bad' or no 'expect'", path);
	return code;
}

static const char *name_of(const struct case_file *file, const git_oid *id)
{
	array_for_each (commit, &file->made.commits) {
		if (git_oid_equal(&commit->id, id))
			return commit->name;
	}
	return "?";
}

static bool is_slow(const struct case_file *file, const char *name)
{
	return made_repository_is_ancestor(&file->made,
					   made_repository_find(&file->made, file->culprit),
					   made_repository_find(&file->made, name));
}

static int resolve_list(const struct case_file *file, const struct history *history,
			const struct string_list *names, struct commit_ids *ids, struct error *err)
{
	(void)file;
	for (size_t i = 0; i < names->count; i++) {
		if (history_resolve_all(history, names->items[i], ids, err))
			return -1;
	}
	return 0;
}

/* Enters what is known from the start. Good commits outside the range are site `good 0`. */
static int enter_known(const struct case_file *file, const struct history *history,
		       const struct range *range, struct search *search, struct error *err)
{
	const struct string_list *lists[] = {&file->skips, &file->fast, &file->slow};

	for (size_t kind = 0; kind < ARRAY_SIZE(lists); kind++) {
		_cleanup_(cleanup_free_) git_oid *items = NULL;
		struct commit_ids ids = {0};
		size_t site;

		if (resolve_list(file, history, lists[kind], &ids, err))
			return -1;
		items = ids.items;
		for (size_t i = 0; i < ids.count; i++) {
			if (!range_find(range, &ids.items[i], &site))
				continue;
			if (kind == 0)
				search_skip(search, site);
			else
				search_add_outcome(search, site, kind == 2);
		}
	}
	search_add_outcome(search, search_bad(search), true);
	return 0;
}

/* Searches until the core stops, answering as the culprit has it. */
static void run_core(const struct case_file *file, const struct range *range, struct search *search,
		     struct answer *answer)
{
	struct search_costs costs = SEARCH_COSTS_EVEN;
	_cleanup_free_ size_t *set = xcalloc(range->ids.count, sizeof(*set));
	struct search_step step;
	double reached;
	size_t size;

	for (;;) {
		const char *name;

		search_update(search);
		answer->state = search_next(search, &costs, &step);
		if (answer->state != SEARCH_MEASURE || answer->steps.count > 1000)
			break;
		name = name_of(file, &range->ids.items[step.site]);
		string_list_add(&answer->steps, name);
		search_add_outcome(search, step.site, is_slow(file, name));
	}
	size = search_credible_set(search, search->settings.mass, set, &reached);
	for (size_t i = 0; i < size; i++)
		string_list_add(&answer->commits, name_of(file, &range->ids.items[set[i]]));
}

static int fail(const char *format, ...) _printf_(1, 2);

static int fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	return 1;
}

/* The words as one text. Owned by the caller. */
static char *join(const struct string_list *list, size_t from)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = from; i < list->count; i++)
		strbuf_printf(&text, "%s%s", i > from ? " " : "", list->items[i]);
	return strbuf_take(&text);
}

static int check_bases(const struct case_file *file, const struct range *range)
{
	int failures = range->merge_bases.count != file->bases.count;

	array_for_each (id, &range->merge_bases)
		failures += !string_list_contains(&file->bases, name_of(file, id));
	return failures ? fail("the merge bases are others") : 0;
}

/* `apart NAME COUNT`: distance of the first step in the order of the range. */
static int check_apart(const struct case_file *file, const struct range *range,
		       const struct answer *answer)
{
	_cleanup_(error_clear) struct error err = {0};
	size_t from = 0;
	size_t to = 0;
	size_t least = 0;

	if (file->apart.count < 2)
		return 0;
	for (size_t i = 0; i < range->ids.count; i++) {
		const char *name = name_of(file, &range->ids.items[i]);

		from = strcmp(name, file->apart.items[0]) ? from : i;
		to = strcmp(name, answer->steps.items[0]) ? to : i;
	}
	if (parse_count(file->apart.items[1], &least, &err))
		return 1;
	if ((from > to ? from - to : to - from) >= least)
		return 0;
	return fail("first step %s is too near to %s", answer->steps.items[0],
		    file->apart.items[0]);
}

static int check_steps(const struct case_file *file, const struct range *range,
		       const struct answer *answer)
{
	int failures = 0;

	for (size_t i = 0; i < file->never.count; i++) {
		if (string_list_contains(&answer->steps, file->never.items[i]))
			failures += fail("%s was measured", file->never.items[i]);
	}
	if (file->steps_max && answer->steps.count > file->steps_max)
		failures += fail("too many steps");
	if (file->first.count &&
	    (!answer->steps.count || !string_list_contains(&file->first, answer->steps.items[0])))
		failures += fail("first step is %s",
				 answer->steps.count ? answer->steps.items[0] : "none");
	return failures + check_apart(file, range, answer);
}

/* Expected and given commits as sets. */
static int check_commits(const struct case_file *file, const struct string_list *given,
			 const char *who)
{
	_cleanup_free_ char *names = join(given, 0);
	int failures = given->count != file->expect.count - 1;

	for (size_t i = 1; i < file->expect.count; i++)
		failures += !string_list_contains(given, file->expect.items[i]);
	return failures ? fail("%s answers: %s", who, names) : 0;
}

static int check_core(const struct case_file *file, const struct range *range,
		      const struct answer *answer)
{
	bool found = !strcmp(file->expect.items[0], "found");

	if (answer->state != (found ? SEARCH_FOUND : SEARCH_FOUND_AMONG))
		return fail("core ended in another state");
	return check_commits(file, &answer->commits, "core") + check_steps(file, range, answer);
}

/* Adds the options that narrow the range, as git spells them. */
static void add_range(const struct case_file *file, struct string_list *arguments, bool negate)
{
	string_list_add(arguments, file->bad);
	for (size_t i = 0; i < file->goods.count; i++) {
		_cleanup_free_ char *good =
			xasprintf("%s%s", negate ? "^" : "", file->goods.items[i]);

		string_list_add(arguments, good);
	}
	string_list_add(arguments, "--");
	for (size_t i = 0; i < file->options.paths.count; i++)
		string_list_add(arguments, file->options.paths.items[i]);
}

static int git_lines(const struct case_file *file, struct string_list *arguments,
		     struct string_list *lines)
{
	_cleanup_free_ char *output = NULL;
	int status;

	if (file->options.first_parent)
		string_list_add(arguments, "--first-parent");
	add_range(file, arguments, true);
	status = made_repository_git(&file->made, arguments, &output);
	string_list_release(arguments);
	if (output)
		string_list_split(lines, output, "\n");
	return status;
}

/* git rev-list gives the same commits, and its choice splits no better than ours. */
static int check_range(const struct case_file *file, const struct range *range)
{
	struct string_list arguments = {NULL, 0, 0};
	struct string_list lines = {NULL, 0, 0};
	_cleanup_free_ size_t *weights = xcalloc(range->ids.count, sizeof(*weights));
	size_t count = range->ids.count;
	size_t ours = 0;
	size_t index = 0;
	git_oid id;
	int failures = 0;

	string_list_add(&arguments, "rev-list");
	failures += git_lines(file, &arguments, &lines) != 0 ||
		    lines.count + range->bad_is_beside_paths != count;
	for (size_t i = 0; i < lines.count; i++)
		failures += git_oid_fromstr(&id, lines.items[i]) || !range_find(range, &id, &index);
	string_list_release(&lines);
	if (failures)
		return fail("git rev-list lists other commits");
	string_list_split(&arguments, "rev-list --bisect", " ");
	failures += git_lines(file, &arguments, &lines) != 0 || lines.count != 1;
	dag_weights(&range->dag, weights);
	if (!failures && !git_oid_fromstr(&id, lines.items[0]) && range_find(range, &id, &index) &&
	    dag_split(&range->dag, NULL, &ours)) {
		size_t theirs = weights[index] < count - weights[index] ? weights[index]
									: count - weights[index];
		size_t best = weights[ours] < count - weights[ours] ? weights[ours]
								    : count - weights[ours];

		failures += best < theirs;
	}
	string_list_release(&lines);
	return failures ? fail("git rev-list --bisect splits better") : 0;
}

/* A script that answers from a table of commit ids. */
static int write_script(const struct case_file *file, const struct history *history,
			struct error *err)
{
	static const char script[] = "id=$(git rev-parse BISECT_HEAD)\n"
				     "exit $(sed -n \"s/^$id //p\" .git/test-answers)\n";
	_cleanup_(strbuf_release) struct strbuf answers = STRBUF_INIT;
	_cleanup_free_ char *answers_path = path_below(file->made.path, ".git/test-answers");
	_cleanup_free_ char *script_path = path_below(file->made.path, ".git/test-script");
	struct commit_ids skips = {0};
	int code = resolve_list(file, history, &file->skips, &skips, err);

	array_for_each (commit, &file->made.commits) {
		int answer = is_slow(file, commit->name);

		array_for_each (id, &skips)
			answer = git_oid_equal(id, &commit->id) ? 125 : answer;
		strbuf_printf(&answers, "%s %d\n", git_oid_tostr_s(&commit->id), answer);
	}
	array_release(&skips);
	return code || file_write(answers_path, answers.text, answers.length, err) ||
			       file_write(script_path, script, strlen(script), err)
		       ? -1
		       : 0;
}

/* The commits that git's last words name. */
static void read_git_answer(const struct case_file *file, const char *output,
			    struct string_list *commits)
{
	const char *among = strstr(output, "could be any of:\n");
	const char *found = strstr(output, " is the first bad commit");
	struct string_list lines = {NULL, 0, 0};
	git_oid id;

	if (among)
		string_list_split(&lines, among, "\n");
	else if (found && found - output >= GIT_OID_HEXSZ)
		string_list_split(&lines, found - GIT_OID_HEXSZ, "\n");
	for (size_t i = 0; i < lines.count; i++) {
		if (strspn(lines.items[i], "0123456789abcdef") != GIT_OID_HEXSZ)
			continue;
		if (!git_oid_fromstrn(&id, lines.items[i], GIT_OID_HEXSZ))
			string_list_add(commits, name_of(file, &id));
		if (!among)
			break;
	}
	string_list_release(&lines);
}

static int check_git(const struct case_file *file, const struct history *history)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *started = NULL;
	_cleanup_free_ char *output = NULL;
	struct string_list start = {NULL, 0, 0};
	struct string_list run = {NULL, 0, 0};
	struct string_list commits = {NULL, 0, 0};
	int failures;

	if (write_script(file, history, &err))
		return fail("script: %s", err.message);
	string_list_split(&start, "bisect start --no-checkout", " ");
	if (file->options.first_parent)
		string_list_add(&start, "--first-parent");
	add_range(file, &start, false);
	string_list_split(&run, "bisect run sh .git/test-script", " ");
	made_repository_git(&file->made, &start, &started);
	made_repository_git(&file->made, &run, &output);
	read_git_answer(file, output ? output : "", &commits);
	failures = check_commits(file, &commits, "git bisect");
	if (failures)
		printf("%s%s\n", started, output);
	string_list_release(&start);
	string_list_release(&run);
	string_list_release(&commits);
	return failures;
}

static int check_error(const struct case_file *file, const struct error *err)
{
	_cleanup_free_ char *text = join(&file->expect, 1);

	if (strcmp(file->expect.items[0], "error"))
		return fail("unexpected error: %s", err->message);
	if (!strstr(err->message, text))
		return fail("'%s' is not in '%s'", text, err->message);
	return err->hint ? 0 : fail("no hint");
}

static int search_range(const struct case_file *file, const struct history *history,
			const struct range *range, struct error *err)
{
	struct search_settings settings = SEARCH_OUTCOMES;
	_cleanup_(answer_release) struct answer answer = {0};
	_cleanup_(search_release) struct search search = {0};
	int failures = check_bases(file, range);

	if (!file->culprit || !strcmp(file->expect.items[0], "error"))
		return fail("no culprit, or no error");
	search_init(&search, &range->dag, 1, &settings);
	if (enter_known(file, history, range, &search, err))
		return fail("evidence: %s", err->message);
	run_core(file, range, &search, &answer);
	failures += check_core(file, range, &answer);
	failures += check_range(file, range);
	if (!file->without_git)
		failures += check_git(file, history);
	return failures;
}

static int run_case(const struct case_file *file)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(history_release) struct history history = {NULL};
	_cleanup_(range_release) struct range range = {0};
	_cleanup_(cleanup_free_) git_oid *good_ids = NULL;
	struct commit_ids goods = {0};
	git_oid bad;

	if (history_open(&history, file->made.path, &err))
		return check_error(file, &err);
	if (history_resolve(&history, file->bad, &bad, &err) ||
	    resolve_list(file, &history, &file->goods, &goods, &err)) {
		free(goods.items);
		return check_error(file, &err);
	}
	good_ids = goods.items;
	if (range_load(&range, &history, &bad, &goods, &file->options, &err))
		return check_error(file, &err);
	return search_range(file, &history, &range, &err);
}

int main(int argc, char **argv)
{
	_cleanup_(case_release) struct case_file file = {0};
	_cleanup_(error_clear) struct error err = {0};

	if (argc != 2)
		return 2;
	if (read_case(&file, argv[1], &err))
		return fail("%s: %s", argv[1], err.message);
	return run_case(&file) > 0;
}
