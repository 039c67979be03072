/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of methods, the choice among them, and the names that reports use. */
#include "analyzer/comparison_method.h"

#include <string.h>

#include "analyzer/power.h"

/*
 * Efficiencies: 3 / pi for ranks, of pairs or not; the 20% trimmed mean by its asymptotic variance
 * (Bickel, Annals of Mathematical Statistics 36, 1965), which is 1.1447 that of the mean; for
 * Kolmogorov-Smirnov the bound 2 / pi of Capon, in the same volume.
 */
static const struct method_row rows[] = {
	[METHOD_AUTO] = {.name = "auto", .fallback = METHOD_WELCH, .efficiency = 1},
	[METHOD_WELCH] = {"welch", measure_welch, METHOD_MANN_WHITNEY, false, false, 1},
	[METHOD_MANN_WHITNEY] = {"mann-whitney", measure_mann_whitney, METHOD_NONE, false, true,
				 POWER_RANK_EFFICIENCY},
	[METHOD_PERMUTATION] = {"permutation", measure_permutation, METHOD_MANN_WHITNEY, false,
				true, 1},
	[METHOD_BRUNNER_MUNZEL] = {"brunner-munzel", measure_brunner_munzel, METHOD_MANN_WHITNEY,
				   false, true, POWER_RANK_EFFICIENCY},
	[METHOD_KS] = {"ks", measure_ks, METHOD_MANN_WHITNEY, false, true, 0.6366197723675814},
	[METHOD_YUEN] = {"yuen", measure_yuen, METHOD_MANN_WHITNEY, false, false, 1 / 1.1447},
	[METHOD_PAIRED] = {"paired", measure_paired, METHOD_WELCH, true, false, 1},
	[METHOD_SIGNED_RANK] = {"signed-rank", measure_signed_rank, METHOD_MANN_WHITNEY, true, true,
				POWER_RANK_EFFICIENCY},
	[METHOD_BLOCK_PERMUTATION] = {"block-permutation", measure_block_permutation,
				      METHOD_PERMUTATION, true, true, 1},
	[METHOD_EXACT] = {"exact", measure_exact, METHOD_NONE, false, false, 1},
	[METHOD_NONE] = {.name = "none", .fallback = METHOD_NONE, .efficiency = 1},
};

static const char *const reasons[] = {
	[METHOD_REASON_NONE] = "",
	[METHOD_REASON_REQUESTED] = "as requested",
	[METHOD_REASON_DETERMINISTIC] = "no value varies, and none should",
	[METHOD_REASON_BLOCKS] = "interleaved in 10 complete blocks or more",
	[METHOD_REASON_NOT_INTERLEAVED] = "the sides were not interleaved",
	[METHOD_REASON_FEW_BLOCKS] = "fewer than 10 blocks: pairs would cost power",
	[METHOD_REASON_UNEQUAL_BLOCKS] = "some blocks lack a boot of one side",
	[METHOD_REASON_NO_PAIRS] =
		"fewer than two blocks hold both sides, so nothing can be paired",
	[METHOD_REASON_VARIES] = "values vary, so they cannot be compared exactly",
	[METHOD_REASON_NO_VARIANCE] = "too little variance for a test of means",
};

const struct method_row *method_row(enum method method)
{
	return &rows[method];
}

const char *method_name(enum method method)
{
	return rows[method].name;
}

const char *method_reason_text(enum method_reason reason)
{
	return reasons[reason];
}

bool method_parse(const char *text, enum method *method)
{
	for (int i = METHOD_AUTO; i < METHOD_NONE; i++) {
		if (strcmp(text, rows[i].name) == 0) {
			*method = (enum method)i;
			return true;
		}
	}
	return false;
}

struct choice {
	enum method method;
	enum method_reason reason;
};

static bool is_constant(const struct comparison *result)
{
	return result->base.min == result->base.max &&
	       result->candidate.min == result->candidate.max;
}

static struct choice choose_automatically(const struct comparison *result,
					  const struct block_pairs *pairs, bool deterministic)
{
	if (deterministic && is_constant(result))
		return (struct choice){METHOD_EXACT, METHOD_REASON_DETERMINISTIC};
	if (!pairs->n && !pairs->base)
		return (struct choice){METHOD_WELCH, METHOD_REASON_NOT_INTERLEAVED};
	if (!pairs->same_blocks)
		return (struct choice){METHOD_WELCH, METHOD_REASON_UNEQUAL_BLOCKS};
	if (pairs->n < COMPARISON_BLOCKS_MIN)
		return (struct choice){METHOD_WELCH, METHOD_REASON_FEW_BLOCKS};
	return (struct choice){METHOD_PAIRED, METHOD_REASON_BLOCKS};
}

static struct choice choose(const struct comparison *result, const struct block_pairs *pairs,
			    const struct comparison_input *input)
{
	if (result->base.n < 2 || result->candidate.n < 2)
		return (struct choice){METHOD_NONE, METHOD_REASON_NONE};
	if (input->method == METHOD_AUTO)
		return choose_automatically(result, pairs, input->deterministic);
	if (input->method == METHOD_EXACT && !is_constant(result))
		return (struct choice){METHOD_WELCH, METHOD_REASON_VARIES};
	return (struct choice){input->method, METHOD_REASON_REQUESTED};
}

void method_apply(struct comparison *result, const struct measurement *measurement,
		  const struct comparison_input *input)
{
	struct choice choice = choose(result, &measurement->pairs, input);

	while (rows[choice.method].measure) {
		const struct method_row *row = &rows[choice.method];
		bool lacks_pairs = row->paired && measurement->pairs.n < 2;

		if (!lacks_pairs && row->measure(result, measurement))
			break;
		choice.method = row->fallback;
		choice.reason = lacks_pairs ? METHOD_REASON_NO_PAIRS : METHOD_REASON_NO_VARIANCE;
	}
	result->method = choice.method;
	result->method_reason = choice.reason;
	result->blocks = rows[choice.method].paired ? measurement->pairs.n : 0;
}
