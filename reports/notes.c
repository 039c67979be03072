/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/build.h"

#include <inttypes.h>

#include "reports/format.h"
#include "store/disturbance.h"

/* Target of sets that come from other tools' output. */
#define IMPORT_TARGET "import"

static char *copy_or_null(const char *text)
{
	return text && *text ? xstrdup(text) : NULL;
}

static void describe_boot_failure(struct report_variant *variant, const struct boot *boot,
				  size_t index)
{
	_cleanup_free_ char *reason = format_reason(boot->reason);

	*array_append(&variant->failures) = xasprintf(
		"boot %zu (slot %" PRIu32 "): %s%s%s", index, boot->slot, reason,
		boot->console_tail ? "\n" : "", boot->console_tail ? boot->console_tail : "");
}

static void copy_environment(struct report_variant *variant, const struct boot *boot)
{
	array_for_each (item, &boot->environment) {
		struct environment_item *copy = array_append(&variant->environment);

		copy->key = xstrdup(item->key);
		copy->value = xstrdup(item->value ? item->value : "");
	}
	variant->kernel = copy_or_null(environment_get(&boot->environment, "kernel.release"));
	variant->cmdline = copy_or_null(environment_get(&boot->environment, "kernel.cmdline"));
}

void report_describe_variant(struct report_variant *variant, const struct run_set *set)
{
	const struct boot *shown = set->boots.count ? set->boots.items : NULL;

	variant->name = xstrdup(set->variant);
	variant->run_set_id = xstrdup(set->id);
	variant->target = xstrdup(set->target ? set->target : "");
	variant->machine = copy_or_null(set->machine);
	variant->level = xstrdup(level_name(set->level));
	variant->set = set;
	for (size_t i = 0; i < set->boots.count; i++) {
		const struct boot *boot = &set->boots.items[i];

		if (boot->status == BOOT_FAILED) {
			variant->boots_failed++;
			describe_boot_failure(variant, boot, i);
			continue;
		}
		if (!variant->boots_ok++)
			shown = boot;
		variant->boot_s += boot->duration_s;
	}
	if (variant->boots_ok)
		variant->boot_s /= (double)variant->boots_ok;
	if (shown)
		copy_environment(variant, shown);
}

static void note(struct report *report, const char *format, ...) _printf_(2, 3);

static void note(struct report *report, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	*array_append(&report->notes) = xvasprintf(format, args);
	va_end(args);
}

static bool is_import(const struct run_set *set)
{
	return set->target && !strcmp(set->target, IMPORT_TARGET);
}

static void note_boots(struct report *report, const struct report_variant *variant,
		       const struct run_set *set)
{
	struct strbuf text = STRBUF_INIT;
	size_t boots = variant->boots_ok + variant->boots_failed;

	strbuf_printf(&text, "%s: %zu boot%s", variant->name, boots, boots == 1 ? "" : "s");
	if (variant->boots_failed)
		strbuf_printf(&text, ", %zu failed", variant->boots_failed);
	if (variant->kernel)
		strbuf_printf(&text, ", kernel %s", variant->kernel);
	if (set->level == LEVEL_BOOT && is_import(set))
		strbuf_append(&text,
			      "; imported: each value counts as a boot of its own, as stated");
	else if (set->level != LEVEL_BOOT && !is_import(set))
		strbuf_printf(&text,
			      "; they are %ss within one boot, counted as if they were boots: "
			      "what differs from boot to boot is not in the figures",
			      level_name(set->level));
	else if (set->level != LEVEL_BOOT)
		strbuf_printf(&text,
			      "; values are stated to be repeated %ss within a boot, "
			      "which do not count as boots",
			      level_name(set->level));
	*array_append(&report->notes) = strbuf_take(&text);
}

/* The largest number of boots that stand behind a summary of the report. */
static size_t most_boots(const struct report *report, size_t variant)
{
	size_t most = 0;

	array_for_each (series, &report->series) {
		const struct report_finding *finding = &series->findings.items[variant];
		size_t n = series->base_values.count < finding->values.count
				   ? series->base_values.count
				   : finding->values.count;

		if (!series->context && n > most)
			most = n;
	}
	return most;
}

static void note_one_boot(struct report *report)
{
	for (size_t i = 0; i < report->variants.count; i++) {
		if (most_boots(report, i) != 1)
			continue;
		note(report,
		     "%s: with one boot on a side nothing separates a change from the difference "
		     "between two boots of the same kernel, so every verdict is inconclusive",
		     report->variants.items[i].name);
	}
}

static void note_machine(struct report *report, const struct report_variant *variant)
{
	const char *base = report->base.machine ? report->base.machine : "";
	const char *other = variant->machine ? variant->machine : "";

	if (strcmp(base, other))
		note(report,
		     "warning: %s ran on machine class '%s', the base %s on '%s': "
		     "the difference may be the machine's",
		     variant->name, other, report->base.name, base);
}

static bool same_collection(const struct run_set *left, const struct run_set *right)
{
	return left->collection && right->collection &&
	       !strcmp(left->collection, right->collection);
}

/* True for a state of a running kernel that was switched to and fro within its boots. */
static bool was_switched(const struct run_set *set)
{
	for (size_t i = 0; i < set->boots.count; i++)
		if (environment_get(&set->boots.items[i].environment, "switch.changes"))
			return true;
	return false;
}

/* An import has no schedule that could be told of. */
static void note_schedule(struct report *report, const struct report_input *input, size_t index)
{
	const struct run_set *set = input->variants[index];
	const char *name = report->variants.items[index].name;

	if (is_import(set) && is_import(input->base))
		return;
	if (same_collection(set, input->base) && was_switched(set) && was_switched(input->base))
		note(report,
		     "%s: switched to and fro with the base within the same boots, schedule seed "
		     "%" PRIu64,
		     name, set->seed);
	else if (same_collection(set, input->base))
		note(report, "%s: boots interleaved with the base's, schedule seed %" PRIu64, name,
		     set->seed);
	else
		note(report,
		     "%s: collected apart from the base %s, so a drift of the machine in between "
		     "shows as a change",
		     name, report->base.name);
}

static char *failure_label(const struct benchmark_failure *failure)
{
	return series_label(failure->benchmark, failure->params ? failure->params : "");
}

/* Benchmarks that failed in some boots only: the other boots' samples were compared. */
static void note_partial_failures(struct report *report, const struct report_variant *variant,
				  const struct run_set *set)
{
	for (size_t i = 0; i < set->boots.count; i++) {
		array_for_each (failure, &set->boots.items[i].failures) {
			_cleanup_free_ char *label = failure_label(failure);
			_cleanup_free_ char *reason = format_reason(failure->reason);

			if (!failure->unavailable)
				note(report, "%s: %s failed in boot %zu: %s", variant->name, label,
				     i, reason);
		}
	}
}

/* What a kernel cannot offer is the same in each of its boots: said once. */
static void note_unavailable(struct report *report, const struct report_variant *variant,
			     const struct run_set *set)
{
	struct string_list seen = {0};

	array_for_each (boot, &set->boots) {
		array_for_each (failure, &boot->failures) {
			_cleanup_free_ char *label = failure_label(failure);
			_cleanup_free_ char *reason = format_reason(failure->reason);

			if (!failure->unavailable || string_list_contains(&seen, label))
				continue;
			string_list_add(&seen, label);
			note(report, "%s: %s is unavailable: %s", variant->name, label, reason);
		}
	}
	string_list_release(&seen);
}

static void note_disturbances(struct report *report, const struct report_variant *variant,
			      const struct run_set *set)
{
	struct disturbance_list list;
	size_t disturbed;

	disturbance_judge(set, &list);
	disturbed = disturbance_count(&list);
	if (disturbed)
		note(report,
		     "%s: %zu of %zu invocations were disturbed from outside (stolen time, or "
		     "involuntary switches or interrupts out of line)",
		     variant->name, disturbed, list.count);
	disturbance_release(&list);
}

static void note_set(struct report *report, const struct report_variant *variant,
		     const struct run_set *set)
{
	note_boots(report, variant, set);
	note_partial_failures(report, variant, set);
	note_unavailable(report, variant, set);
	note_disturbances(report, variant, set);
}

static void note_context(struct report *report)
{
	size_t count = 0;

	array_for_each (series, &report->series)
		count += series->context;
	if (count)
		note(report, "%zu series of the harness's own empty loop: not judged", count);
}

void report_gather_notes(struct report *report, const struct report_input *input)
{
	note_set(report, &report->base, input->base);
	for (size_t i = 0; i < input->count; i++) {
		note_set(report, &report->variants.items[i], input->variants[i]);
		note_schedule(report, input, i);
		note_machine(report, &report->variants.items[i]);
	}
	note_one_boot(report);
	note_context(report);
}
