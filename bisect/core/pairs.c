/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/core/pairs.h"

#include <math.h>

#include "bisect/core/search.h"

/*
 * Scales of the changes in units of the noise, and their prior weights. A change far below the
 * noise cannot be told from none, so the smallest scales of a single change are left out.
 */
static const struct {
	double scale;
	double weight;
} scales[] = {{2, 0.35}, {4, 0.3}, {8, 0.2}, {32, 0.1}, {1024, 0.05}};

enum { SCALES = sizeof(scales) / sizeof(scales[0]) };

/* Normal equations of level and two changes, values taken from `origin`. */
struct equations {
	double matrix[3][3];
	double right[3];
	double squares;
	double origin;
	double weight;
	size_t values;
};

/* One scale: inverse of the matrix, solution, and what it says. */
struct solution {
	double inverse[3][3];
	double beta[3];
	double noise_variance;
	double log_weight;
};

static void set_up(const struct level_sum sums[PAIR_GROUPS], struct equations *equations)
{
	double total = 0;

	for (int group = 0; group < PAIR_GROUPS; group++) {
		equations->weight += sums[group].weight;
		equations->values += sums[group].values;
		equations->squares += sums[group].squares;
		total += sums[group].weight * sums[group].mean;
	}
	equations->origin = equations->weight > 0 ? total / equations->weight : 0;
	for (int group = 0; group < PAIR_GROUPS; group++) {
		double weight = sums[group].weight;
		double off = sums[group].mean - equations->origin;
		const double row[3] = {1, group & 1 ? 1 : 0, group & 2 ? 1 : 0};

		for (int i = 0; i < 3; i++) {
			for (int j = 0; j < 3; j++)
				equations->matrix[i][j] += weight * row[i] * row[j];
			equations->right[i] += weight * off * row[i];
		}
		equations->squares += weight * off * off;
	}
}

/* Inverts a symmetric matrix by cofactors; returns its determinant. */
static double invert(const double m[3][3], double inverse[3][3])
{
	double determinant = 0;

	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			int r = (i + 1) % 3;
			int s = (i + 2) % 3;
			int u = (j + 1) % 3;
			int v = (j + 2) % 3;

			inverse[j][i] = m[r][u] * m[s][v] - m[r][v] * m[s][u];
		}
	}
	for (int j = 0; j < 3; j++)
		determinant += m[0][j] * inverse[j][0];
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++)
			inverse[i][j] /= determinant;
	}
	return determinant;
}

static void solve(const struct equations *equations, double scale, double weight, double squares,
		  double freedom, struct solution *solution)
{
	double matrix[3][3];
	double explained = 0;
	double determinant;
	double total;

	memcpy(matrix, equations->matrix, sizeof(matrix));
	matrix[1][1] += 1 / (scale * scale);
	matrix[2][2] += 1 / (scale * scale);
	determinant = invert((const double(*)[3])matrix, solution->inverse);
	for (int i = 0; i < 3; i++) {
		solution->beta[i] = 0;
		for (int j = 0; j < 3; j++)
			solution->beta[i] += solution->inverse[i][j] * equations->right[j];
		explained += solution->beta[i] * equations->right[i];
	}
	/* Rounding must not make less than the within-group squares of it. */
	total = squares + fmax(equations->squares - explained, 0);
	solution->noise_variance = total / freedom;
	solution->log_weight = log(weight) + 0.5 * log(equations->weight / determinant) -
			       2 * log(scale) - 0.5 * freedom * log(total);
}

/* Adds one scale's predictions of the four levels, weighted. */
static void add_levels(const struct solution *solution, double weight, struct pair_fit *fit)
{
	fit->noise_variance += weight * solution->noise_variance;
	for (int group = 0; group < PAIR_GROUPS; group++) {
		const double row[3] = {1, group & 1 ? 1 : 0, group & 2 ? 1 : 0};
		double level = 0;
		double variance = 0;

		for (int i = 0; i < 3; i++) {
			level += row[i] * solution->beta[i];
			for (int j = 0; j < 3; j++)
				variance += row[i] * row[j] * solution->inverse[i][j];
		}
		fit->level[group] += weight * level;
		fit->level_variance[group] +=
			weight * (level * level + variance * solution->noise_variance);
	}
}

struct pair_fit pair_fit_levels(const struct level_sum sums[PAIR_GROUPS], struct noise_prior prior)
{
	struct equations equations = {.squares = 0};
	struct solution solutions[SCALES];
	struct pair_fit fit = {.noise_variance = 0};
	double top = -INFINITY;
	double sum = 0;

	set_up(sums, &equations);
	fit.freedom = split_freedom(equations.values, prior);
	if (!equations.values)
		return fit;
	for (size_t i = 0; i < SCALES; i++) {
		solve(&equations, scales[i].scale, scales[i].weight, prior.squares, fit.freedom,
		      &solutions[i]);
		top = fmax(top, solutions[i].log_weight);
	}
	for (size_t i = 0; i < SCALES; i++)
		sum += exp(solutions[i].log_weight - top);
	for (size_t i = 0; i < SCALES; i++)
		add_levels(&solutions[i], exp(solutions[i].log_weight - top) / sum, &fit);
	fit.log_likelihood = top + log(sum);
	for (int group = 0; group < PAIR_GROUPS; group++) {
		fit.level_variance[group] -= fit.level[group] * fit.level[group];
		fit.level_variance[group] = fmax(fit.level_variance[group], 0);
		fit.level[group] += equations.origin;
	}
	return fit;
}

/* The likeliest classes that have members; `chosen` has room for PAIR_CLASSES_MAX. */
static size_t choose_classes(const struct search *search, uint32_t *chosen)
{
	size_t count = 0;

	for (size_t k = 0; k < search->classes.count; k++) {
		const struct candidate_class *classes = search->classes.items;
		size_t at = count;

		if (!classes[k].members)
			continue;
		while (at > 0 && classes[chosen[at - 1]].probability < classes[k].probability) {
			if (at < PAIR_CLASSES_MAX)
				chosen[at] = chosen[at - 1];
			at--;
		}
		if (at < PAIR_CLASSES_MAX)
			chosen[at] = (uint32_t)k;
		count += count < PAIR_CLASSES_MAX;
	}
	return count;
}

static void fit_pair(const struct search *search, const bool *slow, const struct site *evidence,
		     struct pair *pair)
{
	struct level_sum sums[PAIR_GROUPS] = {
		{.values = 0}, {.values = 0}, {.values = 0}, {.values = 0}};
	size_t count = search->measured.count;
	const bool *first = slow + pair->first * count;
	const bool *second = slow + pair->second * count;

	for (size_t i = 0; i < count; i++)
		level_sum_add(&sums[first[i] + 2 * second[i]], &evidence[i], search->layout);
	pair->fit = pair_fit_levels(sums, search_noise_prior(search));
}

static void add_pair(struct search *search, uint32_t first, uint32_t second, double pair_count)
{
	const struct candidate_class *classes = search->classes.items;
	double members = (double)classes[first].members;
	double pairs = first == second ? members * (members - 1) / 2
				       : members * (double)classes[second].members;

	if (pairs > 0)
		*array_append(&search->pairs) = (struct pair){
			.first = first < second ? first : second,
			.second = first < second ? second : first,
			.prior = pairs / pair_count,
		};
}

void pairs_update(struct search *search)
{
	uint32_t chosen[PAIR_CLASSES_MAX];
	size_t chosen_count = choose_classes(search, chosen);
	size_t count = search->measured.count;
	_cleanup_free_ bool *slow = xcalloc(search->classes.count * count + 1, sizeof(*slow));
	_cleanup_free_ struct site *evidence = xcalloc(count + 1, sizeof(*evidence));
	double members = 0;

	search->pairs.count = 0;
	for (size_t k = 0; k < search->classes.count; k++) {
		const struct candidate_class *class = &search->classes.items[k];

		members += (double)class->members;
		for (size_t i = 0; class->members && i < count; i++)
			slow[k * count + i] =
				search_is_measured_slow(search, class->representative, i);
	}
	for (size_t i = 0; i < count; i++)
		evidence[i] = search_evidence(search, search->measured.items[i]);
	for (size_t a = 0; a < chosen_count; a++) {
		for (size_t b = a; b < chosen_count; b++)
			add_pair(search, chosen[a], chosen[b], members * (members - 1) / 2);
	}
	array_for_each (pair, &search->pairs)
		fit_pair(search, slow, evidence, pair);
}

void pair_shares(const struct search *search, const struct pair *pair, double inside_first,
		 double inside_second, double shares[PAIR_GROUPS])
{
	double first = (double)search->classes.items[pair->first].members;
	double second = (double)search->classes.items[pair->second].members;
	double a = inside_first / first;
	double b = inside_second / second;

	if (pair->first == pair->second) {
		double pairs = first * (first - 1);

		shares[3] = fmax(inside_first * (inside_first - 1), 0) / pairs;
		shares[0] = fmax((first - inside_first) * (first - inside_first - 1), 0) / pairs;
		/* Either of the two may be the one inside; the groups 1 and 2 are alike. */
		shares[1] = fmax(1 - shares[0] - shares[3], 0);
		shares[2] = 0;
		return;
	}
	shares[0] = (1 - a) * (1 - b);
	shares[1] = a * (1 - b);
	shares[2] = (1 - a) * b;
	shares[3] = a * b;
}
