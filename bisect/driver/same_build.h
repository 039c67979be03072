/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What identical builds say without a measurement. Two commits that build the same code are equally
 * fast, so with a single change between good and bad it lies below both of them or below neither:
 * whatever only one of them descends from cannot be the culprit.
 */
#ifndef KREGRESS_BISECT_DRIVER_SAME_BUILD_H
#define KREGRESS_BISECT_DRIVER_SAME_BUILD_H

#include "bisect/driver/view.h"

/*
 * Excludes from the view's search what identical trees and builds rule out. Where a second change
 * is looked for, only commits that build what a parent builds are.
 */
void exclude_same_builds(struct view *view, const struct bisection *bisection);

/* True when a commit's build is noted and equals that of another commit, good ones included. */
bool build_is_known(const struct bisection *bisection, const git_oid *commit);

#endif
