/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting for a word that processes share. */
#ifndef KREGRESS_AGENT_FUTEX_H
#define KREGRESS_AGENT_FUTEX_H

#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Shared zeroed memory, or NULL with errno set. It lives as long as the process. */
static inline void *futex_shared_memory(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/* Sleeps while the word is `value`; wakes up for no reason at times. */
static inline void futex_wait(uint32_t *word, uint32_t value)
{
	syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static inline void futex_wake(uint32_t *word, int count)
{
	syscall(SYS_futex, word, FUTEX_WAKE, count, NULL, NULL, 0);
}

#endif
