/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/build.h"

#include "reports/format.h"

/* How a benchmark failed over the boots of a set. */
struct failure_record {
	size_t crashed; /* boots */
	size_t unavailable;
	const char *reason; /* or NULL; the first crash's, else the first "unavailable" */
};

static bool failure_is(const struct benchmark_failure *failure, const struct report_series *series)
{
	return !strcmp(failure->benchmark, series->benchmark) &&
	       !strcmp(failure->params ? failure->params : "", series->params);
}

static struct failure_record find_failures(const struct run_set *set,
					   const struct report_series *series)
{
	struct failure_record record = {0};

	array_for_each (boot, &set->boots) {
		array_for_each (failure, &boot->failures) {
			if (!failure_is(failure, series))
				continue;
			if (!record.reason || (!failure->unavailable && !record.crashed))
				record.reason = failure->reason;
			if (failure->unavailable)
				record.unavailable++;
			else
				record.crashed++;
		}
	}
	return record;
}

static const struct boot *first_failed_boot(const struct run_set *set)
{
	array_for_each (boot, &set->boots)
		if (boot->status == BOOT_FAILED)
			return boot;
	return NULL;
}

static void set_problem(struct report_finding *finding, enum finding_problem problem,
			enum verdict verdict, char *text)
{
	finding->problem = problem;
	finding->problem_text = text;
	finding->comparison.verdict = verdict;
}

/* The variant has no samples: why? */
static void explain_absence(const struct report *report, const struct run_set *set,
			    const struct report_series *series, struct report_finding *finding)
{
	const struct report_variant *variant = &report->variants.items[finding->variant];
	struct failure_record record = find_failures(set, series);
	const struct boot *failed = first_failed_boot(set);
	_cleanup_free_ char *reason = format_reason(record.reason);
	_cleanup_free_ char *boot_reason = format_reason(failed ? failed->reason : NULL);

	if (record.crashed)
		set_problem(finding, PROBLEM_CRASH, VERDICT_FAILED,
			    xasprintf("the benchmark failed in %zu of %zu boots of %s: %s",
				      record.crashed, set->boots.count, variant->name, reason));
	else if (record.unavailable)
		set_problem(finding, PROBLEM_UNAVAILABLE, VERDICT_INCONCLUSIVE,
			    xasprintf("%s cannot offer it: %s", variant->name, reason));
	else if (failed && !variant->boots_ok)
		set_problem(finding, PROBLEM_CRASH, VERDICT_FAILED,
			    xasprintf("every boot of %s failed: %s", variant->name, boot_reason));
	else if (series->base_values.count)
		set_problem(finding, PROBLEM_MISSING, VERDICT_FAILED,
			    xasprintf("the base %s has it, %s gave no samples of it",
				      report->base.name, variant->name));
	else
		set_problem(finding, PROBLEM_MISSING, VERDICT_INCONCLUSIVE,
			    xasprintf("neither the base %s nor %s gave samples of it",
				      report->base.name, variant->name));
}

static void explain_new(const struct report *report, const struct run_set *base,
			const struct report_series *series, struct report_finding *finding)
{
	struct failure_record record = find_failures(base, series);
	_cleanup_free_ char *reason = format_reason(record.reason);
	const char *name = report->base.name;

	set_problem(
		finding, PROBLEM_NEW, VERDICT_INCONCLUSIVE,
		record.crashed || record.unavailable
			? xasprintf("nothing to compare with: the base %s has no samples: %s", name,
				    reason)
			: xasprintf("nothing to compare with: the base %s does not have it", name));
}

static void explain_mixed(const struct report *report, const struct report_series *series,
			  struct report_finding *finding, const struct series *candidate)
{
	set_problem(finding, PROBLEM_MIXED, VERDICT_FAILED,
		    xasprintf("%s measures it in '%s' (%s is better), the others in '%s' (%s is "
			      "better)",
			      report->variants.items[finding->variant].name,
			      candidate->unit ? candidate->unit : "",
			      better_name(candidate->better), series->unit,
			      better_name(series->better)));
}

void report_find_problem(const struct report *report, const struct report_input *input,
			 const struct report_series *series, struct report_finding *finding,
			 const struct series *candidate)
{
	bool mixed = candidate && candidate->samples.count &&
		     (strcmp(candidate->unit ? candidate->unit : "", series->unit) ||
		      candidate->better != series->better);

	if (mixed)
		explain_mixed(report, series, finding, candidate);
	else if (!finding->values.count)
		explain_absence(report, input->variants[finding->variant], series, finding);
	else if (!series->base_values.count)
		explain_new(report, input->base, series, finding);
}
