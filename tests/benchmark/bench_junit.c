/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Speed and memory of the JUnit writer: 10,000 verdicts in every flavour, written and read again.
 * Fails when one takes a second or the whole process 100 MB.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include <git2.h>
#include <libxml/parser.h>

#include "reports/report.h"

enum { SERIES = 10000, BOOTS = 5, MOST_MB = 100 };

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double peak_mb(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss / 1024;
}

/* Noise around 0 with a deviation of about 0.1, the same each time. */
static double noise(uint32_t *state)
{
	double sum = -6;

	for (int i = 0; i < 12; i++) {
		*state = *state * 1664525 + 1013904223;
		sum += (double)*state / 4294967296.0;
	}
	return 0.1 * sum;
}

/* One in twenty series is 5% slower where `slower`. */
static void fill_set(struct run_set *set, const char *variant, bool slower)
{
	uint32_t state = slower ? 1 : 2;

	run_set_init(set, variant);
	set->created_at = xstrdup("2026-11-30T20:33:07Z");
	for (int boot = 0; boot < BOOTS; boot++)
		run_set_add_boot(set)->duration_s = 10;
	for (int i = 0; i < SERIES; i++) {
		_cleanup_free_ char *name = xasprintf("group%d.benchmark%d", i / 100, i);
		struct series *series =
			run_set_series(set, name, "size=64", "time", "ns/op", BETTER_LOWER);
		double level = slower && i % 20 == 0 ? 105 : 100;

		for (uint32_t boot = 0; boot < BOOTS; boot++)
			series_add_sample(series, boot, 0, 0, level + noise(&state));
	}
}

static double write_flavour(struct report *report, enum junit_flavour flavour, const char *name)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};
	double start_s = cpu_s(), used_s;

	report->presentation.junit_flavour = flavour;
	if (report_writer_find("junit")->write(report, &out, &err) < 0) {
		printf("%s\n", err.message);
		exit(1);
	}
	used_s = cpu_s() - start_s;
	printf("%-8s %d verdicts: %.3f s of CPU, %.1f MB of XML, %.0f MB at most\n", name, SERIES,
	       used_s, (double)out.length / 1e6, peak_mb());
	return used_s;
}

int main(void)
{
	const struct report_options options = {.limit_frac = 0.02, .alpha = 0.05};
	_cleanup_(error_clear) struct error err = {0};
	struct run_set base, variant;
	const struct run_set *pointer = &variant;
	struct report report;
	double slowest_s = 0;

	/* Once, as the command line does: each finding's id is a digest by libgit2. */
	git_libgit2_init();
	fill_set(&base, "base", false);
	fill_set(&variant, "new", true);
	if (report_build(&base, &pointer, 1, &options, &report, &err) < 0)
		return 1;
	printf("the report: %zu regressed, %.2f s of CPU, %.0f MB\n",
	       report_count(&report, VERDICT_REGRESSED), cpu_s(), peak_mb());
	for (int flavour = JUNIT_JENKINS; flavour <= JUNIT_ANT; flavour++) {
		static const char *const names[] = {"jenkins", "rich", "ant"};
		double used_s = write_flavour(&report, (enum junit_flavour)flavour, names[flavour]);

		slowest_s = used_s > slowest_s ? used_s : slowest_s;
	}
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
	git_libgit2_shutdown();
	xmlCleanupParser();
	return slowest_s < 1 && peak_mb() < MOST_MB ? 0 : 1;
}
