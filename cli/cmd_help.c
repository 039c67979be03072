/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help and man pages, both from the tables of commands and options. */
#include <string.h>

#include "cli/cli.h"
#include "cli/completion.h"
#include "common/text.h"

struct options {
	bool man;
	const char *completion;
};

static const struct option_spec specs[] = {
	OPTION_ROW(struct options, man, OPTION_FLAG, "man", 0, NULL,
		   "print the man page's source (roff)"),
	OPTION_ROW(struct options, completion, OPTION_STRING, "completion", 0, "bash|zsh|fish",
		   "print a completion script for that shell"),
	OPTION_END,
};

static const char exit_codes[] =
	"0\tno regression\n"
	"1\tat least one benchmark regressed\n"
	"2\twrong command line or configuration\n"
	"3\tsomething is inconclusive, and --strict was given\n"
	"4\tthe harness or the data failed: a kernel did not boot, a benchmark crashed, a file is "
	"wrong, the disk is full\n"
	"5\tbisect: the regression does not reproduce\n"
	"130\tstopped by Ctrl-C (in general 128 + the signal's number); what was measured is "
	"kept\n";

static const char overview[] =
	"kregress measures Linux kernels with in-kernel and userland benchmarks, repeatedly and "
	"interleaved, and decides with statistics whether one is slower than another.";

enum { HELP_WIDTH = 80, EXIT_CODE_INDENT = 8 };

/* Appends text broken into lines of HELP_WIDTH columns, each indented. */
static void append_wrapped(struct strbuf *out, const char *text, size_t indent)
{
	size_t column = 0;

	while (*text) {
		size_t length = strcspn(text, " \n");

		if (column && column + 1 + length > HELP_WIDTH - indent) {
			strbuf_append_char(out, '\n');
			column = 0;
		}
		if (column)
			strbuf_append_char(out, ' ');
		else
			strbuf_append_repeat(out, ' ', indent);
		strbuf_append_bytes(out, text, length);
		column += length + (column ? 1 : 0);
		text += length;
		if (!strncmp(text, "\n\n", 2)) {
			strbuf_append(out, "\n\n");
			column = 0;
		}
		text += strspn(text, " \n");
	}
	strbuf_append_char(out, '\n');
}

static void append_exit_codes(struct strbuf *out)
{
	_cleanup_(string_list_release) struct string_list lines = {0};

	string_list_split(&lines, exit_codes, "\n");
	array_for_each (line, &lines) {
		size_t digits = strcspn(*line, "\t");

		_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

		append_wrapped(&text, *line + digits + 1, EXIT_CODE_INDENT);
		strbuf_printf(out, "  %-5.*s %s", (int)digits, *line,
			      strbuf_text(&text) + EXIT_CODE_INDENT);
	}
}

static void help_overview(struct strbuf *out)
{
	append_wrapped(out, overview, 0);
	strbuf_append(out, "\nusage: kregress COMMAND [OPTION...] [ARGUMENT...]\n\nCommands:\n");
	for (size_t i = 0; commands[i]; i++)
		strbuf_printf(out, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
	strbuf_append(out, "\nExit codes:\n");
	append_exit_codes(out);
	strbuf_append(out, "\n`kregress help COMMAND` tells more.\n");
}

static void help_options(struct strbuf *out, const struct command *command)
{
	if (command->options->name)
		strbuf_append(out, "\nOptions:\n");
	for (const struct option_spec *spec = command->options; spec->name; spec++) {
		strbuf_append(out, "  ");
		option_append_usage(out, spec);
		strbuf_append_char(out, '\n');
		append_wrapped(out, spec->help, 8);
	}
	if (*command->examples)
		strbuf_printf(out, "\nExamples:\n%s", command->examples);
}

static void help_command(struct strbuf *out, const struct command *command)
{
	const struct command *const *child = command->children;

	strbuf_printf(out, "kregress %s - %s\n\nusage: kregress %s%s%s%s\n\n", command->name,
		      command->summary, command->name, command->options->name ? " [OPTION...]" : "",
		      *command->arguments ? " " : "", command->arguments);
	append_wrapped(out, command->description, 0);
	help_options(out, command);
	for (; child && *child; child++) {
		strbuf_append_char(out, '\n');
		help_command(out, *child);
	}
}

/* Appends text with what roff would take for its own made harmless. */
static void append_roff(struct strbuf *out, const char *text)
{
	for (bool line_start = true; *text; text++) {
		if (line_start && (*text == '.' || *text == '\''))
			strbuf_append(out, "\\&");
		line_start = *text == '\n';
		if (*text == '\\')
			strbuf_append(out, "\\e");
		else if (*text == '-')
			strbuf_append(out, "\\-");
		else if (!strncmp(text, "\n\n", 2)) {
			strbuf_append(out, "\n.PP\n");
			text++;
		} else
			strbuf_append_char(out, *text);
	}
}

static void man_exit_codes(struct strbuf *out)
{
	_cleanup_(string_list_release) struct string_list lines = {0};

	strbuf_append(out, ".SH EXIT STATUS\n");
	string_list_split(&lines, exit_codes, "\n");
	array_for_each (line, &lines) {
		size_t digits = strcspn(*line, "\t");

		strbuf_printf(out, ".TP\n%.*s\n", (int)digits, *line);
		append_roff(out, *line + digits + 1);
		strbuf_append_char(out, '\n');
	}
}

static void man_head(struct strbuf *out, const char *page, const char *summary)
{
	strbuf_printf(out, ".TH %s 1 \"\" \"kregress " KREGRESS_VERSION "\" \"kregress\"\n", page);
	strbuf_printf(out, ".SH NAME\n%s \\- ", page);
	append_roff(out, summary);
	strbuf_append(out, "\n.SH SYNOPSIS\n");
}

static void man_overview(struct strbuf *out)
{
	man_head(out, "kregress", "statistical regression detector for Linux kernels");
	strbuf_append(out, ".B kregress\n.I COMMAND\n[OPTION...] [ARGUMENT...]\n.SH DESCRIPTION\n");
	append_roff(out, overview);
	strbuf_append(out, "\n.SH COMMANDS\n");
	for (size_t i = 0; commands[i]; i++) {
		strbuf_printf(out, ".TP\n.BR kregress\\-%s (1)\n", commands[i]->name);
		append_roff(out, commands[i]->summary);
		strbuf_append_char(out, '\n');
	}
	man_exit_codes(out);
	strbuf_append(out,
		      ".SH FILES\n.TP\n.I kregress.conf\nvariants, targets, suites and limits, in "
		      "git\\-config syntax\n.TP\n.I .kregress/store.db\nthe store (SQLite)\n"
		      ".TP\n.I $XDG_CACHE_HOME/kregress\nbuilt kernel modules\n");
}

static void man_options(struct strbuf *out, const struct command *command)
{
	for (const struct option_spec *spec = command->options; spec->name; spec++) {
		_cleanup_(strbuf_release) struct strbuf usage = STRBUF_INIT;

		option_append_usage(&usage, spec);
		strbuf_append(out, "\n.TP\n.B ");
		append_roff(out, strbuf_text(&usage));
		strbuf_append_char(out, '\n');
		append_roff(out, spec->help);
	}
}

/* The commands behind a command, each with its options. */
static void man_children(struct strbuf *out, const struct command *command)
{
	const struct command *const *child = command->children;

	if (child)
		strbuf_append(out, "\n.SH COMMANDS");
	for (; child && *child; child++) {
		strbuf_printf(out, "\n.SS kregress %s ", (*child)->name);
		append_roff(out, (*child)->arguments);
		strbuf_append_char(out, '\n');
		append_roff(out, (*child)->description);
		man_options(out, *child);
	}
}

static void man_command(struct strbuf *out, const struct command *command)
{
	_cleanup_free_ char *page = xasprintf("kregress-%s", command->name);

	man_head(out, page, command->summary);
	strbuf_printf(out, ".B kregress %s\n%s\n", command->name,
		      command->options->name ? "[OPTION...]" : "");
	append_roff(out, command->arguments);
	strbuf_append(out, "\n.SH DESCRIPTION\n");
	append_roff(out, command->description);
	if (command->options->name)
		strbuf_append(out, "\n.SH OPTIONS");
	man_options(out, command);
	man_children(out, command);
	strbuf_append_char(out, '\n');
	if (*command->examples) {
		strbuf_append(out, ".SH EXAMPLES\n.nf\n");
		append_roff(out, command->examples);
		strbuf_append(out, ".fi\n");
	}
	man_exit_codes(out);
	strbuf_append(out, ".SH SEE ALSO\n.BR kregress (1)\n");
}

static int append_completion(struct strbuf *out, const char *shell, struct error *err)
{
	const struct completion *completion = completion_find(shell);

	if (!completion)
		return error_set(err, ERROR_USAGE,
				 "option --completion: '%s' is none of bash, zsh, fish", shell);
	completion->append(out);
	return 0;
}

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	struct options options = {0};
	const struct command *command = NULL;

	if (options_parse(specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_help, &words, 0, 1, err) < 0)
		return -1;
	if (words.count) {
		command = command_find(words.items[0]);
		if (!command) {
			error_set(err, ERROR_USAGE, "'%s' is no command", words.items[0]);
			return error_hint(err, "`kregress help` lists the commands");
		}
	}
	if (options.completion) {
		if (append_completion(&out, options.completion, err) < 0)
			return -1;
	} else if (command)
		(options.man ? man_command : help_command)(&out, command);
	else
		(options.man ? man_overview : help_overview)(&out);
	return print_text(strbuf_text(&out), err);
}

const struct command command_help = {
	.name = "help",
	.arguments = "[COMMAND]",
	.summary = "explain the commands",
	.description = "Prints what a command does and which options it takes.",
	.examples = "  kregress help ab\n"
		    "  source <(kregress help --completion bash)\n",
	.options = specs,
	.run = run,
};
