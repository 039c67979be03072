# SPDX-License-Identifier: GPL-3.0-or-later
"""Variants that are switches: preempt=voluntary and preempt=full by turns within one boot."""
import kernels
import rig

ROUNDS = 20
# In-kernel operations, some of which the preemption mode changes, and some not.
BENCHES = ["sched.cond_resched", "sched.preempt", "lock.spin", "irq.save_restore",
           "rcu.read_lock"]
# The only ones that may differ between the modes: cond_resched() is empty under full; and spin
# locks and preempt_enable() check for a reschedule in all modes of this kernel.
CHANGED = {"sched.cond_resched"}


class Live(kernels.KernelCase):
    def live(self):
        self.target()
        self.variant("live-voluntary", switch="preempt=voluntary")
        self.variant("live-full", switch="preempt=full")

    def floors(self, *variants):
        """{benchmark: [floor of each boot]} of each variant's newest set."""
        found = {}
        for variant in variants:
            series, floors = {}, {}
            for line in map(rig.json.loads, self.run_kregress("export", variant).out.splitlines()):
                if line["type"] == "series":
                    series[line["series"]] = line["benchmark"]
                elif line["type"] == "samples" and series[line["series"]] in BENCHES:
                    boots = floors.setdefault(series[line["series"]], {})
                    values = line["values"] + ([boots[line["boot"]]] if line["boot"] in boots else [])
                    boots[line["boot"]] = min(values)
            found[variant] = {name: list(boots.values()) for name, boots in floors.items()}
        return found

    def test_floors_are_those_of_separate_boots(self):
        self.live()
        self.variant("boot-voluntary", append="preempt=voluntary")
        self.variant("boot-full", append="preempt=full")
        words = [word for name in BENCHES for word in ("--bench", name)]
        result = self.run_kregress("run", "live-voluntary", "live-full", "boot-voluntary",
                                   "boot-full", *words, "--boots", "1", "--repetitions", ROUNDS,
                                   "--sample-time", "100us", "--seed", "3")
        self.assert_says(result, "live-voluntary + live-full: share their boots")
        floors = self.floors("live-voluntary", "live-full", "boot-voluntary", "boot-full")
        print(floors)
        for name in BENCHES:
            for mode in ("voluntary", "full"):
                live, booted = floors["live-" + mode][name], floors["boot-" + mode][name]
                self.assertEqual(len(live), 1, name)
                self.assertEqual(live, booted, (name, mode))
            differ = floors["live-voluntary"][name] != floors["live-full"][name]
            self.assertEqual(differ, name in CHANGED, name)

        live = [boot for boot in self.boots() if "switch.preempt" in boot["environment"]]
        self.assertEqual(len(live), 2)
        self.assertEqual(live[0]["slot"], live[1]["slot"])
        for boot in live:
            environment = boot["environment"]
            self.assertEqual(environment["kernel.preempt"], environment["switch.preempt"])
            self.assertNotIn("preempt=", environment["kernel.cmdline"])
            self.assertGreaterEqual(int(environment["switch.changes"]), ROUNDS)
        comparison = self.run_kregress("compare", "live-voluntary", "live-full", "--json",
                                       expect=None).json()
        cond_resched = rig.series_of(comparison, "sched.cond_resched", metric="insn")
        self.assertIn("switched to and fro with the base within the same boots",
                      " ".join(comparison["notes"]))
        # Counted by hand, as in test_preemption.py.
        self.assertAlmostEqual(cond_resched["base"]["mean"], 9, places=1)
        self.assertAlmostEqual(cond_resched["new"]["mean"], 3, places=1)
        self.assert_nothing_left()

    def test_a_mode_that_does_not_exist(self):
        self.live()
        self.variant("odd", switch="preempt=sometimes")
        self.assert_says(self.run_kregress("run", "odd", "--bench", "sched.preempt", expect=4),
                         "'sometimes' is none of: none voluntary full")

    def test_a_kernel_that_cannot_switch(self):
        kernels.require(kernels.RT)
        self.target()
        self.variant("odd", kernels.RT, switch="preempt=full")
        self.assert_says(self.run_kregress("run", "odd", "--bench", "syscall.null", expect=4),
                         "CONFIG_PREEMPT_DYNAMIC")


kernels.require(kernels.AMD64)
rig.main()
