/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loop of a bisection: decide, measure, write down, until it is settled. Every measurement is
 * in the journal, synced, before the next decision, and every decision follows from the journal:
 * whatever stops the loop, the next one goes on where it was.
 */
#ifndef KREGRESS_BISECT_DRIVER_DRIVER_H
#define KREGRESS_BISECT_DRIVER_DRIVER_H

#include "bisect/driver/bisection.h"
#include "bisect/driver/checkout.h"
#include "bisect/driver/journal.h"
#include "bisect/driver/measurer.h"
#include "bisect/driver/view.h"
#include "common/log.h"
#include "store/store.h"

struct driver_settings {
	size_t jobs;		/* commits built or boots made at a time, >= 1 */
	double budget_s;	/* begin nothing that would end later; 0: no limit */
	bool verify;		/* pass and fail: run good and bad first */
	size_t proof_values;	/* a side; 0: no closing proof */
	double limit_frac;	/* what the proof has to exceed, as in comparisons */
	double alpha;		/* of the proof */
	double (*now_s)(void);	/* a clock that never goes back */
	char *(*utc_now)(void); /* text, owned by the driver */
};

/*
 * What a past result has to agree with to count: the machine class, and those items of the
 * environment that both the boot and this one record. Another compiler, command line or QEMU gives
 * other levels, which the search would take for a change.
 */
struct past_conditions {
	const char *machine;		       /* NULL: not known before the first measurement */
	const struct environment *environment; /* NULL: nothing is known */
};

struct driver {
	struct bisection *bisection;
	struct journal *journal;
	const struct history *history;
	struct measurer *measurer;
	struct checkout *checkout; /* where reverts are made; NULL: none are tried */
	struct store *store;	   /* past results are evidence; NULL: none are looked for */
	const struct past_conditions
		*past; /* of `store`; what it points to may become known later */
	const struct log *log;
	struct driver_settings settings;
	/* The driver's own. */
	struct view view;
	double started_s;
	size_t made;	 /* measurements in this run */
	git_oid current; /* where the rig stands */
	bool has_current;
	struct commit_ids ready; /* built in this run */
	bool verified;
	bool used_store;
};

/* Why the loop ended. */
enum driver_end {
	DRIVER_SETTLED,	       /* see the stage */
	DRIVER_BUDGET,	       /* time is up */
	DRIVER_NOT_REPRODUCED, /* verify: good fails or bad passes */
};

/*
 * Runs to the end. The answer is in `driver->view`, which the caller releases by driver_release(),
 * also after an error. `driver->bisection` is kept in step with the journal.
 */
int driver_run(struct driver *driver, enum driver_end *end, struct error *err) __must_check;
void driver_release(struct driver *driver);

/* Steps, for the parts of the driver. Each writes the journal first. */

/* Writes a record (whose reference it takes) and applies it. */
int driver_record(struct driver *driver, json_t *record, struct error *err) __must_check;

/*
 * Gets at most `count` values or outcomes of a commit, building it first. Returns how many; 0 when
 * the commit cannot be measured, which has been written down as skipped, with *reason (owned).
 */
int driver_measure(struct driver *driver, const git_oid *commit, size_t count, enum purpose purpose,
		   char **reason, struct error *err);

/* Computes the view anew from the state. */
int driver_look(struct driver *driver, struct error *err) __must_check;

/* The state's values of a commit for these purposes; `purpose` < 0: all. Owned by the caller. */
double *driver_values(const struct bisection *bisection, const git_oid *commit, int purpose,
		      size_t *count);

/* True when another measurement would end beyond the budget. */
bool driver_time_is_up(const struct driver *driver);

/* Measures a merge base until it is known whether it is fast or slow. Values only. */
int driver_test_base(struct driver *driver, const git_oid *base, struct error *err) __must_check;

/*
 * Measures the commit and its parent interleaved, then bad with and without the commit, and writes
 * down what the analyzer finds. Does nothing that is done already.
 */
int driver_prove(struct driver *driver, const struct found_change *change, struct error *err)
	__must_check;

/*
 * Looks in the store for past results of commits in the range, and writes them down: once in a run,
 * as soon as it is known what they have to agree with.
 */
int driver_use_store(struct driver *driver, struct error *err) __must_check;

/* Asks for builds of the commits that are likely to be measured next. */
void driver_build_ahead(struct driver *driver, const struct next_step *next);

#endif
