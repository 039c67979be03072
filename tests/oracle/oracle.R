# SPDX-License-Identifier: GPL-3.0-or-later
# usage: oracle.R DRIVER REFERENCE.R
# Draws inputs, asks the driver, and compares with the reference, to 1e-8.
arguments <- commandArgs(trailingOnly = TRUE)
driver <- arguments[1]
source(arguments[2])
set.seed(20240607)

cases <- list()

ask <- function(name, b, c, expected, alpha = 0.05, seed = 7) {
  cases[[length(cases) + 1]] <<- list(name = name, b = b, c = c, alpha = alpha, seed = seed,
                                      expected = expected)
}

# --- inputs: ordinary, tied, heavy-tailed, huge, tiny, nearly constant, shifted

shapes <- list(
  normal = function(n) 100 + rnorm(n),
  shifted = function(n) 103 + 2 * rnorm(n),
  ties = function(n) sample(20:24, n, replace = TRUE),
  lognormal = function(n) rlnorm(n),
  spikes = function(n) 10 + rlnorm(n, -1) + 40 * (runif(n) < 0.1),
  huge = function(n) 1e300 * (1 + runif(n)),
  tiny = function(n) 1e-290 * (1 + runif(n)),
  close = function(n) 1e6 + runif(n) / 1e3,
  wide = function(n) 10^runif(n, -3, 3))

varied <- function(f, n) {
  repeat {
    x <- f(n)
    if (n == 1 || length(unique(x)) > 1) return(x)
  }
}

# Both sides of the same shape, often with a change; alpha as well.
draw <- function(smallest, largest, paired = FALSE, shape = sample(names(shapes), 1)) {
  n <- sample(smallest:largest, 1)
  m <- if (paired) n else sample(smallest:largest, 1)
  b <- varied(shapes[[shape]], n)
  c <- varied(shapes[[shape]], m)
  if (runif(1) < 0.5) c <- c * sample(c(1, 1.01, 1.3, 2), 1)
  list(b = b, c = c, a = sample(c(0.05, 0.05, 0.01, 0.2), 1), shape = shape)
}

check <- function(name, reference, count, smallest, largest, paired = FALSE, unfit = character(),
                  alphas = TRUE) {
  done <- 0
  while (done < count) {
    d <- draw(smallest, largest, paired)
    if (d$shape %in% unfit) next
    # A reference that refuses nearly constant data has no answer to compare with.
    expected <- tryCatch(reference(d$b, d$c, d$a), error = function(e) NULL)
    if (is.null(expected)) next
    ask(name, d$b, d$c, expected, d$a)
    done <- done + 1
  }
}

# Squares of 1e300 overflow in R; there the scaled data give the reference instead.
scaled <- function(reference, powers) function(b, c, a) {
  s <- if (max(abs(c(b, c))) > 1e200) 1e300 else if (max(abs(c(b, c))) < 1e-200) 1e-290 else 1
  reference(b / s, c / s, a) * s^powers
}

check("welch", scaled(ref_welch, c(1, 0, 0, 0, 1, 1, 0, 0, 0, 0)), 120, 2, 25)
check("paired", scaled(ref_paired, c(1, 0, 0, 0, 1, 1, 0, 0, 0, 0)), 100, 2, 25, paired = TRUE)
check("yuen", scaled(ref_yuen, c(1, 0, 0, 0, 1, 1)), 80, 2, 30)
check("brown-forsythe", scaled(ref_brown_forsythe, c(0, 0, 0, 0)), 60, 3, 20)
check("hedges", scaled(ref_hedges, c(0, 0, 0)), 60, 2, 20, unfit = "close")
check("mann-whitney", scaled(ref_mann_whitney, c(0, 0, 0, 0, 1, 1, 1, 0)), 60, 2, 6)
check("brunner-munzel", ref_brunner_munzel, 50, 2, 6)
check("ks", ref_ks_enumerated, 40, 1, 6)
check("ks", ref_ks, 60, 2, 40)
check("permutation", ref_permutation, 60, 1, 7)
check("block-permutation", ref_block_permutation, 60, 1, 11, paired = TRUE)
check("signed-rank", scaled(ref_signed_rank, c(rep(0, 4), rep(1, 3), rep(0, 3))), 80, 1, 11,
      paired = TRUE)
check("ratios", ref_ratios, 80, 2, 25)
check("cliff", ref_cliff, 60, 2, 20)
check("shift", scaled(ref_shift, rep(1, 12)), 60, 3, 25)

# Beyond enumeration: whole numbers, counted by convolution.
for (i in 1:8) {
  b <- sample(0:30, 15 + i %% 3, replace = TRUE)
  c <- sample(0:30 + i, 17, replace = TRUE)
  ask("permutation", b, c, c(exact_permutation_of_integers(b, c), 1, NA, NA))
  d <- sample(-20:24, 25 + i, replace = TRUE)
  ask("block-permutation", rep(0, 25 + i), d, c(exact_block_permutation_of_integers(d), 1, NA, NA))
}

for (n in c(1, 2, 5, 40)) ask("adjust", runif(n)^2, runif(n), NULL)
for (i in seq_along(cases)) if (cases[[i]]$name == "adjust")
  cases[[i]]$expected <- ref_adjust(cases[[i]]$b, NA, NA)
ask("kolmogorov", c(0.2, 0.3, 0.6, 0.99, 1, 1.01, 1.36, 2, 5, 9), numeric(),
    ref_kolmogorov(c(0.2, 0.3, 0.6, 0.99, 1, 1.01, 1.36, 2, 5, 9), NA, NA))
for (x in list(c(0, 10), c(10, 10), c(3, 10), c(499, 9999), c(1, 9999)))
  ask("binomial", x, numeric(), ref_binomial(x, NA, 0.01), alpha = 0.01)

# --- what needs the driver's own random numbers is judged from its answer

statistics <- list(mean, median, function(x) exp(mean(log(x))))

judge_bootstrap <- function(case, answer) {
  unlist(lapply(1:3, function(i) {
    part <- answer[(i - 1) * 305 + 1:305]
    c(bca(case$b, case$c, case$alpha, statistics[[i]], part[6:305]), part[6:305])
  }))
}

for (i in 1:20) {
  d <- draw(4, 20, shape = sample(c("normal", "lognormal", "spikes", "wide"), 1))
  ask("bootstrap", d$b, d$c, judge_bootstrap, d$a)
}

# Resampled p: the exact one lies within the bound it gives itself.
judge_resampled <- function(exact) {
  force(exact)
  function(case, answer) {
    within <- answer[5] <= exact[1] && exact[1] <= answer[6] && answer[4] == 0
    if (within) answer else rep(Inf, length(answer))
  }
}

for (i in 1:6) {
  b <- sample(0:30, 19, replace = TRUE)
  c <- sample(0:30 + i - 1, 20, replace = TRUE)
  ask("permutation", b, c, judge_resampled(exact_permutation_of_integers(b, c)), seed = i)
  d <- sample(-20:(18 + 2 * i), 40, replace = TRUE)
  ask("block-permutation", rep(0, 40), d,
      judge_resampled(exact_block_permutation_of_integers(d)), seed = i)
}

# --- ask, compare

show <- function(x) paste(sprintf("%.17g", x), collapse = " ")
lines <- sapply(cases, function(k) paste(k$name, sprintf("%.17g", k$alpha), k$seed, length(k$b),
                                         length(k$c), show(k$b), show(k$c)))
answers <- system2(driver, input = lines, stdout = TRUE)
if (length(answers) != length(cases)) {
  cat(sprintf("%d answers to %d questions\n", length(answers), length(cases)))
  quit(status = 1)
}

wrong <- 0
worst <- list()

# Relative, or, for what may cancel (a difference, its interval), relative to the largest in the
# answer that has the same unit.
agrees <- function(name, actual, expected) {
  if (length(actual) != length(expected)) return(Inf)
  both_na <- is.na(actual) & is.na(expected)
  # The last digits of a p far below any level hang on those of the statistic; R takes the p of
  # Kolmogorov and Smirnov as a difference from 1.
  scale <- pmax(abs(expected), switch(name, welch = , paired = , yuen = 1e-12,
                                      `brown-forsythe` = 1e-12, ks = 1e-4, 1e-300))
  unit <- switch(name, welch = c(1, 5, 6), paired = c(1, 5, 6), yuen = c(1, 5, 6),
                 `mann-whitney` = 5:7, `signed-rank` = 5:7, shift = seq_along(expected),
                 hedges = 1:3, cliff = 1:3, bootstrap = seq_along(expected), integer())
  if (length(unit)) scale[unit] <- max(abs(expected[unit]), 1e-300, na.rm = TRUE)
  difference <- ifelse(both_na, 0, abs(actual - expected) / scale)
  difference[is.na(difference)] <- Inf
  max(difference)
}

for (i in seq_along(cases)) {
  k <- cases[[i]]
  actual <- suppressWarnings(as.numeric(strsplit(trimws(answers[i]), " +")[[1]]))
  expected <- if (is.function(k$expected)) k$expected(k, actual) else as.numeric(k$expected)
  # Without overlap the approximate p is 0; the driver's is not comparable.
  if (k$name == "brunner-munzel" && is.na(expected[4])) actual[4] <- NA
  error <- agrees(k$name, actual, expected)
  worst[[k$name]] <- max(worst[[k$name]], error)
  if (!(error <= 1e-8)) {
    wrong <- wrong + 1
    cat(sprintf("%s: off by %.3g\n  question %s\n  answer    %s\n  reference %s\n", k$name, error,
                lines[i], substr(show(actual), 1, 400), substr(show(expected), 1, 400)))
  }
}
for (name in names(worst))
  cat(sprintf("%-18s %4d cases, largest difference %.2g\n", name,
              sum(sapply(cases, `[[`, "name") == name), worst[[name]]))
cat(sprintf("%d of %d cases differ by more than 1e-8\n", wrong, length(cases)))
quit(status = if (wrong) 1 else 0)
