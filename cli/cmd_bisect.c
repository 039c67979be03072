/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "cli/bisecting.h"

const struct command *const bisect_commands[] = {
	&command_bisect_start,
	&command_bisect_run,
	&command_bisect_status,
	&command_bisect_good,
	&command_bisect_bad,
	&command_bisect_skip,
	&command_bisect_value,
	&command_bisect_visualize,
	&command_bisect_log,
	&command_bisect_replay,
	&command_bisect_next,
	&command_bisect_reset,
	NULL,
};

static const struct option_spec specs[] = {OPTION_END};

/* "bisect start" is found by its second word. */
static const char *last_word(const struct command *command)
{
	return strchr(command->name, ' ') + 1;
}

static int refuse_word(const char *word, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf known = STRBUF_INIT;

	for (size_t i = 0; bisect_commands[i]; i++)
		strbuf_printf(&known, " %s", last_word(bisect_commands[i]));
	error_set(err, ERROR_USAGE, "bisect: '%s' is no command and no term", word);
	return error_hint(err, "commands:%s", strbuf_text(&known));
}

static int run(int argc, char **argv, struct error *err)
{
	int code;

	if (argc < 1) {
		error_set(err, ERROR_USAGE, "bisect: a command is missing");
		return error_hint(err, "`kregress help bisect` lists them");
	}
	for (size_t i = 0; bisect_commands[i]; i++) {
		if (!strcmp(last_word(bisect_commands[i]), argv[0]))
			return bisect_commands[i]->run(argc - 1, argv + 1, err);
	}
	if (!strcmp(argv[0], "view"))
		return command_bisect_visualize.run(argc - 1, argv + 1, err);
	code = bisect_mark_word(argv[0], argc - 1, argv + 1, err);
	if (code < 0 && err->kind == ERROR_NONE)
		return refuse_word(argv[0], err);
	return code;
}

const struct command command_bisect = {
	.name = "bisect",
	.arguments = "COMMAND ...",
	.summary = "find the commit that made it slow",
	.description =
		"Searches the commits between a good and a bad one, by running a command at them "
		"or by building and booting kernels, with statistics that allow for noise: the "
		"answer is a commit, or a set of commits, with its probability.\n\n"
		"Everything is kept in .kregress/bisect beside the store; the repository, its "
		"working tree, index, branches and references stay as they are. A bisection that "
		"was stopped, by a signal or a power cut, goes on with `kregress bisect run`.",
	.examples = "  kregress bisect start HEAD v6.1\n"
		    "  kregress bisect run -- ./test.sh\n"
		    "  kregress bisect run --value --better higher -- ./throughput.sh\n"
		    "  kregress bisect status\n",
	.options = specs,
	.run = run,
	.children = bisect_commands,
};
