/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scope-bound release of resources, by the compiler's cleanup attribute. */
#ifndef KREGRESS_COMMON_CLEANUP_H
#define KREGRESS_COMMON_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define _cleanup_(function)	  __attribute__((cleanup(function)))
#define _printf_(position, first) __attribute__((format(printf, position, first)))
#define __must_check		  __attribute__((warn_unused_result))

static inline void cleanup_free_(void *pointer)
{
	free(*(void **)pointer);
}

static inline void cleanup_fclose_(FILE **file)
{
	if (*file)
		fclose(*file);
}

static inline void cleanup_close_(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

#define _cleanup_free_	 _cleanup_(cleanup_free_)
#define _cleanup_fclose_ _cleanup_(cleanup_fclose_)
#define _cleanup_close_	 _cleanup_(cleanup_close_)

/* Hands the pointer to the caller and leaves NULL behind, so that the scope's cleanup spares it. */
#define take_pointer(pointer)                                                                      \
	({                                                                                         \
		__typeof__(pointer) taken_ = (pointer);                                            \
		(pointer) = NULL;                                                                  \
		taken_;                                                                            \
	})

#endif
