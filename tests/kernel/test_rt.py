# SPDX-License-Identifier: GPL-3.0-or-later
"""The module on PREEMPT_RT, and what `list` says beside what the module has."""
import kernels
import rig


class Rt(kernels.KernelCase):
    def test_every_benchmark_runs_on_both_kernels(self):
        self.target()
        self.variant("voluntary", append="preempt=voluntary")
        self.variant("rt", under_test=kernels.RT)
        result = self.run_kregress("ab", "voluntary", "rt", "--boots", "1", "--bench", "*",
                                   "--repetitions", "2", "--json", "c.json", expect=None)
        self.assertEqual(result.code, 0, result)
        for boot in self.boots():
            self.assertEqual(boot["status"], "ok")
        comparison = rig.json.loads((self.dir / "c.json").read_text())
        measured, problems = set(), {}
        for series in comparison["series"] + comparison["context"]:
            name = (series["benchmark"], series["params"].split(",for=")[0])
            if series["new"] and series["new"]["n"]:
                measured.add(name)
            else:
                problems[name] = series["explanation"]
        listed = {tuple(row["benchmark"].rstrip("]").split(" [")) for row
                  in self.run_kregress("list", "--json").json() if row["where"] == "kernel"}
        listed = {(words + ("",))[:2] for words in listed if words[0] != "loop.empty"}
        # What the one CPU of the guest or PREEMPT_RT cannot offer says so, with the reason.
        missing = listed - measured
        self.assertEqual({name for name, _ in missing},
                         {"ipi.call_single", "ipi.on_each_cpu_mask", "lock.spin_irqsave_manual",
                          "lock.spin_irq_disable"})
        self.assertIn("sleep", problems["lock.spin_irq_disable", ""])
        self.assertIn("loop.empty", {series["benchmark"] for series in comparison["context"]})
        text = self.run_kregress("report", "text", "voluntary", "rt").out
        self.assertIn("needs a second online CPU", text)
        self.assertIn("-rt", self.boots()[0]["environment"]["kernel.release"] +
                      self.boots()[1]["environment"]["kernel.release"])
        self.assert_nothing_left()


kernels.require(kernels.AMD64, kernels.RT)
rig.main()
