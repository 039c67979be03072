/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/completion.h"

#include "cli/cli.h"

static const char head[] = "# bash completion for kregress, made from its option tables\n"
			   "_kregress() {\n"
			   "\tlocal current=${COMP_WORDS[COMP_CWORD]} options=\n"
			   "\tif [ \"$COMP_CWORD\" = 1 ]; then\n"
			   "\t\tCOMPREPLY=($(compgen -W \"$_kregress_commands\" -- \"$current\"))\n"
			   "\t\treturn\n"
			   "\tfi\n"
			   "\tcase ${COMP_WORDS[1]} in\n";

static const char tail[] = "\tesac\n"
			   "\tcase $current in\n"
			   "\t-*) COMPREPLY=($(compgen -W \"$options\" -- \"$current\")) ;;\n"
			   "\t*) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n"
			   "\tesac\n"
			   "}\n"
			   "complete -o filenames -F _kregress kregress\n";

void completion_append_bash(struct strbuf *out)
{
	strbuf_append(out, head);
	for (size_t i = 0; commands[i]; i++) {
		strbuf_printf(out, "\t%s) options=\"", commands[i]->name);
		for (const struct option_spec *spec = commands[i]->options; spec->name; spec++)
			strbuf_printf(out, "--%s ", spec->name);
		strbuf_append(out, "--help\" ;;\n");
	}
	strbuf_append(out, tail);
	strbuf_append(out, "_kregress_commands=\"");
	for (size_t i = 0; commands[i]; i++)
		strbuf_printf(out, "%s%s", i ? " " : "", commands[i]->name);
	strbuf_append(out, "\"\n");
}
