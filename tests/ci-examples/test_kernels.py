# SPDX-License-Identifier: GPL-3.0-or-later
"""`kregress ci` with kernels that boot: the GitLab example as it is, and a baseline that is booted
again beside the candidate."""
import json

import examples
import kernels
import rig

FAST = ("--bench", "sched.cond_resched", "--bench", "lock.spin", "--boots", "2")


class GitLab(examples.ExampleCase, kernels.KernelCase):
    def test_example_with_its_configuration(self):
        conf = (examples.DOCS / "kregress.conf").read_text()
        # The image that `make` makes here is Debian's, built elsewhere.
        self.assertEqual(conf.count("kdir = ."), 1)
        conf = conf.replace("kdir = .", f"kdir = {kernels.AMD64.kdir}")
        conf = conf.replace("lock.* sched.* mm.* syscall.*", "lock.spin sched.cond_resched")
        self.make_tree(kernels.AMD64.image, conf.replace("boots = 4", "boots = 2"))
        code, text = self.run_steps(examples.gitlab())
        self.assertEqual(code, 0, text)
        [baseline] = self.baselines()
        self.assertEqual((baseline["machine"], baseline["target"]), ("qemu-tcg-icount", "vm"))
        code, text = self.run_steps(examples.gitlab())
        self.assertEqual(code, 0, text)
        self.assertIn("0 regressed", text)
        self.assertTrue((self.dir / "junit.xml").exists())


class Remeasure(kernels.KernelCase):
    def compare(self, *words, expect):
        self.run_kregress("ci", *words, *FAST, "--json", "c.json", "--markdown", "c.md", expect=expect)
        document = json.loads((self.dir / "c.json").read_text())
        found = rig.series_of(document, "sched.cond_resched", metric="insn")
        return found["verdict"], (self.dir / "c.md").read_text()

    def test_baseline_is_booted_again_while_it_is_the_same_kernel(self):
        self.modes()
        self.run_kregress("ci", "full", "--promote", *FAST)
        verdict, notes = self.compare("voluntary", expect=1)
        self.assertEqual(verdict, "regressed")
        self.assertIn("booted again, interleaved", notes)
        self.assertEqual([row["run set"].split("@")[0] for row in self.runs()],
                         ["full", "full", "voluntary"])
        verdict, notes = self.compare("voluntary", "--remeasure", "never", expect=1)
        self.assertEqual(verdict, "regressed")
        self.assertIn("stored samples of an earlier collection", notes)
        # Under the same name another kernel: the stored samples are what was promoted.
        text = (self.dir / "kregress.conf").read_text()
        self.write("kregress.conf", text.replace("append = preempt=full", "append = preempt=none"))
        verdict, notes = self.compare("voluntary", expect=1)
        self.assertEqual(verdict, "regressed")
        self.assertIn("stored samples of an earlier collection", notes)
        self.assert_nothing_left()


if __name__ == "__main__":
    kernels.require(kernels.AMD64)
    rig.main()
