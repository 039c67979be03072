/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Student's t distribution with real degrees of freedom > 0. */
#ifndef KREGRESS_ANALYZER_STUDENT_H
#define KREGRESS_ANALYZER_STUDENT_H

/* P(T >= t), held at DBL_MIN or above so that a probability is never reported as exactly 0. */
double student_upper(double t, double df);

/* P(|T| >= |t|), in [DBL_MIN, 1]. */
double student_two_sided(double t, double df);

/* The t with P(T >= t) = upper, for 0 < upper < 1; Newton's steps kept between bounds, which cannot
 * fail. */
double student_quantile(double upper, double df);

#endif
