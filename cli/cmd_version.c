/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <archive.h>
#include <git2.h>
#include <gsl/gsl_version.h>
#include <jansson.h>
#include <libxml/xmlversion.h>
#include <libpq-fe.h>
#include <sqlite3.h>

#include "cli/cli.h"

struct options {
	struct common_options common;
};

static const struct option_spec specs[] = {OPTION_END};

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_free_ char *text = NULL;
	struct options options = {0};
	int major, minor, revision;

	if (options_parse(specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_version, &words, 0, 0, err) < 0)
		return -1;
	git_libgit2_version(&major, &minor, &revision);
	text = xasprintf(
		"kregress " KREGRESS_VERSION "\n"
		"GSL %s, libgit2 %d.%d.%d, libxml2 %s, SQLite %s, libpq %d.%d, jansson %s, %s\n"
		"License GPL-3.0-or-later; the kernel module and the agent "
		"GPL-2.0-or-later.\n",
		gsl_version, major, minor, revision, LIBXML_DOTTED_VERSION, sqlite3_libversion(),
		PQlibVersion() / 10000, PQlibVersion() % 10000, jansson_version_str(),
		archive_version_string());
	return print_text(text, err);
}

const struct command command_version = {
	.name = "version",
	.arguments = "",
	.summary = "print the version of kregress and of its libraries",
	.description = "Prints the version of kregress and of the libraries that it runs with.",
	.examples = "",
	.options = specs,
	.run = run,
};
