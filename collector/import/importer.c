/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/import/importer.h"

#include <string.h>

#include "common/strbuf.h"

/*
 * Formats with the surest marks come first. The table comes last: it takes nearly any text with
 * numbers in it.
 */
const struct importer importers[] = {
	{"html-report", "HTML report of kregress, with its samples", html_report_recognise,
	 html_report_read, IMPORT_NAMES_VARIANTS},
	{"kregress-1", "JSON Lines that kregress export writes", kregress1_recognise,
	 kregress1_read, IMPORT_NAMES_VARIANTS},
	{"hyperfine", "hyperfine --export-json", hyperfine_recognise, hyperfine_read, IMPORT_TOOL},
	{"google-benchmark", "Google Benchmark, JSON", google_benchmark_recognise,
	 google_benchmark_read, IMPORT_TOOL},
	{"iperf3", "iperf3 --json", iperf3_recognise, iperf3_read, IMPORT_TOOL},
	{"rt-json", "cyclictest, oslat and other rt-tests, --json", rt_json_recognise, rt_json_read,
	 IMPORT_TOOL},
	{"fio-json", "fio --output-format=json", fio_json_recognise, fio_json_read, IMPORT_TOOL},
	{"fio", "fio, normal output", fio_recognise, fio_read, IMPORT_TOOL},
	{"lkp-mail", "regression mail of the kernel test robot", lkp_mail_recognise, lkp_mail_read,
	 IMPORT_NAMES_VARIANTS},
	{"perf-bench", "perf bench, default format", perf_bench_recognise, perf_bench_read,
	 IMPORT_TOOL},
	{"perf-bench-simple", "perf bench -f simple", perf_bench_simple_recognise,
	 perf_bench_simple_read, IMPORT_TOOL},
	{"stress-ng", "stress-ng --metrics, --metrics-brief", stress_ng_recognise, stress_ng_read,
	 IMPORT_TOOL},
	{"stress-ng-yaml", "stress-ng --yaml", stress_ng_yaml_recognise, stress_ng_yaml_read,
	 IMPORT_TOOL},
	{"sysbench", "sysbench", sysbench_recognise, sysbench_read, IMPORT_TOOL},
	{"tbench", "tbench", tbench_recognise, tbench_read, IMPORT_TOOL},
	{"dbench", "dbench", dbench_recognise, dbench_read, IMPORT_TOOL},
	{"cyclictest", "cyclictest -q, also with a histogram", cyclictest_recognise,
	 cyclictest_read, IMPORT_TOOL},
	{"oslat", "oslat", oslat_recognise, oslat_read, IMPORT_TOOL},
	{"schbench", "schbench", schbench_recognise, schbench_read, IMPORT_TOOL},
	{"hackbench", "hackbench", hackbench_recognise, hackbench_read, IMPORT_TOOL},
	{"will-it-scale", "will-it-scale, csv", will_it_scale_recognise, will_it_scale_read,
	 IMPORT_TOOL},
	{"netperf", "netperf", netperf_recognise, netperf_read, IMPORT_TOOL},
	{"lmbench", "lmbench, results on stderr", lmbench_recognise, lmbench_read, IMPORT_TOOL},
	{"time-bench", "dmesg of time_bench.ko", time_bench_recognise, time_bench_read,
	 IMPORT_TOOL},
	{"find-bit", "dmesg of find_bit_benchmark.ko", find_bit_recognise, find_bit_read,
	 IMPORT_TOOL},
	{"rcuscale", "dmesg of rcuscale", rcuscale_recognise, rcuscale_read, IMPORT_TOOL},
	{"refscale", "dmesg of refscale", refscale_recognise, refscale_read, IMPORT_TOOL},
	{"vmalloc-test", "dmesg of test_vmalloc.ko", vmalloc_test_recognise, vmalloc_test_read,
	 IMPORT_TOOL},
	{"ktap", "KTAP of kernel selftests and KUnit", ktap_recognise, ktap_read, IMPORT_TOOL},
	{"kbuild", "kernel builds in LKP's log", kbuild_recognise, kbuild_read, IMPORT_TOOL},
	{"time", "times of bash, time -p or GNU time -v", time_recognise, time_read, IMPORT_TOOL},
	{"go-benchfmt", "go test -bench", go_benchfmt_recognise, go_benchfmt_read, IMPORT_TOOL},
	{"lkp-stats", "statistics that LKP writes as JSON", lkp_stats_recognise, lkp_stats_read,
	 IMPORT_STATISTICS},
	{"csv", "CSV with the columns benchmark and value", csv_recognise, csv_read, IMPORT_TOOL},
	{"table", "plain text table of benchmarks, variants and values", table_recognise,
	 table_read, IMPORT_NAMES_VARIANTS},
	{0},
};

const struct importer *importer_find(const char *name)
{
	for (const struct importer *importer = importers; importer->name; importer++)
		if (!strcmp(importer->name, name))
			return importer;
	return NULL;
}

const struct importer *importer_recognise(const char *text, size_t length)
{
	for (const struct importer *importer = importers; importer->name; importer++)
		if (importer->recognise(text, length))
			return importer;
	return NULL;
}

static char *list_formats(void)
{
	struct strbuf names = STRBUF_INIT;

	for (const struct importer *importer = importers; importer->name; importer++)
		strbuf_printf(&names, "%s%s", importer == importers ? "" : ", ", importer->name);
	return strbuf_take(&names);
}

static int unknown_format(const char *format, struct error *err)
{
	_cleanup_free_ char *formats = list_formats();

	error_set(err, ERROR_USAGE, "there is no import format '%s'", format);
	return error_hint(err, "formats: auto, %s", formats);
}

static int not_recognised(const struct import_input *input, struct error *err)
{
	_cleanup_free_ char *formats = list_formats();

	error_set(err, ERROR_DATA, "%s:1: the text is in none of the formats %s", input->name,
		  formats);
	return error_hint(err, "name the format instead of 'auto' to see which line does not fit");
}

int importer_read(const char *format, const struct import_input *input, struct run_set_list *sets,
		  struct error *err)
{
	const struct importer *importer;

	if (!strcmp(format, "auto")) {
		importer = importer_recognise(input->text, input->length);
		if (!importer)
			return not_recognised(input, err);
	} else {
		importer = importer_find(format);
		if (!importer)
			return unknown_format(format, err);
	}
	if (input->variant && importer->kind == IMPORT_NAMES_VARIANTS) {
		error_set(err, ERROR_USAGE, "%s: the format '%s' names its variants itself",
			  input->name, importer->name);
		return error_hint(err, "leave the name of a variant away");
	}
	return importer->read(input, sets, err);
}
