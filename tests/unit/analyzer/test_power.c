/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include "analyzer/effect.h"
#include "analyzer/equivalence.h"
#include "analyzer/power.h"
#include "analyzer/ratio.h"
#include "common/array.h"

static double detectable(size_t n, double alpha)
{
	struct moments side = {n, 10, 1};

	/* Back to standard deviations, as power.t.test() counts. */
	return 10 * power_detectable_frac(&side, &side, alpha, 0.8);
}

/* R 4.2.2: power.t.test(n = n, power = 0.8, sig.level = alpha, strict = TRUE, tol = 1e-14) */
static void test_detectable(void **state)
{
	struct moments zero = {5, 0, 1};
	struct moments constant = {5, 10, 0};
	struct moments single = {1, 10, 0};
	struct moments side = {5, 10, 1};

	(void)state;
	assert_near(detectable(2, 0.05), 5.6534892661922829, 1e-8);
	assert_near(detectable(3, 0.05), 3.0708922663600879, 1e-8);
	assert_near(detectable(5, 0.05), 2.0244393393841706, 1e-8);
	assert_near(detectable(20, 0.05), 0.90912903268200318, 1e-8);
	assert_near(detectable(200, 0.05), 0.2808364502873209, 1e-8);
	assert_near(detectable(5, 0.01), 2.7444678913956371, 1e-8);
	assert_near(detectable(4, 1e-4), 7.7821611958942096, 1e-8);
	assert_near(power_detectable_frac(&zero, &zero, 0.05, 0.8), 0, 0);
	assert_near(power_detectable_frac(&constant, &constant, 0.05, 0.8), 0, 0);
	assert_near(power_detectable_frac(&single, &zero, 0.05, 0.8), 0, 0);
	assert_near(power_detectable_frac(&side, &side, 0.05, 0.05), 0, 0);
	assert_near(power_detectable_frac(&side, &side, 0.05, 1), 0, 0);
	assert_near(power_detectable_frac(&side, &side, NAN, 0.8), 0, 0);
}

/*
 * R 4.2.2: integrate() over the share of the variances, its beta density and pt(..., ncp); alpha
 * 0.05 but for one.
 */
static const struct {
	struct power_design design;
	double difference;
	double power;
} welch_powers[] = {
	{{2, 1, 0.05}, 4, 0.30277153495069919},	    {{3, 1, 0.05}, 3, 0.6769103507327745},
	{{5, 1, 0.05}, 2, 0.76678231549996101},	    {{5, 2, 0.05}, 3, 0.69178871172574397},
	{{10, 1, 0.01}, 1.5, 0.66837626541599282},  {{30, 1, 0.05}, 0.7, 0.75946591624454185},
	{{31, 1, 0.05}, 0.73, 0.80687727331568437}, {{5, 1, 0.05}, 0, 0.044183300714754896},
	{{3, 1, 0.05}, 0, 0.03512108140667633},
};

static void test_welch(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(welch_powers); i++) {
		const struct power_design *design = &welch_powers[i].design;
		double power = welch_powers[i].power;

		assert_near(power_welch(design, welch_powers[i].difference), power, 1e-7);
		/* Beyond 30 a side the pooled test's answer stands for it. */
		if (power > design->alpha)
			assert_near(power_welch_difference(design, power),
				    welch_powers[i].difference, design->n > 30 ? 5e-4 : 1e-6);
	}
}

static void test_welch_bad_design(void **state)
{
	struct power_design design = {1, 1, 0.05};

	(void)state;
	assert_true(power_welch(&design, 2) == 0);
	design = (struct power_design){5, NAN, 0.05};
	assert_true(power_welch(&design, 2) == 0);
	design = (struct power_design){5, 1, 0};
	assert_true(power_welch_difference(&design, 0.8) == 0);
	design = (struct power_design){5, 1, 0.05};
	assert_true(power_welch_difference(&design, 0.01) == 0);
	assert_true(power_welch_difference(&design, 1) == 0);
}

static struct interval interval_at(struct moments base, struct moments candidate, size_t n)
{
	base.n = n;
	candidate.n = n;
	return ratio_of_means(&base, &candidate, 0.05).interval;
}

/* At the answer the interval is beyond the limit, with one value less it is not. */
static void test_boots_for_a_change(void **state)
{
	struct moments base = {3, 100, 3};
	struct moments candidate = {3, 105, 4};
	struct power_question question = {0.02, 0.05, 0.05};
	size_t n = power_boots_needed(&base, &candidate, &question);
	struct moments swap = candidate;

	(void)state;
	assert_in_range(n, 5, 100);
	assert_true(interval_at(base, candidate, n).low > 1.02);
	assert_true(interval_at(base, candidate, n - 1).low <= 1.02);
	assert_int_equal(power_boots_needed(&swap, &base, &question), n);
	question.limit_frac = 0;
	n = power_boots_needed(&base, &candidate, &question);
	assert_true(interval_at(base, candidate, n).low > 1);
	assert_true(interval_at(base, candidate, n - 1).low <= 1);
	question.alpha_difference = 0.001;
	assert_true(power_boots_needed(&base, &candidate, &question) > n);
}

static void test_boots_for_equivalence(void **state)
{
	struct moments base = {3, 100, 3};
	struct moments candidate = {3, 100.5, 3};
	struct power_question question = {0.02, 0.05, 0.05};
	size_t n = power_boots_needed(&base, &candidate, &question);

	(void)state;
	assert_in_range(n, 5, 200);
	base.n = candidate.n = n;
	assert_true(equivalence_of_means(&base, &candidate, 0.02) < 0.05);
	base.n = candidate.n = n - 1;
	assert_true(equivalence_of_means(&base, &candidate, 0.02) >= 0.05);
}

static void test_boots_unknown(void **state)
{
	struct moments base = {3, 100, 3};
	struct moments at_limit = {3, 102, 3};
	struct moments zero = {3, 0, 3};
	struct power_question question = {0.02, 0.05, 0.05};

	(void)state;
	assert_int_equal(power_boots_needed(&base, &at_limit, &question), 0);
	assert_int_equal(power_boots_needed(&base, &zero, &question), 0);
	assert_int_equal(power_boots_needed(&zero, &base, &question), 0);
	question.limit_frac = 0;
	assert_int_equal(power_boots_needed(&base, &base, &question), 0);
}

/*
 * The correction for m degrees of freedom in closed form: m = 2 gives 1 / sqrt(pi), m = 4 gives
 * sqrt(2 / pi); from gamma(1/2) = sqrt(pi).
 */
static void test_hedges(void **state)
{
	const double pi = 3.14159265358979323846;
	const double a[] = {1, 3, 5};
	const double b[] = {2, 6, 10};
	struct moments base = moments_of(a, 2);
	struct moments candidate = moments_of(b, 2);
	struct effect effect = effect_hedges(&base, &candidate);

	(void)state;
	/* Means 2 and 4, variances 2 and 8. */
	assert_true(effect.known);
	assert_near(effect.g, 2 / sqrt(5) / sqrt(pi), 1e-14);
	base = moments_of(a, 3);
	candidate = moments_of(b, 3);
	/* Means 3 and 6, variances 4 and 16. */
	assert_near(effect_hedges(&base, &candidate).g, 3 / sqrt(10) * sqrt(2 / pi), 1e-14);
	assert_near(effect_hedges(&candidate, &base).g, -3 / sqrt(10) * sqrt(2 / pi), 1e-14);
	base = moments_of(a, 1);
	assert_false(effect_hedges(&base, &candidate).known);
	base = (struct moments){3, 5, 0};
	assert_false(effect_hedges(&base, &base).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_detectable),
		cmocka_unit_test(test_welch),
		cmocka_unit_test(test_welch_bad_design),
		cmocka_unit_test(test_boots_for_a_change),
		cmocka_unit_test(test_boots_for_equivalence),
		cmocka_unit_test(test_boots_unknown),
		cmocka_unit_test(test_hedges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
