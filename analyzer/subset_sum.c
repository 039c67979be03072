/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/subset_sum.h"

#include "analyzer/scratch.h"

/* The sums of all subsets of some values, one ascending list for every size of subset. */
struct half {
	double *sums; /* owned */
	size_t start[SUBSET_SUM_MAX / 2 + 2];
	size_t count[SUBSET_SUM_MAX / 2 + 2];
	size_t n;
};

static size_t choices(size_t n, size_t k)
{
	size_t product = 1;

	for (size_t i = 1; i <= k; i++)
		product = product * (n - k + i) / i;
	return product;
}

/* Merges `from` + value into `into`, whose storage has room behind, from the back. */
static void merge_shifted(double *into, size_t count, const double *from, size_t n_from,
			  double value)
{
	size_t to = count + n_from;

	while (n_from) {
		double next = from[n_from - 1] + value;

		if (count && into[count - 1] > next) {
			into[--to] = into[--count];
		} else {
			into[--to] = next;
			n_from--;
		}
	}
}

static void half_init(struct half *half, const double *values, size_t n)
{
	size_t at = 0;

	*half = (struct half){.n = n};
	half->sums = scratch_new((size_t)1 << n, sizeof(*half->sums));
	for (size_t k = 0; k <= n; k++) {
		half->start[k] = at;
		at += choices(n, k);
	}
	half->count[0] = 1;
	for (size_t i = 0; i < n; i++) {
		/* From the largest size down: what is read does not hold this value yet. */
		for (size_t k = i + 1; k > 0; k--) {
			merge_shifted(half->sums + half->start[k], half->count[k],
				      half->sums + half->start[k - 1], half->count[k - 1],
				      values[i]);
			half->count[k] += half->count[k - 1];
		}
	}
}

static double pairs_at_most(const double *a, size_t n_a, const double *b, size_t n_b, double bound)
{
	double count = 0;
	size_t j = n_b;

	for (size_t i = 0; i < n_a && j > 0; i++) {
		while (j > 0 && a[i] + b[j - 1] > bound)
			j--;
		count += (double)j;
	}
	return count;
}

static double pairs_at_least(const double *a, size_t n_a, const double *b, size_t n_b, double bound)
{
	double count = 0;
	size_t j = 0;

	for (size_t i = n_a; i-- > 0 && j < n_b;) {
		while (j < n_b && a[i] + b[j] < bound)
			j++;
		count += (double)(n_b - j);
	}
	return count;
}

struct subset_count subset_sum_count(const double *values, size_t n, size_t size, double low,
				     double high)
{
	struct subset_count result = {0};
	struct half a, b;

	half_init(&a, values, n / 2);
	half_init(&b, values + n / 2, n - n / 2);
	for (size_t i = 0; i <= a.n; i++) {
		for (size_t j = 0; j <= b.n; j++) {
			const double *sums_a = a.sums + a.start[i];
			const double *sums_b = b.sums + b.start[j];

			if (size != SUBSET_ANY_SIZE && i + j != size)
				continue;
			result.total += (double)a.count[i] * (double)b.count[j];
			result.at_most +=
				pairs_at_most(sums_a, a.count[i], sums_b, b.count[j], low);
			result.at_least +=
				pairs_at_least(sums_a, a.count[i], sums_b, b.count[j], high);
		}
	}
	free(a.sums);
	free(b.sums);
	return result;
}
