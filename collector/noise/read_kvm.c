/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "collector/noise/guest_trial.h"
#include "collector/noise/readers.h"

static char *describe_trial(enum noise_state *state)
{
	_cleanup_free_ char *why = NULL;

	if (access("/dev/kvm", R_OK | W_OK) < 0)
		return xasprintf("/dev/kvm: %s", strerror(errno));
	/* /dev/kvm may be there, and QEMU still not able to run anything with it. */
	if (!guest_trial("kvm", &why))
		return xasprintf("QEMU under KVM: %s", why);
	*state = NOISE_QUIET;
	return xstrdup("runs a guest");
}

void read_kvm(const struct machine *machine, struct noise_reading *reading)
{
	if (!machine_is_real(machine))
		return;
	reading->state = NOISE_LACKING;
	reading->value = describe_trial(&reading->state);
}
