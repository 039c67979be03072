/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/collector/collect_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <sys/stat.h>

#include "collector/schedule.h"
#include "common/file.h"
#include "tests/unit/collector/collector_fixture.h"

static const char config_text[] = "[target \"ta\"]\nkind = local\nagent = agent-a\ntimeout = 20\n"
				  "[target \"tb\"]\nkind = local\nagent = agent-b\ntimeout = 20\n"
				  "[variant \"a\"]\ntarget = ta\n[variant \"b\"]\ntarget = tb\n"
				  "[variant \"low\"]\ntarget = ta\nswitch = sysctl:x=1\n"
				  "[variant \"high\"]\ntarget = ta\nswitch = sysctl:x=2\n"
				  "[variant \"planted\"]\ntarget = ta\nplant = 1\n"
				  "[suite \"core\"]\nboots = 4\n";

static const char agent_head[] =
	"seq=0\n"
	"record() { printf '{\"seq\":%d,%s}\\n' $seq \"$1\"; seq=$((seq + 1)); }\n"
	"sample() { record '\"type\":\"sample\",\"benchmark\":\"x.y\",\"params\":\"\","
	"\"metric\":\"time\",\"unit\":\"'${unit:-ns/op}'\",\"better\":\"lower\","
	"\"invocation\":0,\"loops\":1,\"values\":['$1']'; }\n"
	"finish() { record '\"type\":\"end\",\"count\":'$seq',\"status\":\"'$1'\"'; }\n"
	"echo $name >>$folder/starts\nstart=$(wc -l <$folder/starts)\n"
	"record '\"type\":\"hello\",\"format\":\"kregress-agent-1\",\"agent\":\"fake\"'\n"
	"record '\"type\":\"begin\",\"benchmark\":\"x.y\",\"params\":\"\"'\n";

void rig_agent(const char *variant, const char *script)
{
	_cleanup_free_ char *file = xasprintf("agent-%s", variant);
	_cleanup_free_ char *text = xasprintf("#!/bin/sh\nname=%s\nfolder=%s\n%s%s\n", variant,
					      fixture_folder, agent_head, script);

	free(fixture_write(file, text, 0755));
}

static void take_note(void *context, enum log_level level, const char *message)
{
	static const char *const names[] = {"progress", "note", "warning"};

	strbuf_printf(context, "%s: %s\n", names[level], message);
}

static void rig_fill(struct rig *rig)
{
	_cleanup_free_ char *path = fixture_write("kregress.conf", config_text, 0644);
	_cleanup_(error_clear) struct error err = {0};

	rig_agent("a", "sample 1\nfinish ok");
	rig_agent("b", "sample 2\nfinish ok");
	assert_success(config_load(path, &rig->config, &err), &err);
	plan_init(&rig->plan, config_suite(&rig->config, "core", &err));
	assert_success(store_open(rig->config.store, &rig->store, &err), &err);
	string_list_add(&rig->variants, "a");
	string_list_add(&rig->variants, "b");
	rig->log = (struct log){take_note, &rig->notes};
	rig->request = (struct collect_request){
		.config = &rig->config,
		.plan = &rig->plan,
		.variants = &rig->variants,
		.seed = 7,
		.log = &rig->log,
	};
}

int rig_setup(void **state)
{
	_cleanup_free_ char *temporary = NULL;

	if (fixture_setup(state) < 0)
		return -1;
	temporary = path_below(fixture_folder, "tmp");
	if (mkdir(temporary, 0700) < 0 || setenv("TMPDIR", temporary, 1) < 0)
		return -1;
	*state = xcalloc(1, sizeof(struct rig));
	rig_fill(*state);
	return 0;
}

int rig_teardown(void **state)
{
	struct rig *rig = *state;

	store_close(rig->store);
	config_release(&rig->config);
	plan_release(&rig->plan);
	string_list_release(&rig->variants);
	strbuf_release(&rig->notes);
	free(rig);
	return unsetenv("TMPDIR") < 0 || fixture_teardown(state) < 0 ? -1 : 0;
}

char *rig_starts(void)
{
	_cleanup_free_ char *path = path_below(fixture_folder, "starts");
	char *starts = fixture_read(path);
	size_t kept = 0;

	for (const char *c = starts; *c; c++)
		if (*c != '\n')
			starts[kept++] = *c;
	starts[kept] = '\0';
	return starts;
}

int rig_collect(struct rig *rig, char **id, struct error *err)
{
	strbuf_clear(&rig->notes);
	return collect(&rig->request, rig->store, id, err);
}

void rig_load(struct rig *rig, const char *id, struct run_set_list *sets)
{
	_cleanup_(error_clear) struct error err = {0};

	assert_non_null(id);
	assert_success(store_load_collection(rig->store, id, sets, &err), &err);
}

char *rig_schedule(const struct rig *rig)
{
	size_t count = rig->variants.count * rig->plan.boots;
	_cleanup_free_ struct schedule_slot *slots = xcalloc(count, sizeof(*slots));
	struct strbuf order = STRBUF_INIT;

	schedule_fill(slots, (uint32_t)rig->variants.count, (uint32_t)rig->plan.boots,
		      rig->request.seed);
	for (size_t i = 0; i < count; i++)
		strbuf_append(&order, rig->variants.items[slots[i].variant]);
	return strbuf_take(&order);
}

static size_t count_slot(const struct run_set *set, const struct schedule_slot *slot)
{
	size_t found = 0;

	array_for_each (boot, &set->boots)
		found += boot->slot == slot->slot && boot->block == slot->block;
	return found;
}

void assert_every_slot_stored(const struct rig *rig, const struct run_set_list *sets)
{
	size_t count = rig->variants.count * rig->plan.boots;
	_cleanup_free_ struct schedule_slot *slots = xcalloc(count, sizeof(*slots));

	schedule_fill(slots, (uint32_t)rig->variants.count, (uint32_t)rig->plan.boots,
		      rig->request.seed);
	assert_int_equal(sets->count, rig->variants.count);
	for (size_t i = 0; i < sets->count; i++)
		assert_int_equal(sets->items[i]->boots.count, rig->plan.boots);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(count_slot(sets->items[slots[i].variant], &slots[i]), 1);
}

void assert_nothing_left(void)
{
	_cleanup_free_ char *path = path_below(fixture_folder, "tmp");
	_cleanup_free_ char *names = fixture_names(path);

	assert_string_equal(names, "");
}
