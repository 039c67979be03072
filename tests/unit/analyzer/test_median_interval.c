/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/printed.h"

#include "analyzer/mann_whitney.h"
#include "common/alloc.h"
#include "common/array.h"

/* The values n, n - 1, ... 1, so that a value is its rank. */
static struct median_interval of_ranks(size_t n, double alpha)
{
	_cleanup_free_ double *values = xcalloc(n ? n : 1, sizeof(*values));

	for (size_t i = 0; i < n; i++)
		values[i] = (double)(n - i);
	return median_interval_of(values, n, alpha);
}

struct rank_row {
	size_t n;
	double alpha;
	size_t rank;
	double coverage_frac;
};

/* R 4.2.2: rank = qbinom(alpha / 2, n, 0.5), coverage = 1 - 2 * pbinom(rank - 1, n, 0.5) */
static const struct rank_row rank_rows[] = {
	{6, 0.05, 1, 0.96875},
	{7, 0.05, 1, 0.984375},
	{8, 0.05, 1, 0.9921875},
	{9, 0.05, 2, 0.9609375},
	{10, 0.05, 2, 0.978515625},
	{15, 0.05, 4, 0.96484375},
	{20, 0.05, 6, 0.95861053466796875},
	{25, 0.05, 8, 0.95671474933624268},
	{100, 0.05, 40, 0.96479979978229513},
	{1000, 0.05, 469, 0.95370880263950186},
	{5, 0.1, 1, 0.9375},
	{10, 0.01, 1, 0.998046875},
	{20, 0.01, 4, 0.99742317199707031},
};

/* The source is the same; the tails are beyond the range of double in their first terms. */
static const struct rank_row large_rows[] = {
	{20000, 0.05, 9861, 0.95148753840410971},
	{20000, 0.001, 9767, 0.99904113090558566},
	{100001, 0.05, 49691, 0.95007511398790567},
	{100001, 0.001, 49480, 0.99901614709275866},
};

static void check_rows(const struct rank_row *rows, size_t count, double relative)
{
	for (size_t i = 0; i < count; i++) {
		const struct rank_row *row = &rows[i];
		struct median_interval median = of_ranks(row->n, row->alpha);

		assert_true(median.known && median.interval.known);
		assert_int_equal(median.rank, row->rank);
		assert_near(median.interval.low, (double)row->rank, 0);
		assert_near(median.interval.high, (double)(row->n + 1 - row->rank), 0);
		assert_near(median.median, ((double)row->n + 1) / 2, 0);
		assert_near(median.coverage_frac, row->coverage_frac, relative);
	}
}

static void test_ranks(void **state)
{
	(void)state;
	check_rows(rank_rows, ARRAY_SIZE(rank_rows), 1e-15);
	check_rows(large_rows, ARRAY_SIZE(large_rows), 1e-11);
}

/* Of all ways in which n values can lie below or above the median, those that `rank` encloses. */
static size_t enclosing(size_t n, size_t rank)
{
	size_t count = 0;

	for (unsigned int mask = 0; mask < 1u << n; mask++) {
		size_t below = (size_t)__builtin_popcount(mask);

		count += below >= rank && below <= n - rank;
	}
	return count;
}

/* The coverage is exact, and the next rank's would be too small. */
static void test_full_enumeration(void **state)
{
	const double alphas[] = {0.5, 0.2, 0.1, 0.0625, 0.05, 0.01};

	(void)state;
	for (size_t n = 1; n <= 12; n++) {
		double all = (double)(1u << n);

		for (size_t i = 0; i < ARRAY_SIZE(alphas); i++) {
			struct median_interval median = of_ranks(n, alphas[i]);
			double next = (double)enclosing(n, median.rank + 1) / all;

			if (median.rank)
				assert_near(median.coverage_frac,
					    (double)enclosing(n, median.rank) / all, 0);
			assert_true(!median.rank || median.coverage_frac >= 1 - alphas[i]);
			assert_true(median.rank >= n / 2 || next < 1 - alphas[i]);
			assert_int_equal(median.interval.known,
					 n >= median_interval_smallest_n(alphas[i]));
		}
	}
}

static void check_no_interval(const struct median_interval *median)
{
	assert_false(median->interval.known);
	assert_near(median->interval.low, 0, 0);
	assert_near(median->interval.high, 0, 0);
	assert_near(median->coverage_frac, 0, 0);
	assert_int_equal(median->rank, 0);
}

static void test_too_few(void **state)
{
	(void)state;
	for (size_t n = 0; n <= 5; n++) {
		struct median_interval median = of_ranks(n, 0.05);

		check_no_interval(&median);
		assert_int_equal(median.known, n > 0);
		assert_near(median.median, n ? ((double)n + 1) / 2 : 0, 0);
	}
	assert_false(median_interval_of(NULL, 0, 0.05).known);
	assert_int_equal(median_interval_smallest_n(0.5), 2);
	assert_int_equal(median_interval_smallest_n(0.0625), 5);
	assert_int_equal(median_interval_smallest_n(0.05), 6);
	assert_int_equal(median_interval_smallest_n(0.01), 8);
	assert_int_equal(median_interval_smallest_n(0.001), 11);
}

static void test_refused(void **state)
{
	const double levels[] = {0, 1, -0.05, 1.5, NAN};
	const double bad[] = {1, 2, 3, 4, 5, 6, NAN, 8, 9, 10};
	const double infinite[] = {1, 2, 3, 4, 5, 6, INFINITY, 8, 9, 10};
	struct median_interval median = median_interval_of(bad, 10, 0.05);

	(void)state;
	assert_false(median.known);
	check_no_interval(&median);
	assert_false(median_interval_of(infinite, 10, 0.05).known);
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
		median = of_ranks(9, levels[i]);
		assert_true(median.known);
		assert_near(median.median, 5, 0);
		check_no_interval(&median);
		assert_int_equal(median_interval_smallest_n(levels[i]), 0);
	}
}

static void test_values(void **state)
{
	const double mixed[] = {-7, 3, 1.7e308, 0, 2, -1.7e308, 3, 3, 4, -1};
	const double equal[] = {4, 4, 4, 4, 4, 4};
	struct median_interval median = median_interval_of(mixed, 10, 0.05);

	(void)state;
	assert_near(median.median, 2.5, 0);
	assert_near(median.interval.low, -7, 0);
	assert_near(median.interval.high, 4, 0);
	assert_near(mixed[0], -7, 0);
	median = median_interval_of(equal, 6, 0.05);
	assert_true(median.interval.known);
	assert_near(median.interval.low, 4, 0);
	assert_near(median.interval.high, 4, 0);
}

struct published {
	double values[10];
	double median;
	double percent;
};

/* golang/perf, cmd/benchstat/testdata: old.txt and new.txt with the output of csvOldNew */
static const struct published json[] = {
	{{1726, 1723, 1707, 1707, 1713, 1729, 1736, 1707, 1705, 1774}, 1718, 1},
	{{1423, 1416, 1411, 1413, 1412, 1426, 1422, 1424, 1447, 1425}, 1422.5, 1},
};
static const struct published gob[] = {
	{{3069, 3075, 3069, 3067, 3207, 3064, 3064, 3058, 3059, 3062}, 3065.5, 0},
	{{3075, 3065, 3059, 3065, 3060, 3081, 3186, 3135, 3087, 3062}, 3070, 2},
};
/* The same: crc-old.txt and crc-new.txt, IEEE/size=15/align=0, with the output of crcOldNew */
static const struct published crc[] = {
	{{44.6, 47.3, 44.6, 46.3, 50.7, 45.8, 46.8, 44.3, 47.7, 50.6}, 46.55, 9},
	{{43.6, 45.4, 43.4, 45.3, 43.9, 46.0, 45.1, 43.8, 43.8, 44.9}, 44.40, 2},
};

static void check_published(const struct published *published)
{
	struct median_interval median = median_interval_of(published->values, 10, 0.05);

	assert_near(median.median, published->median, 1e-15);
	assert_printed(half_width_percent(&median), published->percent, 1);
}

static double p_of(const struct published sides[2])
{
	return mann_whitney_test(sides[0].values, 10, sides[1].values, 10).p;
}

static void test_benchstat(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		check_published(&json[i]);
		check_published(&gob[i]);
		check_published(&crc[i]);
	}
	assert_printed(p_of(json), 0.000, 0.001);
	assert_printed(p_of(gob), 0.446, 0.001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranks),	cmocka_unit_test(test_full_enumeration),
		cmocka_unit_test(test_too_few), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_values),	cmocka_unit_test(test_benchstat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
