/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed and size of the HTML report: 10,000 verdicts, each from 2 x 6 boots with 10 samples. */
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include <git2.h>

#include "common/alloc.h"
#include "reports/writers.h"

enum { SERIES = 10000, BOOTS = 6, SAMPLES = 10 };

#define MOST_S 5

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fill(struct run_set *set, const char *name, double factor)
{
	uint32_t state = 1;

	run_set_init(set, name);
	for (uint32_t boot = 0; boot < BOOTS; boot++)
		run_set_add_boot(set)->slot = boot;
	for (size_t i = 0; i < SERIES; i++) {
		_cleanup_free_ char *benchmark = xasprintf("group%zu.bench_%zu", i % 20, i);
		struct series *series =
			run_set_series(set, benchmark, "", "time", "ns/op", BETTER_LOWER);

		for (uint32_t sample = 0; sample < BOOTS * SAMPLES; sample++) {
			state = state * 1664525 + 1013904223;
			series_add_sample(series, sample / SAMPLES, 0, sample % SAMPLES,
					  (i % 20 ? 1 : factor) *
						  (1000 + (double)(state >> 8) / (1 << 20)));
		}
	}
}

int main(void)
{
	static const struct report_options options = {.limit_frac = 0.02, .alpha = 0.05};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(strbuf_release) struct strbuf page = STRBUF_INIT;
	struct run_set base, candidate;
	const struct run_set *pointer = &candidate;
	struct report report;
	struct rusage usage;
	double start_s, built_s, written_s;

	/* As the command line does: hashing for the ids of findings then starts nothing anew. */
	git_libgit2_init();
	fill(&base, "base", 1);
	fill(&candidate, "new", 1.05);
	start_s = cpu_s();
	if (report_build(&base, &pointer, 1, &options, &report, &err) < 0)
		return 1;
	built_s = cpu_s();
	if (report_write_html(&report, &page, &err) < 0)
		return 1;
	written_s = cpu_s() - built_s;
	getrusage(RUSAGE_SELF, &usage);
	printf("%d verdicts: %.2f s to judge, %.2f s to write %.1f MB of HTML; %.0f MB at most\n",
	       SERIES, built_s - start_s, written_s, (double)page.length / 1e6,
	       (double)usage.ru_maxrss / 1024);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&candidate);
	git_libgit2_shutdown();
	return written_s < MOST_S ? 0 : 1;
}
