/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether QEMU runs a guest with an accelerator: known only when it has run one. */
#ifndef KREGRESS_COLLECTOR_NOISE_GUEST_TRIAL_H
#define KREGRESS_COLLECTOR_NOISE_GUEST_TRIAL_H

#include <stdbool.h>

/*
 * Starts QEMU ("qemu-system-x86_64") with `accel` ("kvm", "tcg") and a guest of a few instructions,
 * for at most some seconds. On false `*why` says what stopped it, owned by the caller.
 */
bool guest_trial(const char *accel, char **why);

#endif
