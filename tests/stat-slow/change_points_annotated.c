/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * F1 (margin 5) and covering, as TCPDBench defines them, on the annotated series of TCPD. Skipped
 * (77) where the data is absent.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "analyzer/change_point.h"
#include "common/alloc.h"

enum { MARGIN = 5, CUTS_MAX = 512 };

/* Starts of segments, ascending, the first one 0. */
struct cuts {
	size_t at[CUTS_MAX];
	size_t count;
};

static json_t *load(const char *folder, const char *name)
{
	char *path = xasprintf("%s/stats/%s/%s.json", SHARED_DATA, folder, name);
	json_t *root = json_load_file(path, 0, NULL);

	free(path);
	return root;
}

static void add(struct cuts *cuts, size_t at)
{
	size_t place = cuts->count;

	for (size_t i = 0; i < cuts->count; i++)
		if (cuts->at[i] == at)
			return;
	if (cuts->count == CUTS_MAX)
		abort();
	for (; place > 0 && cuts->at[place - 1] > at; place--)
		cuts->at[place] = cuts->at[place - 1];
	cuts->at[place] = at;
	cuts->count++;
}

static struct cuts detect(const double *values, size_t n)
{
	struct change_series series = {values, NULL, n};
	struct change_points points = change_points_of(&series, NULL);
	struct cuts cuts = {{0}, 1};

	for (size_t i = 0; i < points.count; i++)
		add(&cuts, points.items[i].index);
	change_points_release(&points);
	return cuts;
}

static double matches(const struct cuts *truth, const struct cuts *found)
{
	bool used[CUTS_MAX] = {false};
	double count = 0;

	for (size_t i = 0; i < truth->count; i++) {
		long best = MARGIN + 1;
		size_t which = 0;

		for (size_t j = 0; j < found->count; j++) {
			long off = labs((long)truth->at[i] - (long)found->at[j]);

			if (!used[j] && off < best) {
				best = off;
				which = j;
			}
		}
		if (best <= MARGIN) {
			used[which] = true;
			count++;
		}
	}
	return count;
}

static double end_of(const struct cuts *cuts, size_t i, size_t n)
{
	return (double)(i + 1 < cuts->count ? cuts->at[i + 1] : n);
}

static double covering(const struct cuts *truth, const struct cuts *found, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < truth->count; i++) {
		double from = (double)truth->at[i], to = end_of(truth, i, n), best = 0;

		for (size_t j = 0; j < found->count; j++) {
			double start = (double)found->at[j], end = end_of(found, j, n);
			double common = fmin(to, end) - fmax(from, start);

			best = fmax(best, common / (fmax(to, end) - fmin(from, start)));
		}
		sum += (to - from) * best / (double)n;
	}
	return sum;
}

static void score(json_t *annotations, const double *values, size_t n, double *f1, double *cover)
{
	struct cuts found = detect(values, n);
	struct cuts all = {{0}, 1};
	double annotators = (double)json_object_size(annotations);
	double recall = 0, precision;
	const char *name;
	json_t *list, *item;
	size_t i;

	json_object_foreach (annotations, name, list) {
		struct cuts one = {{0}, 1};

		json_array_foreach (list, i, item) {
			add(&one, (size_t)json_integer_value(item));
			add(&all, (size_t)json_integer_value(item));
		}
		recall += matches(&one, &found) / (double)one.count / annotators;
		*cover += covering(&one, &found, n) / annotators;
	}
	precision = matches(&all, &found) / (double)found.count;
	*f1 += 2 * precision * recall / (precision + recall);
}

/* A missing value repeats the one before. */
static double *numbers(json_t *list)
{
	double *values = xcalloc(json_array_size(list), sizeof(*values));
	json_t *item;
	size_t i;

	json_array_foreach (list, i, item)
		values[i] = json_is_number(item) ? json_number_value(item) : i ? values[i - 1] : 0;
	return values;
}

int main(void)
{
	json_t *all = load("tcpd", "annotations");
	double f1 = 0, cover = 0, count = (double)json_object_size(all);
	json_t *annotations;
	const char *name;

	if (!all) {
		fprintf(stderr, "skipped: no " SHARED_DATA "/stats/tcpd\n");
		return 77;
	}
	json_object_foreach (all, name, annotations) {
		json_t *root = load("tcpd", name);
		json_t *series = json_array_get(json_object_get(root, "series"), 0);
		json_t *raw = json_object_get(series, "raw");
		double *values = numbers(raw);

		score(annotations, values, json_array_size(raw), &f1, &cover);
		free(values);
		json_decref(root);
	}
	json_decref(all);
	printf("%.0f series: F1 %.4f, covering %.4f\n", count, f1 / count, cover / count);
	return f1 / count >= 0.74 && cover / count >= 0.66 ? 0 : 1;
}
