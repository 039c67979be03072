# SPDX-License-Identifier: GPL-3.0-or-later
"""Every in-kernel benchmark with instructions counted: floors repeat from boot to boot, and a
comparison finds a single planted instruction."""
import re

import kernels
import rig

SETTINGS = ("--repetitions", "3", "--sample-time", "200us")

# By name, or name[params]: how far floors may differ, as a fraction, and why. All others are exact.
INEXACT = {
    r"sched\.(complete|wake_up|work)": (0.25, "load tracking looks at the distance to the tick"),
    r"sched\.kthread": (0.25, "stacks and task structures come from lists that earlier ones filled"),
    r"mm\.(vmalloc|vmap|vmap_flush|vm_map_ram)": (0.02, "the shape of the tree of areas"),
    r"mm\.alloc_pages": (0.02, "which pages lie on the CPU's free list"),
    r"text\.kprobe": (0.25, "waits for grace periods, which end at ticks"),
    r"rcu\.(synchronize.*|call)": (0.25, "waits for grace periods, which end at ticks"),
    r"lock\.percpu_rwsem_write": (0.25, "waits for a grace period when the last one is long ago"),
    r"text\.text_poke\[calls=16384\]": (0.01, "a repetition is longer than a tick"),
    r"data\.random_u32": (0.25, "the generator may become seeded in the middle"),
}
GROUPS = {"loop", "lock", "irq", "atomic", "mm", "text", "rcu", "sched", "time", "timer", "ipi",
          "data", "net"}
# The guest has one CPU.
UNAVAILABLE = {"ipi.call_single", "ipi.on_each_cpu_mask"}


def inexact(series):
    names = (series["benchmark"], f"{series['benchmark']}[{series['params']}]")
    return next((how for pattern, how in INEXACT.items()
                 if any(re.fullmatch(pattern, name) for name in names)), None)


class Plant(kernels.KernelCase):
    def variants(self):
        self.target()
        self.variant("base", append="preempt=voluntary")
        self.variant("planted", append="preempt=voluntary", module_args="plant=1")

    def kernel_benchmarks(self):
        listed = [row["benchmark"].split(" ")[0] for row in self.run_kregress("list", "--json").json()
                  if row["where"] == "kernel"]
        self.assertGreaterEqual(len(listed), 100)
        self.assertEqual({name.split(".")[0] for name in listed}, GROUPS)
        return listed

    def assert_not_missing(self, listed, base):
        """What the guest cannot offer is known, and says why."""
        measured = {series["benchmark"] for series in base}
        self.assertEqual(set(listed) - measured - UNAVAILABLE - {"loop.empty"}, set())
        for boot in self.boots():
            self.assertEqual({f["benchmark"] for f in boot["failures"]}, UNAVAILABLE)
            for failure in boot["failures"]:
                self.assertTrue(failure["unavailable"], failure)
                self.assertIn("online CPU", failure["reason"])

    def test_every_floor_repeats_and_sees_one_instruction(self):
        self.variants()
        listed = self.kernel_benchmarks()
        words = [word for name in sorted(set(listed)) for word in ("--bench", name)]
        self.run_kregress("ab", "base", "base", "planted", "--boots", "2", "--jobs", "2", "--limit",
                          "0", *words, *SETTINGS, "--json", "c.json", expect=1)
        comparison = rig.json.loads((self.dir / "c.json").read_text())
        rows = [s for s in comparison["series"] + comparison["context"]
                if "for=" not in s["params"] and s["base"] and s["base"]["n"]]
        again = [s for s in rows if s["variant"] == "base#2"]
        planted = [s for s in rows if s["variant"] == "planted"]
        self.assertEqual(len(again), len(planted))
        self.assertGreaterEqual(len(again), 100)
        self.assert_not_missing(listed, again)
        wrong = [fault for s in again + planted for fault in [self.fault_of(s)] if fault]
        self.assertEqual(wrong, [])
        exact = [s for s in planted if not inexact(s)]
        print(f"one instruction found in {len(exact)} of {len(planted)} series")
        self.assertGreaterEqual(len(exact), 90)
        self.assert_nothing_left()

    @staticmethod
    def fault_of(series):
        """What is wrong with the comparison of one series; None: nothing."""
        name = f"{series['benchmark']} [{series['params']}] {series['variant']}"
        before, after = series["base"]["mean"], series["new"]["mean"]
        tolerance = inexact(series)
        if tolerance:
            if abs(after / before - 1) <= tolerance[0]:
                return None
            return f"{name}: {before} and {after} differ by more than {tolerance[0]}"
        more = 1 if series["variant"] == "planted" else 0
        # What the loop's ends cost is shared by its turns, of which there may be half as many.
        if abs(after - before - more) > (0.5 if more else 0):
            return f"{name}: {before} and {after}"
        want = "regressed" if more else "equivalent"
        if series["benchmark"] == "loop.empty":  # measured as context, not judged
            return None
        if series["verdict"] != want or series["method"] != "exact":
            return f"{name}: {series['verdict']} by {series['method']}"
        return None

    def test_counts_that_have_no_loop_are_refused(self):
        self.target()
        self.variant("planted", append="preempt=voluntary", module_args="plant=3")
        result = self.run_kregress("run", "planted", "--boots", "1", "--bench", "loop.empty", expect=4)
        self.assert_says(result, "planted", "Invalid")


kernels.require(kernels.AMD64)
rig.main()
