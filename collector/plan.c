/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/plan.h"

#include <string.h>
#include <sys/stat.h>

#include "common/alloc.h"
#include "common/strbuf.h"

void plan_init(struct plan *plan, const struct suite_config *suite)
{
	*plan = (struct plan){
		.boots = suite->boots ? suite->boots : 6,
		.invocations = suite->invocations ? suite->invocations : 1,
		.repetitions = suite->repetitions ? suite->repetitions : 10,
		.warmup = suite->warmup ? suite->warmup : 1,
		.cpus = suite->cpus ? suite->cpus : 1,
		.sample_time_s = suite->sample_time_s > 0 ? suite->sample_time_s : 1e-3,
		.timeout_s = suite->timeout_s > 0 ? suite->timeout_s : 60,
	};
	array_for_each (pattern, &suite->bench)
		string_list_add(&plan->bench, *pattern);
}

void plan_release(struct plan *plan)
{
	string_list_release(&plan->bench);
}

int plan_check(const struct plan *plan, struct error *err)
{
	array_for_each (pattern, &plan->bench)
		if (strpbrk(*pattern, "\r\n"))
			return error_set(err, ERROR_USAGE, "a line break in a benchmark's pattern");
	if (!plan->bench.count)
		return error_set(err, ERROR_USAGE, "the plan names no benchmark");
	if (!plan->boots || plan->boots > 10000)
		return error_set(err, ERROR_USAGE, "%llu boots: 1 to 10000 are possible",
				 (unsigned long long)plan->boots);
	/* A record holds all values of an invocation. */
	if (!plan->repetitions || !plan->cpus || plan->cpus > 4096 || plan->repetitions > 2000 ||
	    plan->repetitions * plan->cpus > 2000)
		return error_set(err, ERROR_USAGE,
				 "%llu repetitions on %llu CPUs: 1 to 2000 values an invocation "
				 "are possible; raise the invocations instead",
				 (unsigned long long)plan->repetitions,
				 (unsigned long long)plan->cpus);
	if (!plan->invocations || plan->invocations > 1000 || plan->warmup > 100)
		return error_set(err, ERROR_USAGE,
				 "1 to 1000 invocations and at most 100 warm-up repetitions are "
				 "possible");
	if (plan->sample_time_s < 1e-6 || plan->sample_time_s > 1 || plan->timeout_s < 1 ||
	    plan->timeout_s > 86400)
		return error_set(err, ERROR_USAGE,
				 "the sample time must be 1us to 1s, the benchmark's time-out 1s "
				 "to 24h");
	return 0;
}

char *plan_agent_text(const struct plan *plan, bool count_instructions, const char *module_path,
		      const char *module_args)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_append(&text, "kregress-plan 1\n");
	if (module_path)
		strbuf_printf(&text, "module %s\n", module_path);
	if (module_path && module_args)
		strbuf_printf(&text, "module-args %s\n", module_args);
	strbuf_printf(&text, "clock %s\n", count_instructions ? "insn" : "time");
	strbuf_printf(&text, "sample-time-ns %.0f\n", plan->sample_time_s * 1e9);
	strbuf_printf(&text, "repetitions %llu\nwarmup %llu\ninvocations %llu\ncpus %llu\n",
		      (unsigned long long)plan->repetitions, (unsigned long long)plan->warmup,
		      (unsigned long long)plan->invocations, (unsigned long long)plan->cpus);
	strbuf_printf(&text, "timeout-s %.0f\n", plan->timeout_s);
	array_for_each (pattern, &plan->bench)
		strbuf_printf(&text, "bench %s\n", *pattern);
	strbuf_append(&text, "end\n");
	return strbuf_take(&text);
}

void plan_append_identity(struct strbuf *out, const struct plan *plan)
{
	_cleanup_free_ char *text = plan_agent_text(plan, false, NULL, NULL);

	strbuf_printf(out, "%sboots %llu\n", text, (unsigned long long)plan->boots);
}

static void append_file_identity(struct strbuf *out, const char *key, const char *path)
{
	struct stat st;

	if (!path)
		return;
	strbuf_printf(out, "%s %s", key, path);
	if (stat(path, &st) == 0)
		strbuf_printf(out, " %lld %lld", (long long)st.st_size, (long long)st.st_mtime);
	strbuf_append_char(out, '\n');
}

void variant_append_identity(struct strbuf *out, const struct variant_config *variant,
			     const struct target_config *target)
{
	strbuf_printf(out, "variant %s\ntarget %s %s %d %s %llu %llu\n", variant->name,
		      target->name, target->kind, target->icount, target->accel,
		      (unsigned long long)target->cpus, (unsigned long long)target->memory_mb);
	append_file_identity(out, "kernel", variant->kernel);
	append_file_identity(out, "module", variant->module);
	append_file_identity(out, "kdir", variant->kdir);
	append_file_identity(out, "config", variant->kernel_config);
	append_file_identity(out, "agent", target->agent);
	append_file_identity(out, "qemu", target->qemu);
	strbuf_printf(out, "append %s\nmodule-args %s\n", variant->append ? variant->append : "",
		      variant->module_args ? variant->module_args : "");
}
