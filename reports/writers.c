/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/writers.h"

#include "reports/export_names.h"

const struct report_writer report_writers[] = {
	{"text", "a table and a sentence per finding, for people", report_write_text},
	{"junit", "JUnit XML for CI dashboards", report_write_junit},
	{"json", "every number, kregress-comparison-1", report_write_json},
	{"html", "one page with plots and all samples, for a browser", report_write_html},
	{"markdown", "a short comment for a merge request", report_write_markdown},
	{"mail", "a mail for the kernel's lists", report_write_mail},
	{"kcidb", "KCIDB v5.3, for KernelCI", report_write_kcidb},
	{"squad-metrics", "SQUAD metrics.json", report_write_squad_metrics},
	{"squad-tests", "SQUAD tests.json", report_write_squad_tests},
	{"squad-metadata", "SQUAD metadata.json", report_write_squad_metadata},
	{"github-smaller", "github-action-benchmark, customSmallerIsBetter",
	 report_write_github_smaller},
	{"github-bigger", "github-action-benchmark, customBiggerIsBetter",
	 report_write_github_bigger},
	{"bencher", "Bencher Metric Format", report_write_bencher},
	{"benchfmt", "Go benchmark lines for benchstat", report_write_benchfmt},
	{"prometheus", "Prometheus text format", report_write_prometheus},
	{0},
};

const struct report_writer *report_writer_find(const char *name)
{
	for (const struct report_writer *writer = report_writers; writer->name; writer++)
		if (!strcmp(writer->name, name))
			return writer;
	return NULL;
}

/* Formats that hold numbers only. */
static bool shows_finding(const char *format, const struct report_series *series,
			  const struct report_finding *finding)
{
	static const char *const numbers[] = {"squad-metrics", "bencher", "benchfmt"};
	bool has_value = export_has_value(series, finding);

	if (!strcmp(format, "github-smaller"))
		return has_value && series->better == BETTER_LOWER;
	if (!strcmp(format, "github-bigger"))
		return has_value && series->better == BETTER_HIGHER;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (!strcmp(format, numbers[i]))
			return has_value;
	return true;
}

size_t report_left_out(const struct report *report, const char *format)
{
	size_t count = 0;

	array_for_each (series, &report->series)
		array_for_each (finding, &series->findings)
			count += !series->context && !shows_finding(format, series, finding);
	return count;
}
