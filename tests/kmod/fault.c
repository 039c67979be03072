// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A module that breaks in the way its parameter says, loaded in the place of kregress.ko to see
 * what kregress makes of broken kernels.
 */
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/preempt.h>

static char *action = "";
module_param(action, charp, 0444);
MODULE_PARM_DESC(action, "panic, hang or refuse");

static int __init fault_init(void)
{
	if (!strcmp(action, "panic"))
		panic("kregress fault module: asked to");
	while (!strcmp(action, "hang"))
		msleep(1000);
	return -ENODEV;
}

static void __exit fault_exit(void)
{
}

module_init(fault_init);
module_exit(fault_exit);
MODULE_DESCRIPTION("breaks on purpose, for the tests of kregress");
MODULE_LICENSE("GPL");
