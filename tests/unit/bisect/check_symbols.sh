#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fails when an object of the decision core uses a symbol beyond memory, strings, sorting,
# mathematics and GSL, or keeps writable global state.
# Usage: check_symbols.sh LIBRARY OBJECTS
set -eu
library=$1
objects=$2

refused() {
	# Names of the sanitizers and of coverage are the compiler's, not the source's.
	grep -Evx -e 'gsl_[A-Za-z0-9_]+' \
		-e 'xcalloc|xreallocarray|free|memcpy|memset|memmove|memcmp|qsort' \
		-e 'exp|log|sqrt|pow|fmin|fmax|fabs|__popcountdi2' \
		-e '__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__mem(cpy|set|move)_chk' \
		-e '__(asan|ubsan|tsan|msan|gcov|sanitizer|llvm|sanitizer_cov)_[A-Za-z0-9_]+' || true
}

for name in printf __printf_chk fopen time clock_gettime git_repository_open rand; do
	[ "$(echo "$name" | refused)" = "$name" ] || { echo "the filter lets $name pass"; exit 1; }
done

count=$(nm -A "$library" | cut -d: -f2 | sort -u | wc -l)
[ "$count" -eq "$objects" ] || { echo "$count objects instead of $objects"; exit 1; }

defined=$(nm -g --defined-only "$library" | awk 'NF == 3 { print $3 }' | sort -u)
for name in $(nm -u "$library" | awk '$1 == "U" || $1 == "w" { print $2 }' | sort -u | refused); do
	if ! echo "$defined" | grep -qxF "$name"; then
		echo "not allowed: $name"
		failed=1
	fi
done
for name in $(nm "$library" | awk 'NF == 3 && $2 ~ /^[bBdDC]$/ { print $3 }' |
	grep -Ev '^(__|\.L|_?(asan|ubsan|llvm|gcov))' || true); do
	echo "writable: $name"
	failed=1
done
[ -z "${failed:-}" ]
