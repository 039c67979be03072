# SPDX-License-Identifier: GPL-3.0-or-later
"""Variants that are switches of the running machine: a sysctl, or any file."""
import pathlib
import signal

import rig

FAST = ("--bench", "syscall.null", "--repetitions", "6", "--sample-time", "100us", "--boots", "2")
SLOW = ("--bench", "ipc.pipe", "--repetitions", "20", "--sample-time", "50ms", "--boots", "2")
FOUND = "as found\n"


class Switches(rig.Case):
    def setUp(self):
        super().setUp()
        self.knob = self.write("knob", FOUND)
        self.configure()

    def configure(self, more=""):
        self.write("kregress.conf", "".join(
            f'[variant "{name}"]\n\ttarget = local\n\tswitch = file:{self.knob}={value}\n'
            for name, value in (("low", "10"), ("high", "20"))) +
            '[variant "found"]\n\ttarget = local\n' + more)

    def boots(self, variant):
        lines = map(rig.json.loads, self.run_kregress("export", variant).out.splitlines())
        return [line for line in lines if line["type"] == "boot"]

    def assert_put_back(self):
        self.wait_for(lambda: self.knob.read_text().strip() == FOUND.strip(), "the value as found",
                      timeout=10)

    def test_states_share_boots_and_are_recorded(self):
        result = self.run_kregress("ab", "low", "high", "found", *FAST, "--seed", "2", "--json",
                                   "c.json", expect=None)
        self.assertIn(result.code, (0, 1), result)
        self.assert_says(result, "low + high + found: share their boots")
        key = f"switch.file:{self.knob}"
        for variant, value in (("low", "10"), ("high", "20"), ("found", "as found")):
            boots = self.boots(variant)
            self.assertEqual([boot["slot"] for boot in boots], [0, 1])
            for boot in boots:
                self.assertEqual(boot["environment"][key], value)
                self.assertGreaterEqual(int(boot["environment"]["switch.changes"]), 6)
        comparison = rig.json.loads((self.dir / "c.json").read_text())
        time = rig.series_of(comparison, "syscall.null", metric="time", variant="high")
        self.assertEqual((time["base"]["n"], time["new"]["n"]), (2, 2))
        self.assert_put_back()
        self.assert_nothing_left()

    def test_one_alone_is_set_and_put_back(self):
        self.run_kregress("run", "high", *FAST)
        self.assertEqual(self.boots("high")[0]["environment"][f"switch.file:{self.knob}"], "20")
        self.assert_put_back()

    def test_put_back_whatever_ends_it(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            process = self.start("run", "low", "high", *SLOW, "--fresh")
            self.wait_for(lambda: self.knob.read_text().strip() in ("10", "20"), "a state",
                          timeout=30)
            process.send_signal(number)
            self.finish(process, timeout=30)
            self.assert_put_back()
            self.wait_for(lambda: self.processes() == [], "no process left", timeout=10)

    def test_interrupted_and_resumed(self):
        process = self.start("run", "low", "high", *SLOW)
        self.wait_for(lambda: any(int(row["boots"]) for row in self.runs()), "a stored boot")
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process, timeout=30).code, 130)
        result = self.run_kregress("run", "low", "high", *SLOW)
        self.assert_says(result, "resuming")
        for variant in ("low", "high"):
            self.assertEqual([boot["slot"] for boot in self.boots(variant)], [0, 1])

    def test_what_is_not_there(self):
        self.configure('[variant "odd"]\n\ttarget = local\n\tswitch = sysctl:kernel.no.such=1\n')
        self.assert_says(self.run_kregress("run", "odd", *FAST, expect=4),
                         "/proc/sys/kernel/no/such", "No such file")
        self.configure('[variant "odd"]\n\ttarget = local\n\tswitch = preempted=1\n')
        self.assert_says(self.run_kregress("run", "low", *FAST, expect=2),
                         "variant.odd.switch", "sysctl:NAME=VALUE")
        if not pathlib.Path("/sys/kernel/debug/sched").exists():
            self.configure('[variant "odd"]\n\ttarget = local\n\tswitch = preempt=full\n')
            self.assert_says(self.run_kregress("run", "odd", *FAST, expect=4), "debugfs")

    def test_starts_on_this_machine_are_no_boots(self):
        self.run_kregress("run", "low", "high", *FAST)
        self.assertIn('"level":"invocation"', self.run_kregress("export", "low").out)
        shown = self.run_kregress("compare", "low", "high", expect=None).out
        self.assertIn("low: 2 boots", shown)
        self.assertIn("they are invocations within one boot", " ".join(shown.split()))


rig.main()
