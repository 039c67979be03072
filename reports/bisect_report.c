/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/bisect_report.h"

#include <string.h>

#include "common/number.h"
#include "reports/format.h"

const char *bisect_commit_state_name(enum bisect_commit_state state)
{
	static const char *const names[] = {
		[BISECT_UNTESTED] = "untested",
		[BISECT_FAST] = "fast",
		[BISECT_SLOW] = "slow",
		[BISECT_SKIPPED] = "skipped",
	};

	return names[state];
}

static void proof_release(struct bisect_proof *proof)
{
	free(proof->verdict);
	free(proof->reason);
}

void bisect_report_release(struct bisect_report *report)
{
	char *texts[] = {report->repository, report->started_at,   report->state,  report->term_bad,
			 report->term_good,  report->benchmark,	   report->metric, report->next,
			 report->first_bad,  report->second.commit};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		free(texts[i]);
	proof_release(&report->proof);
	proof_release(&report->revert);
	proof_release(&report->second.proof);
	proof_release(&report->second.revert);
	array_for_each (commit, &report->commits) {
		free(commit->id);
		free(commit->subject);
		free(commit->author);
		free(commit->author_date);
		free(commit->reason);
	}
	array_release(&report->commits);
	string_list_release(&report->path);
	*report = (struct bisect_report){0};
}

static size_t set_size(const struct bisect_report *report)
{
	size_t size = 0;

	array_for_each (commit, &report->commits)
		size += commit->in_set;
	return size;
}

static void append_found(struct strbuf *out, const struct bisect_report *report)
{
	array_for_each (commit, &report->commits) {
		if (strcmp(commit->id, report->first_bad) != 0)
			continue;
		strbuf_printf(out, "%s is the first %s commit", commit->id, report->term_bad);
		/* Two changes share the probability of their pair. */
		if (report->measures && !report->second.commit) {
			strbuf_append(out, ", with probability ");
			number_append_significant(out, commit->probability, 4);
		}
		if (report->skipped)
			strbuf_printf(out, "; found despite %zu skipped", report->skipped);
		if (report->second.commit)
			strbuf_printf(out, "; %s came with %s",
				      report->second.fix ? "a fix" : "a second change",
				      report->second.commit);
	}
}

void bisect_report_summary(struct strbuf *out, const struct bisect_report *report)
{
	if (report->first_bad) {
		append_found(out, report);
	} else if (!strcmp(report->state, "found among")) {
		strbuf_printf(out,
			      "only skipped commits are left to test; the first %s commit is one "
			      "of %zu",
			      report->term_bad, set_size(report));
	} else if (!strcmp(report->state, "exhausted")) {
		strbuf_printf(out,
			      "nothing that can be measured tells more; the first %s commit is "
			      "one of %zu",
			      report->term_bad, set_size(report));
	} else if (!strcmp(report->state, "not reproduced")) {
		strbuf_printf(out, "the regression does not reproduce: the %s commit is no slower",
			      report->term_bad);
	} else if (!strcmp(report->state, "contradiction")) {
		strbuf_append(out, "the outcomes suit no commit: the command is not stable");
	} else if (!strcmp(report->state, "fixed")) {
		strbuf_printf(out, "a merge base is %s: a fix lies between it and the %s commit",
			      report->term_bad, report->term_good);
	} else {
		strbuf_printf(out, "%s: %zu commits, %zu measurements so far", report->state,
			      report->range, report->measured);
	}
}

void bisect_report_effect(struct strbuf *out, const struct bisect_effect *effect)
{
	if (!effect->known)
		return;
	if (effect->ratio > 0) {
		struct interval interval = {effect->ratio_low, effect->ratio_high, true};

		strbuf_append(out, "change ");
		format_change(out, effect->ratio);
		strbuf_append(out, " (95% interval ");
		format_change_interval(out, &interval);
		strbuf_append(out, ")");
		return;
	}
	strbuf_append(out, "difference ");
	number_append_significant(out, effect->difference, 4);
	strbuf_append(out, " (95% interval ");
	number_append_significant(out, effect->difference_low, 4);
	strbuf_append(out, " .. ");
	number_append_significant(out, effect->difference_high, 4);
	strbuf_append(out, ")");
}

static const char *conclusion(const struct bisect_proof *proof, bool revert)
{
	if (!revert)
		return proof->confirmed ? "confirmed" : "not confirmed";
	if (proof->fix)
		return proof->confirmed ? "undoes the fix" : "does not undo the fix";
	return proof->confirmed ? "restores the speed" : "does not restore the speed";
}

void bisect_report_proof(struct strbuf *out, const struct bisect_proof *proof, bool revert)
{
	if (!proof->present)
		return;
	strbuf_append(out, revert ? "revert on the tip: " : "proof: ");
	if (!proof->done) {
		strbuf_printf(out, "not tried: %s", proof->reason ? proof->reason : "no reason");
		return;
	}
	strbuf_printf(out, "%s: %s, %s against %s, %zu value%s each", conclusion(proof, revert),
		      proof->verdict, revert ? "bad with the commit reverted" : "the commit",
		      revert ? "bad" : "its parent", proof->count, proof->count == 1 ? "" : "s");
	if (proof->ratio > 0) {
		strbuf_append(out, ", ");
		format_change(out, proof->ratio);
	}
	if (proof->p >= 0) {
		strbuf_append(out, ", ");
		format_probability(out, "p", proof->p);
	}
}
