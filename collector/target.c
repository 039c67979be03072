/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/target.h"

#include <stdlib.h>
#include <string.h>

#include "collector/module_build.h"
#include "collector/paths.h"
#include "common/file.h"

static const struct target *const targets[] = {&target_local, &target_qemu, &target_ssh};

const struct target *target_find(const char *kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(targets); i++)
		if (!strcmp(targets[i]->kind, kind))
			return targets[i];
	return NULL;
}

struct plan_state_list {
	struct plan_state *items;
	size_t count;
	size_t capacity;
};

static int find_agent(struct prepared_variant *variant, struct error *err)
{
	if (!variant->target_config->agent)
		return paths_agent(&variant->agent, err);
	variant->agent = xstrdup(variant->target_config->agent);
	if (file_exists(variant->agent))
		return 0;
	error_set(err, ERROR_USAGE, "%s: no such file", variant->agent);
	return error_hint(err, "target.%s.agent names the agent's program",
			  variant->target_config->name);
}

static int find_module(struct prepared_variant *variant, const struct config *config,
		       const struct log *log, struct error *err)
{
	const struct variant_config *from = variant->config;

	if (from->module) {
		variant->module = xstrdup(from->module);
		if (file_exists(from->module))
			return 0;
		return error_set(err, ERROR_USAGE, "module %s: no such file", from->module);
	}
	if (!from->kdir)
		return 0;
	return module_build(from->kdir, config->cache, log, &variant->module, err);
}

size_t variant_state_count(const struct prepared_variant *variant)
{
	return variant->sharing.count ? variant->sharing.count : 1;
}

static void add_state(struct plan_state_list *states, const struct prepared_variant *variant)
{
	*array_append(states) =
		(struct plan_state){variant->label ? variant->label : variant->config->name,
				    &variant->config->switches};
}

/* A variant by itself has a state only when it sets something. */
static void list_states(struct plan_state_list *states, const struct prepared_variant *variant)
{
	array_for_each (member, &variant->sharing)
		add_state(states, *member);
	if (!variant->sharing.count && variant->config->switches.count)
		add_state(states, variant);
}

char *variant_plan_text(const struct prepared_variant *variant, const struct plan *plan,
			const char *module_path, uint64_t guest_cpus)
{
	struct plan_state_list states = {0};
	char *text;

	list_states(&states, variant);
	text = plan_place_text(plan, &(struct plan_place){
					     .count_instructions = variant->target_config->icount,
					     .guest_cpus = guest_cpus,
					     .plant = variant->config->plant,
					     .module_path = module_path,
					     .module_args = variant->config->module_args,
					     .states = states.items,
					     .state_count = states.count,
				     });
	array_release(&states);
	return text;
}

int prepare_variant(struct prepared_variant *variant, const struct config *config,
		    const struct plan *plan, const struct log *log, struct error *err)
{
	variant->level = LEVEL_BOOT;
	if (find_agent(variant, err) < 0 || find_module(variant, config, log, err) < 0 ||
	    variant->target->prepare(variant, plan, config, log, err) < 0)
		return error_wrap(err, "variant %s", variant->config->name);
	return 0;
}

void prepared_variant_release(struct prepared_variant *variant)
{
	free(variant->label);
	free(variant->agent);
	free(variant->module);
	free(variant->accel);
	free(variant->machine);
	environment_release(&variant->environment);
	array_release(&variant->sharing);
}
