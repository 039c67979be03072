/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/check/junit_rules.h"

#include <string.h>

#include "common/number.h"
#include "common/string_index.h"
#include "common/text.h"

/* How many cases a rule holds for, and the first of them. */
struct tally {
	size_t count;
	long line;
};

static void tally_add(struct tally *tally, bool holds, long line)
{
	if (!holds)
		return;
	if (!tally->count++)
		tally->line = line;
}

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

/* "N case(s) ..." when there is any. */
static void say(struct check_result *result, enum remark_level level,
		const struct consumer *consumer, const struct tally *tally, const char *what)
{
	if (tally->count)
		check_remark(result, level, consumer ? consumer->name : NULL, tally->line,
			     "%zu case%s %s", tally->count, plural(tally->count), what);
}

static bool is_failing(const struct junit_case *entry)
{
	return entry->outcome == CASE_FAILED || entry->outcome == CASE_ERROR;
}

/* [0-9]+ or [0-9]+.[0-9]{1,3}, which is what the xunit schema takes. */
static bool is_short_decimal(const char *text)
{
	size_t whole = strspn(text, "0123456789");
	size_t places;

	if (!whole || !text[whole])
		return whole;
	if (text[whole] != '.')
		return false;
	places = strspn(text + whole + 1, "0123456789");
	return places && places <= 3 && !text[whole + 1 + places];
}

static bool is_number(const char *text)
{
	_cleanup_(error_clear) struct error ignored = {0};
	double value;

	return text && number_parse(text, &value, &ignored) == 0;
}

static bool has_long_name(const struct junit_case *entry, size_t most)
{
	return (entry->name && text_width(entry->name) > most) ||
	       (entry->classname && text_width(entry->classname) > most);
}

/* Cases that share suite class and name with one before. */
static struct tally count_duplicates(const struct junit_reading *reading)
{
	struct string_index names = {0};
	struct tally tally = {0};

	array_for_each (entry, &reading->cases) {
		_cleanup_free_ char *key =
			xasprintf("%s\n%s", entry->classname ? entry->classname : "",
				  entry->name ? entry->name : "");

		tally_add(&tally, !string_index_add(&names, key, 0), entry->line);
	}
	string_index_release(&names);
	return tally;
}

static bool differs(const char *attribute, size_t count)
{
	_cleanup_(error_clear) struct error ignored = {0};
	uint64_t value;

	if (!attribute)
		return false;
	return number_parse_uint(attribute, UINT64_MAX, &value, &ignored) < 0 || value != count;
}

static bool totals_differ(const struct junit_reading *reading, size_t index)
{
	const struct junit_suite *suite = &reading->suites.items[index];
	const size_t *counts = suite->counts;
	size_t tests = 0;

	for (size_t i = 0; i < ARRAY_SIZE(suite->counts); i++)
		tests += counts[i];
	/* The totals of a suite that holds suites may be of all of them. */
	if (index + 1 < reading->suites.count && suite[1].depth > suite->depth)
		return false;
	return differs(suite->tests, tests) || differs(suite->failures, counts[CASE_FAILED]) ||
	       differs(suite->errors, counts[CASE_ERROR]) ||
	       differs(suite->skipped, counts[CASE_SKIPPED]);
}

void junit_rules_common(struct check_result *result, const struct junit_reading *reading)
{
	struct tally unnamed = {0}, several = {0}, times = {0};

	array_for_each (entry, &reading->cases) {
		tally_add(&unnamed, !entry->name || !*entry->name, entry->line);
		tally_add(&several, entry->outcomes > 1, entry->line);
		tally_add(&times, entry->time && !is_number(entry->time), entry->line);
	}
	say(result, REMARK_ERROR, NULL, &unnamed, "without a name");
	say(result, REMARK_ERROR, NULL, &several,
	    "with several outcomes: each reader shows another one of them");
	say(result, REMARK_ERROR, NULL, &times,
	    "with a time that is no number with a decimal point: readers drop it or misread it");
	for (size_t i = 0; i < reading->suites.count; i++)
		if (totals_differ(reading, i))
			check_remark(result, REMARK_ERROR, NULL, reading->suites.items[i].line,
				     "the suite's totals are not those of its cases");
	if (reading->huge_line)
		check_remark(result, REMARK_ERROR, NULL, reading->huge_line,
			     "a text of more than 10 MB: readers built on libxml2, such as "
			     "GitLab's, refuse the file");
	if (!reading->cases.count)
		check_remark(result, REMARK_WARNING, NULL, 0,
			     "no case at all: some readers take that for a failure");
}

static void refuse_by_xunit_schema(struct check_result *result, const struct junit_reading *reading,
				   const struct consumer *consumer)
{
	struct tally file = {0}, properties = {0}, times = {0}, no_errors = {0}, suite_times = {0};

	array_for_each (entry, &reading->cases) {
		tally_add(&file, entry->has_file, entry->line);
		tally_add(&properties, entry->has_properties, entry->line);
		tally_add(&times, entry->time && !is_short_decimal(entry->time), entry->line);
	}
	array_for_each (suite, &reading->suites) {
		tally_add(&no_errors, !suite->errors, suite->line);
		tally_add(&suite_times, suite->time && !is_short_decimal(suite->time), suite->line);
	}
	say(result, REMARK_ERROR, consumer, &file, "with file or line: the file is skipped");
	say(result, REMARK_ERROR, consumer, &properties, "with properties: the file is skipped");
	say(result, REMARK_ERROR, consumer, &times,
	    "with a time of another form than 12.345: the file is skipped");
	if (suite_times.count)
		check_remark(result, REMARK_ERROR, consumer->name, suite_times.line,
			     "a suite's time has another form than 12.345: the file is skipped");
	if (no_errors.count)
		check_remark(result, REMARK_ERROR, consumer->name, no_errors.line,
			     "a suite has no attribute `errors`: the file is skipped");
	if (reading->unknown_attribute)
		check_remark(result, REMARK_ERROR, consumer->name, 0,
			     "a case has the attribute `%s`: the file is skipped",
			     reading->unknown_attribute);
}

static bool is_ant_suite(const struct junit_suite *suite)
{
	return suite->name && suite->timestamp && strlen(suite->timestamp) == 19 &&
	       suite->has_hostname && suite->tests && suite->failures && suite->errors &&
	       suite->time && suite->has_package && suite->has_id && suite->has_properties &&
	       suite->has_output && suite->has_error_output && !suite->depth;
}

static void refuse_by_ant_schema(struct check_result *result, const struct junit_reading *reading,
				 const struct consumer *consumer)
{
	struct tally beyond = {0}, lacking = {0}, untyped = {0};

	array_for_each (entry, &reading->cases) {
		tally_add(&beyond, entry->has_file || entry->has_properties || entry->has_output,
			  entry->line);
		tally_add(&lacking, !entry->classname || !entry->name || !entry->time, entry->line);
		tally_add(&untyped, is_failing(entry) && !entry->has_type, entry->line);
	}
	say(result, REMARK_ERROR, consumer, &beyond,
	    "with output, properties or file, which the schema does not have");
	say(result, REMARK_ERROR, consumer, &lacking, "without classname, name or time");
	say(result, REMARK_ERROR, consumer, &untyped, "that failed without a type");
	if (reading->root_has_attributes)
		check_remark(result, REMARK_ERROR, consumer->name, 0,
			     "the root has attributes, which the schema does not have");
	array_for_each (suite, &reading->suites)
		if (!is_ant_suite(suite))
			check_remark(result, REMARK_ERROR, consumer->name, suite->line,
				     "the suite lacks an attribute, its properties or its output, "
				     "or its timestamp has a zone");
}

static void refuse(struct check_result *result, const struct junit_reading *reading,
		   const struct consumer *consumer, size_t bytes)
{
	struct tally classless = {0};

	if (consumer->strict_schema)
		refuse_by_xunit_schema(result, reading, consumer);
	if (consumer->ant_schema)
		refuse_by_ant_schema(result, reading, consumer);
	if (consumer->bytes_max && bytes > consumer->bytes_max)
		check_remark(result, REMARK_ERROR, consumer->name, 0,
			     "the file has %zu bytes, more than %zu are refused", bytes,
			     consumer->bytes_max);
	if (consumer->cases_max && reading->cases.count > consumer->cases_max)
		check_remark(result, REMARK_ERROR, consumer->name, 0,
			     "%zu cases, more than %zu are refused", reading->cases.count,
			     consumer->cases_max);
	array_for_each (suite, &reading->suites)
		if (consumer->needs_suite_name && !suite->name)
			check_remark(result, REMARK_ERROR, consumer->name, suite->line,
				     "a suite without a name: the file is refused");
	array_for_each (entry, &reading->cases)
		tally_add(&classless, consumer->needs_classname && !entry->classname, entry->line);
	say(result, REMARK_ERROR, consumer, &classless, "without classname are refused");
}

/* Whether the attribute's text is in the body, too. */
static bool repeats_message(const struct junit_case *entry)
{
	return entry->message && !strncmp(entry->body, entry->message, strlen(entry->message));
}

static void drop_messages(struct check_result *result, const struct junit_reading *reading,
			  const struct consumer *consumer)
{
	struct tally hidden = {0}, bare = {0}, silent = {0}, bodyless = {0};

	array_for_each (entry, &reading->cases) {
		bool body = entry->body && *entry->body;

		tally_add(&hidden,
			  is_failing(entry) && consumer->body_hides_message && body &&
				  entry->message && !repeats_message(entry),
			  entry->line);
		tally_add(&bare, is_failing(entry) && consumer->body_hides_message && !body,
			  entry->line);
		tally_add(&silent, entry->outcome == CASE_SKIPPED && consumer->skips_silently,
			  entry->line);
		tally_add(&bodyless,
			  entry->outcome == CASE_SKIPPED && consumer->skipped_needs_body && !body,
			  entry->line);
	}
	say(result, REMARK_WARNING, consumer, &hidden,
	    "whose message is not shown: the body is, and does not repeat it");
	say(result, REMARK_WARNING, consumer, &bare,
	    "that failed without a body: what is shown is hardly readable");
	say(result, REMARK_NOTE, consumer, &silent, "skipped, the reason is not shown");
	say(result, REMARK_WARNING, consumer, &bodyless,
	    "skipped without a body: the reason is not shown");
}

static void drop_extras(struct check_result *result, const struct junit_reading *reading,
			const struct consumer *consumer)
{
	struct tally output = {0}, cut = {0}, attached = {0}, file = {0}, properties = {0};

	array_for_each (entry, &reading->cases) {
		bool passed = !is_failing(entry);
		bool shown = consumer->attachments && !(consumer->first_attachment_of_failed_only &&
							(passed || entry->attachments > 1));

		tally_add(&output, entry->has_output && consumer->ignores_case_output, entry->line);
		tally_add(&cut,
			  passed && consumer->passed_output_max &&
				  entry->output_length > consumer->passed_output_max,
			  entry->line);
		tally_add(&attached, entry->attachments && !shown, entry->line);
		tally_add(&file, entry->has_file && !consumer->shows_file, entry->line);
		tally_add(&properties, entry->has_properties && !consumer->shows_properties,
			  entry->line);
	}
	say(result, REMARK_NOTE, consumer, &output, "whose output is not shown");
	say(result, REMARK_NOTE, consumer, &cut, "that passed, their output cut");
	say(result, REMARK_WARNING, consumer, &attached, "with attachments that are not all shown");
	if (consumer->strict_schema || consumer->ant_schema)
		return;
	say(result, REMARK_NOTE, consumer, &file, "whose file and line are not shown");
	say(result, REMARK_NOTE, consumer, &properties, "whose properties are not shown");
}

/* Failing cases that are lost are errors: the dashboard stays green. */
static void drop_nested(struct check_result *result, const struct junit_reading *reading,
			const struct consumer *consumer)
{
	struct tally failing = {0}, other = {0};

	array_for_each (entry, &reading->cases) {
		bool nested = reading->suites.items[entry->suite].depth > 0;

		tally_add(&failing, nested && is_failing(entry), entry->line);
		tally_add(&other, nested && !is_failing(entry), entry->line);
	}
	if (!consumer->drops_nested)
		return;
	say(result, REMARK_ERROR, consumer, &failing,
	    "that failed in a suite within a suite are dropped: the result is shown as passed");
	say(result, REMARK_WARNING, consumer, &other, "in a suite within a suite are dropped");
}

static void drop_names(struct check_result *result, const struct junit_reading *reading,
		       const struct consumer *consumer)
{
	struct tally duplicates = count_duplicates(reading), longer = {0}, masked = {0};
	struct tally timeless = {0}, classes = {0};

	array_for_each (entry, &reading->cases) {
		tally_add(&longer, consumer->name_max && has_long_name(entry, consumer->name_max),
			  entry->line);
		tally_add(&masked, consumer->skipped_wins && entry->also_skipped, entry->line);
		tally_add(&timeless, consumer->needs_time && !entry->time, entry->line);
		tally_add(&classes, consumer->hides_classname && entry->classname, entry->line);
	}
	if (consumer->duplicates == DUPLICATES_FIRST)
		say(result, REMARK_ERROR, consumer, &duplicates,
		    "have the name of one before and are not shown");
	if (consumer->duplicates == DUPLICATES_LAST)
		say(result, REMARK_ERROR, consumer, &duplicates,
		    "take the place of one before of the same name");
	say(result, REMARK_WARNING, consumer, &longer, "with names that are cut");
	say(result, REMARK_ERROR, consumer, &masked, "that failed are shown as skipped");
	say(result, REMARK_WARNING, consumer, &timeless, "without a time are shown as 0");
	say(result, REMARK_NOTE, consumer, &classes,
	    "whose classname is not shown: those of one name look alike");
}

static void drop_times(struct check_result *result, const struct junit_reading *reading,
		       const struct consumer *consumer)
{
	array_for_each (suite, &reading->suites) {
		if (consumer->needs_timestamp && !suite->timestamp)
			check_remark(result, REMARK_WARNING, consumer->name, suite->line,
				     "a suite without timestamp is shown at the time of upload");
		if (consumer->totals_from_attributes &&
		    !(suite->tests && suite->failures && suite->errors))
			check_remark(result, REMARK_WARNING, consumer->name, suite->line,
				     "a suite without totals counts as empty");
	}
}

/* Those that stay visible, by outcome. */
static void say_shown(struct check_result *result, const struct junit_reading *reading,
		      const struct consumer *consumer)
{
	struct string_index names = {0};
	size_t counts[CASE_SKIPPED + 1] = {0};
	size_t shown = 0;

	array_for_each (entry, &reading->cases) {
		_cleanup_free_ char *key =
			xasprintf("%s\n%s", entry->classname ? entry->classname : "",
				  entry->name ? entry->name : "");
		bool first = string_index_add(&names, key, 0);
		bool masked = consumer->skipped_wins && entry->also_skipped;

		if ((!first && consumer->duplicates != DUPLICATES_ALL) ||
		    (consumer->drops_nested && reading->suites.items[entry->suite].depth))
			continue;
		shown++;
		counts[masked ? CASE_SKIPPED : entry->outcome]++;
	}
	string_index_release(&names);
	check_remark(result, REMARK_NOTE, consumer->name, 0,
		     "shows %zu of %zu cases: %zu failed, %zu in error, %zu skipped, %zu passed",
		     shown, reading->cases.count, counts[CASE_FAILED], counts[CASE_ERROR],
		     counts[CASE_SKIPPED], counts[CASE_PASSED]);
}

void junit_rules_of(struct check_result *result, const struct junit_reading *reading,
		    const struct consumer *consumer, size_t bytes)
{
	say_shown(result, reading, consumer);
	refuse(result, reading, consumer, bytes);
	drop_nested(result, reading, consumer);
	drop_names(result, reading, consumer);
	drop_messages(result, reading, consumer);
	drop_extras(result, reading, consumer);
	drop_times(result, reading, consumer);
}
