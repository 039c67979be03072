// SPDX-License-Identifier: GPL-2.0-or-later
/* A module that needs a symbol which no kernel has. */
#include <linux/module.h>

extern void kregress_symbol_that_no_kernel_exports(void);

static int __init lacking_init(void)
{
	kregress_symbol_that_no_kernel_exports();
	return 0;
}

static void __exit lacking_exit(void)
{
}

module_init(lacking_init);
module_exit(lacking_exit);
MODULE_DESCRIPTION("lacks a symbol on purpose, for the tests of kregress");
MODULE_LICENSE("GPL");
