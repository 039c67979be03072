# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the steps of every example in docs/ci, on this machine itself: the first run makes the
baseline, the same again passes, a slower one fails."""
import unittest
import xml.etree.ElementTree as xml

import examples
import rig
import timed_program
import yaml

CONF = """[variant "candidate"]
\ttarget = local
[suite "core"]
\tbench = tool.hackbench*
\tboots = 6
"""


class Steps:
    steps = None
    promotes_anywhere = False

    def setUp(self):
        super().setUp()
        timed_program.install(self.root / "bin", "1.2")
        self.make_tree("/dev/null", CONF)

    def check_run(self, expect):
        code, text = self.run_steps(self.steps())
        self.assertEqual(code, expect, text)
        return text

    def test_from_the_first_run_to_a_regression(self):
        self.check_run(0)
        [first] = self.baselines()
        self.assertEqual(first["commit"], self.env["GIT_COMMIT"][:12])
        self.branch("topic")
        timed_program.install(self.root / "bin", "1.9")
        text = self.check_run(1)
        self.assertIn("3 regressed", text)
        self.assertEqual(len(xml.parse(self.dir / "junit.xml").findall(".//failure")), 3)
        self.assertIn("<html", (self.dir / "kregress.html").read_text())
        self.assertEqual(self.baselines(), [first])
        timed_program.install(self.root / "bin", "1.2")
        self.write("kregress.conf", CONF + '[limit "*"]\n\tchange = 50%\n')
        self.check_run(0)
        self.assertEqual(self.baselines() == [first], not self.promotes_anywhere)
        self.assert_nothing_left()


class GitLab(Steps, examples.ExampleCase):
    steps = staticmethod(examples.gitlab)

    def test_artifacts_are_what_the_steps_write(self):
        job = yaml.safe_load((examples.DOCS / "gitlab-ci.yml").read_text())["regressions"]
        self.check_run(0)
        self.check_run(0)
        for name in [*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]]:
            self.assertTrue((self.dir / name).exists(), name)


class GitHub(Steps, examples.ExampleCase):
    steps = staticmethod(examples.github)

    def test_summary(self):
        self.check_run(0)
        self.assertFalse((self.root / "summary.md").exists())
        timed_program.install(self.root / "bin", "1.9")
        self.check_run(1)
        self.assertIn("tool.hackbench", (self.root / "summary.md").read_text())


class Jenkins(Steps, examples.ExampleCase):
    steps = staticmethod(examples.jenkins)

    def test_every_sh_step_is_found_and_blocks_close(self):
        text = (examples.DOCS / "Jenkinsfile").read_text()
        self.assertEqual(len(self.steps()), text.count("sh '''") + text.count("script: '''"))
        self.assertEqual(len(self.steps()), 2)
        outside = "".join(text.split("'''")[::2])
        self.assertEqual(outside.count("{"), outside.count("}"))
        self.assertEqual(outside.count("("), outside.count(")"))


class Cron(Steps, examples.ExampleCase):
    steps = staticmethod(examples.nightly)
    promotes_anywhere = True

    def test_prints_nothing_when_all_is_well(self):
        self.assertEqual(self.check_run(0), "")
        self.write("kregress.conf", CONF + '[limit "*"]\n\tchange = 50%\n')
        self.assertEqual(self.check_run(0), "")

    def test_build_that_fails(self):
        self.write("Makefile", "olddefconfig:\n\t@echo no compiler; exit 1\n")
        self.assertIn("no compiler", self.check_run(4))


if __name__ == "__main__":
    rig.main()
