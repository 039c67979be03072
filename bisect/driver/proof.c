/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The closing proof: the two commits in turn, in ABBA order, judged as any other comparison. The
 * search tells where the change is; this tells that it is there, by a method of its own.
 */
#include <string.h>

#include "analyzer/comparison.h"
#include "bisect/driver/driver.h"
#include "bisect/git_error.h"

struct proof_pair {
	git_oid base;
	git_oid candidate;
	enum purpose purpose;
};

/* Those since the last proof: two proofs may have a commit in common. Owned by the caller. */
static double *values_of(const struct driver *driver, const git_oid *commit, enum purpose purpose,
			 size_t *count)
{
	const struct bisection *bisection = driver->bisection;
	double *values = xcalloc(bisection->observations.count + 1, sizeof(*values));

	*count = 0;
	for (size_t i = bisection->proved; i < bisection->observations.count; i++) {
		const struct observation *item = &bisection->observations.items[i];

		if (item->state == MEASURED_VALUE && item->purpose == purpose &&
		    git_oid_equal(&item->commit, commit))
			values[(*count)++] = item->value;
	}
	return values;
}

static size_t count_of(const struct driver *driver, const git_oid *commit, enum purpose purpose)
{
	size_t count;

	free(values_of(driver, commit, purpose, &count));
	return count;
}

static size_t values_wanted(const struct driver *driver)
{
	return driver->bisection->exact ? 1 : driver->settings.proof_values;
}

/* Base first in even blocks, the other first in odd ones. Goes on where a former run stopped. */
static const git_oid *next_of_pair(const struct driver *driver, const struct proof_pair *pair)
{
	size_t base = count_of(driver, &pair->base, pair->purpose);
	size_t candidate = count_of(driver, &pair->candidate, pair->purpose);

	if (base != candidate)
		return base < candidate ? &pair->base : &pair->candidate;
	if (base >= values_wanted(driver))
		return NULL;
	return base % 2 ? &pair->candidate : &pair->base;
}

/* 1: measured, 0: one of them cannot be, -1. */
static int measure_pair(struct driver *driver, const struct proof_pair *pair, char **reason,
			struct error *err)
{
	const git_oid *commit;

	while ((commit = next_of_pair(driver, pair))) {
		int got = driver_measure(driver, commit, 1, pair->purpose, reason, err);

		if (got <= 0)
			return got;
	}
	return 1;
}

/* A culprit is slower than its parent, and bad is faster without it; a fix is the reverse. */
static bool expects_slower(const struct proof *proof)
{
	return proof->revert == proof->fix;
}

static void judge_exact(struct proof *proof, double base, double candidate, enum better better)
{
	bool slower = better == BETTER_LOWER ? candidate > base : candidate < base;

	proof->count = 1;
	proof->p = -1;
	proof->ratio = base > 0 ? candidate / base : 0;
	proof->ratio_low = proof->ratio_high = proof->ratio;
	proof->verdict = xstrdup(base == candidate ? "equivalent"
				 : slower	   ? "regressed"
						   : "improved");
	proof->confirmed = base != candidate && slower == expects_slower(proof);
}

static void judge(const struct driver *driver, const struct proof_pair *pair, struct proof *proof)
{
	const struct bisection *bisection = driver->bisection;
	size_t n_base, n_candidate;
	_cleanup_free_ double *base = values_of(driver, &pair->base, pair->purpose, &n_base);
	_cleanup_free_ double *candidate =
		values_of(driver, &pair->candidate, pair->purpose, &n_candidate);
	struct comparison_input input = {
		.base = base,
		.n_base = n_base,
		.candidate = candidate,
		.n_candidate = n_candidate,
		.better = bisection->better,
		.limit_frac = driver->settings.limit_frac,
		.alpha = driver->settings.alpha,
		.seed = (unsigned long)bisection->options.seed,
	};
	struct comparison comparison;

	if (bisection->exact) {
		judge_exact(proof, base[0], candidate[0], bisection->better);
		return;
	}
	comparison = comparison_measure(&input);
	comparison_adjust(&comparison, 1);
	comparison_decide(&comparison, &input);
	proof->count = n_base < n_candidate ? n_base : n_candidate;
	proof->verdict = xstrdup(verdict_name(comparison.verdict));
	proof->ratio = comparison.ratio_known ? comparison.ratio : 0;
	if (comparison.ratio_ci.known) {
		proof->ratio_low = comparison.ratio_ci.low;
		proof->ratio_high = comparison.ratio_ci.high;
	}
	proof->p = comparison.p_known ? comparison.p : -1;
	proof->confirmed = comparison.verdict ==
			   (expects_slower(proof) ? VERDICT_REGRESSED : VERDICT_IMPROVED);
}

static int note(struct driver *driver, struct proof *proof, struct error *err)
{
	int code = driver_record(driver, record_proof(proof), err);

	free(proof->verdict);
	free(proof->reason);
	return code;
}

static int prove_pair(struct driver *driver, const struct proof_pair *pair, struct proof *proof,
		      struct error *err)
{
	int measured = measure_pair(driver, pair, &proof->reason, err);

	if (measured < 0) {
		free(proof->reason);
		return -1;
	}
	proof->done = measured > 0;
	proof->base = pair->base;
	proof->candidate = pair->candidate;
	if (proof->done)
		judge(driver, pair, proof);
	return note(driver, proof, err);
}

/* The first parent; false when there is none. */
static bool parent_of(const struct driver *driver, const git_oid *commit, git_oid *parent)
{
	git_commit *found = NULL;
	const git_oid *id = NULL;

	if (!git_commit_lookup(&found, driver->history->repository, commit))
		id = git_commit_parent_id(found, 0);
	if (id)
		*parent = *id;
	git_commit_free(found);
	return id != NULL;
}

static int prove_culprit(struct driver *driver, const struct found_change *change,
			 struct error *err)
{
	const git_oid *culprit = &change->commit;
	struct proof proof = {.culprit = *culprit, .fix = change->faster};
	struct proof_pair pair = {.candidate = *culprit, .purpose = PURPOSE_PROOF};

	if (bisection_proof(driver->bisection, culprit, false))
		return 0;
	if (!parent_of(driver, culprit, &pair.base)) {
		proof.reason = xstrdup("the commit has no parent to compare with");
		return note(driver, &proof, err);
	}
	log_progress(driver->log, "proof: %.12s and its parent in turn", git_oid_tostr_s(culprit));
	return prove_pair(driver, &pair, &proof, err);
}

static int prove_revert(struct driver *driver, const struct found_change *change, struct error *err)
{
	const git_oid *culprit = &change->commit;
	struct proof proof = {.culprit = *culprit, .revert = true, .fix = change->faster};
	struct proof_pair pair = {.base = driver->view.bad, .purpose = PURPOSE_REVERT};
	int made;

	if (!driver->checkout || bisection_proof(driver->bisection, culprit, true))
		return 0;
	made = checkout_revert(driver->checkout, &pair.base, culprit, &pair.candidate,
			       &proof.reason, err);
	if (made < 0)
		return -1;
	if (made == 0)
		return note(driver, &proof, err);
	log_progress(driver->log, "proof: bad with and without %.12s", git_oid_tostr_s(culprit));
	return prove_pair(driver, &pair, &proof, err);
}

int driver_prove(struct driver *driver, const struct found_change *change, struct error *err)
{
	if (prove_culprit(driver, change, err) < 0)
		return -1;
	return prove_revert(driver, change, err);
}
