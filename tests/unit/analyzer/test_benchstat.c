/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * benchstat's own inputs and what it prints for them, read from the folder of reference data:
 * golang/perf, cmd/benchstat/testdata and internal/stats.
 */
#include "tests/unit/analyzer/benchfmt.h"
#include "tests/unit/analyzer/printed.h"

#include <jansson.h>

#include "analyzer/mann_whitney.h"
#include "analyzer/ratio_effects.h"
#include "tests/unit/analyzer/benchstat_crc.h"

#define ALPHA 0.05

static struct median_interval median_of(const struct sample *sample)
{
	return median_interval_of(sample->values, sample->n, ALPHA);
}

static struct mann_whitney test_of(const struct sample *base, const struct sample *candidate)
{
	assert_true(base->n && candidate->n);
	return mann_whitney_test(base->values, base->n, candidate->values, candidate->n);
}

static double delta_percent(const struct sample *base, const struct sample *candidate)
{
	struct ratio ratio =
		ratio_of_medians(base->values, base->n, candidate->values, candidate->n, ALPHA);

	assert_true(ratio.known);
	return 100 * (ratio.value - 1);
}

/* The printed line that starts with `name`, behind the name. */
static const char *printed_row(const struct strbuf *printed, const char *name)
{
	_cleanup_free_ char *start = xasprintf("\n%s", name);
	const char *row = strstr(strbuf_text(printed), start);

	if (!row)
		fail_msg("no row %s", name);
	return row + strlen(start);
}

struct csv_row {
	double median_s[2];
	double percent[2];
	double delta_percent;
	bool differs; /* false: benchstat prints "~" for the change */
	double p;
	int n;
};

static struct csv_row read_csv_row(const struct strbuf *printed, const char *name)
{
	struct csv_row row = {.differs = true};
	const char *text = printed_row(printed, name);
	char change[16];
	char *end;

	assert_int_equal(sscanf(text, ",%lf,%lf%%,%lf,%lf%%,%15[^,],p=%lf n=%d", &row.median_s[0],
				&row.percent[0], &row.median_s[1], &row.percent[1], change, &row.p,
				&row.n),
			 7);
	row.delta_percent = strtod(change, &end);
	if (!strcmp(change, "~"))
		row.differs = false;
	else
		assert_string_equal(end, "%");
	return row;
}

/* Checks one row; gives the medians, in seconds. */
static void check_csv_row(const struct strbuf *printed, const char *name, double medians_s[2])
{
	struct csv_row row = read_csv_row(printed, name);
	struct sample base = benchfmt_sample(
		&(struct benchfmt_query){.file = "old.txt", .name = name, .unit = "ns/op"});
	struct sample candidate = benchfmt_sample(
		&(struct benchfmt_query){.file = "new.txt", .name = name, .unit = "ns/op"});
	struct median_interval medians[2] = {median_of(&base), median_of(&candidate)};
	struct mann_whitney test = test_of(&base, &candidate);

	assert_int_equal(base.n, row.n);
	assert_int_equal(candidate.n, row.n);
	for (size_t i = 0; i < 2; i++) {
		medians_s[i] = medians[i].median * 1e-9;
		assert_near(medians_s[i], row.median_s[i], 1e-15);
		assert_printed(half_width_percent(&medians[i]), row.percent[i], 1);
	}
	assert_true(test.exact);
	assert_printed(test.p, row.p, 0.001);
	assert_int_equal(test.p < ALPHA, row.differs);
	if (row.differs)
		assert_printed(delta_percent(&base, &candidate), row.delta_percent, 0.01);
}

static void test_old_new(void **state)
{
	_cleanup_(strbuf_release) struct strbuf printed = STRBUF_INIT;
	double json_s[2], gob_s[2], geomean_s[2], percent;
	double base[2], candidate[2];
	struct ratio ratio;

	(void)state;
	benchfmt_read("csvOldNew.stdout", &printed);
	check_csv_row(&printed, "Encode/format=json-48", json_s);
	check_csv_row(&printed, "Encode/format=gob-48", gob_s);
	assert_int_equal(sscanf(printed_row(&printed, "geomean"), ",%lf,,%lf,,%lf%%", &geomean_s[0],
				&geomean_s[1], &percent),
			 3);
	for (size_t i = 0; i < 2; i++)
		assert_near(sqrt(json_s[i] * gob_s[i]), geomean_s[i], 1e-14);
	base[0] = json_s[0];
	base[1] = gob_s[0];
	candidate[0] = json_s[1];
	candidate[1] = gob_s[1];
	ratio = ratio_of_geometric_means(base, 2, candidate, 2, ALPHA);
	assert_true(ratio.known);
	assert_near(ratio.value, geomean_s[1] / geomean_s[0], 1e-14);
	assert_printed(100 * (ratio.value - 1), percent, 0.01);
}

static void check_crc(const struct crc_side *side, const char *file, const char *name)
{
	struct sample time = benchfmt_sample(
		&(struct benchfmt_query){.file = file, .name = name, .unit = "ns/op"});
	struct sample rate = benchfmt_sample(
		&(struct benchfmt_query){.file = file, .name = name, .unit = "MB/s"});
	struct median_interval times = median_of(&time);
	struct median_interval rates = median_of(&rate);

	assert_int_equal(time.n, 10);
	assert_int_equal(rate.n, 10);
	assert_printed_4(times.median, side->median_ns);
	assert_printed(half_width_percent(&times), side->time_percent, 1);
	assert_printed(half_width_percent(&rates), side->rate_percent, 1);
}

static void test_crc(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(crc_rows); i++) {
		_cleanup_free_ char *name = xasprintf("CRC32/poly=%s-8", crc_rows[i].name);

		check_crc(&crc_rows[i].sides[0], "crc-old.txt", name);
		check_crc(&crc_rows[i].sides[1], "crc-new.txt", name);
	}
}

static int printed_count(const struct strbuf *printed, const char *purpose)
{
	const char *text = strbuf_text(printed);
	int count;

	while ((text = strstr(text, "need >= "))) {
		text += strlen("need >= ");
		if (sscanf(text, "%d samples", &count) == 1 &&
		    !strncmp(strstr(text, " samples") + strlen(" samples "), purpose,
			     strlen(purpose)))
			return count;
	}
	fail_msg("no count %s", purpose);
	return 0;
}

/* One value a side: no interval, no difference, and the counts that would do. */
static void test_small_sample(void **state)
{
	_cleanup_(strbuf_release) struct strbuf printed = STRBUF_INIT;
	const char *notes[] = {"before", "after"};
	struct sample samples[2];
	double medians[2], p;
	int n;

	(void)state;
	benchfmt_read("smallSample.stdout", &printed);
	assert_int_equal(sscanf(printed_row(&printed, "X "),
				"%lfn %*s %*s %*s %lfn %*s %*s %*s ~ (p=%lf n=%d)", &medians[0],
				&medians[1], &p, &n),
			 4);
	for (size_t i = 0; i < 2; i++) {
		struct median_interval median;

		samples[i] = benchfmt_sample(&(struct benchfmt_query){
			.file = "smallSample.txt", .note = notes[i], .name = "X", .unit = "ns/op"});
		median = median_of(&samples[i]);
		assert_int_equal(samples[i].n, n);
		assert_near(median.median, medians[i], 0);
		assert_false(median.interval.known);
	}
	assert_near(test_of(&samples[0], &samples[1]).p, p, 0);
	assert_int_equal(median_interval_smallest_n(ALPHA),
			 printed_count(&printed, "for confidence interval"));
	assert_int_equal(mann_whitney_smallest_n(ALPHA),
			 printed_count(&printed, "to detect a difference"));
}

static struct interval range_of(const struct sample *sample)
{
	struct interval range = {sample->values[0], sample->values[0], true};

	for (size_t i = 1; i < sample->n; i++) {
		range.low = fmin(range.low, sample->values[i]);
		range.high = fmax(range.high, sample->values[i]);
	}
	return range;
}

struct exact_row {
	double median[2];
	double percent[2];
	double delta_percent;
	int n;
};

/*
 * Values that are declared exact: what benchstat prints as an interval is their range then, and the
 * change is given untested.
 */
static void check_exact(const struct exact_row *row, const char *name)
{
	const char *notes[] = {"before", "after"};
	struct sample samples[2];

	for (size_t i = 0; i < 2; i++) {
		struct median_interval median;

		samples[i] = benchfmt_sample(&(struct benchfmt_query){
			.file = "units.txt", .note = notes[i], .name = name, .unit = "text-bytes"});
		assert_int_equal(samples[i].n, row->n);
		median = median_of(&samples[i]);
		assert_near(median.median, row->median[i], 0);
		assert_false(median.interval.known);
		median.interval = range_of(&samples[i]);
		assert_printed(half_width_percent(&median), row->percent[i], 1);
	}
	assert_printed(delta_percent(&samples[0], &samples[1]), row->delta_percent, 0.01);
	assert_near(test_of(&samples[0], &samples[1]).p, 1, 0);
}

static struct exact_row read_exact_row(const char *text)
{
	struct exact_row row;

	assert_int_equal(sscanf(text, "%lf %*s %lf%%", &row.median[0], &row.percent[0]), 2);
	text = strchr(text, '%') + 1;
	/* A footnote's mark may be in between. */
	text += strcspn(text, "0123456789");
	assert_int_equal(sscanf(text, "%lf %*s %lf%% %lf%% (n=%d)", &row.median[1], &row.percent[1],
				&row.delta_percent, &row.n),
			 4);
	return row;
}

static void test_units(void **state)
{
	_cleanup_(strbuf_release) struct strbuf printed = STRBUF_INIT;
	const char *names[] = {"Size", "NonExact"};

	(void)state;
	benchfmt_read("units.stdout", &printed);
	for (size_t i = 0; i < 2; i++) {
		struct exact_row row = read_exact_row(printed_row(&printed, names[i]));

		check_exact(&row, names[i]);
	}
}

/* Numbers of a JSON array; 0 where it is something else. */
static size_t read_numbers(const json_t *array, double *values, size_t room)
{
	size_t n = json_array_size(array);

	assert_in_range(n, 0, room);
	for (size_t i = 0; i < n; i++) {
		assert_true(json_is_number(json_array_get(array, i)));
		values[i] = json_number_value(json_array_get(array, i));
	}
	return n;
}

/*
 * A case whose values are listed; others give 0. The two-sided p of 0 that one case states cannot
 * be: of the 126 ways to choose its four values of x, 6 give a U as far from the mean as the
 * observed one, which is among them.
 */
static size_t check_u_case(const json_t *entry, size_t *wrong)
{
	struct sample x = {.n = 0};
	struct sample y = {.n = 0};
	double r[4];
	struct mann_whitney test;

	x.n = read_numbers(json_object_get(entry, "x"), x.values, ARRAY_SIZE(x.values));
	y.n = read_numbers(json_object_get(entry, "y"), y.values, ARRAY_SIZE(y.values));
	if (!x.n || !y.n)
		return 0;
	assert_int_equal(read_numbers(json_object_get(entry, "r"), r, 4), 4);
	test = test_of(&y, &x);
	assert_near(test.u, r[0], 0);
	assert_near(test.p_less, r[1], 1e-13);
	assert_near(test.p_greater, r[3], 1e-13);
	if (r[2] > 0) {
		assert_near(test.p, r[2], 1e-13);
	} else {
		assert_near(test.p, 1 / 21., 1e-13);
		(*wrong)++;
	}
	return 1;
}

static void test_u_reference(void **state)
{
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
	json_t *root;
	size_t checked = 0;
	size_t wrong = 0;

	(void)state;
	benchfmt_read("utest_reference.json", &content);
	root = json_loads(strbuf_text(&content), 0, NULL);
	assert_non_null(root);
	for (size_t i = 0; i < json_array_size(json_object_get(root, "cases")); i++)
		checked += check_u_case(json_array_get(json_object_get(root, "cases"), i), &wrong);
	json_decref(root);
	assert_int_equal(checked, 6);
	assert_int_equal(wrong, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_old_new),	     cmocka_unit_test(test_crc),
		cmocka_unit_test(test_small_sample), cmocka_unit_test(test_units),
		cmocka_unit_test(test_u_reference),
	};
	_cleanup_free_ char *folder = benchfmt_path("");

	if (!file_exists(folder)) {
		printf("no folder %s\n", folder);
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
