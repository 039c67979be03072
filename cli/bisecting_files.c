/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files of a commit that is tested by hand: in the bisection's own working tree, which `bisect
 * next` makes and which every mark then moves on. The user's checkout stays as it is.
 */
#include <string.h>

#include "bisect/driver/checkout.h"
#include "cli/bisecting.h"

/* True when there are files of a commit there already. */
static bool is_in_use(const char *path)
{
	git_repository *repository = NULL;
	git_oid head;
	bool used;

	if (git_repository_open(&repository, path))
		return false;
	used = git_reference_name_to_id(&head, repository, "HEAD") == 0;
	git_repository_free(repository);
	return used;
}

static int put_files(const struct bisecting *bisecting, const char *path, const git_oid *commit,
		     struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_(checkout_close) struct checkout checkout = {NULL, NULL};

	if (checkout_open(&checkout, path, &bisecting->history, err) < 0)
		return -1;
	log_progress(&bisecting->session.log, "checking out %s", git_oid_tostr_s(commit));
	if (checkout_switch(&checkout, commit, err) < 0)
		return -1;
	session_clear_progress((struct session *)&bisecting->session);
	strbuf_printf(&out, "its files are in %s\n", checkout.path);
	return print_text(strbuf_text(&out), err);
}

int bisecting_move_files(const struct bisecting *bisecting, const struct view *view, bool make,
			 struct error *err)
{
	_cleanup_free_ char *path = bisecting_path(bisecting, "worktree");
	struct next_step next = view_next(view, NULL);

	if (next.stage != STAGE_MEASURE && next.stage != STAGE_BASE)
		return 0;
	if (make || is_in_use(path))
		return put_files(bisecting, path, &next.commit, err);
	if (!bisecting->bisection.options.no_checkout)
		log_note(&bisecting->session.log,
			 "`kregress bisect next` puts its files into a working tree, to test it by "
			 "hand");
	return 0;
}

struct next_options {
	struct common_options common;
};

static const struct option_spec specs[] = {
	COMMON_OPTIONS(struct next_options),
	OPTION_END,
};

static int next(struct bisecting *bisecting, struct error *err)
{
	_cleanup_(view_release) struct view view = {.range = {.dag = DAG_INIT}};
	int code;

	if (view_load(&view, &bisecting->bisection, &bisecting->history, err) < 0)
		return -1;
	code = bisecting_say(bisecting, &view, err);
	if (code < 0 || bisecting_move_files(bisecting, &view, true, err) < 0)
		return -1;
	return code;
}

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	struct bisecting bisecting;
	struct next_options options = {0};
	int code;

	if (options_parse(specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_bisect_next, &words, 0, 0, err) < 0 ||
	    bisecting_open_started(&bisecting, &options.common, BISECTING_WRITE, err) < 0)
		return -1;
	code = next(&bisecting, err);
	bisecting_close(&bisecting);
	return code;
}

const struct command command_bisect_next = {
	.name = "bisect next",
	.arguments = "",
	.summary = "put the commit to be tested next into a working tree",
	.description =
		"For testing by hand: the files of that commit are put into the bisection's own "
		"working tree, which is named. From then on good, bad, skip and value move it to "
		"the commit that comes next; `bisect reset` removes it. Your checkout stays as it "
		"is. Files that git does not track stay there from commit to commit, changes to "
		"tracked ones are dropped.",
	.examples = "  kregress bisect start HEAD v6.1\n"
		    "  kregress bisect next\n"
		    "  make -C .kregress/bisect/worktree && ...\n"
		    "  kregress bisect good\n",
	.options = specs,
	.run = run,
};
