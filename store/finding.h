/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Findings of the history: changes of a series between two run sets, remembered so that a change
 * seen again is the same finding, with what was decided about it.
 */
#ifndef KREGRESS_STORE_FINDING_H
#define KREGRESS_STORE_FINDING_H

#include "common/error.h"
#include "store/store.h"

enum finding_state {
	FINDING_NEW,	      /* nobody has looked at it */
	FINDING_ACKNOWLEDGED, /* somebody is at work on it */
	FINDING_KNOWN,	      /* it is to stay: the new level is accepted */
	FINDING_FIXED,	      /* a later change took most of it back, or somebody said so */
	FINDING_REOPENED,     /* it was fixed or withdrawn, and is there again */
	FINDING_WITHDRAWN,    /* later run sets show no change there */
};
#define FINDING_STATES 6

/* "new", "acknowledged", "known", "fixed", "reopened", "withdrawn" */
const char *finding_state_name(enum finding_state state);
bool finding_state_parse(const char *text, enum finding_state *state);

/* Where a finding lies among the points of its series as they are now; not stored. */
struct finding_place {
	bool known;
	size_t index; /* first point after the change */
	size_t low;   /* interval of index, both included */
	size_t high;
	double p; /* that there is no change at index, with all points of now */
};

struct finding {
	char *id;    /* 16 hex digits, made when it is first seen */
	char *group; /* the same for changes of many series at one place */
	char *machine;
	char *variant;
	char *benchmark;
	char *params;
	char *metric;
	char *unit;
	enum better better;
	char *kind; /* "level", "trend"; a change of spread is no finding */
	bool regression;
	enum finding_state state;
	bool stored; /* it comes from the store, with stored_state; not a column */
	enum finding_state stored_state;
	char *before_set; /* ids of the run sets next to the change */
	char *after_set;
	char *low_set; /* the last set that is surely before it, the first surely after it */
	char *high_set;
	char *good_commit; /* of low_set and high_set, NULL when not recorded */
	char *bad_commit;
	double before; /* in unit */
	double after;
	double ratio_low; /* interval of after / before; both 0: not known */
	double ratio_high;
	double p;
	double q;
	uint32_t contradictions; /* evaluations with new run sets in a row that did not show it */
	char *evaluated_set;	 /* the newest run set at the last evaluation */
	char *fixed_by;	  /* id of the finding that took it back, or NULL; kept on reopening */
	char *cause;	  /* what else changed on the machine, or NULL */
	char *note;	  /* what people said, or NULL */
	char *found_at;	  /* UTC */
	char *changed_at; /* of the state, UTC */
	struct finding_place place;
};

struct finding_list {
	struct finding *items;
	size_t count;
	size_t capacity;
};

void finding_release(struct finding *finding);
void finding_list_release(struct finding_list *list);

/* Appends all findings, the newest first. */
int store_load_findings(struct store *store, struct finding_list *list, struct error *err)
	__must_check;

/*
 * Stores the findings, each in the place of what is there under its id: all or none. Those that
 * are stored but not in the list stay as they are. What was decided about a finding since it was
 * loaded is kept: its state when that is not stored_state any more, and its note in any case; the
 * list gets them, too.
 */
int store_put_findings(struct store *store, struct finding_list *list, struct error *err)
	__must_check;

/*
 * Puts the finding whose id begins with `prefix`, or else all members of the group whose id does,
 * into a state, with `note` behind what was noted before (NULL: none). Members that are withdrawn,
 * or fixed, are left as they are unless the group is reopened, or fixed. ERROR_USAGE when nothing
 * or too much fits.
 */
int store_mark_findings(struct store *store, const char *prefix, enum finding_state state,
			const char *note, const char *now, struct error *err) __must_check;

/* Appends what `prefix` means, the surest first; errors as above. */
int store_find_findings(struct store *store, const char *prefix, struct finding_list *list,
			struct error *err) __must_check;

#endif
