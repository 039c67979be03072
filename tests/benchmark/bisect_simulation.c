/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/benchmark/bisect_simulation.h"

#include <math.h>
#include <time.h>

#include "analyzer/welch.h"

/* One search. */
struct trial {
	const struct simulation *simulation;
	const struct dag *dag;
	struct random random;
	size_t culprit; /* SIZE_MAX: none */
	size_t second;	/* SIZE_MAX: none */
	double *layout; /* per site */
	double values;
	double cost;
	double predicted;
	double predicted_at;
	size_t decisions;
	size_t current;
};

double random_uniform(struct random *random)
{
	uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return ((double)(z >> 11) + 0.5) / 9007199254740992.0;
}

double random_normal(struct random *random)
{
	double radius = sqrt(-2 * log(random_uniform(random)));

	return radius * cos(2 * M_PI * random_uniform(random));
}

size_t random_below(struct random *random, size_t bound)
{
	return (size_t)(random_uniform(random) * (double)bound);
}

/*
 * Tips are commits without a child yet. A merge joins two of them; any other commit goes on from a
 * tip, or forks from a recent commit as often as merges happen, so that tips stay few.
 */
void random_dag(struct dag *dag, size_t count, double merges, struct random *random)
{
	uint32_t tips[64] = {0};
	size_t tip_count = 1;

	dag_add(dag, NULL, 0);
	for (size_t i = 1; i < count; i++) {
		/* The last commits join what is still open. */
		bool closing = count - i < tip_count;
		size_t a = random_below(random, tip_count);
		double draw = random_uniform(random);
		uint32_t parents[2] = {tips[a], 0};

		if (tip_count > 1 && (closing || draw < merges)) {
			size_t b = (a + 1 + random_below(random, tip_count - 1)) % tip_count;

			parents[1] = tips[b];
			tips[a] = (uint32_t)i;
			tips[b] = tips[--tip_count];
			dag_add(dag, parents, 2);
		} else if (count - i > tip_count && tip_count < 64 && draw < 2 * merges) {
			size_t back = random_below(random, i < 8 ? i : 8);

			parents[0] = (uint32_t)(i - 1 - back);
			a = tip_count;
			for (size_t t = 0; t < tip_count; t++) {
				if (tips[t] == parents[0])
					a = t;
			}
			tip_count += a == tip_count;
			tips[a] = (uint32_t)i;
			dag_add(dag, parents, 1);
		} else {
			tips[a] = (uint32_t)i;
			dag_add(dag, parents, 1);
		}
	}
	dag_close(dag);
}

static bool is_after(const struct trial *trial, size_t change, size_t site)
{
	return change != SIZE_MAX && site < dag_count(trial->dag) &&
	       dag_is_ancestor(trial->dag, change, site);
}

static void visit(struct trial *trial, size_t site)
{
	trial->values++;
	trial->cost += 1 + (site == trial->current ? 0 : trial->simulation->move_cost);
	trial->current = site;
}

static double outlier_of(struct trial *trial)
{
	double draw;

	if (trial->simulation->outlier_rate <= 0)
		return 0;
	draw = random_uniform(&trial->random) / trial->simulation->outlier_rate;
	return draw < 0.5 ? trial->simulation->outlier : draw < 1 ? -trial->simulation->outlier : 0;
}

static double measure(struct trial *trial, size_t site)
{
	const struct simulation *simulation = trial->simulation;
	double value = trial->layout[site];

	visit(trial, site);
	value += is_after(trial, trial->culprit, site) ? simulation->shift : 0;
	value += is_after(trial, trial->second, site) ? simulation->second_shift : 0;
	if (simulation->exact)
		return 412 + value;
	return 1000 + value + random_normal(&trial->random) + outlier_of(trial);
}

static bool fails(struct trial *trial, size_t site)
{
	bool slow = is_after(trial, trial->culprit, site);

	visit(trial, site);
	return random_uniform(&trial->random) <
	       (slow ? trial->simulation->fails_slow : trial->simulation->fails_fast);
}

static bool is_broken(const struct trial *trial, size_t site)
{
	/* A hash of the site, so that it stays broken. */
	struct random random = {trial->simulation->seed + site * UINT64_C(7777777)};

	return site + 1 < dag_count(trial->dag) &&
	       random_uniform(&random) < trial->simulation->broken;
}

static bool gives_outcomes(const struct simulation *simulation)
{
	return simulation->fails_slow > 0 || simulation->flaky;
}

/* One step of a driver: `count` values, outcomes, or a skip. */
static void take(struct trial *trial, struct search *search, size_t site, size_t count)
{
	if (is_broken(trial, site)) {
		search_skip(search, site);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (gives_outcomes(trial->simulation))
			search_add_outcome(search, site, fails(trial, site));
		else
			search_add_value(search, site, measure(trial, site));
	}
}

/* As a driver does it: moves, takes the endpoint's first values or one value, asks again. */
static enum search_state run_search(struct trial *trial, struct search *search)
{
	const struct simulation *simulation = trial->simulation;
	struct search_costs costs = {1, simulation->move_cost, NULL, SIZE_MAX};
	struct search_step step;

	for (;;) {
		enum search_state state;
		bool first;

		search_update(search);
		costs.current = trial->current;
		state = search_next(search, &costs, &step);
		if (state != SEARCH_MEASURE)
			return state;
		if (simulation->budget && search->value_count >= simulation->budget)
			return SEARCH_EXHAUSTED;
		first = step.information_bits <= 0;
		if (!first && trial->predicted <= 0) {
			trial->predicted = step.cost_left;
			trial->predicted_at = trial->cost;
		}
		trial->decisions++;
		take(trial, search, step.site, first ? step.repeats : 1);
	}
}

/* Two changes: right when both and only they are named; held when both sets hold theirs. */
static void count_steps(const struct trial *trial, const struct search *search,
			enum search_state state, struct simulation_result *result)
{
	const size_t changes[] = {trial->culprit, trial->second};
	_cleanup_free_ size_t *set = xcalloc(dag_count(search->dag), sizeof(*set));
	size_t found = search_step_count(search);
	size_t made = trial->second == SIZE_MAX ? 1 : 2;
	bool held = found == made;
	bool alone = found == made;

	for (size_t step = 0; step < made && found == made; step++) {
		double reached;
		size_t size = made == 2 ? search_step_set(search, step, search->settings.mass, set,
							  &reached)
					: search_credible_set(search, search->settings.mass, set,
							      &reached);
		bool inside = false;

		for (size_t i = 0; i < size; i++)
			inside = inside || set[i] == changes[step];
		held = held && inside;
		alone = alone && size == 1;
		result->set_size += (double)size / (double)made;
	}
	result->held += held;
	result->right += held && alone;
	result->wrong += !held && state == SEARCH_FOUND;
	result->open += state != SEARCH_FOUND;
}

static void count_result(const struct trial *trial, const struct search *search,
			 enum search_state state, struct simulation_result *result)
{
	_cleanup_free_ size_t *set = xcalloc(dag_count(search->dag), sizeof(*set));
	double reached;
	size_t size = search_credible_set(search, search->settings.mass, set, &reached);

	result->distinct += (double)search->measured.count;
	if (state == SEARCH_NOT_REPRODUCED) {
		result->refused++;
		return;
	}
	if (trial->simulation->steps > 1) {
		count_steps(trial, search, state, result);
		return;
	}
	result->set_size += (double)size;
	for (size_t i = 0; i < size; i++)
		result->held += set[i] == trial->culprit;
	if (state != SEARCH_FOUND)
		result->open++;
	else if (set[0] == trial->culprit)
		result->right++;
	else
		result->wrong++;
}

static struct search_settings settings_of(const struct simulation *simulation)
{
	struct search_settings settings = SEARCH_VALUES;

	if (simulation->exact)
		settings = (struct search_settings)SEARCH_EXACT;
	else if (simulation->flaky)
		settings = (struct search_settings)SEARCH_FLAKY;
	else if (gives_outcomes(simulation))
		settings = (struct search_settings)SEARCH_OUTCOMES;
	settings.layout = simulation->model_layout;
	settings.layout_unknown = simulation->layout_unknown;
	settings.steps = simulation->steps;
	return settings;
}

static void core_trial(struct trial *trial, struct simulation_result *result)
{
	struct search_settings settings = settings_of(trial->simulation);
	struct search search;
	enum search_state state;

	search_init(&search, trial->dag, 1, &settings);
	state = run_search(trial, &search);
	count_result(trial, &search, state, result);
	search_release(&search);
}

static bool welch_slow(struct trial *trial, size_t site, const struct moments *good)
{
	size_t n = trial->simulation->classic;
	_cleanup_free_ double *values = xcalloc(n, sizeof(*values));
	struct moments here;
	struct welch welch;

	for (size_t i = 0; i < n; i++)
		values[i] = measure(trial, site);
	here = moments_of(values, n);
	welch = welch_test(good, &here, 0.05);
	return welch.p < 0.05 && here.mean > good->mean;
}

/* Plain bisection of a linear range; each step is right or wrong for good. */
static void classic_trial(struct trial *trial, struct simulation_result *result)
{
	size_t n = trial->simulation->classic;
	size_t count = dag_count(trial->dag);
	size_t low = 0; /* the culprit is taken to be in [low, high] */
	size_t high = count - 1;
	_cleanup_free_ double *values = xcalloc(n, sizeof(*values));
	struct moments good;

	for (size_t i = 0; i < n; i++)
		values[i] = measure(trial, count);
	good = moments_of(values, n);
	welch_slow(trial, count - 1, &good); /* bad is measured, and believed */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (welch_slow(trial, middle, &good))
			high = middle;
		else
			low = middle + 1;
	}
	result->set_size++;
	result->held += low == trial->culprit;
	if (low == trial->culprit)
		result->right++;
	else
		result->wrong++;
}

/* Two changes a few commits apart at least, neither of them at an end. */
static void draw_second(struct trial *trial)
{
	size_t count = dag_count(trial->dag);

	trial->culprit = count / 16 + random_below(&trial->random, count / 2);
	trial->second = trial->culprit + 4 +
			random_below(&trial->random, count - count / 16 - trial->culprit - 4);
}

static void run_trial(struct trial *trial, struct simulation_result *result)
{
	size_t sites = dag_count(trial->dag) + 1;

	trial->layout = xcalloc(sites, sizeof(*trial->layout));
	for (size_t site = 0; site < sites; site++)
		trial->layout[site] = trial->simulation->layout * random_normal(&trial->random);
	trial->culprit = trial->simulation->shift > 0 || trial->simulation->fails_slow >
								 trial->simulation->fails_fast
				 ? random_below(&trial->random, dag_count(trial->dag))
				 : SIZE_MAX;
	trial->second = SIZE_MAX;
	if (trial->simulation->second_shift != 0)
		draw_second(trial);
	if (trial->simulation->classic)
		classic_trial(trial, result);
	else
		core_trial(trial, result);
	result->values += trial->values;
	result->cost += trial->cost;
	result->predicted += trial->predicted;
	result->actual += trial->predicted > 0 ? trial->cost - trial->predicted_at : 0;
	result->seconds += (double)trial->decisions;
	free(trial->layout);
}

struct simulation_result simulate(const struct simulation *simulation)
{
	struct simulation_result result = {.replicates = simulation->replicates};
	double n = (double)simulation->replicates;
	clock_t start = clock();

	for (size_t i = 0; i < simulation->replicates; i++) {
		_cleanup_(dag_release) struct dag dag = DAG_INIT;
		struct trial trial = {
			.simulation = simulation,
			.dag = &dag,
			.random = {simulation->seed + i * UINT64_C(1000003)},
			.current = SIZE_MAX,
		};

		random_dag(&dag, simulation->commits, simulation->merges, &trial.random);
		run_trial(&trial, &result);
	}
	if (result.seconds > 0)
		result.seconds = (double)(clock() - start) / CLOCKS_PER_SEC / result.seconds;
	if (simulation->replicates > result.refused)
		result.set_size /= n - (double)result.refused;
	result.values /= n;
	result.distinct /= n;
	result.cost /= n;
	result.predicted /= n;
	result.actual /= n;
	return result;
}
