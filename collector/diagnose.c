/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/diagnose.h"

#include <string.h>
#include <sys/wait.h>

#include "common/alloc.h"
#include "common/array.h"
#include "common/process.h"

/* What a kernel says on its console when it cannot go on, the gravest first. */
static const struct {
	const char *text;
	const char *meaning;
	const char *advice;
} console_signs[] = {
	{"Kernel panic - not syncing", "the kernel panicked",
	 "the console's end shows where; the variant is broken, not slow"},
	{"BUG: unable to handle", "the kernel hit a bad memory access",
	 "the console's end shows where; the variant is broken, not slow"},
	{"watchdog: BUG: soft lockup", "a CPU hung (soft lockup)", "the console's end shows where"},
	{"rcu: INFO: rcu_", "a CPU hung (RCU stall)", "the console's end shows where"},
	{"Out of memory: Killed process", "the guest ran out of memory",
	 "give the target more: memory-mb"},
};

static void append_progress(struct strbuf *out, const struct record_reader *reader)
{
	if (reader->current)
		strbuf_printf(out, " during %s (after %llu records)", reader->current,
			      (unsigned long long)reader->count);
	else if (reader->count)
		strbuf_printf(out, " before the first benchmark (after %llu records)",
			      (unsigned long long)reader->count);
	else
		strbuf_append(out, " before the agent's first record");
}

/* The line of the console in which `sign` stands, without the time stamp before it. */
static char *line_from(const char *sign)
{
	return xstrndup(sign, strcspn(sign, "\n"));
}

static bool diagnose_console(const struct boot_evidence *evidence, struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(console_signs); i++) {
		const char *sign = strstr(evidence->console, console_signs[i].text);
		_cleanup_free_ char *line = NULL;

		if (!sign)
			continue;
		line = line_from(sign);
		strbuf_append(out, console_signs[i].meaning);
		append_progress(out, evidence->reader);
		strbuf_printf(out, ": %s; %s", line, console_signs[i].advice);
		return true;
	}
	return false;
}

static void diagnose_silence(const struct boot_evidence *evidence, struct strbuf *out)
{
	strbuf_printf(out, "no record for %.0f s", evidence->silent_s);
	append_progress(out, evidence->reader);
	strbuf_append(out, evidence->reader->count
				   ? ": the benchmark or the kernel hangs; a slow machine needs a "
				     "larger target timeout"
				   : ": the kernel hangs or does not reach its first process; see "
				     "the console's end; a slow machine needs a larger target "
				     "timeout");
}

static void diagnose_end(const struct boot_evidence *evidence, struct strbuf *out)
{
	_cleanup_free_ char *end = NULL;

	if (evidence->wait_status < 0)
		end = xstrdup("closed its record channel");
	else if (WIFEXITED(evidence->wait_status) && !WEXITSTATUS(evidence->wait_status))
		end = xstrdup("ended");
	else
		end = process_describe_status(evidence->wait_status);
	strbuf_printf(out, "%s %s", evidence->process, end);
	append_progress(out, evidence->reader);
	if (*evidence->errors)
		strbuf_printf(out, ": %s", evidence->errors);
	strbuf_append(out, evidence->reader->count
				   ? "; the samples of finished benchmarks are kept, run again for "
				     "the rest"
				   : "; check that the kernel and the agent can run there at all");
}

char *boot_diagnose(const struct boot_evidence *evidence)
{
	struct strbuf out = STRBUF_INIT;

	if (evidence->reader->agent_error)
		strbuf_printf(&out, "the agent gave up: %s", evidence->reader->agent_error);
	else if (diagnose_console(evidence, &out))
		;
	else if (evidence->reader->damage)
		strbuf_printf(&out,
			      "the record stream is damaged: %s; what came before is kept, "
			      "check the channel and the agent's version",
			      evidence->reader->damage);
	else if (evidence->silent_s > 0)
		diagnose_silence(evidence, &out);
	else
		diagnose_end(evidence, &out);
	return strbuf_take(&out);
}
