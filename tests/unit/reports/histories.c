/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/reports/histories.h"

#include <math.h>

#include "common/text.h"

enum { ID_DIGITS = 16, COMMIT_DIGITS = 40, RUN_SET_DIGITS = 32 };

/* A standard normal by twelve uniform numbers, from a linear congruence. */
static double draw_normal(uint64_t *state)
{
	double sum = -6;

	for (int i = 0; i < 12; i++) {
		*state = *state * 6364136223846793005U + 1442695040888963407U;
		sum += (double)(*state >> 11) / 9007199254740992.0;
	}
	return sum;
}

static uint64_t seed_of(const char *name)
{
	uint64_t seed = 88172645463325252U;

	for (; *name; name++)
		seed = seed * 31 + (unsigned char)*name;
	return seed;
}

static char *digest(const char *kind, size_t number, int digits)
{
	_cleanup_free_ char *key = xasprintf("%s %zu", kind, number);
	struct strbuf out = STRBUF_INIT;

	text_append_digest(&out, key, strlen(key), digits);
	return strbuf_take(&out);
}

void history_rig_init(struct history_rig *rig)
{
	*rig = (struct history_rig){
		.report =
			{
				.created_at = xstrdup("2026-11-30T20:33:07"),
				.hostname = xstrdup("lab-07"),
				.source = xstrdup(".kregress/store.db"),
				.alpha = 0.05,
			},
	};
	string_list_add(&rig->report.notes, "points are taken by time: no repository was named");
}

void history_rig_release(struct history_rig *rig)
{
	history_report_release(&rig->report);
	finding_list_release(&rig->findings);
}

static void add_points(struct history_series *series, const struct history_shape *shape)
{
	uint64_t state = seed_of(shape->benchmark) + seed_of(shape->params);

	for (size_t i = 0; i < shape->n; i++) {
		struct history_point *point = array_append(&series->points);
		double level = shape->level + shape->slope * (double)i;

		if (shape->change && i >= shape->change)
			level *= shape->factor;
		point->run_set = digest("run set", i, RUN_SET_DIGITS);
		point->commit = digest("commit", i, COMMIT_DIGITS);
		point->time = xasprintf("%04zu-%02zu-%02zuT02:30:00", 2024 + i / 336,
					1 + i / 28 % 12, 1 + i % 28);
		point->location = level + shape->noise_sd * draw_normal(&state);
		point->standard_error = shape->noise_sd / 2;
		point->boots = 6;
	}
}

static void add_change(struct history_series *series, const struct change_point *point)
{
	struct history_change *change = array_append(&series->changes);

	change->index = point->index;
	change->low = point->low;
	change->high = point->high;
	change->kind = point->kind;
	change->regression = point->after > point->before;
	change->seen = true;
	change->before = point->before;
	change->after = point->after;
	change->difference = point->difference;
	change->difference_ci = point->difference_ci;
	change->ratio = point->ratio;
	change->ratio_ci = point->ratio_ci;
	change->p = point->p;
	change->q = point->p;
}

static void search(struct history_series *series)
{
	size_t n = series->points.count;
	_cleanup_free_ double *values = xcalloc(n + 1, sizeof(*values));
	struct change_series input = {.values = values, .n = n};
	struct change_points found;

	for (size_t i = 0; i < n; i++)
		values[i] = series->points.items[i].location;
	found = change_points_of(&input, NULL);
	series->known = found.known;
	series->noise_sd = found.noise_sd;
	series->autocorrelation = found.autocorrelation;
	for (size_t i = 0; i < found.count; i++)
		add_change(series, &found.items[i]);
	change_points_release(&found);
}

struct history_series *history_rig_add(struct history_rig *rig, const struct history_shape *shape)
{
	struct history_series *series = array_append(&rig->report.series);

	series->benchmark = xstrdup(shape->benchmark);
	series->params = xstrdup(shape->params);
	series->metric = xstrdup("time");
	series->unit = xstrdup("ns/op");
	series->variant = xstrdup("voluntary");
	series->machine = xstrdup("x86_64-tcg");
	add_points(series, shape);
	search(series);
	return series;
}

void history_rig_find(struct history_rig *rig, size_t series, size_t change,
		      enum finding_state state, const char *group)
{
	const struct history_series *of = &rig->report.series.items[series];
	const struct history_change *seen = &of->changes.items[change];
	struct finding *finding = array_append(&rig->findings);

	finding->id = digest("finding", 1000 * series + change, ID_DIGITS);
	finding->group = group ? xstrdup(group) : NULL;
	finding->benchmark = xstrdup(of->benchmark);
	finding->regression = seen->regression;
	finding->state = state;
	finding->low_set = xstrdup(of->points.items[seen->low - 1].run_set);
	finding->high_set = xstrdup(of->points.items[seen->high].run_set);
	finding->good_commit = xstrdup(of->points.items[seen->low - 1].commit);
	finding->bad_commit = xstrdup(of->points.items[seen->high].commit);
	finding->found_at = xstrdup("2026-11-29T03:00:00");
	finding->changed_at = xstrdup("2026-11-30T03:00:00");
	/* Their place, until the list does not grow any more. */
	finding->place.index = series;
	finding->place.low = change;
}

void history_rig_finish(struct history_rig *rig)
{
	array_for_each (finding, &rig->findings)
		rig->report.series.items[finding->place.index]
			.changes.items[finding->place.low]
			.finding = finding;
	history_report_derive(&rig->report);
}

static void add_named(struct history_rig *rig, const char *benchmark, double factor)
{
	struct history_shape shape = {benchmark, "", 100, 100, 1, 60, factor, 0};

	history_rig_add(rig, &shape);
}

void history_rig_usual(struct history_rig *rig)
{
	static const struct history_shape steady = {"sched.pipe", "groups=4", 100, 2.5e6,
						    2e4,	  0,	      1,   0};
	static const struct {
		const char *benchmark;
		double factor;
		enum finding_state state;
		const char *group;
	} rows[] = {
		{"lock.fixed", 1.10, FINDING_FIXED, NULL},
		{"lock.improved", 0.90, FINDING_NEW, NULL},
		{"lock.acknowledged", 1.12, FINDING_ACKNOWLEDGED, NULL},
		{"lock.known", 1.13, FINDING_KNOWN, NULL},
		{"lock.withdrawn", 1.08, FINDING_WITHDRAWN, NULL},
		{"mm.fork", 1.07, FINDING_NEW, "00112233aabbccdd"},
		{"mm.mmap", 1.30, FINDING_REOPENED, "00112233aabbccdd"},
	};

	history_rig_init(rig);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		add_named(rig, rows[i].benchmark, rows[i].factor);
		history_rig_find(rig, i, 0, rows[i].state, rows[i].group);
	}
	add_named(rig, "mm.unsure", 1.06);
	rig->report.series.items[7].changes.items[0].q = 0.3;
	add_named(rig, "mm.unremembered", 1.06);
	history_rig_add(rig, &steady);
	rig->report.series.items[0].changes.items[0].cause = xstrdup("microcode: 0xf0 -> 0xf4");
	rig->findings.items[2].note = xstrdup("being looked at");
	history_rig_finish(rig);
}

void history_rig_hostile(struct history_rig *rig)
{
	static const char *const names[] = {
		"</script><script>alert(1)</script>",
		"]]><!-- x",
		"\u202egnp.exe",
		"\a\033[31mred",
		"'\"><img src=x onerror=alert(1)>",
		"\xff\xfe bad",
		"&lt;&#0; | `x` @all",
		"same name",
		"same_name",
	};

	history_rig_init(rig);
	string_list_add(&rig->report.notes, names[0]);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct history_series *series;

		add_named(rig, names[i], 1.1);
		series = &rig->report.series.items[i];
		free(series->unit);
		series->unit = xstrdup(names[i]);
		free(series->variant);
		series->variant = xstrdup(names[i / 2]);
		series->changes.items[0].cause = xstrdup(names[i]);
		history_rig_find(rig, i, 0, FINDING_NEW, names[i / 3]);
		rig->findings.items[i].note = xstrdup(names[i]);
	}
	history_rig_finish(rig);
}

void history_rig_large(struct history_rig *rig, size_t count, size_t n)
{
	history_rig_init(rig);
	for (size_t i = 0; i < count; i++) {
		_cleanup_free_ char *name = xasprintf("group%zu.bench_%zu", i % 7, i);
		struct history_shape shape = {name, "", n, 100, 1, i % 3 ? 0 : n / 2, 1.05, 0};

		history_rig_add(rig, &shape);
		if (rig->report.series.items[i].changes.count)
			history_rig_find(rig, i, 0, FINDING_NEW, "0123456789abcdef");
	}
	history_rig_finish(rig);
}

void history_rig_empty(struct history_rig *rig)
{
	history_rig_init(rig);
	history_rig_finish(rig);
}
