/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Boots of a machine under test: into a variant's kernel, for this one boot, and back. The
 * machine is back when it answers with another boot id; a machine that does not come back is
 * power-cycled where the configuration says how.
 */
#ifndef KREGRESS_COLLECTOR_SSH_BOOT_H
#define KREGRESS_COLLECTOR_SSH_BOOT_H

#include "collector/ssh_machine.h"

/*
 * Connects and asks the machine what it is. One that does not answer is power-cycled first, where
 * target.NAME.power-command says how.
 */
int ssh_reach(struct ssh_session *session, const struct target_config *target,
	      struct ssh_machine *machine, struct error *err) __must_check;

/*
 * Makes the folder of a boot on the machine, after removing what earlier boots of this kregress,
 * or boots that are over, left there. ERROR_HARNESS when another one measures there. `*folder` is
 * owned by the caller.
 */
int ssh_make_folder(const struct ssh_session *session, char **folder, struct error *err)
	__must_check;

/*
 * Boots the variant's kernel. The session is connected anew, and `machine` is what came up.
 * Returns 1 when the kernel did not come up, with the reason in `err`, and the machine is back
 * with another one; -1 when the machine is lost, or after a signal.
 */
int ssh_boot_kernel(struct ssh_session *session, const struct variant_config *variant,
		    struct ssh_machine *machine, struct error *err) __must_check;

/* Reboots by target.NAME.reboot-command. -1 when the machine is not back. */
int ssh_reboot(struct ssh_session *session, struct ssh_machine *machine, struct error *err)
	__must_check;

#endif
