# SPDX-License-Identifier: GPL-3.0-or-later
"""`kregress ci` and `kregress baseline`: a pipeline's step, its exit codes and what it leaves."""
import xml.etree.ElementTree as xml

import bisect_case
import rig
import timed_program

FAST = ("--bench", timed_program.BENCH, "--boots", "6")
CONFIG = """[variant "base"]
 target = local
[variant "new"]
 target = local
"""


class CiCase(bisect_case.BisectCase):
    def setUp(self):
        super().setUp()
        self.env["PATH"] = f"{self.root}/bin:{self.env['PATH']}"
        self.speed("1.2")

    def speed(self, time_s):
        timed_program.install(self.root / "bin", time_s)

    def ci(self, *words, expect=0):
        return self.run_kregress("ci", *words, *FAST, expect=expect)

    def baselines(self):
        return self.run_kregress("baseline", "list", "--json").json()


class Baseline(CiCase):
    def test_first_run_gives_no_verdict(self):
        result = self.ci("--junit", "j.xml")
        self.assertIn("no baseline 'default' for suite core on target local", result.out)
        self.assert_says(result, "kregress baseline set local@")
        self.assertFalse((self.dir / "j.xml").exists())
        self.assertEqual(self.baselines(), [])
        self.assert_nothing_left()

    def test_promotion_is_explicit(self):
        self.ci("--promote", "--commit", "v6.1")
        [first] = self.baselines()
        self.assertEqual((first["baseline"], first["target"], first["suite"], first["commit"]),
                         ("default", "local", "core", "v6.1"))
        self.ci("--limit", "90%")
        self.assertEqual(self.baselines(), [first])
        self.ci("--limit", "90%", "--promote")
        [second] = self.baselines()
        self.assertNotEqual(first["run set"], second["run set"])

    def test_names_and_suites_are_apart(self):
        self.write("kregress.conf", CONFIG + '[suite "other"]\n bench = tool.hackbench*\n')
        self.ci("base", "--promote", "--baseline", "main")
        self.assertIn("no baseline 'default'", self.ci("base").out)
        self.assertIn("for suite other", self.ci("base", "--baseline", "main", "--suite", "other").out)

    def test_set_show_remove(self):
        self.run_kregress("run", "local", *FAST)
        self.run_kregress("baseline", "set", "local", "--baseline", "main", "--commit", "abc")
        [shown] = self.run_kregress("baseline", "show", "main", "--json").json()
        self.assertEqual((shown["commit"], shown["boots"]), ("abc", "6"))
        self.run_kregress("baseline", "remove", "main")
        self.assertEqual(self.baselines(), [])
        self.assertEqual(len(self.runs()), 1)
        self.assert_says(self.run_kregress("baseline", "show", "main", expect=2), "'main'")
        self.assert_says(self.run_kregress("baseline", "choose", expect=2), "choose", "list")
        self.assert_says(self.run_kregress("baseline", "set", "nothing", expect=2), "nothing")

    def test_several_that_fit(self):
        self.run_kregress("run", "local", *FAST)
        self.run_kregress("baseline", "set", "local")
        self.run_kregress("baseline", "set", "local", "--suite", "quick")
        self.assert_says(self.run_kregress("baseline", "remove", expect=2), "2 baselines", "--suite")
        self.run_kregress("baseline", "remove", "--suite", "quick")
        self.assertEqual([row["suite"] for row in self.baselines()], ["core"])


class Verdicts(CiCase):
    def setUp(self):
        super().setUp()
        self.write("kregress.conf", CONFIG)

    def test_regression(self):
        self.ci("base", "--promote")
        before = self.baselines()
        self.speed("1.9")
        result = self.ci("new", "--promote", "--junit", "j.xml", "--html", "r.html", "--json",
                         "c.json", "--markdown", "c.md", expect=1)
        self.assertIn("1 regressed", result.out)
        self.assertIn("stored samples of an earlier collection", result.out)
        self.assertEqual(self.baselines(), before)
        suites = xml.parse(self.dir / "j.xml").getroot()
        self.assertEqual(len(suites.findall(".//failure")), 1)
        document = rig.json.loads((self.dir / "c.json").read_text())
        self.assertEqual(rig.series_of(document, "tool.hackbench", None)["verdict"], "regressed")
        self.assertIn("baseline 'default'", (self.dir / "c.md").read_text())
        self.assertIn("<html", (self.dir / "r.html").read_text())

    def test_inconclusive_when_strict(self):
        self.run_kregress("ci", "base", "--promote", *FAST, "--boots", "1")
        self.run_kregress("ci", "new", *FAST, "--boots", "1")
        self.run_kregress("ci", "new", "--strict", *FAST, "--boots", "1", expect=3)

    def test_broken_candidate(self):
        self.ci("base", "--promote")
        self.write("kregress.conf", CONFIG + '[target "local"]\n kind = local\n agent = /bin/false\n')
        self.ci("base", "--promote", "--junit", "j.xml", expect=4)
        self.assertTrue(xml.parse(self.dir / "j.xml").getroot().findall(".//error"))
        [kept] = self.baselines()
        self.assertTrue(kept["run set"].startswith("base@"))

    def test_broken_first_run_is_no_baseline(self):
        self.write("kregress.conf", CONFIG + '[target "local"]\n kind = local\n agent = /bin/false\n')
        self.ci("base", "--promote", expect=4)
        self.assertEqual(self.baselines(), [])

    def test_no_samples_are_no_baseline(self):
        words = ("--bench", "no.such", "--boots", "2")
        self.run_kregress("ci", "base", "--promote", *words, expect=4)
        self.run_kregress("run", "base", *words, expect=None)
        self.assert_says(self.run_kregress("baseline", "set", "base", expect=4), "no samples")
        self.assertEqual(self.baselines(), [])

    def test_auto_without_interleaving(self):
        self.ci("base", "--promote")
        result = self.run_kregress("ci", "base", *FAST, "--boots", "auto", "--budget", "1m", "--limit",
                                   "90%")
        self.assert_says(result, "as many as the baseline has", ": 6 boots")

    def test_wrong_use(self):
        self.assert_says(self.ci(expect=2), "which is the candidate")
        self.assert_says(self.ci("moon", expect=2), "moon", "base")
        self.assert_says(self.ci("base", "--remeasure", "maybe", expect=2), "'maybe'", "always")
        self.assert_says(self.ci("base", "new", expect=2), "too many")
        self.ci("base", "--promote")
        self.assert_says(self.ci("new", "--remeasure", "always", expect=2), "has no kernel image")


class Bisect(CiCase):
    def setUp(self):
        super().setUp()
        self.write("kregress.conf", CONFIG)
        self.commits = [self.commit(f"H{i}", value=str(100 + i % 2 + (50 if i >= 4 else 0)))
                        for i in range(1, 7)]

    def test_regression_is_searched(self):
        self.ci("base", "--promote", "--commit", self.commits[0])
        self.speed("1.9")
        result = self.run_kregress("ci", "new", *FAST, "--commit", "HEAD", "--bisect", "--junit",
                                   "j.xml", "--markdown", "c.md", "--write", "mail=m.txt",
                                   "--bisect-budget", "5m", "--", "cat", "value", expect=1)
        self.assertEqual(self.first_bad(result.out), self.commits[3])
        self.assertEqual(result.out.count("note: values are"), 1)
        notes = [each.get("value") for each in xml.parse(self.dir / "j.xml").iter("property")
                 if each.get("name") == "note"]
        self.assertIn(f"first bad commit: {self.commits[3]}", "\n".join(notes))
        comment = (self.dir / "c.md").read_text()
        self.assertIn(f"**first bad commit: {self.commits[3]}", comment)
        self.assertIn(f"#regzbot introduced: {self.commits[3]}", (self.dir / "m.txt").read_text())
        self.assertIn("bisecting tool.hackbench [groups=4,loops=100", result.err)

    def test_without_a_regression_nothing_is_searched(self):
        self.ci("base", "--promote", "--commit", self.commits[0])
        result = self.run_kregress("ci", "base", *FAST, "--limit", "90%", "--commit", "HEAD", "--bisect",
                                   "--", "false")
        self.assertNotIn("bisecting", result.err)

    def test_baseline_of_an_unknown_commit(self):
        self.ci("base", "--promote")
        self.speed("1.9")
        result = self.run_kregress("ci", "new", *FAST, "--commit", "HEAD", "--bisect", "--", "cat",
                                   "value", expect=1)
        self.assert_says(result, "no bisection", "--commit")

    def test_refusals(self):
        self.assert_says(self.ci("new", "--bisect", expect=2), "--commit")
        self.assert_says(self.ci("new", "--bisect", "--commit", "HEAD", expect=2), "variant 'new'",
                         "-- COMMAND")
        self.assert_says(self.ci("new", "--bisect-budget", "1h", expect=2), "go with --bisect")
        self.assert_says(self.run_kregress("ci", "new", "--bisect", "--commit", "no-such", "--", "x",
                                           expect=2), "no-such")
        self.assert_says(self.run_kregress("ci", "new", "--bisect", "--commit", "HEAD", "--json", "-",
                                           "--", "x", expect=2), "reports")
        self.assertEqual(self.runs(), [])


if __name__ == "__main__":
    rig.main()
