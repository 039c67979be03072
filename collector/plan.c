/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/plan.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/tools.h"
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
	array_for_each (file, &suite->kbuild_files)
		string_list_add(&plan->kbuild_files, *file);
	/* make runs in a folder of its own; a path that is none is make's to report. */
	if (suite->kbuild_tree) {
		plan->kbuild_tree = realpath(suite->kbuild_tree, NULL);
		if (!plan->kbuild_tree)
			plan->kbuild_tree = xstrdup(suite->kbuild_tree);
	}
}

void plan_release(struct plan *plan)
{
	string_list_release(&plan->bench);
	free(plan->load);
	free(plan->kbuild_tree);
	string_list_release(&plan->kbuild_files);
}

int plan_set_load(struct plan *plan, const char *load, const char *cpus, struct error *err)
{
	static const char *const names[] = {"none", "messaging", "disk", "net", "timer"};
	bool known = !load;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		known |= load && !strcmp(load, names[i]);
	if (!known)
		return error_set(err, ERROR_USAGE,
				 "load '%s' is none of none, messaging, disk, net, timer", load);
	if (cpus && strcmp(cpus, "same") != 0 && strcmp(cpus, "other") != 0)
		return error_set(err, ERROR_USAGE, "load-cpus '%s' is neither same nor other",
				 cpus);
	if (load)
		replace_string(&plan->load, strcmp(load, "none") ? load : NULL);
	if (cpus)
		plan->load_same_cpus = !strcmp(cpus, "same");
	return 0;
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
	if (plan->kbuild_tree && strpbrk(plan->kbuild_tree, "\r\n"))
		return error_set(err, ERROR_USAGE, "a line break in the path of a tree");
	if (plan->sample_time_s < 1e-6 || plan->sample_time_s > 1 || plan->timeout_s < 1 ||
	    plan->timeout_s > 86400)
		return error_set(err, ERROR_USAGE,
				 "the sample time must be 1us to 1s, the benchmark's time-out 1s "
				 "to 24h");
	return 0;
}

static void append_counts(struct strbuf *text, const struct plan *plan)
{
	strbuf_printf(text, "sample-time-ns %.0f\n", plan->sample_time_s * 1e9);
	strbuf_printf(text, "repetitions %llu\nwarmup %llu\ninvocations %llu\ncpus %llu\n",
		      (unsigned long long)plan->repetitions, (unsigned long long)plan->warmup,
		      (unsigned long long)plan->invocations, (unsigned long long)plan->cpus);
	strbuf_printf(text, "timeout-s %.0f\n", plan->timeout_s);
}

static void append_states(struct strbuf *text, const struct plan *plan,
			  const struct plan_place *place)
{
	if (place->state_count)
		strbuf_printf(text, "state-seed %llu\n", (unsigned long long)plan->state_seed);
	for (size_t i = 0; i < place->state_count; i++) {
		strbuf_printf(text, "state %s\n", place->states[i].name);
		array_for_each (setting, place->states[i].switches)
			strbuf_printf(text, "switch %s\n", *setting);
	}
}

struct tool_place plan_tool_place(const struct plan *plan, uint64_t guest_cpus)
{
	return (struct tool_place){guest_cpus, plan->kbuild_tree, &plan->kbuild_files};
}

char *plan_place_text(const struct plan *plan, const struct plan_place *place)
{
	const struct tool_place tools_at = plan_tool_place(plan, place->guest_cpus);
	struct strbuf text = STRBUF_INIT;

	strbuf_append(&text, "kregress-plan 1\n");
	if (place->module_path)
		strbuf_printf(&text, "module %s\n", place->module_path);
	if (place->module_path && place->module_args)
		strbuf_printf(&text, "module-args %s\n", place->module_args);
	strbuf_printf(&text, "clock %s\n", place->count_instructions ? "insn" : "time");
	append_counts(&text, plan);
	if (place->plant)
		strbuf_printf(&text, "plant %llu\n", (unsigned long long)place->plant);
	if (plan->load)
		strbuf_printf(&text, "load %s\nload-cpus %s\n", plan->load,
			      plan->load_same_cpus ? "same" : "other");
	append_states(&text, plan, place);
	tools_append_plan(&text, &plan->bench, &tools_at);
	array_for_each (pattern, &plan->bench)
		strbuf_printf(&text, "bench %s\n", *pattern);
	strbuf_append(&text, "end\n");
	return strbuf_take(&text);
}

char *plan_agent_text(const struct plan *plan, bool count_instructions, const char *module_path,
		      const char *module_args)
{
	return plan_place_text(plan, &(struct plan_place){
					     .count_instructions = count_instructions,
					     .module_path = module_path,
					     .module_args = module_args,
				     });
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
	append_file_identity(out, "initrd", variant->initrd);
	append_file_identity(out, "module", variant->module);
	append_file_identity(out, "kdir", variant->kdir);
	append_file_identity(out, "config", variant->kernel_config);
	append_file_identity(out, "agent", target->agent);
	append_file_identity(out, "qemu", target->qemu);
	if (target->host)
		strbuf_printf(out, "host %s %llu %s %d\n", target->host,
			      (unsigned long long)target->port, target->install, target->reboot);
	if (variant->commit)
		strbuf_printf(out, "commit %s\n", variant->commit);
	if (variant->plant)
		strbuf_printf(out, "plant %llu\n", (unsigned long long)variant->plant);
	array_for_each (setting, &variant->switches)
		strbuf_printf(out, "switch %s\n", *setting);
	strbuf_printf(out, "append %s\nmodule-args %s\n", variant->append ? variant->append : "",
		      variant->module_args ? variant->module_args : "");
}
