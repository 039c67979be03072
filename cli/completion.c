/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/completion.h"

#include <string.h>

const struct completion *completion_find(const char *shell)
{
	static const struct completion *const all[] = {&completion_bash, &completion_zsh,
						       &completion_fish};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (!strcmp(all[i]->shell, shell))
			return all[i];
	return NULL;
}

const char *completion_last_word(const struct command *command)
{
	const char *blank = strrchr(command->name, ' ');

	return blank ? blank + 1 : command->name;
}

static const char head[] = "# bash completion for kregress, made from its option tables\n"
			   "_kregress() {\n"
			   "\tlocal current=${COMP_WORDS[COMP_CWORD]} options= words=\n"
			   "\tif [ \"$COMP_CWORD\" = 1 ]; then\n"
			   "\t\tCOMPREPLY=($(compgen -W \"$_kregress_commands\" -- \"$current\"))\n"
			   "\t\treturn\n"
			   "\tfi\n"
			   "\tcase \"${COMP_WORDS[1]} ${COMP_WORDS[2]}\" in\n";

static const char tail[] = "\tesac\n"
			   "\tcase $current in\n"
			   "\t-*) COMPREPLY=($(compgen -W \"$options\" -- \"$current\")) ;;\n"
			   "\t*)\n"
			   "\t\tif [ \"$COMP_CWORD\" = 2 ] && [ -n \"$words\" ]; then\n"
			   "\t\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
			   "\t\telse\n"
			   "\t\t\tCOMPREPLY=($(compgen -f -- \"$current\"))\n"
			   "\t\tfi ;;\n"
			   "\tesac\n"
			   "}\n"
			   "complete -o filenames -F _kregress kregress\n";

static void append_options(struct strbuf *out, const struct command *command)
{
	strbuf_append(out, "options=\"");
	for (const struct option_spec *spec = command->options; spec->name; spec++)
		strbuf_printf(out, "--%s ", spec->name);
	strbuf_append(out, "--help\"");
}

static void append_names(struct strbuf *out, const struct command *const *list)
{
	for (size_t i = 0; list && list[i]; i++)
		strbuf_printf(out, "%s%s", i ? " " : "", completion_last_word(list[i]));
}

static void append_bash(struct strbuf *out)
{
	strbuf_append(out, head);
	for (size_t i = 0; commands[i]; i++) {
		const struct command *const *child = commands[i]->children;

		for (; child && *child; child++) {
			strbuf_printf(out, "\t\"%s\") ", (*child)->name);
			append_options(out, *child);
			strbuf_append(out, " ;;\n");
		}
		strbuf_printf(out, "\t\"%s \"*) ", commands[i]->name);
		append_options(out, commands[i]);
		strbuf_append(out, " words=\"");
		append_names(out, commands[i]->children);
		strbuf_append(out, "\" ;;\n");
	}
	strbuf_append(out, tail);
	strbuf_append(out, "_kregress_commands=\"");
	append_names(out, commands);
	strbuf_append(out, "\"\n");
}

const struct completion completion_bash = {"bash", append_bash};
