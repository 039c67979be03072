/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/history_cause.h"

#include <string.h>

#include "common/text.h"

/* A longer value, as of cpu.mitigations, says nothing in a line. */
#define VALUE_COLUMNS 60

/* Which kernel runs is what the history is about; the other items differ from boot to boot. */
static bool is_beside(const char *key)
{
	static const char *const keys[] = {"kernel.release", "kernel.version", "kernel.commit",
					   "kernel.image",   "kernel.build",   "machine.memory_kb"};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(key, keys[i]))
			return true;
	return !strncmp(key, "system.", 7);
}

void history_causes_init(struct history_causes *causes, struct store *store,
			 const struct timeline *timeline)
{
	*causes = (struct history_causes){
		.store = store,
		.timeline = timeline,
		.environments = xcalloc(timeline->sets.count + 1, sizeof(*causes->environments)),
		.loaded = xcalloc(timeline->sets.count + 1, sizeof(*causes->loaded)),
	};
}

void history_causes_release(struct history_causes *causes)
{
	for (size_t i = 0; causes->timeline && i < causes->timeline->sets.count; i++)
		environment_release(&causes->environments[i]);
	free(causes->environments);
	free(causes->loaded);
	*causes = (struct history_causes){0};
}

/* NULL when it cannot be loaded. */
static const struct environment *environment_at(struct history_causes *causes, size_t set,
						struct error *err)
{
	if (!causes->loaded[set] &&
	    store_load_environment(causes->store, causes->timeline->sets.items[set].number,
				   &causes->environments[set], err) < 0)
		return NULL;
	causes->loaded[set] = true;
	return &causes->environments[set];
}

static bool same(const struct environment *left, const struct environment *right, const char *key)
{
	const char *a = environment_get(left, key), *b = environment_get(right, key);

	return a && b ? !strcmp(a, b) : a == b;
}

static void append_value(struct strbuf *out, const char *value)
{
	if (value)
		text_append_visible(out, value);
	else
		strbuf_append(out, "(not recorded)");
}

static void append_difference(struct strbuf *out, const char *key, const char *before,
			      const char *after)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	append_value(&text, before);
	strbuf_append(&text, " -> ");
	append_value(&text, after);
	strbuf_append(out, out->length ? "; " : "");
	text_append_visible(out, key);
	if (text_width(strbuf_text(&text)) <= (size_t)2 * VALUE_COLUMNS)
		strbuf_printf(out, ": %s", strbuf_text(&text));
	else
		strbuf_append(out, " differs");
}

/* The two sides of a change, each with its neighbour away from the change. */
struct sides {
	const struct environment *before_neighbour;
	const struct environment *before;
	const struct environment *after;
	const struct environment *after_neighbour;
};

static void append_if_cause(struct strbuf *out, const struct sides *sides, const char *key)
{
	if (is_beside(key) || same(sides->before, sides->after, key) ||
	    !same(sides->before, sides->before_neighbour, key) ||
	    !same(sides->after, sides->after_neighbour, key))
		return;
	append_difference(out, key, environment_get(sides->before, key),
			  environment_get(sides->after, key));
}

static char *describe(const struct sides *sides)
{
	struct strbuf out = STRBUF_INIT;

	/* A side without any record tells nothing. */
	if (!sides->before->count || !sides->after->count)
		return NULL;
	array_for_each (item, sides->before)
		append_if_cause(&out, sides, item->key);
	array_for_each (item, sides->after)
		if (!environment_get(sides->before, item->key))
			append_if_cause(&out, sides, item->key);
	return out.length ? strbuf_take(&out) : NULL;
}

int history_cause_of(struct history_causes *causes, const size_t *sets, size_t count, size_t low,
		     size_t high, char **cause, struct error *err)
{
	size_t before = low ? low - 1 : 0;
	struct sides sides = {
		environment_at(causes, sets[before ? before - 1 : 0], err),
		environment_at(causes, sets[before], err),
		environment_at(causes, sets[high], err),
		environment_at(causes, sets[high + 1 < count ? high + 1 : high], err),
	};

	if (!sides.before_neighbour || !sides.before || !sides.after || !sides.after_neighbour)
		return -1;
	*cause = describe(&sides);
	return 0;
}
