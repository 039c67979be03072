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
        measured = {(s["benchmark"], s["params"]) for s in comparison["series"]
                    if s["new"] and s["new"]["n"]}
        listed = {tuple(row["benchmark"].replace("]", "").split(" [")) for row
                  in self.run_kregress("list", "--json").json() if row["where"] == "kernel"}
        listed = {(words[0], words[1] if len(words) > 1 else "") for words in listed}
        # One CPU: what needs a second one says so instead.
        missing = {words for words in listed - measured if not words[0].startswith("smp.")}
        self.assertEqual(missing, set())
        text = self.run_kregress("report", "text", "voluntary", "rt").out
        self.assertIn("needs a second online CPU", text)
        self.assertIn("-rt", self.boots()[0]["environment"]["kernel.release"] +
                      self.boots()[1]["environment"]["kernel.release"])
        self.assert_nothing_left()


kernels.require(kernels.AMD64, kernels.RT)
rig.main()
