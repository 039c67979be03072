/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variants that are switches instead of boots: the same kernel, started the same way, of which the
 * agent changes a setting while it runs. Several of them in one collection share their boots. Each
 * keeps a run set of its own; a shared boot has the same slot and block in all of them, so that
 * they are compared in pairs within boots.
 */
#ifndef KREGRESS_COLLECTOR_SHARING_H
#define KREGRESS_COLLECTOR_SHARING_H

#include "collector/target.h"

/*
 * Checks a setting of a variant: preempt=MODE, sysctl:NAME=VALUE or file:/PATH=VALUE. ERROR_USAGE
 * says which forms there are. Whether a kernel has it, only that kernel knows.
 */
int switch_check(const char *setting, struct error *err) __must_check;

struct prepared_variant_list {
	struct prepared_variant *items;
	size_t count;
	size_t capacity;
};

struct leader_list {
	struct prepared_variant **items;
	size_t count;
	size_t capacity;
};

/*
 * Finds which variants share boots: those that differ in nothing but their switches, when one of
 * them has any. Fills `leaders` with the first of each such group, whose `sharing` names them all,
 * and with the variants that have their boots for themselves. `variants` must not grow afterwards.
 */
void sharing_arrange(const struct prepared_variant_list *variants, struct leader_list *leaders);

#endif
