# SPDX-License-Identifier: GPL-3.0-or-later
"""What measuring costs and how finely it resolves, beside other harnesses in the same boot.

Userland on this machine: syscall.null and ipc.pipe beside perf bench's loops of the same calls.
In a guest: this module's clock reads beside a pair with CPUID around it, and the empty loop over
one long pass, as harnesses without repetitions take it, beside the median of ten short ones."""
import json
import statistics
import time

import kernels
import rig

PAIRS = (("syscall.null", "syscall_basic", 1e3), ("ipc.pipe", "sched_pipe", 1e3))
CLOCKS = ("loop.empty", "time.tsc", "time.ktime_get_raw", "time.tsc_cpuid")
SHORT_MS, LONG_MS, PASSES, GROUP = 1, 32, 60, 10


def spread_frac(values):
    """Half of the range that holds the middle 90%, against the median."""
    ordered = sorted(values)
    cut = len(ordered) // 20
    return (ordered[-1 - cut] - ordered[cut]) / 2 / statistics.median(ordered)


class Harness(kernels.KernelCase):
    def values(self, *words):
        """Samples by (benchmark, params, metric) of one run set; and the seconds it took."""
        store = self.dir / f"{len(list(self.dir.iterdir()))}.db"
        begin = time.monotonic()
        self.run_kregress("run", *words, "--boots", "1", "--store", store)
        seconds = time.monotonic() - begin
        names, found = {}, {}
        for line in self.run_kregress("export", "--store", store).out.splitlines():
            record = json.loads(line)
            if record["type"] == "series":
                names[record["series"]] = (record["benchmark"], record["params"], record["metric"])
            elif record["type"] == "samples":
                found.setdefault(names[record["series"]], []).extend(record["values"])
        return found, seconds

    def test_userland_beside_perf_bench(self):
        words = [word for ours, _, _ in PAIRS for word in ("--bench", ours)]
        both, _ = self.values("local", *words, "--bench", "tool.perf_bench", "--invocations", "5")
        print("\n| operation | kregress, ns | perf bench, ns | ratio | kregress, s | perf bench, s |")
        print("|---|---|---|---|---|---|")
        for ours, theirs, scale in PAIRS:
            mine = statistics.median(both[ours, "", "time"])
            [name] = {key[1] for key in both if f"test={theirs}" in key[1]}
            perf = scale * statistics.median(both["tool.perf_bench", name, "time"])
            perf_s = statistics.median(both["tool.perf_bench", name, "total-time"])
            _, mine_s = self.values("local", "--bench", ours)
            print(f"| {ours} | {mine:.1f} | {perf:.1f} | {mine / perf:.3f} | {mine_s:.2f} | {perf_s:.2f} |")
            self.assertLess(mine / perf, 1.05, "the loop of this harness costs more")

    def clocks(self, target, *words):
        wanted = [word for name in CLOCKS for word in ("--bench", name)]
        return self.values(target, *wanted, *words)[0]

    def test_module_beside_a_pair_with_cpuid(self):
        kernels.require(kernels.AMD64)
        self.target("time", icount="false", accel="tcg")
        self.target("insn")
        self.variant("timed", target="time", append="preempt=voluntary")
        self.variant("counted", target="insn", append="preempt=voluntary")
        counted = {key[0]: min(values) for key, values in
                   self.clocks("counted", "--sample-time", "200us").items() if not key[1]}
        timed = {key[0]: statistics.median(values) for key, values in
                 self.clocks("timed").items() if not key[1] and key[2] == "cycles"}
        ours = {name: 2 * (by["time.tsc"] + by["time.ktime_get_raw"] - 2 * by["loop.empty"])
                for name, by in (("insn", counted), ("cycles", timed))}
        pair = {name: by["time.tsc_cpuid"] - by["loop.empty"]
                for name, by in (("insn", counted), ("cycles", timed))}
        print("\n| | instructions | cycles of the emulated CPU |")
        print("|---|---|---|")
        print(f"| a turn of the empty loop | {counted['loop.empty']:.3f} | {timed['loop.empty']:.2f} |")
        print(f"| reading counter and clock, before and after | {ours['insn']:.1f} | {ours['cycles']:.0f} |")
        print(f"| CPUID; RDTSC and RDTSCP; CPUID | {pair['insn']:.1f} | {pair['cycles']:.0f} |")
        self.assertLess(abs(counted["loop.empty"] - 2), 0.001)

    def test_one_long_pass_beside_ten_short(self):
        kernels.require(kernels.AMD64)
        self.target("time", icount="false", accel="tcg")
        self.variant("timed", target="time", append="preempt=voluntary")
        empty = ("loop.empty", "", "cycles")
        one = ("timed", "--bench", "loop.empty", "--repetitions")
        short, _ = self.values(*one, PASSES * GROUP, "--sample-time", f"{SHORT_MS}ms")
        passes, _ = self.values(*one, PASSES, "--sample-time", f"{LONG_MS}ms")
        groups = [statistics.median(short[empty][i:i + GROUP])
                  for i in range(0, len(short[empty]), GROUP)]
        print("\n| empty loop | timed, ms | median, cycles | middle 90% of results, ± |")
        print("|---|---|---|---|")
        for name, values, ms in ((f"one pass of {LONG_MS} ms", passes[empty], LONG_MS),
                                 (f"median of {GROUP} of {SHORT_MS} ms", groups, SHORT_MS * GROUP)):
            print(f"| {name} | {ms} | {statistics.median(values):.3f} | {100 * spread_frac(values):.1f}% |")


if __name__ == "__main__":
    rig.main()
