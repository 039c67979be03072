#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: run_oracle.sh DRIVER ORACLE.R REFERENCE.R: exit code 77 where R is not installed.
set -eu
command -v Rscript >/dev/null || {
	echo "skipped: no Rscript; on Debian: apt-get install --no-install-recommends r-base-core"
	exit 77
}
exec Rscript --vanilla "$2" "$1" "$3"
