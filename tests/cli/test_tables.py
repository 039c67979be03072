# SPDX-License-Identifier: GPL-3.0-or-later
"""Four measurements from the kernel list, imported and compared as their authors did by hand."""
import rig


class Tables(rig.Case):
    def compare(self, table, *words, expect=0):
        self.run_kregress("import", "table", rig.FIXTURES / "tables" / table)
        return self.run_kregress("compare", *words, "--json", expect=expect).json()

    def assert_ratio(self, series, shown):
        # The mails cut the ratio of means off after three places.
        self.assertEqual(int(series["ratio"]["value"] * 1000), shown, series)

    def test_2013_voluntary_preempt(self):
        result = self.compare("2013-voluntary-preempt.txt", "voluntary", "preempt", expect=1)
        rows = {name: rig.series_of(result, name, None)
                for name in ("vmark", "tbench", "hackbench", "kbuild")}
        for name, shown in (("vmark", 836), ("tbench", 900), ("hackbench", 1071), ("kbuild", 1010)):
            self.assert_ratio(rows[name], shown)
            self.assertEqual(rows[name]["base"]["n"], 3)
            self.assertEqual(rows[name]["base"]["level"], "boot")
        self.assertEqual(rows["hackbench"]["verdict"], "regressed")
        self.assertEqual(rows["hackbench"]["better"], "lower")
        self.assertEqual(rows["tbench"]["verdict"], "regressed")
        self.assertEqual(rows["tbench"]["better"], "higher")
        self.assertEqual(rows["vmark"]["better"], "higher")
        self.assertEqual(rows["vmark"]["verdict"], "inconclusive")
        self.assertGreater(rows["vmark"]["boots_needed"], 3)
        self.assertEqual(rows["kbuild"]["unit"], "s")
        self.assertAlmostEqual(rows["kbuild"]["base"]["mean"], (224.842 + 222.975 + 222.954) / 3)
        self.assertEqual(rows["kbuild"]["verdict"], "equivalent")
        strict = self.run_kregress("compare", "voluntary", "preempt", "--limit", "0", "--json",
                                   expect=1).json()
        self.assertEqual(rig.series_of(strict, "kbuild", None)["verdict"], "inconclusive")

    def test_2013_swapped_is_an_improvement(self):
        result = self.compare("2013-voluntary-preempt.txt", "preempt", "voluntary")
        self.assertEqual(rig.series_of(result, "tbench", None)["verdict"], "improved")
        self.assertEqual(rig.series_of(result, "hackbench", None)["verdict"], "improved")

    def test_2005_single_values_are_inconclusive(self):
        result = self.compare("2005-preempt-rt-ipipe.txt", "vanilla", "preempt_rt", "ipipe")
        shown = {("fork", "preempt_rt"): -6, ("mmap", "preempt_rt"): -19,
                 ("fork", "ipipe"): 4, ("mmap", "ipipe"): 2}
        for (name, variant), percent in shown.items():
            series = rig.series_of(result, name, variant=variant)
            self.assertEqual(round((series["ratio"]["value"] - 1) * 100), percent)
            self.assertEqual(series["verdict"], "inconclusive")
            self.assertGreater(series["boots_needed"], 1)
            self.assertIsNone(series["p"])
        text = self.run_kregress("compare", "vanilla", "preempt_rt", "ipipe").out
        self.assertIn("one boot", text)

    def test_2009_text_poke(self):
        result = self.compare("2009-text-poke.txt", "before", "after")
        series = rig.series_of(result, "text_poke", None)
        self.assertEqual(series["verdict"], "improved")
        self.assertAlmostEqual(series["ratio"]["value"], 30080 / 215321.6667, places=4)

    def test_2015_irqsave_costs_8_324_ns(self):
        result = self.compare("2015-spin-lock.txt", "spin_lock", "irqsave", "local_irq_save+lock")
        series = rig.series_of(result, "critical_section", variant="irqsave")
        self.assertAlmostEqual(series["shift"]["value"], 8.324, places=9)
        self.assertEqual(series["unit"], "ns")
        self.assertEqual(series["verdict"], "inconclusive")
        text = self.run_kregress("compare", "spin_lock", "irqsave").out
        self.assertIn("+8.324", text)

    def test_strict_makes_inconclusive_an_exit_code(self):
        self.compare("2005-preempt-rt-ipipe.txt", "vanilla", "ipipe")
        self.run_kregress("compare", "vanilla", "ipipe", "--strict", expect=3)

    def test_levels_that_are_no_boots_never_carry_a_verdict(self):
        table = rig.FIXTURES / "tables" / "2013-voluntary-preempt.txt"
        self.run_kregress("import", "table", table, "--level", "iteration")
        result = self.run_kregress("compare", "voluntary", "preempt", "--json").json()
        self.assertEqual({s["verdict"] for s in result["series"]}, {"inconclusive"})

    def test_every_report_format(self):
        self.run_kregress("import", "table", rig.FIXTURES / "tables" / "2013-voluntary-preempt.txt")
        self.run_kregress("compare", "voluntary", "preempt", "--junit", "j.xml", "--markdown", "m.md",
                          "--text", "t.txt", "--json", "c.json", expect=1)
        self.assertIn('type="performance-regression"', (self.dir / "j.xml").read_text())
        self.assertIn("hackbench", (self.dir / "m.md").read_text())
        for format in ("junit", "text", "json", "markdown"):
            first = self.run_kregress("report", format, "voluntary", "preempt", expect=1).out
            again = self.run_kregress("report", format, expect=1).out
            self.assertTrue(first.strip())
            self.assertEqual(first, again)

    def test_finding_ids_are_the_same_in_every_format(self):
        result = self.compare("2013-voluntary-preempt.txt", "voluntary", "preempt", expect=1)
        junit = self.run_kregress("report", "junit", "voluntary", "preempt", expect=1).out
        for series in result["series"]:
            self.assertIn(series["finding"], junit)

    def test_locale_and_time_zone_change_nothing(self):
        self.run_kregress("import", "table", rig.FIXTURES / "tables" / "2013-voluntary-preempt.txt")
        plain = self.run_kregress("compare", "voluntary", "preempt", expect=1).out
        self.env.update(LC_ALL="de_DE.UTF-8", LANG="de_DE.UTF-8", TZ="Asia/Tokyo", TERM="dumb",
                        COLUMNS="20")
        self.assertEqual(plain, self.run_kregress("compare", "voluntary", "preempt", expect=1).out)


rig.main()
