/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/student.h"

#include <float.h>
#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

/* Beyond this the tail of every distribution with df >= 1 is of no interest: below 1e-100. */
#define T_MAX 1e100

double student_upper(double t, double df)
{
	double held = fmin(fmax(t, -T_MAX), T_MAX);

	return fmax(gsl_cdf_tdist_Q(held, df), DBL_MIN);
}

double student_two_sided(double t, double df)
{
	return fmin(2 * student_upper(fabs(t), df), 1);
}

/* Newton's step on the logarithm of the tail, which is nearly straight where it matters. */
static double newton(double t, double tail, double upper, double df)
{
	return t + log(tail / upper) * tail / gsl_ran_tdist_pdf(t, df);
}

double student_quantile(double upper, double df)
{
	double low = 0;
	double high = 1;
	double t;

	if (upper > 0.5)
		return -student_quantile(1 - upper, df);
	while (student_upper(high, df) > upper && high < T_MAX) {
		low = high;
		high *= 2;
	}
	t = low + (high - low) / 2;
	for (int step = 0; step < 60 && high - low > 1e-15 * high; step++) {
		double tail = student_upper(t, df);
		double next = newton(t, tail, upper, df);

		/* Convergence is quadratic: the step after one so small would change nothing. */
		if (fabs(next - t) <= 1e-9 * t)
			return next;
		if (tail > upper)
			low = t;
		else
			high = t;
		t = next > low && next < high ? next : low + (high - low) / 2;
	}
	return t;
}
