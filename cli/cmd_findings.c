/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <jansson.h>

#include "cli/cli.h"
#include "cli/findings_out.h"
#include "collector/host.h"
#include "store/finding.h"

struct options {
	struct common_options common;
	const char *state;
	const char *variant;
	const char *machine;
	const char *note;
	bool json;
};

#define JSON_OPTION                                                                                \
	OPTION_ROW(struct options, json, OPTION_FLAG, "json", 0, NULL,                             \
		   "print JSON, format kregress-findings-1")

/* list */

static const struct option_spec list_specs[] = {
	OPTION_ROW(struct options, state, OPTION_STRING, "state", 0, "STATE,...",
		   "only findings in these states, or all (default: all but withdrawn)"),
	OPTION_ROW(struct options, variant, OPTION_STRING, "variant", 'V', "VARIANT",
		   "only those of this variant"),
	OPTION_ROW(struct options, machine, OPTION_STRING, "machine", 0, "CLASS",
		   "only those of this machine class"),
	JSON_OPTION,
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

/* Which states are asked for. */
static int parse_states(const char *text, bool *wanted, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};

	for (int state = 0; state < FINDING_STATES; state++)
		wanted[state] = text ? !strcmp(text, "all") : state != FINDING_WITHDRAWN;
	if (!text || !strcmp(text, "all"))
		return 0;
	string_list_split(&words, text, ",");
	array_for_each (word, &words) {
		enum finding_state state;

		if (!finding_state_parse(*word, &state)) {
			error_set(err, ERROR_USAGE, "option --state: '%s' is no state", *word);
			return error_hint(err, "states: new, acknowledged, known, fixed, reopened, "
					       "withdrawn, all");
		}
		wanted[state] = true;
	}
	return 0;
}

/* Takes those out that are not asked for. */
static void select_findings(struct finding_list *list, const struct options *options,
			    const bool *wanted)
{
	size_t left = 0;

	array_for_each (finding, list) {
		if (wanted[finding->state] &&
		    (!options->variant || !strcmp(options->variant, finding->variant)) &&
		    (!options->machine || !strcmp(options->machine, finding->machine)))
			list->items[left++] = *finding;
		else
			finding_release(finding);
	}
	list->count = left;
}

static int run_list(int argc, char **argv, struct error *err);

static const struct command command_findings_list = {
	.name = "findings list",
	.arguments = "",
	.summary = "list what the history has found",
	.description = "One line for each change. Where many series changed at one place, the line "
		       "stands for all of them, and its id for the group. The newest come first.",
	.examples = "  kregress findings list --state new,reopened\n",
	.options = list_specs,
	.run = run_list,
};

static int run_list(int argc, char **argv, struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(finding_list_release) struct finding_list list = {0};
	struct options options = {0};
	bool wanted[FINDING_STATES];

	if (options_parse(list_specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_findings_list, &words, 0, 0, err) < 0 ||
	    parse_states(options.state, wanted, err) < 0 ||
	    session_open(&session, &options.common, true, err) < 0 ||
	    store_load_findings(session.store, &list, err) < 0)
		return -1;
	select_findings(&list, &options, wanted);
	return options.json ? findings_print_json(&list, err) : findings_print_list(&list, err);
}

/* show */

static const struct option_spec show_specs[] = {
	JSON_OPTION,
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

static int run_show(int argc, char **argv, struct error *err);

static const struct command command_findings_show = {
	.name = "findings show",
	.arguments = "ID",
	.summary = "show a finding, or all members of a group",
	.description = "ID is the id of a finding or of a group, or how it begins.",
	.examples = "  kregress findings show 1f3a\n",
	.options = show_specs,
	.run = run_show,
};

static int run_show(int argc, char **argv, struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(finding_list_release) struct finding_list list = {0};
	struct options options = {0};

	if (options_parse(show_specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_findings_show, &words, 1, 1, err) < 0 ||
	    session_open(&session, &options.common, true, err) < 0 ||
	    store_find_findings(session.store, words.items[0], &list, err) < 0)
		return -1;
	return options.json ? findings_print_json(&list, err) : findings_print_all(&list, err);
}

/* ack, known, fixed, reopen */

static const struct option_spec mark_specs[] = {
	OPTION_ROW(struct options, note, OPTION_STRING, "note", 'n', "TEXT",
		   "keep this with the finding, behind what was noted before"),
	JSON_OPTION,
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

static int mark(const struct command *command, int argc, char **argv, enum finding_state state,
		struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(finding_list_release) struct finding_list list = {0};
	_cleanup_free_ char *now = host_utc_now();
	struct options options = {0};

	if (options_parse(mark_specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(command, &words, 1, 1, err) < 0 ||
	    session_open(&session, &options.common, true, err) < 0 ||
	    store_mark_findings(session.store, words.items[0], state, options.note, now, err) < 0 ||
	    store_find_findings(session.store, words.items[0], &list, err) < 0)
		return -1;
	return options.json ? findings_print_json(&list, err) : findings_print_list(&list, err);
}

#define MARK_COMMAND(word, mark_state, what, more)                                                 \
	static int run_##word(int argc, char **argv, struct error *err);                           \
	static const struct command command_findings_##word = {                                    \
		.name = "findings " #word,                                                         \
		.arguments = "ID",                                                                 \
		.summary = what,                                                                   \
		.description = more " ID is the id of a finding or of a group, or how it begins.", \
		.examples = "  kregress findings " #word " 1f3a --note 'see the list'\n",          \
		.options = mark_specs,                                                             \
		.run = run_##word,                                                                 \
	};                                                                                         \
	static int run_##word(int argc, char **argv, struct error *err)                            \
	{                                                                                          \
		return mark(&command_findings_##word, argc, argv, mark_state, err);                \
	}

MARK_COMMAND(ack, FINDING_ACKNOWLEDGED, "somebody is at work on it",
	     "The finding is an alert no longer, and stays on the list.")
MARK_COMMAND(known, FINDING_KNOWN, "it is to stay",
	     "The new level is accepted; the finding is an alert no longer.")
MARK_COMMAND(fixed, FINDING_FIXED, "it was taken back",
	     "For what was mended in a way that the history does not see; a later improvement that "
	     "takes back more than half of a regression marks it by itself.")
MARK_COMMAND(reopen, FINDING_REOPENED, "it is an alert again",
	     "An improvement that was taken for the fix is not taken for it again.")

/* findings */

static const struct command *const findings_commands[] = {
	&command_findings_list,
	&command_findings_show,
	&command_findings_ack,
	&command_findings_known,
	&command_findings_fixed,
	&command_findings_reopen,
	NULL,
};

static const struct option_spec specs[] = {OPTION_END};

static int run(int argc, char **argv, struct error *err)
{
	for (size_t i = 0; argc > 0 && findings_commands[i]; i++)
		if (!strcmp(strchr(findings_commands[i]->name, ' ') + 1, argv[0]))
			return findings_commands[i]->run(argc - 1, argv + 1, err);
	if (argc > 0)
		error_set(err, ERROR_USAGE, "findings: '%s' is no command", argv[0]);
	else
		error_set(err, ERROR_USAGE, "findings: a command is missing");
	return error_hint(err, "commands: list show ack known fixed reopen");
}

const struct command command_findings = {
	.name = "findings",
	.arguments = "COMMAND ...",
	.summary = "list, show and decide about what `history` found",
	.description =
		"A finding is a change of a series that `kregress history` was sure of. It is new; "
		"people make it acknowledged, known, fixed or reopened; the history makes a "
		"regression fixed when a later improvement takes it back, reopened when that turns "
		"out not to hold, and withdrawn when later run sets show no change there.",
	.examples = "  kregress findings list\n"
		    "  kregress findings ack 1f3a --note 'reported, patch under way'\n"
		    "  kregress bisect start --finding 1f3a\n",
	.options = specs,
	.run = run,
	.children = findings_commands,
};
