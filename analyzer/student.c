/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/student.h"

#include <float.h>
#include <math.h>

#include <gsl/gsl_cdf.h>

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

double student_quantile(double upper, double df)
{
	double low = 0;
	double high = 1;

	if (upper > 0.5)
		return -student_quantile(1 - upper, df);
	while (student_upper(high, df) > upper && high < T_MAX) {
		low = high;
		high *= 2;
	}
	for (int step = 0; step < 60 && high - low > 1e-15 * high; step++) {
		double middle = low + (high - low) / 2;

		if (student_upper(middle, df) > upper)
			low = middle;
		else
			high = middle;
	}
	return low + (high - low) / 2;
}
