/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/baseline.h"

#include <string.h>

#include "collector/host.h"
#include "collector/target.h"

int baseline_machine(const struct session *session, const struct variant_config *variant,
		     const char *suite, char **machine, struct error *err)
{
	const struct suite_config *suite_config = config_suite(&session->config, suite, err);
	_cleanup_(prepared_variant_release) struct prepared_variant prepared = {.config = variant};
	_cleanup_(plan_release) struct plan plan = {0};

	if (!suite_config)
		return -1;
	prepared.target_config = config_target(&session->config, variant->target, err);
	if (!prepared.target_config)
		return -1;
	prepared.target = target_find(prepared.target_config->kind);
	prepared.label = xstrdup(variant->name);
	plan_init(&plan, suite_config);
	if (prepare_variant(&prepared, &session->config, &plan, &session->log, err) < 0)
		return -1;
	*machine = xstrdup(prepared.machine ? prepared.machine : "");
	return 0;
}

size_t baseline_good_boots(const struct run_set *set)
{
	size_t good = 0;

	array_for_each (boot, &set->boots)
		good += boot->status == BOOT_OK;
	return good;
}

static const struct environment *good_environment(const struct run_set *set)
{
	array_for_each (boot, &set->boots)
		if (boot->status == BOOT_OK)
			return &boot->environment;
	return NULL;
}

static bool has_samples(const struct run_set *set)
{
	array_for_each (series, &set->series)
		if (series->samples.count)
			return true;
	return false;
}

bool baseline_is_sound(const struct run_set *set)
{
	size_t good = baseline_good_boots(set);

	return good && good == set->boots.count && has_samples(set);
}

static int check_set(const struct run_set *set, struct error *err)
{
	size_t failed = set->boots.count - baseline_good_boots(set);

	if (baseline_is_sound(set))
		return 0;
	if (failed)
		error_set(err, ERROR_DATA, "%s@%.8s is no baseline: %zu of its %zu boots failed",
			  set->variant, set->id, failed, set->boots.count);
	else
		error_set(err, ERROR_DATA, "%s@%.8s is no baseline: it has no samples",
			  set->variant, set->id);
	return error_hint(err, "collect it again with 'kregress run %s'", set->variant);
}

int baseline_promote(struct store *store, const char *name, const char *suite, const char *commit,
		     const struct run_set *set, struct error *err)
{
	_cleanup_(baseline_release) struct baseline baseline = {0};

	if (check_set(set, err) < 0)
		return -1;
	if (!commit)
		commit = environment_get(good_environment(set), "kernel.commit");
	baseline = (struct baseline){
		.name = xstrdup(name),
		.machine = xstrdup(set->machine ? set->machine : ""),
		.target = xstrdup(set->target ? set->target : ""),
		.suite = xstrdup(suite),
		.run_set = xstrdup(set->id),
		.variant = xstrdup(set->variant),
		.commit = xstrdup(commit),
		.set_at = host_utc_now(),
	};
	return store_put_baseline(store, &baseline, err);
}

const char *baseline_kernel_difference(const struct run_set *left, const struct run_set *right)
{
	static const char *const keys[] = {"kernel.release", "kernel.version", "kernel.cmdline",
					   "kernel.config_digest"};
	const struct environment *one = good_environment(left), *other = good_environment(right);

	for (size_t i = 0; one && other && i < ARRAY_SIZE(keys); i++) {
		const char *a = environment_get(one, keys[i]), *b = environment_get(other, keys[i]);

		if (a && b && strcmp(a, b) != 0)
			return keys[i];
	}
	return NULL;
}
