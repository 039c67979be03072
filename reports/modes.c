/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/modes.h"

#include "analyzer/bimodal.h"
#include "common/array.h"
#include "reports/format.h"

typedef ARRAY_OF(double) number_list;

/* What the boots of a side have in each mode. */
struct side {
	number_list low;
	number_list high;
	number_list share_percent;
};

static void side_release(struct side *side)
{
	array_release(&side->low);
	array_release(&side->high);
	array_release(&side->share_percent);
}

static void append_values(number_list *values, const struct series *series)
{
	array_for_each (sample, &series->samples)
		*array_append(values) = sample->value;
}

static void add_boot(struct side *side, const double *values, size_t n, double threshold)
{
	struct boot_modes modes = boot_modes_of(values, n, threshold);

	if (modes.n_low)
		*array_append(&side->low) = modes.low_median;
	if (modes.n_high)
		*array_append(&side->high) = modes.high_median;
	*array_append(&side->share_percent) = 100 * modes.high_share_frac;
}

static void fill_side(struct side *side, const struct series *series, double threshold)
{
	number_list values = {0};

	array_for_each (sample, &series->samples) {
		bool new_boot = sample > series->samples.items && sample[-1].boot != sample->boot;

		if (new_boot) {
			add_boot(side, values.items, values.count, threshold);
			values.count = 0;
		}
		*array_append(&values) = sample->value;
	}
	if (values.count)
		add_boot(side, values.items, values.count, threshold);
	array_release(&values);
}

static struct comparison compare(const number_list *base, const number_list *candidate,
				 double alpha)
{
	const struct comparison_input input = {
		.base = base->items,
		.n_base = base->count,
		.candidate = candidate->items,
		.n_candidate = candidate->count,
		.alpha = alpha,
		.method = METHOD_WELCH,
	};

	return comparison_measure(&input);
}

struct mode_comparison mode_comparison_of(const struct series *base, const struct series *candidate,
					  double alpha)
{
	_cleanup_(side_release) struct side first = {0}, second = {0};
	struct mode_comparison result = {0};
	number_list all = {0};
	struct modes modes;

	append_values(&all, base);
	append_values(&all, candidate);
	modes = modes_of(all.items, all.count);
	array_release(&all);
	if (!modes.known)
		return result;
	fill_side(&first, base, modes.threshold);
	fill_side(&second, candidate, modes.threshold);
	if (first.low.count < 2 || first.high.count < 2 || second.low.count < 2 ||
	    second.high.count < 2)
		return result;
	result.known = true;
	result.threshold = modes.threshold;
	result.low = compare(&first.low, &second.low, alpha);
	result.high = compare(&first.high, &second.high, alpha);
	result.share = compare(&first.share_percent, &second.share_percent, alpha);
	return result;
}

static void append_p(struct strbuf *out, const struct comparison *comparison)
{
	if (!comparison->p_known)
		return;
	strbuf_append(out, " (");
	format_probability(out, "p", comparison->p);
	strbuf_append_char(out, ')');
}

static void append_mode(struct strbuf *out, const char *name, const struct comparison *comparison)
{
	strbuf_printf(out, "%s ", name);
	if (comparison->ratio_known)
		format_change(out, comparison->ratio);
	else
		strbuf_append(out, "unknown");
	append_p(out, comparison);
	strbuf_append(out, ", ");
}

void mode_comparison_append(struct strbuf *out, const struct mode_comparison *modes)
{
	strbuf_append(out, "by mode: ");
	append_mode(out, "low", &modes->low);
	append_mode(out, "high", &modes->high);
	strbuf_printf(out, "share of the high mode %.0f%% -> %.0f%%", modes->share.base.mean,
		      modes->share.candidate.mean);
	append_p(out, &modes->share);
}
