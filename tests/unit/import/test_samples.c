/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The samples of tools' output in ../shared/data/samples, beside the source tree: each gives what
 * fixtures/import/samples.expected states, agrees with what LKP's own parser took from it (the
 * .yaml beside it), and stands damage. Skipped where the samples are absent.
 */
#include "tests/unit/import/import_test.h"

#include <math.h>

#include "collector/import/source.h"
#include "common/file.h"
#include "common/number.h"
#include "common/strbuf.h"
#include "tests/unit/import/mangle.h"

static char *samples; /* the folder */

static struct strbuf read_below(const char *folder, const char *name)
{
	_cleanup_free_ char *path = path_below(folder, name);
	struct strbuf text = STRBUF_INIT;
	struct error err = {0};

	if (file_read(path, &text, &err) < 0)
		fail_msg("%s", err.message);
	return text;
}

static int read_sample(const char *format, const char *name, struct run_set_list *sets,
		       struct error *err)
{
	_cleanup_free_ char *path = path_below(samples, name);
	struct import_input input = input_of("");

	return import_path(format, &input, path, sets, err);
}

static void describe_series(struct strbuf *out, const struct series *series)
{
	_cleanup_free_ char *label = series_label(series->benchmark, series->params);

	strbuf_printf(out, "\t%s | %s | %s | %s |", label, series->metric, series->unit,
		      better_name(series->better));
	array_for_each (sample, &series->samples)
		strbuf_printf(out, " %.12g", sample->value);
	strbuf_append_char(out, '\n');
}

/* "FILE:LINE: cause" without the file, and without the list of formats. */
static void describe_error(struct strbuf *out, const char *name, const char *message)
{
	static const char unknown[] = "1: the text is in none of the formats";
	const char *cause = strstr(message, name) + strlen(name) + 1;

	if (!strncmp(cause, unknown, strlen(unknown)))
		cause = unknown;
	strbuf_printf(out, "\terror %s\n", cause);
}

static void describe_sample(struct strbuf *out, const char *name)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};

	strbuf_printf(out, "%s\n", name);
	if (read_sample("auto", name, &sets, &err) < 0)
		describe_error(out, name, err.message);
	for (size_t i = 0; i < sets.count; i++)
		array_for_each (series, &sets.items[i]->series)
			describe_series(out, series);
}

/* The names of the samples are the lines without a tab. */
static struct string_list sample_names(const struct strbuf *expected)
{
	_cleanup_(string_list_release) struct string_list lines = {0};
	struct string_list names = {0};

	string_list_split(&lines, strbuf_text(expected), "\n");
	array_for_each (line, &lines)
		if (**line != '\t' && **line != '#')
			string_list_add(&names, *line);
	return names;
}

static void check_line(const char *got, const char *wanted)
{
	if (strcmp(got, wanted) != 0)
		fail_msg("got\n%s\ninstead of\n%s", got, wanted);
}

static void test_values(void **state)
{
	_cleanup_(strbuf_release) struct strbuf expected =
		read_below(getenv("KREGRESS_FIXTURES"), "import/samples.expected");
	_cleanup_(string_list_release) struct string_list names = sample_names(&expected);
	_cleanup_(string_list_release) struct string_list wanted = {0};
	_cleanup_(string_list_release) struct string_list got = {0};
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	size_t comments = 0;

	(void)state;
	assert_true(names.count > 80);
	array_for_each (name, &names)
		describe_sample(&out, *name);
	string_list_split(&wanted, strbuf_text(&expected), "\n");
	string_list_split(&got, strbuf_text(&out), "\n");
	while (*wanted.items[comments] == '#')
		comments++;
	assert_int_equal(got.count, wanted.count - comments);
	for (size_t i = 0; i < got.count; i++)
		check_line(got.items[i], wanted.items[comments + i]);
}

/* Bare numbers are read only on request. */
static void test_simple_format(void **state)
{
	static const struct {
		const char *name;
		double seconds;
	} rows[] = {
		{"tools/perf-bench-sched-messaging-simple.out", 0.190},
		{"tools/perf-bench-sched-pipe-simple.out", 0.179},
		{"tools/perf-bench-syscall-basic-simple.out", 2.501},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(run_set_list_release) struct run_set_list sets = {0};
		_cleanup_(error_clear) struct error err = {0};

		assert_int_equal(read_sample("perf-bench-simple", rows[i].name, &sets, &err), 0);
		EXPECT(&sets, sets.items[0]->variant, "perf.simple", "", "time", rows[i].seconds);
	}
}

enum how {
	MEAN,
	SMALLEST,
	LARGEST,
	OVER_MEAN, /* the factor is a work: its rate at the mean of the values */
};

/* What LKP's parser makes of a sample, and how it comes from the values imported. */
static const struct {
	const char *sample;
	const char *benchmark, *params, *metric;
	enum how how;
	double factor;
	const char *key; /* in the .yaml */
} lkp_rows[] = {
	{"dbench/01", "dbench", "clients=128", "rate", MEAN, 1, "throughput_MB/s"},
	{"tbench/01", "tbench", "clients=128", "rate", MEAN, 1, "throughput_MB/s"},
	{"tbench/01", "tbench", "clients=128", "latency-max", MEAN, 1, "max_latency"},
	{"tbench/02", "tbench", "clients=32", "rate", MEAN, 1, "throughput_MB/s"},
	{"fio/01", "fio.read", "job=task_0,rw=randread,bs=4k,iodepth=32,numjobs=24", "bandwidth",
	 MEAN, 1.0 / 1048576, "read_bw_MBps"},
	{"fio/01", "fio.read", "job=task_0,rw=randread,bs=4k,iodepth=32,numjobs=24", "rate", MEAN,
	 1, "read_iops"},
	{"fio/02", "fio.read", "job=task_0,rw=randread,bs=4k,iodepth=32,numjobs=24", "latency-avg",
	 MEAN, 1, "read_clat_mean_ns"},
	{"fio/02", "fio.read", "job=task_0,rw=randread,bs=4k,iodepth=32,numjobs=24", "latency-p99",
	 MEAN, 1, "read_clat_99%_ns"},
	{"fio/fio-multi-instance", "fio.read", "job=fio-basic-cgroup2-fairness,instance=2", "rate",
	 MEAN, 1, "read_iops.instance2"},
	{"fio/fio-multi-instance", "fio.read", "job=fio-basic-cgroup2-fairness,instance=1",
	 "bandwidth", MEAN, 1.0 / 1048576, "read_bw_MBps.instance1"},
	/* Its throughput is groups x 40 x messages x 100 bytes in KiB over the time. */
	{"hackbench/hackbench", "hackbench",
	 "groups=256,mode=process,ipc=pipe,messages=30000,bytes=100", "time", SMALLEST, 30000000,
	 "throughput_best"},
	{"hackbench/hackbench", "hackbench",
	 "groups=256,mode=process,ipc=pipe,messages=30000,bytes=100", "time", LARGEST, 30000000,
	 "throughput_worst"},
	{"hackbench/hackbench", "hackbench",
	 "groups=256,mode=process,ipc=pipe,messages=30000,bytes=100", "time", OVER_MEAN, 30000000,
	 "throughput_avg"},
	{"hackbench/hackbench-multi-instance", "hackbench",
	 "groups=2,mode=threads,ipc=pipe,messages=7680000,bytes=100,instance=1", "time", OVER_MEAN,
	 60000000, "throughput_avg.instance1"},
	{"iperf/1", "iperf3.tcp", "streams=1", "sender-rate", MEAN, 1, "tcp.sender.bps"},
	{"iperf/2", "iperf3.tcp", "streams=1", "receiver-rate", MEAN, 1, "tcp.receiver.bps"},
	{"kbuild/01", "kbuild", "", "time", MEAN, 1, "buildtime_per_iteration"},
	{"kbuild/02", "kbuild", "", "time", MEAN, 1, "buildtime_per_iteration"},
	{"kbuild/02", "kbuild", "", "user-time", MEAN, 1, "user_time_per_iteration"},
	{"kselftests/vmalloc-01", "vmalloc_test.fix_size_alloc_test", "worker=0,loops=1000000",
	 "time", MEAN, 1, "mm.test_vmalloc.sh.stress.worker0.fix_size_alloc_test.usec_per_loop"},
	{"lmbench3/01", "lmbench.bw_mem", "operation=rd,size=268.44", "rate", MEAN, 1,
	 "Mem.Bandwidth.MB/sec"},
	{"lmbench3/02", "lmbench.mmap", "size=1073.741824", "time", MEAN, 1,
	 "MMAP.read.latency.us"},
	{"lmbench3/02", "lmbench.mmap_read", "size=1073.74", "rate", MEAN, 1,
	 "MMAP.read.bandwidth.MB/sec"},
	{"netperf/netperf", "netperf.SCTP_1-TO-MANY_STREAM", "instances=64", "rate", MEAN, 1,
	 "Throughput_total_Mbps"},
	{"perf-bench-futex/01", "perf.futex.hash", "threads=8,futex=shared", "rate", MEAN, 1,
	 "ops/s"},
	{"perf-bench-futex/02", "perf.futex.wake", "threads=8,futex=shared", "time", MEAN, 1,
	 "wokeup_time_ms"},
	{"perf-bench-futex/03", "perf.futex.requeue", "threads=8,futex=shared", "time", MEAN, 1,
	 "requeued_time_ms"},
	{"perf-bench-futex/04", "perf.futex.wake-parallel", "threads=8,futex=shared", "time", MEAN,
	 1, "avg_per_thread_latency_ms"},
	{"perf-bench-mem/01", "perf.mem.memset", "function=x86-64-stosq,size=1MB", "rate", MEAN, 1,
	 "memset.x86-64-stosq.GB_per_sec"},
	{"perf-bench-numa-mem/01", "perf.numa.mem", "", "total-speed", MEAN, 1, "GB_sec_total"},
	{"perf-bench-sched-messaging/01", "perf.sched.messaging", "mode=process,groups=10", "time",
	 MEAN, 1, "total_time_sec"},
	{"perf-bench-syscall/01", "perf.syscall.fork", "loops=10000", "time", MEAN, 1,
	 "fork.usecs_per_op"},
	{"perf-bench-syscall/01", "perf.syscall.execve", "loops=10000", "rate", MEAN, 1,
	 "execve.ops_per_sec"},
	{"schbench/01", "schbench.wakeup", "messengers=1,threads=128", "latency-p99", LARGEST, 1,
	 "wakeup_end_latency_99%_us_max"},
	{"schbench/01", "schbench.request", "messengers=1,threads=128", "latency-p90", LARGEST, 1,
	 "request_end_latency_90%_us_max"},
	{"schbench/schbench-multi-instance", "schbench.request",
	 "messengers=1,threads=128,instance=2", "latency-max", MEAN, 1,
	 "request_latency_max_us.instance2"},
	{"stress-ng/01", "stress-ng.zlib", "", "rate", MEAN, 1, "zlib.ops_per_sec"},
	{"stress-ng/01", "stress-ng.pipeherd", "", "context-switches", MEAN, 1,
	 "pipeherd.context_switches_per_second"},
	{"stress-ng/02", "stress-ng.memrate", "", "write128", MEAN, 1, "memrate.write128_MB/sec"},
	{"stress-ng/03", "stress-ng.signest", "", "rate", MEAN, 1, "signest.ops_per_sec"},
	{"stress-ng/05", "stress-ng.longjmp", "", "per-longjmp-call", MEAN, 1,
	 "longjmp.nanoseconds_per_longjmp_call"},
	{"will-it-scale/1", "will-it-scale.mmap2", "mode=process,tasks=104", "rate", MEAN, 1,
	 "104.processes"},
};

static double summarise(const struct series *series, enum how how, double factor)
{
	double sum = 0, smallest = INFINITY, largest = 0;

	array_for_each (sample, &series->samples) {
		sum += sample->value;
		smallest = fmin(smallest, sample->value);
		largest = fmax(largest, sample->value);
	}
	if (how == SMALLEST)
		return factor / smallest;
	if (how == LARGEST)
		return factor > 1 ? factor / largest : largest;
	sum /= (double)series->samples.count;
	return how == OVER_MEAN ? factor / sum : factor * sum;
}

/* "key: 12.5" */
static double yaml_value(const char *sample, const char *key)
{
	_cleanup_free_ char *name = xasprintf("lkp/%s.yaml", sample);
	_cleanup_(strbuf_release) struct strbuf text = read_below(samples, name);
	_cleanup_(string_list_release) struct string_list lines = {0};
	size_t length = strlen(key);

	string_list_split(&lines, strbuf_text(&text), "\n");
	array_for_each (line, &lines)
		if (!strncmp(*line, key, length) && (*line)[length] == ':')
			return strtod(*line + length + 1, NULL);
	fail_msg("%s has no %s", name, key);
	return NAN;
}

static void test_lkp(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lkp_rows); i++) {
		_cleanup_(run_set_list_release) struct run_set_list sets = {0};
		_cleanup_(error_clear) struct error err = {0};
		_cleanup_free_ char *name = xasprintf("lkp/%s", lkp_rows[i].sample);
		double wanted = yaml_value(lkp_rows[i].sample, lkp_rows[i].key);
		const struct series *series;
		double got;

		if (read_sample("auto", name, &sets, &err) < 0)
			fail_msg("%s", err.message);
		series = run_set_find(sets.items[0], lkp_rows[i].benchmark, lkp_rows[i].params,
				      lkp_rows[i].metric);
		if (!series)
			fail_msg("%s: no %s [%s]", name, lkp_rows[i].benchmark, lkp_rows[i].params);
		got = summarise(series, lkp_rows[i].how, lkp_rows[i].factor);
		/* LKP rounds some of them to two decimals. */
		if (fabs(got - wanted) > fmax(1e-8 * wanted, 0.006) &&
		    fabs(got - wanted) > 1e-6 * wanted)
			fail_msg("%s %s: %.12g, LKP has %.12g", name, lkp_rows[i].key, got, wanted);
	}
}

/* JSON whose tools write exponents cannot tell a digit that became an e. */
static const char *letters_for(const char *format)
{
	return !strcmp(format, "iperf3") ? "x" : "xek";
}

static void mangle_sample(const char *name, struct mangle_counts *sum)
{
	_cleanup_(strbuf_release) struct strbuf text = read_below(samples, name);
	const struct importer *importer = importer_recognise(strbuf_text(&text), text.length);
	struct mangle_counts counts;

	if (!importer)
		return;
	counts = mangle(name, importer->name, strbuf_text(&text), text.length, 120,
			letters_for(importer->name));
	sum->refused += counts.refused;
	sum->accepted += counts.accepted;
}

/* True for what is a file and gives values when it is whole. */
static bool is_good_file(const char *name)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};

	return !strstr(name, "/fio-") && read_sample("auto", name, &sets, &err) == 0;
}

static void test_damage(void **state)
{
	_cleanup_(strbuf_release) struct strbuf expected =
		read_below(getenv("KREGRESS_FIXTURES"), "import/samples.expected");
	_cleanup_(string_list_release) struct string_list names = sample_names(&expected);
	struct mangle_counts sum = {0};

	(void)state;
	array_for_each (name, &names)
		if (is_good_file(*name))
			mangle_sample(*name, &sum);
	print_message("%zu damaged inputs refused, %zu gave values of the whole\n", sum.refused,
		      sum.accepted);
	assert_true(sum.refused > 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_simple_format),
		cmocka_unit_test(test_lkp),
		cmocka_unit_test(test_damage),
	};
	int result;

	samples = path_below(getenv("KREGRESS_FIXTURES"), "../../../shared/data/samples");
	if (!file_exists(samples)) {
		printf("skipped: there is no %s\n", samples);
		free(samples);
		return 77;
	}
	result = cmocka_run_group_tests(tests, NULL, NULL);
	free(samples);
	return result;
}
