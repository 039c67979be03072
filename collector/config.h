/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kregress.conf: variants, targets, suites and limits, in git's configuration syntax, so that
 * `git config -f kregress.conf` can read and write it. docs/configuration.md lists the keys.
 */
#ifndef KREGRESS_COLLECTOR_CONFIG_H
#define KREGRESS_COLLECTOR_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "common/array.h"
#include "common/error.h"

/* Where a variant runs. */
struct target_config {
	char *name;
	char *kind;	    /* "local", "qemu" or "ssh" */
	bool icount;	    /* qemu: count instructions; the only metric is then `insn` */
	char *accel;	    /* qemu: "auto", "kvm" or "tcg" */
	char *qemu;	    /* qemu: the program */
	char *agent;	    /* the agent's program; NULL: the one that belongs to kregress */
	uint64_t cpus;	    /* qemu: CPUs of the guest */
	uint64_t memory_mb; /* qemu: memory of the guest */
	double timeout_s;   /* a boot that says nothing for this long is given up */
	/* All below: ssh (docs/targets.md). */
	char *host;
	char *user;	       /* NULL: as ssh's configuration says */
	uint64_t port;	       /* 0: as ssh's configuration says */
	char *identity;	       /* file of the private key; NULL: as ssh's configuration says */
	char *ssh_config;      /* file that ssh reads in the place of its own; NULL: its own */
	char *folder;	       /* on the machine: where a boot's folder is made */
	char *install;	       /* how the kernel gets there: "kexec" or "command" */
	char *boot_command;    /* install = command: run on the machine */
	char *reboot_command;  /* run on the machine */
	char *power_command;   /* run here, when the machine does not answer; NULL: there is none */
	double boot_timeout_s; /* within which the machine is back after a reboot */
	bool reboot;	       /* variants without a kernel: reboot before each boot */
	bool return_first;     /* reboot at the end, into the machine's own kernel */
};

/* A kernel under test. */
struct variant_config {
	char *name;
	char *target;
	char *kernel;	     /* image, for qemu and ssh */
	char *initrd;	     /* ssh: booted with the image; NULL: none */
	char *kernel_config; /* its .config; NULL: config-RELEASE beside the image, if there */
	char *kdir;	     /* kernel build tree or headers; NULL: no in-kernel benchmarks */
	char *append;	     /* added to the kernel's command line */
	char *commit;	     /* that the kernel was built from; goes with every boot */
	char *make;	     /* bisect: arguments for make, separated by blanks */
	uint64_t plant;	     /* instructions put into each userland operation, to be found */
	char *module;	     /* kregress.ko built by hand; NULL: built from kdir */
	char *module_args;
	/* Set while its kernel runs, each NAME=VALUE (switch.h); variants share boots then. */
	struct string_list switches;
};

/* What is measured, and how often. Counts of 0 and times of 0 mean "the default". */
struct suite_config {
	char *name;
	struct string_list bench; /* shell patterns */
	uint64_t boots;		  /* of each variant */
	uint64_t invocations;
	uint64_t repetitions;
	uint64_t warmup;
	uint64_t cpus;			 /* CPUs that run an in-kernel loop at once */
	double sample_time_s;		 /* at least, for one repetition */
	double timeout_s;		 /* at most, for one benchmark */
	char *load;			 /* what runs in the background; NULL or "none": nothing */
	char *load_cpus;		 /* "other" (NULL) or "same": the CPUs of the load */
	char *kbuild_tree;		 /* source tree that tool.kbuild builds */
	struct string_list kbuild_files; /* what it takes in a guest besides a compiler */
};

struct limit_config {
	char *pattern;
	double change_frac;
};

struct config {
	char *path;		 /* of the file, or NULL when there is none */
	char *folder;		 /* that relative paths refer to */
	char *store;		 /* path of the store */
	char *cache;		 /* folder for built modules and kernels */
	uint64_t build_cache_mb; /* kernels that bisect has built: kept up to this size */
	ARRAY_OF(struct target_config) targets;
	ARRAY_OF(struct variant_config) variants;
	ARRAY_OF(struct suite_config) suites;
	ARRAY_OF(struct limit_config) limits;
};

/*
 * Reads `path`; NULL stands for kregress.conf in the current folder, which may be missing. There is
 * always a target "local", a variant "local" on it, and a suite "core" with everything in it.
 * ERROR_USAGE names the file and key: unknown section or key, a value of the wrong kind, a variant
 * whose target does not exist.
 */
int config_load(const char *path, struct config *config, struct error *err) __must_check;
void config_release(struct config *config);

/* By name; ERROR_USAGE lists the known names. The pointer is the config's. */
const struct variant_config *config_variant(const struct config *config, const char *name,
					    struct error *err);
const struct target_config *config_target(const struct config *config, const char *name,
					  struct error *err);
const struct suite_config *config_suite(const struct config *config, const char *name,
					struct error *err);

#endif
