/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Noncentral t distribution, by numerical integration.
 *
 * T = (Z + shift) / S with Z standard normal and S the root of a chi-squared over its degrees of
 * freedom. P(T <= t) is the mean of Phi(t s - shift) over S. On the scale of log s the integrand is
 * smooth and decays on both sides, where the trapezoidal rule converges exponentially (Trefethen
 * & Weideman, SIAM Review 56, 2014); the step follows the narrowest feature. For large shifts and
 * thresholds the mean is taken over Z instead. Above 1e7 degrees of freedom, T is taken for normal.
 */
#ifndef KREGRESS_ANALYZER_NONCENTRAL_T_H
#define KREGRESS_ANALYZER_NONCENTRAL_T_H

/* P(|T| >= t) for t >= 0, df >= 1 and a finite shift >= 0; absolute error below 1e-11, beyond 1e7
 * degrees of freedom 1e-8. */
double noncentral_t_two_sided(double t, double df, double shift);

/* P(T >= t), likewise, for any t. */
double noncentral_t_upper(double t, double df, double shift);

/*
 * The shift > 0 at which P(|T| >= t) is `power`, to about nine digits; t > 0. `power` lies above
 * P(|T| >= t) without a shift and below 1.
 */
double noncentral_t_shift(double t, double df, double power);

#endif
