/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/hodges_lehmann.h"

#include <stdint.h>
#include <string.h>

#include "analyzer/mann_whitney.h"

#define SIGN_BIT (UINT64_C(1) << 63)

struct pairs {
	const double *base;
	size_t n_base;
	const double *candidate;
	size_t n_candidate;
};

/* Integers in the order of the doubles they stand for. */
static uint64_t key_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits & SIGN_BIT ? ~bits : bits | SIGN_BIT;
}

static double value_of(uint64_t key)
{
	uint64_t bits = key & SIGN_BIT ? key & ~SIGN_BIT : ~key;
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Pairs whose difference is at most `bound`. */
static size_t count_up_to(const struct pairs *pairs, double bound)
{
	size_t count = 0;
	size_t first = 0;

	for (size_t j = 0; j < pairs->n_candidate; j++) {
		while (first < pairs->n_base && pairs->candidate[j] - pairs->base[first] > bound)
			first++;
		count += pairs->n_base - first;
	}
	return count;
}

/* The k-th smallest difference, k from 1. */
static double difference_at(const struct pairs *pairs, size_t k)
{
	uint64_t low = key_of(pairs->candidate[0] - pairs->base[pairs->n_base - 1]);
	uint64_t high = key_of(pairs->candidate[pairs->n_candidate - 1] - pairs->base[0]);

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (count_up_to(pairs, value_of(middle)) >= k)
			high = middle;
		else
			low = middle + 1;
	}
	return value_of(low) + 0.0; /* never -0 */
}

static double middle_difference(const struct pairs *pairs)
{
	size_t count = pairs->n_base * pairs->n_candidate;
	double upper = difference_at(pairs, count / 2 + 1);

	if (count % 2)
		return upper;
	return difference_at(pairs, count / 2) / 2 + upper / 2;
}

struct hodges_lehmann hodges_lehmann_of_sorted(const double *base, size_t n_base,
					       const double *candidate, size_t n_candidate,
					       double alpha)
{
	struct pairs pairs = {base, n_base, candidate, n_candidate};
	size_t k = mann_whitney_critical(n_base, n_candidate, alpha);
	struct hodges_lehmann result = {.shift = middle_difference(&pairs)};

	if (k > 0) {
		result.interval.low = difference_at(&pairs, k);
		result.interval.high = difference_at(&pairs, n_base * n_candidate + 1 - k);
		result.interval.known = true;
	}
	return result;
}
