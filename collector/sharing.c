/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/sharing.h"

#include <string.h>

int switch_check(const char *setting, struct error *err)
{
	const char *equals = strchr(setting, '=');
	const char *name = NULL;

	if (!strncmp(setting, "preempt=", 8))
		name = setting;
	else if (!strncmp(setting, "sysctl:", 7) && setting[7] != '=' && !strstr(setting, ".."))
		name = setting + 7;
	else if (!strncmp(setting, "file:/", 6))
		name = setting + 5;
	if (name && equals && equals[1] && strlen(equals + 1) == strcspn(equals + 1, "\r\n"))
		return 0;
	error_set(err, ERROR_USAGE, "'%s' is no setting", setting);
	return error_hint(err, "settings are preempt=MODE, sysctl:NAME=VALUE and "
			       "file:/PATH=VALUE");
}

static bool same_text(const char *a, const char *b)
{
	return !a || !b ? a == b : !strcmp(a, b);
}

static bool same_module(const struct variant_config *a, const struct variant_config *b)
{
	return same_text(a->kdir, b->kdir) && same_text(a->module, b->module) &&
	       same_text(a->module_args, b->module_args) && a->plant == b->plant;
}

/* The same kernel, started the same way. */
static bool same_boot(const struct variant_config *a, const struct variant_config *b)
{
	return same_text(a->target, b->target) && same_text(a->kernel, b->kernel) &&
	       same_text(a->initrd, b->initrd) && same_text(a->kernel_config, b->kernel_config) &&
	       same_text(a->append, b->append) && same_text(a->make, b->make) && same_module(a, b);
}

/* Whether one that boots the same is switched: without that, each has boots of its own. */
static bool is_switched(const struct prepared_variant_list *variants,
			const struct prepared_variant *wanted)
{
	array_for_each (variant, variants)
		if (variant->config->switches.count && same_boot(variant->config, wanted->config))
			return true;
	return false;
}

/* The variant that it shares boots with, if one comes before it. */
static struct prepared_variant *find_leader(const struct leader_list *leaders,
					    const struct prepared_variant *variant)
{
	array_for_each (leader, leaders)
		if (same_boot((*leader)->config, variant->config))
			return *leader;
	return NULL;
}

void sharing_arrange(const struct prepared_variant_list *variants, struct leader_list *leaders)
{
	array_for_each (variant, variants) {
		struct prepared_variant *leader =
			is_switched(variants, variant) ? find_leader(leaders, variant) : NULL;

		if (!leader) {
			*array_append(leaders) = variant;
			continue;
		}
		if (!leader->sharing.count)
			*array_append(&leader->sharing) = leader;
		*array_append(&leader->sharing) = variant;
	}
}
