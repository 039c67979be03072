/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UTF-8 as RFC 3629 defines it. */
#ifndef KREGRESS_AGENT_UTF8_H
#define KREGRESS_AGENT_UTF8_H

#include <stdint.h>

/*
 * The code point at `*text`, which must not be at the terminating NUL; moves `*text` behind it.
 * An ill-formed byte gives U+FFFD and is skipped alone.
 */
uint32_t utf8_next(const char **text);

#endif
