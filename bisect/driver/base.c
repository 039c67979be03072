/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is a merge base as fast as good, or slow like bad? Decided by the ratio of the likelihoods of
 * both, with levels and noise marginalised as in the search, when it reaches BASE_CERTAIN.
 */
#include <math.h>

#include "bisect/core/split.h"
#include "bisect/driver/driver.h"

enum { BASE_VALUES_MAX = 60 };

/* log(0.995 / 0.005): as certain as a search that settles. */
#define BASE_CERTAIN 5.293

static struct site gather(const struct bisection *bisection, const git_oid *commit, double origin)
{
	size_t count;
	_cleanup_free_ double *values = driver_values(bisection, commit, -1, &count);
	struct site site = {0};

	for (size_t i = 0; i < count; i++)
		site_add_value(&site, values[i] - origin);
	return site;
}

/* Log of the likelihood of "the base is slow" to that of "it is fast". */
static double log_ratio(const struct driver *driver, const git_oid *base, double origin)
{
	const struct bisection *bisection = driver->bisection;
	struct site good = gather(bisection, &driver->view.goods.items[0], origin);
	struct site bad = gather(bisection, &driver->view.bad, origin);
	struct site asked = gather(bisection, base, origin);
	double direction = bisection->better == BETTER_LOWER ? 1 : -1;
	struct noise_prior prior = {.squares = fmax(1e-24 * origin * origin, 1e-290)};
	double fit[2];

	/* Without noise it is whichever end is nearer. */
	if (bisection->exact)
		return fabs(asked.mean - good.mean) > fabs(asked.mean - bad.mean) ? BASE_CERTAIN
										  : -BASE_CERTAIN;

	for (int slow = 0; slow < 2; slow++) {
		struct level_sum sides[2] = {{.values = 0}, {.values = 0}};

		level_sum_add(&sides[0], &good, 0);
		level_sum_add(&sides[1], &bad, 0);
		level_sum_add(&sides[slow], &asked, 0);
		fit[slow] = split_fit_change(sides, direction, prior).log_likelihood;
	}
	return fit[1] - fit[0];
}

static size_t count_values(const struct driver *driver, const git_oid *commit)
{
	size_t count;

	free(driver_values(driver->bisection, commit, -1, &count));
	return count;
}

/* The end or the base with the fewest values. */
static const git_oid *poorest(const struct driver *driver, const git_oid *base)
{
	const git_oid *commits[3] = {&driver->view.goods.items[0], &driver->view.bad, base};
	const git_oid *least = commits[0];

	for (int i = 1; i < 3; i++) {
		if (count_values(driver, commits[i]) < count_values(driver, least))
			least = commits[i];
	}
	return least;
}

static int decide(struct driver *driver, const git_oid *base, double ratio, struct error *err)
{
	struct base_verdict verdict = {*base, ratio > 0};

	if (fabs(ratio) < BASE_CERTAIN)
		log_warning(driver->log,
			    "the merge base %s is neither surely fast nor surely slow; it is "
			    "taken for %s",
			    git_oid_tostr_s(base), ratio > 0 ? "slow" : "fast");
	return driver_record(driver, record_base(&verdict), err);
}

int driver_test_base(struct driver *driver, const git_oid *base, struct error *err)
{
	size_t least = driver->view.search.settings.endpoint_values;
	const git_oid *commit = poorest(driver, base);
	_cleanup_free_ char *reason = NULL;
	double ratio = 0;
	int got;

	if (count_values(driver, commit) >= least) {
		ratio = log_ratio(driver, base, driver->view.search.origin);
		if (fabs(ratio) >= BASE_CERTAIN || count_values(driver, base) >= BASE_VALUES_MAX)
			return decide(driver, base, ratio, err);
	}
	log_progress(driver->log, "measuring the merge base %s", git_oid_tostr_s(base));
	got = driver_measure(driver, commit, 1, PURPOSE_BASE, &reason, err);
	if (got == 0 && !git_oid_equal(commit, base))
		return error_set(err, ERROR_DATA, "an end of the range cannot be measured: %s",
				 reason);
	return got < 0 ? -1 : 0;
}
