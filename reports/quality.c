/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/quality.h"

#include "analyzer/outlier.h"
#include "common/array.h"
#include "common/number.h"

/* Two modes that the dip test may confirm explain at least this share of the variance. */
#define MODES_EXPLAINED_MIN 0.8

/* Simulated replicates of the dip test, and their seed: the same data give the same answer. */
#define DIP_REPLICATES 500
#define DIP_SEED       1985

/* Values of a series in order, with the shape that variance_components_of() takes. */
struct nested {
	ARRAY_OF(double) values;
	ARRAY_OF(size_t) iterations;
	ARRAY_OF(size_t) invocations;
};

static void nested_release(struct nested *nested)
{
	array_release(&nested->values);
	array_release(&nested->iterations);
	array_release(&nested->invocations);
}

static void nested_fill(struct nested *nested, const struct series *series)
{
	const struct sample *before = NULL;

	array_for_each (sample, &series->samples) {
		bool new_boot = !before || before->boot != sample->boot;

		if (new_boot)
			*array_append(&nested->invocations) = 0;
		if (new_boot || before->invocation != sample->invocation) {
			*array_append(&nested->iterations) = 0;
			nested->invocations.items[nested->invocations.count - 1]++;
		}
		nested->iterations.items[nested->iterations.count - 1]++;
		*array_append(&nested->values) = sample->value;
		before = sample;
	}
}

static struct variance_components components_of(const struct nested *nested)
{
	const struct nested_samples samples = {
		.values = nested->values.items,
		.iterations = nested->iterations.items,
		.invocations = nested->invocations.items,
		.n_boots = nested->invocations.count,
	};

	return variance_components_of(&samples);
}

static size_t count_outliers(const struct nested *nested)
{
	_cleanup_free_ bool *marks = xcalloc(nested->values.count, sizeof(*marks));

	return outlier_mark(nested->values.items, nested->values.count, marks);
}

static void find_modes(struct data_quality *quality, const struct nested *nested, double alpha)
{
	struct modes modes = modes_of(nested->values.items, nested->values.count);
	struct dip dip;

	quality->dip_p = 1;
	if (!modes.known || modes.explained_frac < MODES_EXPLAINED_MIN)
		return;
	dip = dip_test(nested->values.items, nested->values.count, DIP_REPLICATES, DIP_SEED);
	quality->dip_p = dip.p;
	if (dip.known && dip.p < alpha)
		quality->modes = modes;
}

struct data_quality data_quality_of(const struct series *series, const double *boot_values,
				    size_t n_boots, size_t warm_up, double alpha)
{
	_cleanup_(nested_release) struct nested nested = {0};
	struct data_quality quality = {.warm_up = warm_up, .dip_p = 1};
	const struct metric *metric = series ? metric_find(series->metric) : NULL;

	if (!series || !series->samples.count)
		return quality;
	nested_fill(&nested, series);
	quality.samples = nested.values.count;
	quality.components = components_of(&nested);
	quality.drift = drift_of(boot_values, n_boots, alpha);
	quality.autocorrelation = autocorrelation_of(boot_values, n_boots);
	/* What disturbs a deterministic metric is expected, and does not reach a boot's value. */
	if (metric && metric->deterministic)
		return quality;
	quality.outliers = count_outliers(&nested);
	find_modes(&quality, &nested, alpha);
	return quality;
}

static const char *const level_words[VARIANCE_LEVELS] = {
	[VARIANCE_ITERATION] = "iterations",
	[VARIANCE_INVOCATION] = "invocations",
	[VARIANCE_BOOT] = "boots",
};

/* The level whose share of the mean's variance is the largest: repeating there helps most. */
static enum variance_level most_helpful(const struct variance_components *components)
{
	enum variance_level best = VARIANCE_BOOT;

	for (int level = VARIANCE_ITERATION; level < VARIANCE_BOOT; level++)
		if (components->mean_share_frac[level] > components->mean_share_frac[best])
			best = (enum variance_level)level;
	return best;
}

void data_quality_append_advice(struct strbuf *out, const struct data_quality *quality)
{
	const struct variance_components *components = &quality->components;
	enum variance_level best = most_helpful(components);

	/* Where only boots repeat there is no choice. */
	if (!components->known || components->mean_share_frac[best] <= 0 ||
	    (!components->estimable[VARIANCE_ITERATION] &&
	     !components->estimable[VARIANCE_INVOCATION]))
		return;
	strbuf_printf(
		out, "; %.0f%% of its uncertainty comes from differences between %s: more %s help",
		100 * components->mean_share_frac[best], level_words[best], level_words[best]);
}

static void append_separator(struct strbuf *out, size_t start, const char *side)
{
	if (out->length == start)
		strbuf_printf(out, "%s: ", side);
	else
		strbuf_append(out, ", ");
}

static void append_modes(struct strbuf *out, const struct modes *modes)
{
	strbuf_append(out, "two modes, around ");
	number_append_significant(out, modes->low.median, 4);
	strbuf_printf(out, " (%zu samples) and ", modes->low.n);
	number_append_significant(out, modes->high.median, 4);
	strbuf_printf(out, " (%zu)", modes->high.n);
}

void data_quality_append_warnings(struct strbuf *out, const struct data_quality *quality,
				  const char *side, double alpha)
{
	size_t start = out->length;

	if (quality->warm_up) {
		append_separator(out, start, side);
		strbuf_printf(out, "%zu of %zu samples are warm-up and left out", quality->warm_up,
			      quality->samples);
	}
	if (quality->drift.known && quality->drift.p < alpha) {
		append_separator(out, start, side);
		strbuf_printf(out, "the boots drift %s in run order (p=%.2g)",
			      quality->drift.s > 0 ? "up" : "down", quality->drift.p);
	}
	if (quality->modes.known) {
		append_separator(out, start, side);
		append_modes(out, &quality->modes);
	}
	if (quality->outliers) {
		append_separator(out, start, side);
		strbuf_printf(out, "%zu of %zu samples are outliers and stay in", quality->outliers,
			      quality->samples);
	}
}
