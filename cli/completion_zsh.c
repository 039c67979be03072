/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "cli/completion.h"

/* Text inside '...': a quote ends it, is written by itself, and begins it again. */
static void append_quoted(struct strbuf *out, const char *text, const char *escaped)
{
	for (; *text; text++) {
		if (*text == '\'') {
			strbuf_append(out, "'\\''");
			continue;
		}
		if (strchr(escaped, *text))
			strbuf_append_char(out, '\\');
		strbuf_append_char(out, *text == '\n' ? ' ' : *text);
	}
}

/* For _describe: 'NAME:SUMMARY'. */
static void append_names(struct strbuf *out, const char *array, const struct command *const *list)
{
	strbuf_printf(out, "\t%s=(\n", array);
	for (; *list; list++) {
		strbuf_printf(out, "\t\t'%s:", completion_last_word(*list));
		append_quoted(out, (*list)->summary, "\\");
		strbuf_append(out, "'\n");
	}
	strbuf_append(out, "\t)\n");
}

/* For _arguments: '*--NAME[HELP]', and ':ARGUMENT:_files' where it takes one. */
static void append_options(struct strbuf *out, const struct command *command)
{
	strbuf_append(out, "\t\toptions=(\n");
	for (const struct option_spec *spec = command->options; spec->name; spec++) {
		strbuf_printf(out, "\t\t\t'*--%s%s[", spec->name, spec->argument ? "=" : "");
		append_quoted(out, spec->help, "\\[]:");
		strbuf_append_char(out, ']');
		if (spec->argument) {
			strbuf_append(out, spec->kind == OPTION_OUTPUT ? "::" : ":");
			append_quoted(out, spec->argument, "\\:");
			strbuf_append(out, ":_files");
		}
		strbuf_append(out, "'\n");
	}
	strbuf_append(out, "\t\t\t'--help[explain the command]'\n\t\t) ;;\n");
}

static void append_command(struct strbuf *out, const struct command *command)
{
	const struct command *const *child = command->children;

	for (; child && *child; child++) {
		strbuf_printf(out, "\t'%s')\n", (*child)->name);
		append_options(out, *child);
	}
	strbuf_printf(out, "\t'%s '*)\n", command->name);
	if (command->children)
		append_names(out, "\tnames", command->children);
	append_options(out, command);
}

static void append_zsh(struct strbuf *out)
{
	strbuf_append(out, "#compdef kregress\n"
			   "# zsh completion for kregress, made from its option tables\n"
			   "_kregress() {\n"
			   "\tlocal -a names options\n");
	append_names(out, "names", commands);
	strbuf_append(out, "\tif (( CURRENT == 2 )); then\n"
			   "\t\t_describe -t commands 'command' names\n"
			   "\t\treturn\n"
			   "\tfi\n"
			   "\tnames=()\n"
			   "\tcase \"$words[2] $words[3]\" in\n");
	for (size_t i = 0; commands[i]; i++)
		append_command(out, commands[i]);
	strbuf_append(out, "\tesac\n"
			   "\tif (( CURRENT == 3 && $#names )); then\n"
			   "\t\t_describe -t commands 'command' names\n"
			   "\t\treturn\n"
			   "\tfi\n"
			   "\tshift words\n"
			   "\t(( CURRENT-- ))\n"
			   "\t_arguments -S $options '*:file:_files'\n"
			   "}\n"
			   "_kregress \"$@\"\n");
}

const struct completion completion_zsh = {"zsh", append_zsh};
