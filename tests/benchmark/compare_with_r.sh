#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The same samples through kregress's analyzer and through R in one run: medians of boots, paired t
# tests, false discovery rate, 10,000 series. Prints both times and their ratio.
# usage: compare_with_r.sh BENCH-COMPARE
set -eu
if ! command -v Rscript >/dev/null; then
	echo "skipped: Rscript is not installed (Debian: r-base-core)"
	exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" --dump "$folder/samples" | tee "$folder/ours"
cat >"$folder/compare.R" <<'R'
samples <- array(scan(commandArgs(TRUE)[1], quiet = TRUE), c(30, 10, 2, 10000))
start <- proc.time()
boots <- apply(samples, c(2, 3, 4), median)
p <- apply(boots, 3, function(side) t.test(side[, 2], side[, 1], paired = TRUE)$p.value)
q <- p.adjust(p, "BH")
used <- (proc.time() - start)[["user.self"]]
cat(sprintf("R %s.%s: %.3f s for medians, t tests and q alone, %d with q < 0.05\n",
            R.version$major, R.version$minor, used, sum(q < 0.05)))
R
Rscript --vanilla "$folder/compare.R" "$folder/samples" | tee "$folder/theirs"
ours=$(sed -n 's/^ *10000 series: \([0-9.]*\) s.*/\1/p' "$folder/ours")
theirs=$(sed -n 's/^R [^:]*: \([0-9.]*\) s.*/\1/p' "$folder/theirs")
awk "BEGIN { printf \"R takes %.1f times as long for a part of the work\\n\", $theirs / $ours }"
