/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/report.h"

static void finding_release(struct report_finding *finding)
{
	free(finding->id);
	free(finding->problem_text);
	array_release(&finding->values);
	array_release(&finding->blocks);
}

static void series_release(struct report_series *series)
{
	free(series->benchmark);
	free(series->params);
	free(series->metric);
	free(series->unit);
	array_release(&series->base_values);
	array_release(&series->base_blocks);
	array_for_each (finding, &series->findings)
		finding_release(finding);
	array_release(&series->findings);
}

static void variant_release(struct report_variant *variant)
{
	free(variant->name);
	free(variant->run_set_id);
	free(variant->target);
	free(variant->machine);
	free(variant->kernel);
	free(variant->cmdline);
	free(variant->level);
	array_for_each (item, &variant->environment) {
		free(item->key);
		free(item->value);
	}
	array_release(&variant->environment);
	string_list_release(&variant->failures);
}

void report_release(struct report *report)
{
	free(report->created_at);
	free(report->hostname);
	free(report->machine);
	found_culprit_release(&report->found);
	variant_release(&report->base);
	array_for_each (variant, &report->variants)
		variant_release(variant);
	array_release(&report->variants);
	array_for_each (series, &report->series)
		series_release(series);
	array_release(&report->series);
	string_list_release(&report->notes);
	*report = (struct report){0};
}

void report_note_culprit(struct report *report)
{
	char *note = culprit_describe(&report->presentation.culprit);

	*array_append(&report->notes) = note;
	report->culprit_note = note;
}

size_t report_count(const struct report *report, enum verdict verdict)
{
	size_t count = 0;

	array_for_each (series, &report->series) {
		if (series->context)
			continue;
		array_for_each (finding, &series->findings)
			count += finding->comparison.verdict == verdict;
	}
	return count;
}

const char *finding_problem_name(enum finding_problem problem)
{
	static const char *const names[] = {
		[PROBLEM_NONE] = "none",
		[PROBLEM_CRASH] = "crash",
		[PROBLEM_MISSING] = "missing",
		[PROBLEM_NEW] = "new",
		[PROBLEM_UNAVAILABLE] = "unavailable",
		[PROBLEM_MIXED] = "mixed-unit",
	};

	return names[problem];
}
