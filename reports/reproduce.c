/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/reproduce.h"

#include <inttypes.h>
#include <string.h>

#include "common/number.h"

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,:=/@%+"

/* Enough of an id to name a set. */
#define ID_DIGITS 8

void shell_append_word(struct strbuf *out, const char *word)
{
	strbuf_append_char(out, ' ');
	if (*word && !word[strspn(word, PLAIN)]) {
		strbuf_append(out, word);
		return;
	}
	strbuf_append_char(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			strbuf_append(out, "'\\''");
		else
			strbuf_append_char(out, *word);
	}
	strbuf_append_char(out, '\'');
}

static const char *variant_of(const struct report_variant *side)
{
	return side->set ? side->set->variant : side->name;
}

static bool is_import(const struct report_variant *side)
{
	return !strcmp(side->target, "import");
}

static void append_stored(struct strbuf *out, const struct report_variant *side)
{
	_cleanup_free_ char *name =
		xasprintf("%s@%.*s", variant_of(side), ID_DIGITS, side->run_set_id);

	shell_append_word(out, name);
}

static void append_collecting(struct strbuf *out, const struct report *report,
			      const struct report_variant *candidate,
			      const struct report_series *series, size_t boots)
{
	size_t had = report->base.boots_ok + report->base.boots_failed;

	strbuf_append(out, "kregress ab");
	shell_append_word(out, variant_of(&report->base));
	shell_append_word(out, variant_of(candidate));
	strbuf_append(out, " --bench");
	shell_append_word(out, series->benchmark);
	strbuf_printf(out, " --boots %zu", boots ? boots : had);
	strbuf_printf(out, " --seed %" PRIu64, report->seed);
}

static void append_judgement(struct strbuf *out, const struct report *report,
			     const struct report_finding *finding)
{
	strbuf_append(out, " --limit ");
	number_append_exact(out, finding->limit_frac);
	if (report->method != METHOD_AUTO)
		strbuf_printf(out, " --method %s", method_name(report->method));
}

void report_reproduce(struct strbuf *out, const struct report *report,
		      const struct report_series *series, const struct report_finding *finding,
		      size_t boots)
{
	const struct report_variant *candidate = &report->variants.items[finding->variant];

	if (is_import(&report->base) || is_import(candidate)) {
		strbuf_append(out, "kregress compare");
		append_stored(out, &report->base);
		append_stored(out, candidate);
	} else {
		append_collecting(out, report, candidate, series, boots);
	}
	append_judgement(out, report, finding);
}
