/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every format of a tool on a small output in its shape, with made-up numbers: it is recognised,
 * gives the values, and stands damage.
 */
#include "tests/unit/import/import_test.h"

#include "common/strbuf.h"
#include "tests/unit/import/mangle.h"

struct example {
	const char *format;
	const char *text;
	const char *expected; /* "BENCHMARK [PARAMS] | METRIC | UNIT | BETTER | VALUE ..." a line */
};

static const struct example examples[] = {
	{"hackbench",
	 "Running in process mode with 3 groups using 40 file descriptors each (== 120 tasks)\n"
	 "Each sender will pass 500 messages of 64 bytes\n"
	 "Time: 1.250\n"
	 "Running with 10*40 (== 400) tasks.\n"
	 "Time: 7.500\n",
	 "hackbench [groups=3,mode=process,messages=500,bytes=64] | time | s | lower | 1.25\n"
	 "hackbench [groups=10] | time | s | lower | 7.5\n"},
	{"dbench",
	 "dbench version 4.00 - words\n"
	 " 3  100  50.00 MB/sec  execute   1 sec  latency 2.000 ms\n"
	 "Throughput 51.25 MB/sec  3 clients  3 procs  max_latency=9.125 ms\n",
	 "dbench [clients=3] | rate | MB/s | higher | 51.25\n"
	 "dbench [clients=3] | latency-max | ms | lower | 9.125\n"},
	{"tbench",
	 "$ tbench -t 4 3 127.0.0.1\n"
	 "dbench version 4.00 - words\n"
	 "Throughput 1e2 files\n",
	 NULL},
	{"perf-bench",
	 "# Running 'sched/messaging' benchmark:\n"
	 "# 20 sender and receiver threads per group\n"
	 "# 4 groups == 160 threads run\n\n"
	 "     Total time: 0.625 [sec]\n"
	 "# Running 'sched/pipe' benchmark:\n"
	 "# Executed 1000 pipe operations between two processes\n\n"
	 "     Total time: 0.008 [sec]\n\n"
	 "       8.500000 usecs/op\n"
	 "         117647 ops/sec\n"
	 "# Running 'mem/memset' benchmark:\n"
	 "# function 'default' (words)\n"
	 "# Copying 2MB bytes ...\n\n"
	 "     512.000000 MB/sec\n"
	 "# Running 'futex/hash' benchmark:\n"
	 "Run summary [PID 7]: 2 threads, each operating on 64 [private] futexes for 1 secs.\n\n"
	 "[thread  0] futexes: 0x55 ... 0x56 [ 1000 ops/sec ]\n\n"
	 "Averaged 1000 operations/sec (+- 1.25%), total secs = 1\n",
	 "perf.sched.messaging [mode=threads,groups=4] | time | s | lower | 0.625\n"
	 "perf.sched.pipe [loops=1000] | total-time | s | lower | 0.008\n"
	 "perf.sched.pipe [loops=1000] | time | us/op | lower | 8.5\n"
	 "perf.sched.pipe [loops=1000] | rate | ops/s | higher | 117647\n"
	 "perf.mem.memset [function=default,size=2MB] | rate | GB/s | higher | 0.5\n"
	 "perf.futex.hash [threads=2] | rate | ops/s | higher | 1000\n"},
	{"perf-bench-simple", "# function 'default' (words)\n1250000.500000\n",
	 "perf.mem.simple [function=default] | rate | B/s | higher | 1250000.5\n"},
	{"cyclictest",
	 "T: 0 (  77) P:90 I:1000 C:    100 Min:      3 Act:    4 Avg:    5 Max:      11\n"
	 "T: 1 (  78) P:90 I:1500 C:    100 Min:      2 Act:    4 Avg:    6 Max:      12\n",
	 "cyclictest [thread=0,priority=90,interval=1000] | latency-min | us | lower | 3\n"
	 "cyclictest [thread=0,priority=90,interval=1000] | latency-avg | us | lower | 5\n"
	 "cyclictest [thread=0,priority=90,interval=1000] | latency-max | us | lower | 11\n"
	 "cyclictest [thread=1,priority=90,interval=1500] | latency-min | us | lower | 2\n"
	 "cyclictest [thread=1,priority=90,interval=1500] | latency-avg | us | lower | 6\n"
	 "cyclictest [thread=1,priority=90,interval=1500] | latency-max | us | lower | 12\n"},
	{"cyclictest",
	 "# Histogram\n"
	 "000004 000003\t000001\n"
	 "000005 000002\t000000\n"
	 "# Total: 000000005 000000001\n"
	 "# Min Latencies: 00004 00004\n"
	 "# Avg Latencies: 00004 00006\n"
	 "# Max Latencies: 00009 00008\n",
	 "cyclictest [thread=0] | latency-min | us | lower | 4\n"
	 "cyclictest [thread=0] | latency-avg | us | lower | 4\n"
	 "cyclictest [thread=0] | latency-max | us | lower | 9\n"
	 "cyclictest [thread=1] | latency-min | us | lower | 4\n"
	 "cyclictest [thread=1] | latency-avg | us | lower | 6\n"
	 "cyclictest [thread=1] | latency-max | us | lower | 8\n"},
	{"rt-json",
	 "{\"cmdline:\": \"/bin/cyclictest -q\", \"rt_test_version:\": \"2\", \"num_threads\": 1,\n"
	 " \"thread\": {\"0\": {\"histogram\": {\"7\": 2}, \"cycles\": 2, \"min\": 7, \"avg\": "
	 "7.50,\n"
	 " \"max\": 8}}}\n",
	 "cyclictest [thread=0] | latency-min | us | lower | 7\n"
	 "cyclictest [thread=0] | latency-avg | us | lower | 7.5\n"
	 "cyclictest [thread=0] | latency-max | us | lower | 8\n"},
	{"oslat",
	 "oslat V 2.40\n        Core:\t 0 3\n     Minimum:\t 1 2 (us)\n"
	 "     Average:\t 1.500 2.500 (us)\n     Maximum:\t 30 40 (us)\n",
	 "oslat [thread=0] | latency-min | us | lower | 1\n"
	 "oslat [thread=0] | latency-avg | us | lower | 1.5\n"
	 "oslat [thread=0] | latency-max | us | lower | 30\n"
	 "oslat [thread=1] | latency-min | us | lower | 2\n"
	 "oslat [thread=1] | latency-avg | us | lower | 2.5\n"
	 "oslat [thread=1] | latency-max | us | lower | 40\n"},
	{"stress-ng",
	 "stress-ng: metrc: [9] stressor       bogo ops real time  usr time  sys time   bogo ops/s"
	 "     bogo ops/s\n"
	 "stress-ng: metrc: [9]                           (secs)    (secs)    (secs)   (real time)"
	 " (usr+sys time)\n"
	 "stress-ng: metrc: [9] pipe              1000      2.00      0.50      0.50       500.00"
	 "        1000.00\n"
	 "stress-ng: metrc: [9] pipe               54.50 MB per sec pipe write rate (geometic mean"
	 " of 1 instances)\n",
	 "stress-ng.pipe | rate | bogo-ops/s | higher | 500\n"
	 "stress-ng.pipe | cpu-rate | bogo-ops/s | higher | 1000\n"
	 "stress-ng.pipe | pipe-write-rate | MB/s | higher | 54.5\n"},
	{"stress-ng-yaml",
	 "---\nmetrics:\n    - stressor: futex\n      bogo-ops: 10\n"
	 "      bogo-ops-per-second-usr-sys-time: 20.500000\n"
	 "      bogo-ops-per-second-real-time: 10.250000\n"
	 "      nanoseconds-per-futex-call: 12.500000\n...\n",
	 "stress-ng.futex | rate | bogo-ops/s | higher | 10.25\n"
	 "stress-ng.futex | cpu-rate | bogo-ops/s | higher | 20.5\n"
	 "stress-ng.futex | per-futex-call | ns | lower | 12.5\n"},
	{"sysbench",
	 "sysbench 1.0.20 (using LuaJIT)\nNumber of threads: 2\n\nGeneral statistics:\n"
	 "    total time:                          2.5000s\n"
	 "    total number of events:              500\n\nLatency (ms):\n"
	 "         min:                                    1.25\n"
	 "         avg:                                    2.50\n"
	 "         max:                                    9.75\n"
	 "         95th percentile:                        4.50\n"
	 "         sum:                                 1000.00\n",
	 "sysbench [threads=2] | time | s | lower | 2.5\n"
	 "sysbench [threads=2] | rate | 1/s | higher | 200\n"
	 "sysbench [threads=2] | latency-min | ms | lower | 1.25\n"
	 "sysbench [threads=2] | latency-avg | ms | lower | 2.5\n"
	 "sysbench [threads=2] | latency-max | ms | lower | 9.75\n"
	 "sysbench [threads=2] | latency-p95 | ms | lower | 4.5\n"},
	{"schbench",
	 "Wakeup Latencies percentiles (usec) runtime 5 (s) (10 total samples)\n"
	 "\t* 99.0th: 8          (2 samples)\n\t  min=1, max=20\n"
	 "Request Latencies percentiles (usec) runtime 5 (s) (10 total samples)\n"
	 "\t* 99.0th: 900        (2 samples)\n\t  min=100, max=1000\n"
	 "current rps: 11.00\n"
	 "Wakeup Latencies percentiles (usec) runtime 5 (s) (20 total samples)\n"
	 "\t* 99.0th: 7          (2 samples)\n\t  min=2, max=30\n"
	 "Request Latencies percentiles (usec) runtime 5 (s) (20 total samples)\n"
	 "\t* 99.0th: 800        (2 samples)\n\t  min=200, max=3000\n"
	 "average rps: 12.50\n",
	 "schbench.wakeup | latency-p99 | us | lower | 7\n"
	 "schbench.wakeup | latency-min | us | lower | 2\n"
	 "schbench.wakeup | latency-max | us | lower | 30\n"
	 "schbench.request | latency-p99 | us | lower | 800\n"
	 "schbench.request | latency-min | us | lower | 200\n"
	 "schbench.request | latency-max | us | lower | 3000\n"
	 "schbench | rate | req/s | higher | 12.5\n"},
	{"will-it-scale",
	 "./runtest.py getppid1 8 both 4\n"
	 "tasks,processes,processes_idle,threads,threads_idle,linear\n"
	 "0,0,100,0,100,0\n4,1000,1.50,750,2.50,1000\n",
	 "will-it-scale.getppid1 [mode=process,tasks=4] | rate | ops/s | higher | 1000\n"
	 "will-it-scale.getppid1 [mode=threads,tasks=4] | rate | ops/s | higher | 750\n"},
	{"netperf",
	 "MIGRATED TCP STREAM TEST from 0.0.0.0 () port 0 AF_INET to 127.0.0.1 () port 0 AF_INET\n"
	 "Recv   Send    Send\nSocket Socket  Message  Elapsed\n"
	 "Size   Size    Size     Time     Throughput\nbytes  bytes   bytes    secs.    "
	 "10^6bits/s\n"
	 "\n131072  16384  16384    5.00     1250.50\n",
	 "netperf.TCP_STREAM | rate | Mbit/s | higher | 1250.5\n"},
	{"netperf",
	 "UDP REQUEST/RESPONSE TEST from 0.0.0.0 () port 0 AF_INET to 127.0.0.1 () port 0 AF_INET\n"
	 "\n212992 212992 1        1       10.00    33000.25\n212992 212992\n",
	 "netperf.UDP_REQUEST_RESPONSE | rate | tx/s | higher | 33000.25\n"},
	{"lmbench",
	 "Simple syscall: 0.1250 microseconds\nPipe bandwidth: 2000.50 MB/sec\n"
	 "\"size=16k ovr=1.25\n2 3.50\n8 4.75\n\n9 9\n",
	 "lmbench.Simple_syscall | time | us | lower | 0.125\n"
	 "lmbench.Pipe | rate | MB/s | higher | 2000.5\n"
	 "lmbench.context_switch [size=16k,processes=2] | time | us | lower | 3.5\n"
	 "lmbench.context_switch [size=16k,processes=8] | time | us | lower | 4.75\n"},
	{"time-bench",
	 "[    1.500000] time_bench: Type:spin_lock_irq Per elem: 40 cycles(tsc) 10.500 ns (step:0)"
	 " - (measurement period time:0.010500000 sec time_interval:10500000) - (invoke"
	 " count:1000000 tsc_interval:40500000)\n",
	 "time_bench.spin_lock_irq | cycles | cycles/op | lower | 40.5\n"
	 "time_bench.spin_lock_irq | time | ns/op | lower | 10.5\n"},
	{"find-bit",
	 "<6>[    2.000000] Start testing find_bit() with sparse bitmap\n"
	 "<6>[    2.100000] find_next_bit:        3000 ns,    750 iterations\n",
	 "find_bit.find_next_bit [fill=sparse] | time | ns/op | lower | 4\n"},
	{"rcuscale",
	 "[    1.000000] rcu-scale:--- Start of test: nreaders=1 nwriters=3 verbose=1\n"
	 "[    9.000000] rcu-scale: start: 1000 end: 5000 duration: 4000 gps: 8 batches: 2\n",
	 "rcuscale.rcu [readers=1,writers=3] | time | ns/gp | lower | 500\n"
	 "rcuscale.rcu [readers=1,writers=3] | duration | ns | lower | 4000\n"},
	{"refscale",
	 "[    5.000000] srcu-ref-scale: END OF TEST. Calculating average duration per loop\n"
	 "[    5.000001] srcu-ref-scale:\n               Runs     Time(ns)\n"
	 "               1        20.250\n               2        20.500\n",
	 "refscale.srcu | time | ns/op | lower | 20.25 20.5\n"},
	{"vmalloc-test",
	 "[ 1.000000] Summary: one_test passed: 1 failed: 0 repeat: 1 loops: 100 avg: 250 usec\n"
	 "[ 1.000001] Summary: other_test passed: 0 failed: 1 repeat: 1 loops: 100 avg: 3 usec\n"
	 "[ 1.000002] All test took worker2=12345 cycles\n",
	 "vmalloc_test.one_test [worker=2,loops=100] | time | us | lower | 250\n"},
	{"ktap",
	 "TAP version 13\n1..3\n# selftests: net: one.sh\n# ok 1 part\nok 1 selftests: net: one.sh "
	 "# "
	 "time=1.250s\nnot ok 2 selftests: net: two\nok 3 selftests: net: three # SKIP no device\n",
	 "ktap.net.one.sh.part | pass |  | higher | 1\n"
	 "ktap.net.one.sh | pass |  | higher | 1\n"
	 "ktap.net.one.sh | time | s | lower | 1.25\n"
	 "ktap.net.two | pass |  | higher | 0\n"},
	{"kbuild",
	 "start time: 100.500000000\n\nreal: 3.250s\nuser: 6.500s\nsys: 1.750s\n"
	 "end time: 104.000000000\niterations: 1\n",
	 "kbuild | real-time | s | lower | 3.25\n"
	 "kbuild | user-time | s | lower | 6.5\n"
	 "kbuild | sys-time | s | lower | 1.75\n"
	 "kbuild | time | s | lower | 3.5\n"},
	{"time", "\nreal\t3m44.500s\nuser\t0m2.250s\nsys\t0m0.125s\n",
	 "command | time | s | lower | 224.5\n"
	 "command | user-time | s | lower | 2.25\n"
	 "command | sys-time | s | lower | 0.125\n"},
	{"time",
	 "\tCommand being timed: \"make\"\n\tUser time (seconds): 6.25\n"
	 "\tSystem time (seconds): 1.50\n"
	 "\tElapsed (wall clock) time (h:mm:ss or m:ss): 1:02:03\n"
	 "\tMaximum resident set size (kbytes): 4096\n",
	 "command | user-time | s | lower | 6.25\n"
	 "command | sys-time | s | lower | 1.5\n"
	 "command | time | s | lower | 3723\n"
	 "command | max-rss | KiB | lower | 4096\n"},
	{"fio",
	 "seq: (groupid=0, jobs=2): err= 0: pid=7: Mon Nov 30 2026\n"
	 "  read: IOPS=1.5k, BW=2.0MiB/s (2097kB/s)(10MiB/5000msec)\n"
	 "    clat (usec): min=1, max=90, avg=12.50, stdev= 1.00\n",
	 "fio.read [job=seq,numjobs=2] | bandwidth | B/s | higher | 2097152\n"
	 "fio.read [job=seq,numjobs=2] | rate | IO/s | higher | 1500\n"
	 "fio.read [job=seq,numjobs=2] | latency-avg | ns | lower | 12500\n"},
	{"fio-json",
	 "note: text before it\n{\"fio version\": \"fio-3\", \"global options\": {\"bs\": "
	 "\"4k\"},\n"
	 "\"jobs\": [{\"jobname\": \"a\", \"error\": 0,\n"
	 "\"read\": {\"total_ios\": 5, \"bw_bytes\": 4096, \"bw\": 4, \"iops\": 1.500000,\n"
	 "\"clat_ns\": {\"mean\": 250.500000, \"percentile\": {\"99.000000\": 900}}},\n"
	 "\"write\": {\"total_ios\": 0, \"bw_bytes\": 0, \"bw\": 0, \"iops\": 0.000000}}]}\n",
	 "fio.read [job=a,bs=4k] | bandwidth | B/s | higher | 4096\n"
	 "fio.read [job=a,bs=4k] | rate | IO/s | higher | 1.5\n"
	 "fio.read [job=a,bs=4k] | latency-avg | ns | lower | 250.5\n"
	 "fio.read [job=a,bs=4k] | latency-p99 | ns | lower | 900\n"},
	{"iperf3",
	 "{\"start\": {\"test_start\": {\"protocol\": \"UDP\", \"num_streams\": 2}},\n"
	 "\"end\": {\"sum\": {\"bits_per_second\": 1500.5, \"jitter_ms\": 0.25, \"lost_percent\": "
	 "1}}}\n",
	 "iperf3.udp [streams=2] | rate | bit/s | higher | 1500.5\n"
	 "iperf3.udp [streams=2] | jitter | ms | lower | 0.25\n"
	 "iperf3.udp [streams=2] | lost | % | lower | 1\n"},
	{"hyperfine",
	 "{\"results\": [{\"command\": \"sleep 1\", \"mean\": 1.5, \"stddev\": 0.1,\n"
	 "\"times\": [1.25, 1.75], \"parameters\": {\"n\": \"4\"}}]}\n",
	 "hyperfine [command=sleep 1,n=4] | time | s | lower | 1.25 1.75\n"},
	{"google-benchmark",
	 "{\"context\": {}, \"benchmarks\": [\n"
	 "{\"name\": \"BM_a/8/threads:2\", \"run_type\": \"iteration\", \"real_time\": 1.25e+01,\n"
	 " \"cpu_time\": 1.5e+01, \"time_unit\": \"us\", \"items_per_second\": 2.5e+03},\n"
	 "{\"name\": \"BM_a/8/threads:2\", \"run_type\": \"iteration\", \"real_time\": 1.75e+01,\n"
	 " \"cpu_time\": 1.5e+01, \"time_unit\": \"us\"},\n"
	 "{\"name\": \"BM_a/8/threads:2_mean\", \"run_type\": \"aggregate\", \"real_time\": 15,\n"
	 " \"time_unit\": \"us\"}]}\n",
	 "BM_a [8,threads=2] | time | us/op | lower | 12.5 17.5\n"
	 "BM_a [8,threads=2] | cpu-time | us/op | lower | 15 15\n"
	 "BM_a [8,threads=2] | rate | items/s | higher | 2500\n"},
	{"go-benchfmt",
	 "goos: linux\nBenchmarkSort/size=4-8\n"
	 "BenchmarkSort/size=4-8   1000   125.5 ns/op   12.00 MB/s   2 allocs/op\n"
	 "BenchmarkSort/size=4-8   1000   130.5 ns/op   11.00 MB/s   2 allocs/op\nPASS\n",
	 "Sort [size=4,procs=8] | time | ns/op | lower | 125.5 130.5\n"
	 "Sort [size=4,procs=8] | rate | MB/s | higher | 12 11\n"
	 "Sort [size=4,procs=8] | allocs_op | allocs/op | lower | 2 2\n"},
	{"lkp-stats",
	 "{\n  \"hackbench.throughput\": [\n    100.5,\n    200.5\n  ],\n"
	 "  \"hackbench.time.elapsed_time\": 12.5,\n  \"vmstat.system.cs\": 7\n}\n",
	 "hackbench | throughput |  | higher | 100.5 200.5\n"
	 "hackbench | time.elapsed_time |  | lower | 12.5\n"},
	{"lkp-mail",
	 "commit/mode/tbox_group/testcase:\n  x/threads/box/tbench\n\n"
	 "0123456789abcdef fedcba98765432100123456789a\n"
	 "---------------- ---------------------------\n"
	 "         %stddev     %change         %stddev\n"
	 "             \\          |                \\  \n"
	 "   1000.00           +10.0%    1100.00 ± 12%  tbench.throughput\n"
	 "   1000.00           +10.0%    1100.00        vmstat.other\n",
	 "tbench [commit=x,mode=threads] | throughput |  | higher | 1000\n"
	 "tbench [commit=x,mode=threads] | throughput |  | higher | 1100\n"},
	{"csv",
	 "benchmark,params,value,unit,better,variant\n"
	 "fork,,12.5,us,,a\n\"x, y\",n=4,3,widgets,higher,b\nfork,,13.5,us,,a\n",
	 "fork | time | us | lower | 12.5 13.5\n"
	 "x_y [n=4] | value | widgets | higher | 3\n"},
};

static void describe(struct strbuf *out, const struct run_set_list *sets)
{
	for (size_t i = 0; i < sets->count; i++)
		array_for_each (series, &sets->items[i]->series) {
			_cleanup_free_ char *label =
				series_label(series->benchmark, series->params);

			strbuf_printf(out, "%s | %s | %s | %s |", label, series->metric,
				      series->unit, better_name(series->better));
			array_for_each (sample, &series->samples)
				strbuf_printf(out, " %.12g", sample->value);
			strbuf_append_char(out, '\n');
		}
}

static void test_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(examples); i++) {
		const struct example *example = &examples[i];
		struct import_input input = input_of(example->text);
		_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
		_cleanup_(run_set_list_release) struct run_set_list sets = {0};

		if (!example->expected)
			continue;
		sets = read_input(example->format, &input);
		describe(&out, &sets);
		if (strcmp(strbuf_text(&out), example->expected) != 0)
			fail_msg("%s gave\n%s\ninstead of\n%s", example->format, strbuf_text(&out),
				 example->expected);
	}
}

static void test_recognised(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(examples); i++) {
		const struct importer *found =
			importer_recognise(examples[i].text, strlen(examples[i].text));

		assert_string_equal(found ? found->name : "none", examples[i].format);
	}
}

/* A format without an example is a format without a test. */
static void test_every_format_has_an_example(void **state)
{
	static const char *const elsewhere[] = {"kregress-1", "table", "html-report"};

	(void)state;
	for (const struct importer *importer = importers; importer->name; importer++) {
		bool found = false;

		for (size_t i = 0; i < ARRAY_SIZE(elsewhere); i++)
			found |= !strcmp(elsewhere[i], importer->name);
		for (size_t i = 0; i < ARRAY_SIZE(examples); i++)
			found |= !strcmp(examples[i].format, importer->name);
		if (!found)
			fail_msg("%s has no example", importer->name);
	}
}

/* Where a tool or people write exponents, a digit that became an e cannot be told. */
static const char *letters_for(const char *format)
{
	static const char *const exponents[] = {"iperf3", "hyperfine", "google-benchmark",
						"lkp-stats", "csv"};

	for (size_t i = 0; i < ARRAY_SIZE(exponents); i++)
		if (!strcmp(format, exponents[i]))
			return "x";
	return "xek";
}

static void test_damage(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(examples); i++) {
		const struct example *example = &examples[i];
		struct mangle_counts counts;

		if (!example->expected)
			continue;
		counts = mangle(example->format, example->format, example->text,
				strlen(example->text), 2000, letters_for(example->format));
		assert_true(counts.refused > 10);
	}
}

static void test_damaged_line_is_named(void **state)
{
	static const char text[] = "Time: 1.250\nTime: 1.2x0\n";
	struct import_input input = input_of(text);

	(void)state;
	refuse_input("hackbench", &input, "t:2: ", "cannot be read");
	refuse_input("auto", &input, "t:2: ", "'Time: 1.2x0'");
	input = input_of(examples[2].text);
	refuse_input("tbench", &input, "t:3: ", "cannot be read");
	input = input_of("Time: 1.25\n");
	refuse_input("hackbench", &input, "t:1: ", "cannot be read");
	input = input_of("real\t0m1.000s\nuser\t0m1.000s\n");
	refuse_input("time", &input, "t:2: ", "no result");
	input = input_of("nothing\n");
	refuse_input("sysbench", &input, "t:1: ", "no result");
	input = input_of("");
	refuse_input("sysbench", &input, "t:1: ", "no result");
	input = input_of("Time: 1.250\n\xff\n");
	refuse_input("hackbench", &input, "t:2: ", "not UTF-8");
}

static void test_variant_and_level(void **state)
{
	struct import_input input = input_of("Time: 1.000\nTime: 2.000\n");
	struct run_set_list sets;

	(void)state;
	input.name = "results/old kernel.txt";
	sets = read_input("auto", &input);
	assert_string_equal(sets.items[0]->variant, "old_kernel");
	assert_int_equal(sets.items[0]->boots.count, 2);
	run_set_list_release(&sets);
	input.variant = "base";
	input.level = LEVEL_INVOCATION;
	sets = read_input("auto", &input);
	assert_string_equal(sets.items[0]->variant, "base");
	assert_int_equal(sets.items[0]->boots.count, 1);
	EXPECT(&sets, "base", "hackbench", "", "time", 1, 2);
	run_set_list_release(&sets);
}

static void test_variant_of_a_table_is_refused(void **state)
{
	struct import_input input = input_of("benchmark [us] a b\nfork 1 2\n");
	_cleanup_(error_clear) struct error err = {0};
	struct run_set_list sets = {0};

	(void)state;
	input.variant = "base";
	assert_int_equal(importer_read("auto", &input, &sets, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.message, "names its variants itself"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_recognised),
		cmocka_unit_test(test_every_format_has_an_example),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_damaged_line_is_named),
		cmocka_unit_test(test_variant_and_level),
		cmocka_unit_test(test_variant_of_a_table_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
