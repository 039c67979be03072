/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include "analyzer/noncentral_t.h"
#include "analyzer/student.h"
#include "common/array.h"

/* R 4.2.2: integrate() of the conditional normal tails over the chi density, rel.tol = 1e-13. */
static const struct {
	double t;
	double df;
	double shift;
	double p;
} references[] = {
	{2, 3, 1, 0.26633863222506565},	  {12.7, 1, 5, 0.30530082248157847},
	{4.3, 2, 3, 0.38773624153330666}, {2.1, 18.5, 2.8, 0.75469215942347811},
	{2, 1e4, 3, 0.84133293757313987}, {1.5, 7, 0, 0.17729848698997003},
};

static void test_two_sided(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(references); i++)
		assert_near(noncentral_t_two_sided(references[i].t, references[i].df,
						   references[i].shift),
			    references[i].p, 1e-11);
}

/* R 4.2.2: 1 - pt(t, df, ncp) */
static void test_upper(void **state)
{
	(void)state;
	assert_near(noncentral_t_upper(2, 3, 1), 0.25637013159235378, 1e-10);
	assert_near(noncentral_t_upper(2.1, 18.5, 2.8), 0.7546903148649069, 1e-10);
	assert_near(noncentral_t_upper(-1, 5, 0), 1 - student_upper(1, 5), 1e-11);
}

/* Without a shift it is Student's, also with odd degrees of freedom. */
static void test_central(void **state)
{
	const double dfs[] = {1, 1.3, 2, 4.7, 30, 199, 201, 5000, 1e6, 1e9};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(dfs); i++) {
		for (double t = 0; t < 8; t += 0.5)
			assert_near(noncentral_t_two_sided(t, dfs[i], 0),
				    student_two_sided(t, dfs[i]), dfs[i] > 1e7 ? 1e-6 : 3e-10);
	}
}

static void test_shift(void **state)
{
	const double dfs[] = {1, 2, 3.3, 8, 98, 1e5, 1e8};
	const double powers[] = {0.06, 0.5, 0.8, 0.999};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(dfs); i++) {
		double t = student_quantile(0.025, dfs[i]);

		for (size_t j = 0; j < ARRAY_SIZE(powers); j++) {
			double shift = noncentral_t_shift(t, dfs[i], powers[j]);

			assert_near(noncentral_t_two_sided(t, dfs[i], shift), powers[j], 1e-9);
		}
	}
}

/* Thresholds far out, as a small alpha and one degree of freedom give, stay accurate. */
static void test_far_out(void **state)
{
	double t = student_quantile(0.5e-6, 1);
	double shift = noncentral_t_shift(t, 1, 0.8);

	(void)state;
	/* T is about shift / S there, and P(S <= shift / t) = P(|Z| <= shift / t) = 0.8. */
	assert_near(shift / t, 1.2815515655446004, 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_sided), cmocka_unit_test(test_upper),
		cmocka_unit_test(test_central),	  cmocka_unit_test(test_shift),
		cmocka_unit_test(test_far_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
