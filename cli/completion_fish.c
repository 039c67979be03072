/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/completion.h"

/* Inside '...' fish knows two escapes. */
static void append_quoted(struct strbuf *out, const char *text)
{
	strbuf_append_char(out, '\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			strbuf_append_char(out, '\\');
		strbuf_append_char(out, *text == '\n' ? ' ' : *text);
	}
	strbuf_append_char(out, '\'');
}

static void append_name(struct strbuf *out, const char *condition, const struct command *command)
{
	strbuf_printf(out, "complete -c kregress -f -n '%s' -a %s -d ", condition,
		      completion_last_word(command));
	append_quoted(out, command->summary);
	strbuf_append_char(out, '\n');
}

static void append_options(struct strbuf *out, const struct command *command)
{
	for (const struct option_spec *spec = command->options; spec->name; spec++) {
		strbuf_printf(out, "complete -c kregress -n '__kregress_in %s' -l %s",
			      command->name, spec->name);
		if (spec->letter)
			strbuf_printf(out, " -s %c", spec->letter);
		strbuf_append(out,
			      spec->argument && spec->kind != OPTION_OUTPUT ? " -r -d " : " -d ");
		append_quoted(out, spec->help);
		strbuf_append_char(out, '\n');
	}
}

static void append_command(struct strbuf *out, const struct command *command)
{
	const struct command *const *child = command->children;

	append_name(out, "__kregress_at 1", command);
	append_options(out, command);
	for (; child && *child; child++) {
		_cleanup_free_ char *condition =
			xasprintf("__kregress_at 2; and __kregress_in %s", command->name);

		append_name(out, condition, *child);
		append_options(out, *child);
	}
}

static void append_fish(struct strbuf *out)
{
	strbuf_append(out, "# fish completion for kregress, made from its option tables\n"
			   "function __kregress_at # N: so many words stand before this one\n"
			   "    test (count (commandline -opc)) -eq $argv[1]\n"
			   "end\n"
			   "function __kregress_in # COMMAND...: the words behind kregress\n"
			   "    set -l words (commandline -opc)\n"
			   "    set -e words[1]\n"
			   "    for i in (seq (count $argv))\n"
			   "        test \"$words[$i]\" = \"$argv[$i]\"; or return 1\n"
			   "    end\n"
			   "end\n");
	for (size_t i = 0; commands[i]; i++)
		append_command(out, commands[i]);
}

const struct completion completion_fish = {"fish", append_fish};
