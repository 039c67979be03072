/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/collect.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "collector/boot_run.h"
#include "collector/host.h"
#include "collector/sharing.h"
#include "common/interrupt.h"
#include "common/text.h"

/* So many boots of a variant in a row without any sample end the collection. */
enum { EMPTY_BOOTS_LIMIT = 2 };

struct collection_run {
	const struct collect_request *request;
	struct store *store;
	struct collection collection;
	struct plan plan; /* the request's, with the collection's seed; owns nothing */
	struct prepared_variant_list variants;
	struct leader_list leaders;
	struct run_set_list sets; /* heads and stored boots, one per variant */
	struct schedule_slot *slots;
	size_t slot_count;
	size_t next;
	size_t done;
	ARRAY_OF(struct boot_run *) active;
	double started_s;
	size_t done_before; /* boots found in the store */
	uint32_t looked;    /* blocks that were complete at the last look */
	bool enough;	    /* no further boot is to be started */
};

static void run_release(struct collection_run *run)
{
	array_for_each (active, &run->active) {
		boot_run_release(*active);
		free(*active);
	}
	array_release(&run->active);
	array_for_each (variant, &run->variants)
		prepared_variant_release(variant);
	array_release(&run->variants);
	array_release(&run->leaders);
	run_set_list_release(&run->sets);
	collection_release(&run->collection);
	free(run->slots);
}

/* "full", and "full#2" when it stands in the list a second time. */
static char *variant_label(const struct string_list *names, size_t index)
{
	size_t before = 0;

	for (size_t i = 0; i < index; i++)
		before += !strcmp(names->items[i], names->items[index]);
	return before ? xasprintf("%s#%zu", names->items[index], before + 1)
		      : xstrdup(names->items[index]);
}

static int prepare_variants(struct collection_run *run, struct error *err)
{
	const struct collect_request *request = run->request;

	for (size_t i = 0; i < request->variants->count; i++) {
		struct prepared_variant *variant;
		const struct variant_config *config =
			config_variant(request->config, request->variants->items[i], err);

		if (!config)
			return -1;
		variant = array_append(&run->variants);
		variant->config = config;
		variant->target_config = config_target(request->config, config->target, err);
		if (!variant->target_config)
			return -1;
		variant->target = target_find(variant->target_config->kind);
		variant->label = variant_label(request->variants, i);
		log_progress(request->log, "preparing %s", variant->label);
		if (prepare_variant(variant, request->config, request->plan, request->log, err) < 0)
			return -1;
	}
	sharing_arrange(&run->variants, &run->leaders);
	return 0;
}

static char *plan_digest(const struct collection_run *run)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct strbuf digest = STRBUF_INIT;

	plan_append_identity(&text, run->request->plan);
	strbuf_printf(&text, "extra %s\n", run->request->extra ? run->request->extra : "");
	array_for_each (variant, &run->variants) {
		strbuf_printf(&text, "label %s\nmodule %s\n", variant->label,
			      variant->module ? variant->module : "");
		variant_append_identity(&text, variant->config, variant->target_config);
	}
	text_append_digest(&digest, strbuf_text(&text), text.length, 40);
	return strbuf_take(&digest);
}

static int begin_sets(struct collection_run *run, struct error *err)
{
	array_for_each (variant, &run->variants) {
		struct run_set *set = xcalloc(1, sizeof(*set));

		run_set_init(set, variant->label);
		run_set_list_add(&run->sets, set);
		set->collection = xstrdup(run->collection.id);
		set->target = xstrdup(variant->target_config->name);
		set->machine = xstrdup(variant->machine);
		set->created_at = xstrdup(run->collection.created_at);
		set->seed = run->collection.seed;
		set->level = variant->level;
		set->extra = xstrdup(run->request->extra);
		if (store_begin_run_set(run->store, set, err) < 0)
			return -1;
	}
	return 0;
}

static int begin_collection(struct collection_run *run, char *digest, struct error *err)
{
	run->collection = (struct collection){
		.id = run_set_make_id(),
		.plan_digest = digest,
		.created_at = host_utc_now(),
		.seed = run->request->seed,
	};
	if (store_begin_collection(run->store, &run->collection, err) < 0) {
		collection_release(&run->collection);
		return -1;
	}
	return begin_sets(run, err);
}

/* An interrupted start may have left a collection without all of its sets. */
static bool sets_complete(const struct collection_run *run)
{
	if (run->sets.count != run->variants.count)
		return false;
	for (size_t i = 0; i < run->sets.count; i++)
		if (strcmp(run->sets.items[i]->variant, run->variants.items[i].label) != 0)
			return false;
	return true;
}

static int open_collection(struct collection_run *run, struct error *err)
{
	char *digest = plan_digest(run);
	int found = 0;

	if (!run->request->fresh)
		found = store_find_unfinished(run->store, digest, &run->collection, err);
	if (found < 0) {
		free(digest);
		return -1;
	}
	if (found) {
		free(digest);
		if (store_load_collection(run->store, run->collection.id, &run->sets, err) < 0)
			return -1;
		if (sets_complete(run))
			return 0;
		run_set_list_release(&run->sets);
		digest = xstrdup(run->collection.plan_digest);
		if (store_finish_collection(run->store, run->collection.id, err) < 0) {
			free(digest);
			return -1;
		}
		collection_release(&run->collection);
	}
	return begin_collection(run, digest, err);
}

static struct run_set *set_of(const struct collection_run *run,
			      const struct prepared_variant *variant)
{
	return run->sets.items[variant - run->variants.items];
}

/* The variant that the boot number `state` of a boot run belongs to. */
static const struct prepared_variant *variant_of(const struct prepared_variant *leader,
						 size_t state)
{
	return leader->sharing.count ? leader->sharing.items[state] : leader;
}

static bool set_has_slot(const struct run_set *set, const struct schedule_slot *slot)
{
	array_for_each (boot, &set->boots)
		if (boot->slot == slot->slot)
			return true;
	return false;
}

/*
 * Of a shared boot the store may have only a part, when the storing broke off in between: it is
 * made again for the rest.
 */
static bool slot_is_stored(const struct collection_run *run, const struct schedule_slot *slot)
{
	const struct prepared_variant *leader = run->leaders.items[slot->variant];

	for (size_t i = 0; i < variant_state_count(leader); i++)
		if (!set_has_slot(set_of(run, variant_of(leader, i)), slot))
			return false;
	return true;
}

/* Lays out the schedule and takes out what the store has. */
static void plan_slots(struct collection_run *run)
{
	uint32_t variants = (uint32_t)run->leaders.count;
	uint32_t boots = (uint32_t)run->request->plan->boots;
	size_t left = 0;

	run->slot_count = (size_t)variants * boots;
	run->slots = xcalloc(run->slot_count, sizeof(*run->slots));
	schedule_fill(run->slots, variants, boots, run->collection.seed);
	for (size_t i = 0; i < run->slot_count; i++)
		if (!slot_is_stored(run, &run->slots[i]))
			run->slots[left++] = run->slots[i];
	run->done_before = run->slot_count - left;
	run->slot_count = left;
	if (run->done_before)
		log_note(run->request->log, "resuming collection %.8s: %zu of %zu boots are stored",
			 run->collection.id, run->done_before, run->done_before + left);
}

/* Two boots would each set the running kernel to their own state. */
static bool switches_this_machine(const struct prepared_variant *variant)
{
	return variant->config->switches.count && variant->target == &target_local;
}

static void warn_of_jobs(const struct collection_run *run)
{
	array_for_each (variant, &run->variants) {
		if (variant->target_config->icount || run->request->jobs < 2)
			continue;
		log_warning(run->request->log,
			    "%" PRIu64 " boots at a time share the CPUs: they disturb each other's "
			    "times",
			    run->request->jobs);
		return;
	}
}

/* One machine boots one kernel at a time. Boots beside each other change times, but not instruction
 * counts. */
static size_t choose_jobs(const struct collection_run *run)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	array_for_each (variant, &run->variants)
		if (variant->target->one_at_a_time || switches_this_machine(variant))
			return 1;
	if (run->request->jobs) {
		warn_of_jobs(run);
		return (size_t)run->request->jobs;
	}
	array_for_each (variant, &run->variants)
		if (!variant->target_config->icount)
			return 1;
	return cpus > 1 ? (size_t)cpus : 1;
}

static void append_labels(struct strbuf *text, const struct prepared_variant *leader)
{
	for (size_t i = 0; i < variant_state_count(leader); i++)
		strbuf_printf(text, "%s%s", i ? " + " : "", variant_of(leader, i)->label);
}

static void append_time_left(struct strbuf *text, double left_s)
{
	if (left_s < 120)
		strbuf_printf(text, "; about %.0f s left", left_s);
	else if (left_s < 7200)
		strbuf_printf(text, "; about %.0f min left", left_s / 60);
	else
		strbuf_printf(text, "; about %.1f h left", left_s / 3600);
}

static void show_progress(const struct collection_run *run)
{
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;
	double elapsed_s = host_monotonic_s() - run->started_s;

	strbuf_printf(&line, "boot %zu of %zu", run->done_before + run->done + run->active.count,
		      run->done_before + run->slot_count);
	array_for_each (active, &run->active) {
		strbuf_append(&line, active == run->active.items ? ": " : ", ");
		append_labels(&line, (*active)->variant);
	}
	if (run->done) {
		double left_s =
			elapsed_s / (double)run->done * (double)(run->slot_count - run->done);

		append_time_left(&line, left_s);
	}
	log_progress(run->request->log, "%s", strbuf_text(&line));
}

static int start_next(struct collection_run *run, struct error *err)
{
	const struct schedule_slot *slot = &run->slots[run->next++];
	struct boot_run *boot_run = xcalloc(1, sizeof(*boot_run));

	if (boot_run_start(boot_run, run->leaders.items[slot->variant], &run->plan, slot, err) <
	    0) {
		free(boot_run);
		return -1;
	}
	*array_append(&run->active) = boot_run;
	show_progress(run);
	return 0;
}

/* Two units do not make one series: such samples cannot be kept. */
static void fail_for_unit(struct boot *boot, const struct series *series)
{
	if (boot->status == BOOT_FAILED)
		return;
	boot->status = BOOT_FAILED;
	boot->reason = xasprintf("%s changed its unit or direction (now %s) since the boots "
				 "before: its samples are not kept",
				 series->benchmark, series->unit);
}

static bool has_samples_of(const struct series *series, uint32_t boot)
{
	array_for_each (sample, &series->samples)
		if (sample->boot == boot)
			return true;
	return false;
}

/* Moves boot `state` and its samples into the variant's set; returns the boot's number there. */
static uint32_t adopt_boot(struct run_set *set, struct run_set *from, uint32_t state)
{
	struct boot *boot = run_set_add_boot(set);
	uint32_t number = (uint32_t)set->boots.count - 1;

	*boot = from->boots.items[state];
	from->boots.items[state] = (struct boot){0};
	array_for_each (series, &from->series) {
		struct series *to;

		if (!has_samples_of(series, state))
			continue;
		to = run_set_series(set, series->benchmark, series->params, series->metric,
				    series->unit, series->better);
		if (!to) {
			fail_for_unit(boot, series);
			continue;
		}
		array_for_each (sample, &series->samples)
			if (sample->boot == state)
				series_add_sample(to, number, sample->invocation, sample->iteration,
						  sample->value);
	}
	return number;
}

static bool boot_has_samples(const struct run_set *set, uint32_t boot)
{
	array_for_each (series, &set->series)
		if (has_samples_of(series, boot))
			return true;
	return false;
}

static int check_hopeless(const struct collection_run *run, const struct run_set *set,
			  struct error *err)
{
	const struct boot *last = &set->boots.items[set->boots.count - 1];

	if (last->status == BOOT_OK)
		return 0;
	log_warning(run->request->log, "%s, boot %zu: %s", set->variant, set->boots.count - 1,
		    last->reason);
	for (uint32_t i = 0; i < EMPTY_BOOTS_LIMIT; i++) {
		uint32_t number = (uint32_t)set->boots.count - 1 - i;

		if (i >= set->boots.count || boot_has_samples(set, number))
			return 0;
		if (set->boots.items[number].status == BOOT_OK)
			return 0;
	}
	error_set(err, ERROR_HARNESS, "variant %s: %d boots failed and gave no sample: %s",
		  set->variant, EMPTY_BOOTS_LIMIT, last->reason);
	if (last->console_tail && *last->console_tail)
		error_hint(err, "the console ended with:\n%s", last->console_tail);
	return -1;
}

/* Stores what was measured for one of the variants that the boot was for. */
static int store_state(const struct collection_run *run, struct boot_run *boot_run, uint32_t state,
		       struct error *err)
{
	struct run_set *set = set_of(run, variant_of(boot_run->variant, state));
	uint32_t number;

	if (set_has_slot(set, &boot_run->slot))
		return 0;
	number = adopt_boot(set, &boot_run->set, state);
	if (store_add_boot(run->store, set, number, err) < 0)
		return error_wrap(err, "variant %s, boot %u", set->variant, number);
	return 0;
}

static int finish_boot(struct collection_run *run, struct boot_run *boot_run, struct error *err)
{
	const struct prepared_variant *leader = boot_run->variant;
	int result = 0;

	boot_run_end(boot_run);
	for (uint32_t i = 0; i < variant_state_count(leader); i++)
		if (store_state(run, boot_run, i, err) < 0)
			return -1;
	run->done++;
	for (uint32_t i = 0; i < variant_state_count(leader) && result == 0; i++)
		result = check_hopeless(run, set_of(run, variant_of(leader, i)), err);
	return result;
}

/* Ends the boots that are over, also those that ended together with the first. */
static int finish_boots(struct collection_run *run, struct error *err)
{
	size_t kept = 0;
	int result = 0;

	for (size_t i = 0; i < run->active.count; i++) {
		struct boot_run *boot_run = run->active.items[i];

		if (!boot_run->over || result < 0) {
			run->active.items[kept++] = boot_run;
			continue;
		}
		result = finish_boot(run, boot_run, err);
		boot_run_release(boot_run);
		free(boot_run);
	}
	run->active.count = kept;
	return result;
}

/* How many blocks have a boot of every variant. */
static uint32_t complete_blocks(const struct collection_run *run)
{
	uint32_t least = UINT32_MAX;

	array_for_each (set, &run->sets) {
		uint32_t blocks = run_set_complete_blocks(*set);

		least = blocks < least ? blocks : least;
	}
	return least;
}

/*
 * Whether another block would end later than the budget allows, if it takes about as long as those
 * before. Asked only where no block is half done: a block without all its boots is of little use.
 */
static bool over_budget(const struct collection_run *run, uint32_t blocks)
{
	double elapsed_s = host_monotonic_s() - run->started_s;
	double budget_s = run->request->stop->budget_s;
	size_t variants = run->leaders.count;

	if (budget_s <= 0 || !run->done || run->done_before + run->done != blocks * variants)
		return false;
	return elapsed_s + elapsed_s / (double)run->done * (double)variants > budget_s;
}

static void look(struct collection_run *run)
{
	const struct collect_stop *stop = run->request->stop;
	uint32_t blocks;

	if (!stop || run->enough)
		return;
	blocks = complete_blocks(run);
	while (!run->enough && run->looked < blocks)
		run->enough = stop->enough(stop->context, &run->sets, ++run->looked);
	if (!run->enough && over_budget(run, blocks)) {
		log_note(run->request->log, "the budget of %.0f s is used up after %u blocks",
			 stop->budget_s, blocks);
		run->enough = true;
	}
}

static bool wants_more(const struct collection_run *run)
{
	return run->next < run->slot_count && !run->enough;
}

static int run_slots(struct collection_run *run, struct error *err)
{
	size_t jobs = choose_jobs(run);

	run->started_s = host_monotonic_s();
	look(run);
	while (wants_more(run) || run->active.count) {
		while (wants_more(run) && run->active.count < jobs)
			if (start_next(run, err) < 0)
				return -1;
		if (boot_runs_wait(run->active.items, run->active.count, err) < 0 ||
		    finish_boots(run, err) < 0)
			return -1;
		look(run);
	}
	return 0;
}

/* What has been measured counts, whether or not the machines can be put back. */
static void finish_targets(const struct collection_run *run)
{
	array_for_each (variant, &run->variants) {
		_cleanup_(error_clear) struct error err = {0};
		bool first = variant->target->finish != NULL;

		for (size_t i = 0; &run->variants.items[i] < variant; i++)
			first &= run->variants.items[i].target_config != variant->target_config;
		if (first && variant->target->finish(variant, run->request->log, &err) < 0)
			log_warning(run->request->log, "target %s: %s",
				    variant->target_config->name, err.message);
	}
}

static void note_sharing(const struct collection_run *run)
{
	array_for_each (leader, &run->leaders) {
		_cleanup_(strbuf_release) struct strbuf labels = STRBUF_INIT;

		if (!(*leader)->sharing.count)
			continue;
		append_labels(&labels, *leader);
		log_note(run->request->log, "%s: share their boots, by turns within each",
			 strbuf_text(&labels));
	}
}

int collect(const struct collect_request *request, struct store *store, char **collection_id,
	    struct error *err)
{
	_cleanup_(run_release) struct collection_run run = {.request = request, .store = store};
	int opened, result;

	*collection_id = NULL;
	if (plan_check(request->plan, err) < 0 || prepare_variants(&run, err) < 0)
		return -1;
	opened = open_collection(&run, err);
	*collection_id = xstrdup(run.collection.id);
	if (opened < 0)
		return -1;
	plan_slots(&run);
	run.plan = *request->plan;
	run.plan.state_seed = run.collection.seed;
	note_sharing(&run);
	log_note(request->log, "collection %.8s: %zu boots, schedule seed %" PRIu64,
		 run.collection.id, run.done_before + run.slot_count, run.collection.seed);
	result = run_slots(&run, err);
	if (result == 0 || err->kind != ERROR_INTERRUPTED)
		finish_targets(&run);
	if (result < 0) {
		if (err->kind == ERROR_INTERRUPTED)
			error_hint(err,
				   "%zu of %zu boots are stored; the same command goes on "
				   "from there",
				   run.done_before + run.done, run.done_before + run.slot_count);
		return -1;
	}
	return store_finish_collection(store, run.collection.id, err);
}
