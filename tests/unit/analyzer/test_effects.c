/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ratios of medians and geometric means, Cliff's delta, the shift function, Hedges' interval. */
#include "tests/unit/analyzer/near.h"

#include <float.h>

#include "analyzer/cliff.h"
#include "analyzer/harrell_davis.h"
#include "analyzer/hedges_interval.h"
#include "analyzer/quantile.h"
#include "analyzer/ratio_effects.h"
#include "common/array.h"

static const double b[] = {100, 100.4, 99.7, 100.1, 99.9, 103.5, 98.2};
static const double c[] = {101.1, 102.6, 100.8, 101.2, 101.0, 100.3};
static const double odd[] = {1, NAN, 2, 3};
static const double same[] = {3, 3, 3, 3};
static const double huge[] = {DBL_MAX, 1e308, 1.2e308, 1.5e308};
static const double low[] = {-DBL_MAX, -1e308, -1.2e308, -1.1e308};

/* R 4.2.2: exp(t.test(log())), and Price & Bonett's formulas. */
static void test_ratios(void **state)
{
	struct ratio geometric = ratio_of_geometric_means(b, 7, c, 6, 0.05);
	struct ratio medians = ratio_of_medians(b, 7, c, 6, 0.05);

	(void)state;
	assert_near(geometric.value, 1.0091561409516605, 1e-13);
	assert_near(geometric.interval.low, 0.99388379773507718, 1e-12);
	assert_near(geometric.interval.high, 1.0246631639847945, 1e-12);
	assert_near(medians.value, 1.0105, 1e-13);
	assert_near(medians.interval.low, 0.98685880278044036, 1e-12);
	assert_near(medians.interval.high, 1.0347075459255743, 1e-12);
}

static void test_ratios_of_bad_input(void **state)
{
	(void)state;
	assert_false(ratio_of_medians(NULL, 0, c, 6, 0.05).known);
	assert_false(ratio_of_geometric_means(b, 7, NULL, 0, 0.05).known);
	assert_false(ratio_of_medians(odd, 4, c, 6, 0.05).known);
	assert_false(ratio_of_medians(low, 4, c, 6, 0.05).known);
	assert_false(ratio_of_geometric_means(low, 4, huge, 4, 0.05).known);
	assert_false(ratio_of_medians(same, 4, same, 4, 0.05).interval.known);
	assert_near(ratio_of_medians(same, 1, c, 1, 0.05).value, 33.7, 1e-13);
	assert_false(ratio_of_medians(same, 1, c, 1, 0.05).interval.known);
	assert_near(ratio_of_medians(huge, 4, huge, 4, 0.05).value, 1, 1e-15);
	assert_true(ratio_of_geometric_means(low, 4, low, 4, 0.05).known);
}

/* R 4.2.2: the formulas over all pairs. */
static void test_cliff(void **state)
{
	const double tied_b[] = {1, 2, 2, 3, 3, 3, 4};
	const double tied_c[] = {2, 3, 3, 4, 4, 5};
	struct cliff cliff = cliff_delta(b, 7, c, 6, 0.05);

	(void)state;
	assert_near(cliff.delta, 0.66666666666666663, 1e-14);
	assert_near(cliff.interval.low, -0.072196903579967428, 1e-12);
	assert_near(cliff.interval.high, 0.93308965682438449, 1e-12);
	cliff = cliff_delta(tied_b, 7, tied_c, 6, 0.05);
	assert_near(cliff.delta, 0.47619047619047616, 1e-14);
	assert_near(cliff.interval.low, -0.12677121054247042, 1e-12);
	assert_near(cliff.interval.high, 0.82219307253160989, 1e-12);
}

static void test_cliff_at_the_ends(void **state)
{
	struct cliff cliff = cliff_delta(same, 4, huge, 4, 0.05);

	(void)state;
	assert_near(cliff.delta, 1, 0);
	assert_near(cliff.interval.high, 1, 0);
	/* (4 - z^2) / (4 + z^2), z = 1.959964 */
	assert_near(cliff.interval.low, 0.0202183, 1e-5);
	cliff = cliff_delta(huge, 4, same, 4, 0.05);
	assert_near(cliff.delta, -1, 0);
	assert_near(cliff.interval.low, -1, 0);
	assert_near(cliff_delta(same, 4, same, 4, 0.05).delta, 0, 0);
	assert_true(cliff_delta(same, 4, same, 4, 0.05).interval.known);
	assert_false(cliff_delta(same, 1, same, 4, 0.05).interval.known);
	assert_false(cliff_delta(NULL, 0, same, 4, 0.05).known);
	assert_false(cliff_delta(odd, 4, same, 4, 0.05).known);
}

/* R 4.2.2: pbeta() weights, and the jackknife by leaving out each value. */
static void test_shift_function(void **state)
{
	struct shift_point points[] = {{.fraction = 0.1}, {.fraction = 0.5}, {.fraction = 0.9}};

	(void)state;
	shift_function(b, 7, c, 6, 0.05, points, ARRAY_SIZE(points));
	assert_near(points[0].base, 98.593341279879638, 1e-12);
	assert_near(points[0].candidate, 100.41290597218331, 1e-12);
	assert_near(points[0].interval.low, -0.77176000850908189, 1e-10);
	assert_near(points[0].interval.high, 4.4108893931164257, 1e-10);
	assert_near(points[1].shift, 101.05340459467216 - 100.02706743910154, 1e-12);
	assert_near(points[1].interval.low, 0.4524971745543126, 1e-10);
	assert_near(points[1].interval.high, 1.6001771365869191, 1e-10);
	assert_near(points[2].interval.low, -5.7967197243252615, 1e-10);
	assert_near(points[2].interval.high, 5.016373867178392, 1e-10);
}

static void test_shift_function_of_bad_input(void **state)
{
	struct shift_point points[] = {{.fraction = 0}, {.fraction = NAN}, {.fraction = 0.5}};

	(void)state;
	shift_function(low, 4, huge, 4, 0.05, points, 3);
	assert_true(!points[0].known && !points[1].known && points[2].known);
	assert_near(points[2].shift, DBL_MAX, 0); /* held in range */
	assert_true(isfinite(points[2].interval.low) && isfinite(points[2].interval.high));
	shift_function(same, 4, same, 4, 0.05, points, 3);
	assert_near(points[2].base, 3, 0);
	assert_false(points[2].interval.known);
	shift_function(odd, 4, same, 4, 0.05, points, 3);
	assert_false(points[2].known);
	shift_function(NULL, 0, same, 4, 0.05, points, 3);
	assert_false(points[2].known);
	shift_function(c, 2, b, 7, 0.05, points, 3);
	assert_true(points[2].known && !points[2].interval.known);
	assert_false(harrell_davis_quantile(NULL, 0, 0.5).known);
	assert_near(harrell_davis_quantile(same, 1, 0.9).value, 3, 0);
}

/* R 4.2.2: pt(t, df, ncp) solved for ncp. */
static void test_hedges(void **state)
{
	struct moments base = moments_of(b, 7);
	struct moments candidate = moments_of(c, 6);
	struct moments constant = moments_of(same, 4);
	struct moments single = moments_of(same, 1);
	struct interval interval = hedges_interval(&base, &candidate, 0.05);
	struct interval back = hedges_interval(&candidate, &base, 0.05);

	(void)state;
	assert_near(interval.low, -0.4377383306546162, 1e-8);
	assert_near(interval.high, 1.8196297656001259, 1e-8);
	assert_near(back.low, -interval.high, 1e-8);
	assert_near(back.high, -interval.low, 1e-8);
	assert_false(hedges_interval(&constant, &constant, 0.05).known);
	assert_false(hedges_interval(&single, &base, 0.05).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ratios),
		cmocka_unit_test(test_ratios_of_bad_input),
		cmocka_unit_test(test_cliff),
		cmocka_unit_test(test_cliff_at_the_ends),
		cmocka_unit_test(test_shift_function),
		cmocka_unit_test(test_shift_function_of_bad_input),
		cmocka_unit_test(test_hedges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
