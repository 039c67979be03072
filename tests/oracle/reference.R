# SPDX-License-Identifier: GPL-3.0-or-later
# Reference answers from R's own functions, and from definitions, by enumeration where possible.
# b is the base, c the candidate, a is alpha.

bisect <- function(f, low, high) {
  for (i in 1:200) {
    middle <- (low + high) / 2
    if (middle == low || middle == high) break
    if (f(middle) > 0) low <- middle else high <- middle
  }
  (low + high) / 2
}

finite_ci <- function(low, high) if (is.finite(low) && is.finite(high)) c(low, high) else c(NA, NA)

# --- means

welch_p_less <- function(b, c) t.test(c, b, alternative = "less")$p.value
welch_p_greater <- function(b, c) t.test(c, b, alternative = "greater")$p.value

# The ratios that Welch's test does not reject, on both sides of the estimate; positive values.
fieller <- function(a, estimate, p_at, bounded) {
  if (!bounded) return(c(NA, NA))
  low <- bisect(function(l) a - p_at(exp(l)), log(estimate) - 60, log(estimate))
  high <- bisect(function(l) p_at(exp(l)) - a, log(estimate), log(estimate) + 60)
  exp(c(low, high))
}

ref_welch <- function(b, c, a) {
  test <- t.test(c, b, conf.level = 1 - a)
  bounded <- t.test(b)$p.value < a && t.test(c)$p.value < a
  welch_at <- function(r) t.test(c, r * b)$p.value
  ratio <- mean(c) / mean(b)
  tost <- max(welch_p_greater(b / 1.02, c), welch_p_less(b * 1.02, c))
  c(mean(c) - mean(b), test$statistic, test$parameter, test$p.value, test$conf.int, ratio,
    fieller(a, ratio, welch_at, bounded), tost)
}

ref_paired <- function(b, c, a) {
  test <- t.test(c, b, paired = TRUE, conf.level = 1 - a)
  bounded <- t.test(b)$p.value < a && t.test(c)$p.value < a
  paired_at <- function(r) t.test(c - r * b)$p.value
  ratio <- mean(c) / mean(b)
  tost <- max(t.test(c - b / 1.02, alternative = "greater")$p.value,
              t.test(c - b * 1.02, alternative = "less")$p.value)
  c(mean(c - b), test$statistic, test$parameter, test$p.value, test$conf.int, ratio,
    fieller(a, ratio, paired_at, bounded), tost)
}

ref_yuen <- function(b, c, a) {
  part <- function(x) {
    n <- length(x)
    g <- floor(0.2 * n)
    s <- sort(x)
    w <- pmin(pmax(x, s[g + 1]), s[n - g])
    h <- n - 2 * g
    list(mean = mean(x, trim = 0.2), d = (n - 1) * var(w) / (h * (h - 1)), h = h)
  }
  pb <- part(b)
  pc <- part(c)
  se <- sqrt(pb$d + pc$d)
  df <- (pb$d + pc$d)^2 / (pb$d^2 / (pb$h - 1) + pc$d^2 / (pc$h - 1))
  d <- pc$mean - pb$mean
  c(d, d / se, df, 2 * pt(-abs(d / se), df), d + c(-1, 1) * qt(1 - a / 2, df) * se)
}

ref_brown_forsythe <- function(b, c, a) {
  zb <- abs(b - median(b))
  zc <- abs(c - median(c))
  table <- anova(lm(c(zb, zc) ~ factor(rep(1:2, c(length(b), length(c))))))
  c(mean(zc) / mean(zb), table$F[1], table$Df[2], table[["Pr(>F)"]][1])
}

ref_hedges <- function(b, c, a) {
  n <- length(b)
  m <- length(c)
  df <- n + m - 2
  sp <- sqrt(((n - 1) * var(b) + (m - 1) * var(c)) / df)
  d <- (mean(c) - mean(b)) / sp
  t <- d / sqrt(1 / n + 1 / m)
  # R's noncentral t holds up to a shift of 37.62.
  if (abs(t) > 20) stop("beyond the reference")
  j <- exp(lgamma(df / 2) - lgamma((df - 1) / 2)) / sqrt(df / 2)
  bound <- function(q) bisect(function(l) pt(t, df, l) - q, t - 40, t + 40)
  c(j * d, c(bound(1 - a / 2), bound(a / 2)) * sqrt(1 / n + 1 / m))
}

# --- ranks

tails <- function(statistics, observed, centre) {
  near <- 1e-10 * max(abs(c(statistics, observed)), 1e-300)
  c(mean(abs(statistics - centre) >= abs(observed - centre) - near),
    mean(statistics <= observed + near), mean(statistics >= observed - near))
}

rank_tails <- function(b, c) {
  u <- function(i, r) sum(r[i]) - length(i) * (length(i) + 1) / 2
  r <- rank(c(b, c))
  m <- length(c)
  all <- combn(length(r), m, u, r = r)
  list(u = u(length(b) + seq_len(m), r), tails = tails(all, u(length(b) + seq_len(m), r),
                                                       length(b) * m / 2))
}

ref_mann_whitney <- function(b, c, a) {
  test <- rank_tails(b, c)
  d <- sort(outer(c, b, "-"))
  k <- qwilcox(a / 2, length(b), length(c))
  ci <- if (k > 0) c(d[k], d[length(d) + 1 - k]) else c(NA, NA)
  tost <- max(rank_tails(b / 1.02, c)$tails[3], rank_tails(b * 1.02, c)$tails[2])
  c(test$u, test$tails, median(d), ci, tost)
}

bm_statistic <- function(b, c) {
  n <- length(b)
  m <- length(c)
  r <- rank(c(b, c))
  rb <- r[seq_len(n)]
  rc <- r[n + seq_len(m)]
  sb <- sum((rb - rank(b) - mean(rb) + (n + 1) / 2)^2) / (n - 1)
  sc <- sum((rc - rank(c) - mean(rc) + (m + 1) / 2)^2) / (m - 1)
  v <- n * sb + m * sc
  d <- mean(rc) - mean(rb)
  t <- if (v > 1e-12) n * m * d / ((n + m) * sqrt(v)) else sign(round(d, 9)) * 1e100
  df <- if (v > 1e-12) v^2 / ((n * sb)^2 / (n - 1) + (m * sc)^2 / (m - 1)) else n + m - 2
  list(t = t, df = df, superior = (mean(rc) - (m + 1) / 2) / n,
       se = sqrt(sb / (n * m^2) + sc / (m * n^2)), v = v)
}

ref_brunner_munzel <- function(b, c, a) {
  s <- bm_statistic(b, c)
  x <- c(b, c)
  n <- length(b)
  all <- combn(length(x), length(c), function(i) bm_statistic(x[-i], x[i])$t)
  width <- qt(1 - a / 2, s$df) * s$se
  ci <- if (s$v > 1e-12) c(max(s$superior - width, 0), min(s$superior + width, 1)) else c(NA, NA)
  near <- 1e-10 * max(abs(s$t), 1)
  c(s$superior, s$t, s$df, if (s$v > 1e-12) 2 * pt(-abs(s$t), s$df) else NA, ci,
    mean(abs(all) >= abs(s$t) - near), mean(all <= s$t + near), mean(all >= s$t - near), 1, NA, NA)
}

ks_distance <- function(b, c) {
  x <- sort(unique(c(b, c)))
  max(abs(ecdf(b)(x) - ecdf(c)(x)))
}

ref_ks_enumerated <- function(b, c, a) {
  x <- c(b, c)
  d <- ks_distance(b, c)
  all <- combn(length(x), length(c), function(i) ks_distance(x[-i], x[i]))
  c(d, mean(all >= d - 1e-10), 1)
}

ref_ks <- function(b, c, a) {
  test <- suppressWarnings(ks.test(b, c, exact = TRUE))
  c(test$statistic, test$p.value, 1)
}

ref_kolmogorov <- function(b, c, a) {
  sapply(b, function(x) {
    k <- 1:2000
    if (x < 0.5) 1 - sqrt(2 * pi) / x * sum(exp(-(2 * k - 1)^2 * pi^2 / (8 * x^2)))
    else sum(rev(2 * (-1)^(k - 1) * exp(-2 * k^2 * x^2)))
  })
}

# --- permutations

ref_permutation <- function(b, c, a) {
  x <- c(b, c)
  x <- (x - mean(x)) / max(abs(x - mean(x)), 1e-300)
  m <- length(c)
  all <- combn(x, m, sum)
  c(tails(all, sum(x[length(b) + seq_len(m)]), m * mean(x)), 1, NA, NA)
}

signs <- function(n) as.matrix(expand.grid(rep(list(c(-1, 1)), n)))

ref_block_permutation <- function(b, c, a) {
  d <- (c - b) / max(abs(c - b), 1e-300)
  c(tails(signs(length(d)) %*% d, sum(d), 0), 1, NA, NA)
}

# Of whole numbers, by convolution: the number of ways to every sum.
ways_to_choose <- function(x, m) {
  table <- matrix(0, m + 1, sum(x) + 1)
  table[1, 1] <- 1
  for (v in x) {
    for (k in m:1) {
      to <- (v + 1):ncol(table)
      table[k + 1, to] <- table[k + 1, to] + table[k, to - v]
    }
  }
  table[m + 1, ]
}

weighted_tails <- function(ways, sums, observed, centre) {
  p <- ways / sum(ways)
  c(sum(p[abs(sums - centre) >= abs(observed - centre) - 1e-9]), sum(p[sums <= observed]),
    sum(p[sums >= observed]))
}

exact_permutation_of_integers <- function(b, c) {
  x <- c(b, c)
  weighted_tails(ways_to_choose(x, length(c)), 0:sum(x), sum(c), length(c) * mean(x))
}

exact_block_permutation_of_integers <- function(d) {
  total <- sum(abs(d))
  ways <- c(1, rep(0, total))
  for (v in abs(d)) ways <- ways + c(rep(0, v), ways[seq_len(total + 1 - v)])
  weighted_tails(ways, 2 * (0:total) - total, sum(d), 0)
}

# --- pairs

ref_signed_rank <- function(b, c, a) {
  d <- c - b
  r <- rank(abs(d))
  r[d == 0] <- 0
  w <- sum(r[d > 0])
  all <- ((signs(length(d)) + 1) / 2) %*% r
  pairs <- which(upper.tri(diag(length(d)), diag = TRUE), arr.ind = TRUE)
  k <- qsignrank(a / 2, length(d))
  located <- function(x) {
    x <- sort(x)
    c(median(x), if (k > 0) c(x[k], x[length(x) + 1 - k]) else c(NA, NA))
  }
  shift <- located((d[pairs[, 1]] + d[pairs[, 2]]) / 2)
  positive <- all(b > 0) && all(c > 0)
  ratio <- located((c[pairs[, 1]] + c[pairs[, 2]]) / (b[pairs[, 1]] + b[pairs[, 2]]))
  c(w, tails(all, w, sum(r) / 2), shift, if (positive) ratio else rep(NA, 3))
}

# --- effects

ref_ratios <- function(b, c, a) {
  test <- t.test(log(c), log(b), conf.level = 1 - a)
  variance <- function(x) {
    n <- length(x)
    k <- max(floor((n + 1) / 2 - sqrt(n) + 0.5), 1)
    z <- qnorm(1 - pbinom(k - 1, n, 0.5))
    s <- sort(log(x))
    ((s[n - k + 1] - s[k]) / (2 * z))^2
  }
  middle <- log(median(c) / median(b))
  se <- sqrt(variance(b) + variance(c))
  medians <- if (se > 0) exp(middle + c(-1, 1) * qnorm(1 - a / 2) * se) else c(NA, NA)
  c(exp(mean(log(c)) - mean(log(b))), exp(test$conf.int), exp(middle), medians)
}

ref_cliff <- function(b, c, a) {
  n <- length(b)
  m <- length(c)
  s <- sign(outer(c, b, "-"))
  d <- mean(s)
  v <- (n^2 * sum((rowMeans(s) - d)^2) + m^2 * sum((colMeans(s) - d)^2) - sum((s - d)^2)) /
    (n * m * (n - 1) * (m - 1))
  v <- max(v, (1 - d^2) / (n * m - 1))
  z <- qnorm(1 - a / 2)
  if (abs(d) == 1) {
    near <- (min(n, m) - z^2) / (min(n, m) + z^2)
    return(c(d, if (d > 0) c(near, 1) else c(-1, -near)))
  }
  ci <- (d - d^3 + c(-1, 1) * z * sqrt(v) * sqrt((1 - d^2)^2 + z^2 * v)) / (1 - d^2 + z^2 * v)
  c(d, max(ci[1], -1), min(ci[2], 1))
}

hd <- function(x, q) {
  n <- length(x)
  sum(diff(pbeta((0:n) / n, (n + 1) * q, (n + 1) * (1 - q))) * sort(x))
}

ref_shift <- function(b, c, a) {
  jackknife <- function(x, q) {
    e <- sapply(seq_along(x), function(i) hd(x[-i], q))
    (length(x) - 1) / length(x) * sum((e - mean(e))^2)
  }
  unlist(lapply(c(0.1, 0.5, 0.9), function(q) {
    vb <- jackknife(b, q)
    vc <- jackknife(c, q)
    df <- (vb + vc)^2 / (vb^2 / (length(b) - 1) + vc^2 / (length(c) - 1))
    d <- hd(c, q) - hd(b, q)
    c(hd(b, q), hd(c, q), d + c(-1, 1) * qt(1 - a / 2, df) * sqrt(vb + vc))
  }))
}

# The corrected interval from the replicates that the driver drew.
bca <- function(b, c, a, statistic, replicates) {
  estimate <- statistic(c) / statistic(b)
  equal <- abs(replicates - estimate) <= 1e-12 * estimate
  z0 <- qnorm(mean(replicates < estimate & !equal) + mean(equal) / 2)
  influence <- function(x, ratio_of) {
    jack <- sapply(seq_along(x), function(i) ratio_of(statistic(x[-i])))
    (length(x) - 1) * (mean(jack) - jack) / length(x)
  }
  l <- c(influence(b, function(s) statistic(c) / s), influence(c, function(s) s / statistic(b)))
  accel <- sum(l^3) / sum(l^2)^1.5 / 6
  z <- z0 + qnorm(c(a / 2, 1 - a / 2))
  c(estimate, z0, accel,
    quantile(replicates, pnorm(z0 + z / (1 - accel * z)), type = 7, names = FALSE))
}

ref_adjust <- function(b, c, a) {
  c(p.adjust(b, "BH"), p.adjust(b, "BY"), p.adjust(b, "holm"))
}

ref_binomial <- function(b, c, a) binom.test(b[1], b[2], conf.level = 1 - a)$conf.int
