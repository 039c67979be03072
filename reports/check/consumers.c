/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/check/consumers.h"

#include <string.h>

#define MEBIBYTE (1024UL * 1024)

const struct consumer consumers[] = {
	{
		.name = "jenkins",
		.summary = "Jenkins with the xunit plug-in",
		.strict_schema = true,
		.passed_output_max = 1000,
	},
	{
		.name = "jenkins-junit",
		.summary = "Jenkins with the junit step",
		.passed_output_max = 1000,
		.shows_properties = true,
	},
	{
		.name = "gitlab",
		.summary = "GitLab's test report",
		.bytes_max = 30 * MEBIBYTE,
		.cases_max = 500000,
		.duplicates = DUPLICATES_FIRST,
		.body_hides_message = true,
		.skipped_needs_body = true,
		.attachments = true,
		.first_attachment_of_failed_only = true,
		.shows_file = true,
	},
	{
		.name = "dorny",
		.summary = "GitHub, dorny/test-reporter",
		.needs_suite_name = true,
		.drops_nested = true,
		.skips_silently = true,
		.needs_time = true,
		.ignores_case_output = true,
	},
	{
		.name = "mikepenz",
		.summary = "GitHub, mikepenz/action-junit-report",
		.skipped_wins = true,
		.ignores_case_output = true,
		.shows_file = true,
	},
	{
		.name = "enricomi",
		.summary = "GitHub, EnricoMi/publish-unit-test-result-action",
		.totals_from_attributes = true,
		.shows_file = true,
	},
	{
		.name = "azure",
		.summary = "Azure Pipelines",
		.name_max = 512,
		.needs_time = true,
		.needs_timestamp = true,
		.attachments = true,
	},
	{
		.name = "buildkite",
		.summary = "Buildkite Test Engine",
		.needs_classname = true,
		.shows_file = true,
	},
	{
		.name = "circleci",
		.summary = "CircleCI test insights",
		.needs_time = true,
		.ignores_case_output = true,
		.shows_file = true,
	},
	{
		.name = "allure",
		.summary = "Allure report",
		.needs_timestamp = true,
		.shows_properties = true,
	},
	{
		.name = "reportportal",
		.summary = "ReportPortal",
		.name_max = 256,
		.needs_timestamp = true,
	},
	{
		.name = "xunit-viewer",
		.summary = "xunit-viewer",
		.duplicates = DUPLICATES_LAST,
		.shows_properties = true,
	},
	{
		.name = "ctrf",
		.summary = "junit-to-ctrf",
		.needs_time = true,
		.hides_classname = true,
		.ignores_case_output = true,
	},
	{
		.name = "ant",
		.summary = "Ant's junitreport and readers of its schema",
		.only_when_named = true,
		.ant_schema = true,
		.ignores_case_output = true,
	},
	{0},
};

const struct consumer *consumer_find(const char *name)
{
	for (const struct consumer *consumer = consumers; consumer->name; consumer++)
		if (!strcmp(consumer->name, name))
			return consumer;
	return NULL;
}
