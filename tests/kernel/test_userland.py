# SPDX-License-Identifier: GPL-3.0-or-later
"""The agent's userland benchmarks on Debian's kernel, instructions counted exactly: they repeat
from boot to boot, and see a single instruction more. Other people's tools in a guest."""
import kernels
import rig

SETTINGS = ("--repetitions", "4", "--sample-time", "20us")

# What depends on nothing but the code. An instruction more in other operations moves the distance
# to the timer tick, and with it which of two wakes first.
ALWAYS_EXACT = {"syscall.null", "syscall.read", "syscall.write", "syscall.select", "signal.install",
                "signal.deliver", "signal.protection", "mem.read", "mem.write", "mem.copy",
                "lock.futex_wake", "lock.futex_hash"}


class Userland(kernels.KernelCase):
    def floors(self):
        """Per run set, in the order of the variants: smallest value by benchmark and parameters."""
        sets = []
        for line in map(rig.json.loads, self.run_kregress("export").out.splitlines()):
            if line["type"] == "run_set":
                sets.append({})
                names = {}
            elif line["type"] == "series":
                names[line["series"]] = (line["benchmark"], line["params"])
            elif line["type"] == "samples":
                name = names[line["series"]]
                sets[-1][name] = min([sets[-1].get(name, float("inf")), *line["values"]])
        return sets

    def variants(self):
        self.target()
        self.variant("base", kdir="")
        self.variant("planted", kdir="", plant=1)

    def test_every_floor_repeats_and_sees_one_instruction(self):
        self.variants()
        self.run_kregress("run", "base", "base", "planted", "--boots", "1", "--bench", "*",
                          "--jobs", "2", *SETTINGS)
        first, second, planted = self.floors()
        self.assertEqual(set(first), set(second))
        self.assertGreaterEqual(len({name for name, _ in first}), 35)
        for boot in self.boots():
            # There is no shell in the guest, and nothing else that may be lacking.
            self.assertEqual({f["benchmark"] for f in boot.get("failures", [])}, {"mm.shell"}, boot)
        exact = set()
        planted_seen = set()
        for name, floor in first.items():
            self.assertLess(abs(second[name] / floor - 1), 0.005, name)
            if name[0] not in ("timer.wakeup", "sched.yield"):  # all about the tick
                self.assertLess(abs(planted[name] / floor - 1), 0.005 + 2 / floor, name)
            if second[name] == floor:
                exact.add(name)
            if abs(planted[name] - floor - 1) < 1e-6:
                planted_seen.add(name)
        print(f"{len(exact)} of {len(first)} floors equal to the instruction, the planted one "
              f"exact in {len(planted_seen)}")
        always = {name for name in first if name[0] in ALWAYS_EXACT}
        self.assertEqual({name for name, _ in always}, ALWAYS_EXACT)
        self.assertEqual(always - exact, set())
        self.assertEqual(always - planted_seen, set())
        self.assertGreaterEqual(len(exact), len(first) * 9 // 10)
        self.assertGreater(len(planted_seen), len(first) // 2)
        self.assert_nothing_left()

    def test_one_instruction_is_a_regression(self):
        self.variants()
        benches = ["syscall.null", "signal.install", "signal.deliver", "lock.futex_hash", "syscall.read",
                   "syscall.write"]
        words = [word for bench in benches for word in ("--bench", bench)]
        self.run_kregress("ab", "base", "planted", "--boots", "2", "--jobs", "2", "--limit",
                          "0", *words, *SETTINGS, "--json", "c.json", expect=1)
        comparison = rig.json.loads((self.dir / "c.json").read_text())
        for bench in benches:
            for series in comparison["series"]:
                if series["benchmark"] != bench:
                    continue
                self.assertEqual(series["verdict"], "regressed", series)
                self.assertEqual(series["method"], "exact", series)


class Tools(kernels.KernelCase):
    def test_hackbench_and_perf_in_a_guest(self):
        for program in ("hackbench", "perf"):
            if not kernels.shutil.which(program):
                self.skipTest(f"no {program} here: ./check installs it")
        self.target(icount="false", accel="tcg", cpus=2, memory_mb=1024)
        self.variant("guest", kdir="")
        # Below /tmp, where a guest has a file system of its own.
        tree = kernels.shutil.copytree(rig.FIXTURES / "kbuild-tree", self.dir / "tree")
        self.section("suite", "core", kbuild_tree=tree)
        self.run_kregress("run", "guest", "--boots", "1",
                          "--bench", "tool.hackbench[groups=4,loops=100]",
                          "--bench", "tool.perf_bench[test=s*]", "--bench", "tool.kbuild",
                          "--load", "timer", "--load-cpus", "same")
        text = self.run_kregress("export").out
        series = [line for line in map(rig.json.loads, text.splitlines()) if line["type"] == "series"]
        self.assertEqual({line["benchmark"] for line in series},
                         {"tool.hackbench", "tool.perf_bench", "tool.kbuild"})
        for line in series:
            self.assertIn("load=timer,load-cpus=same", line["params"])
        hackbench = [line for line in series if line["benchmark"] == "tool.hackbench"]
        self.assertEqual([(line["metric"], line["unit"]) for line in hackbench], [("time", "s")])
        tests = {line["params"].split(",")[0] for line in series
                 if line["benchmark"] == "tool.perf_bench"}
        self.assertEqual(tests, {"test=sched_pipe", "test=sched_messaging", "test=syscall_basic"})
        self.assertFalse(self.boots()[0].get("failures"))
        self.assertEqual([path.name for path in tree.glob("*.o")], [])
        self.assert_nothing_left()


kernels.require(kernels.AMD64)
rig.main()
