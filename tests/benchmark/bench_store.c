/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * usage: bench-store [SERIES [SETS [BOOTS [ADDRESS]]]]
 *
 * The store at size: one variant, measured night after night with SERIES series and one sample in
 * each of BOOTS boots. Measured at a tenth of SETS and at SETS, each as what it costs per series
 * or per point, and compared: nothing may get dearer with the number of nights stored. Fails when
 * something does. The store is a file below $TMPDIR, or ADDRESS, which must be empty. Times are of
 * this process' CPU, which others on the machine change least; on a server, they are of the clock.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/file.h"
#include "store/gc.h"
#include "store/timeline.h"

enum {
	SERIES = 10000,
	SETS = 50,
	BOOTS = 3,
	NIGHTS_TIMED = 3, /* the median is taken */
	HISTORIES = 50,	  /* of single series, for the mean */
};

/* A cost may grow so much, as trees get deeper and caches full. */
static const double growth_max = 1.6;

struct size {
	uint32_t series;
	uint32_t sets;
	uint32_t boots;
};

enum cost { INSERT, LIST, HISTORY, ALL, LOAD, BYTES, REMOVE, COSTS };

static const struct {
	const char *name;
	const char *unit;
} costs[COSTS] = {
	[INSERT] = {"store a night", "us/series"},
	[LIST] = {"list the series of the past", "us/series"},
	[HISTORY] = {"load one series' history", "us/point"},
	[ALL] = {"load all histories, one by one", "us/point"},
	[LOAD] = {"load a night", "us/series"},
	[BYTES] = {"size of the store", "bytes/sample"},
	[REMOVE] = {"remove a night", "us/series"},
};

struct measured {
	uint32_t sets;
	double cost[COSTS];
};

static void check(int status, const struct error *err)
{
	if (status == 0)
		return;
	fprintf(stderr, "%s\n", err->message);
	exit(1);
}

static clockid_t clock_used = CLOCK_PROCESS_CPUTIME_ID;

static double now_s(void)
{
	struct timespec now;

	clock_gettime(clock_used, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double next_value(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return 100 + (double)(*state >> 40) / 16777216;
}

static void fill_night(struct run_set *set, const struct size *size, uint32_t night)
{
	uint64_t state = night;

	run_set_init(set, "mainline");
	set->collection = xstrdup(set->id);
	set->target = xstrdup("lab");
	set->machine = xstrdup("lab x4");
	set->created_at = xasprintf("20%02u-%02u-%02uT01:00:00Z", 20 + night / 336,
				    1 + night / 28 % 12, 1 + night % 28);
	for (uint32_t boot = 0; boot < size->boots; boot++) {
		struct boot *added = run_set_add_boot(set);

		environment_set(&added->environment, "kernel.release", "6.1.0");
		environment_set(&added->environment, "kernel.commit", set->id);
	}
	for (uint32_t i = 0; i < size->series; i++) {
		_cleanup_free_ char *name = xasprintf("group%u.benchmark%u", i / 100, i / 4);
		_cleanup_free_ char *params = xasprintf("size=%u,threads=%u", 64u << i % 4, i % 4);
		struct series *series =
			run_set_series(set, name, params, "time", "ns/op", BETTER_LOWER);

		for (uint32_t boot = 0; boot < size->boots; boot++)
			series_add_sample(series, boot, 0, 0, next_value(&state));
	}
}

/* Boot by boot, as a collection does. Gives the seconds that it took. */
static double store_night(struct store *store, const struct size *size, uint32_t night)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_(error_clear) struct error err = {0};
	struct collection collection;
	double start_s;

	fill_night(&set, size, night);
	collection = (struct collection){.id = set.collection, .plan_digest = set.id};
	start_s = now_s();
	check(store_begin_collection(store, &collection, &err), &err);
	check(store_begin_run_set(store, &set, &err), &err);
	for (uint32_t boot = 0; boot < size->boots; boot++)
		check(store_add_boot(store, &set, boot, &err), &err);
	check(store_finish_collection(store, set.collection, &err), &err);
	return now_s() - start_s;
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Stores nights up to `sets`; the cost is that of the last few. */
static double grow(struct store *store, const struct size *size, uint32_t from, uint32_t sets)
{
	double last_s[NIGHTS_TIMED] = {0};

	for (uint32_t night = from; night < sets; night++)
		last_s[night % NIGHTS_TIMED] = store_night(store, size, night);
	qsort(last_s, NIGHTS_TIMED, sizeof(last_s[0]), compare_doubles);
	return last_s[NIGHTS_TIMED / 2];
}

static size_t load_history(struct store *store, const struct timeline *timeline,
			   const struct timeline_series *series)
{
	_cleanup_(timeline_points_release) struct timeline_points points = {0};
	_cleanup_(error_clear) struct error err = {0};

	check(store_load_timeline_points(store, timeline, series, &points, &err), &err);
	return points.count;
}

/* Seconds for a point, over every `step`th series. */
static double time_histories(struct store *store, const struct timeline *timeline,
			     const struct timeline_series_list *names, size_t step)
{
	double start_s = now_s();
	size_t points = 0;

	for (size_t i = 0; i < names->count; i += step)
		points += load_history(store, timeline, &names->items[i]);
	return (now_s() - start_s) / (double)points;
}

static void measure_past(struct store *store, const struct size *size, struct measured *measured)
{
	_cleanup_(timeline_list_release) struct timeline_list timelines = {0};
	_cleanup_(timeline_series_list_release) struct timeline_series_list names = {0};
	_cleanup_(error_clear) struct error err = {0};
	double start_s;

	check(store_load_timelines(store, NULL, &timelines, &err), &err);
	start_s = now_s();
	check(store_load_timeline_series(store, &timelines.items[0], &names, &err), &err);
	measured->cost[LIST] = 1e6 * (now_s() - start_s) / size->series;
	if (names.count != size->series || timelines.items[0].sets.count != measured->sets)
		exit(1);
	measured->cost[HISTORY] =
		1e6 * time_histories(store, &timelines.items[0], &names,
				     names.count > HISTORIES ? names.count / HISTORIES : 1);
	measured->cost[ALL] = 1e6 * time_histories(store, &timelines.items[0], &names, 1);
}

static void measure_set(struct store *store, const struct size *size, struct measured *measured)
{
	_cleanup_(run_set_release) struct run_set set = {0};
	_cleanup_(error_clear) struct error err = {0};
	double start_s = now_s();
	uint64_t bytes;

	check(store_load(store, "mainline", &set, &err), &err);
	measured->cost[LOAD] = 1e6 * (now_s() - start_s) / size->series;
	check(store_size(store, &bytes, &err), &err);
	measured->cost[BYTES] =
		(double)bytes / ((double)measured->sets * size->series * size->boots);
}

/* Removes the oldest night. */
static void measure_removal(struct store *store, const struct size *size, struct measured *measured)
{
	_cleanup_(gc_plan_release) struct gc_plan plan = {0};
	_cleanup_(error_clear) struct error err = {0};
	const struct gc_policy policy = {.keep_sets = measured->sets - 1};
	double start_s;

	check(store_plan_gc(store, &policy, &plan, &err), &err);
	start_s = now_s();
	if (store_remove_set(store, &plan.sets.items[plan.sets.count - 1], &err) != 1)
		exit(1);
	measured->cost[REMOVE] = 1e6 * (now_s() - start_s) / size->series;
}

static void measure(struct store *store, const struct size *size, struct measured *measured)
{
	measure_past(store, size, measured);
	measure_set(store, size, measured);
	measure_removal(store, size, measured);
}

static int compare(const struct measured *few, const struct measured *many)
{
	int grown = 0;

	printf("%-32s %10u %10u sets\n", "", few->sets, many->sets);
	for (int i = 0; i < COSTS; i++) {
		double growth = many->cost[i] / few->cost[i];

		printf("%-32s %10.3g %10.3g %-12s ratio %.2f%s\n", costs[i].name, few->cost[i],
		       many->cost[i], costs[i].unit, growth, growth > growth_max ? " GROWS" : "");
		grown += growth > growth_max;
	}
	return grown;
}

static int run(const char *address, const struct size *size)
{
	_cleanup_store_ struct store *store = NULL;
	_cleanup_(error_clear) struct error err = {0};
	struct measured few = {.sets = size->sets / 10 < 5 ? 5 : size->sets / 10};
	struct measured many = {.sets = size->sets};
	time_t start = time(NULL);

	if (store_is_url(address))
		clock_used = CLOCK_MONOTONIC;
	check(store_open(address, &store, &err), &err);
	printf("%u series, %u boots a night, one sample each\n", size->series, size->boots);
	few.cost[INSERT] = 1e6 * grow(store, size, 0, few.sets) / size->series;
	measure(store, size, &few);
	/* The night removed comes back, so that the numbers of sets are as said. */
	store_night(store, size, 0);
	many.cost[INSERT] = 1e6 * grow(store, size, few.sets, many.sets) / size->series;
	printf("stored in %.0f s by the clock\n", (double)(time(NULL) - start));
	measure(store, size, &many);
	return compare(&few, &many);
}

static uint32_t number(int argc, char **argv, int index, uint32_t otherwise)
{
	return argc > index ? (uint32_t)strtoul(argv[index], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	const struct size size = {number(argc, argv, 1, SERIES), number(argc, argv, 2, SETS),
				  number(argc, argv, 3, BOOTS)};
	_cleanup_free_ char *folder = NULL, *file = NULL;
	_cleanup_(error_clear) struct error err = {0};
	int grown;

	setvbuf(stdout, NULL, _IOLBF, 0);
	check(folder_make_temporary(&folder, &err), &err);
	file = path_below(folder, "store.db");
	grown = run(argc > 4 ? argv[4] : file, &size);
	check(folder_remove(folder, &err), &err);
	return grown ? 1 : 0;
}
