# SPDX-License-Identifier: GPL-3.0-or-later
"""Methods, sequential collection, calibration and planning, from the command line."""
import stat

import rig

# An agent whose boots are as regular as the test wants: value V for boot number N of the file.
FAKE_AGENT = """#!/bin/sh
count=$(cat "$FAKE_DIR/count" 2>/dev/null || echo 0)
echo $((count + 1)) >"$FAKE_DIR/count"
values=$(sed -n "$((count + 1))p" "$FAKE_DIR/values")
printf '{"seq":0,"type":"hello","format":"kregress-agent-1","agent":"fake"}\\n'
printf '{"seq":1,"type":"sample","benchmark":"fake.op","params":"","metric":"time","unit":"ns/op",'
printf '"better":"lower","invocation":0,"loops":1,"values":[%s]}\\n' "$values"
printf '{"seq":2,"type":"end","count":2,"status":"ok"}\\n'
"""


class FakeMachine(rig.Case):
    def setUp(self):
        super().setUp()
        self.write("agent", FAKE_AGENT).chmod(0o755)
        self.env["FAKE_DIR"] = str(self.dir)
        sections = ['[target "local"]\n\tagent = agent\n']
        sections += [f'[variant "{name}"]\n\ttarget = local\n' for name in ("old", "new")]
        self.write("kregress.conf", "".join(sections))

    def boots(self, values):
        """One boot a line; several samples in a list."""
        lines = [",".join(map(str, value if isinstance(value, list) else [value]))
                 for value in values]
        self.write("values", "\n".join(lines) + "\n")
        self.write("count", "0\n")


class Auto(FakeMachine):
    def values(self, ratio, sd_frac, n=200, seed=1):
        """Alternating boots for a schedule that begins old, new, new, old: see order()."""
        import random
        source = random.Random(seed)
        return [100 * (ratio if who == "new" else 1) * source.gauss(1, sd_frac)
                for who in self.order(n)]

    def order(self, n):
        lines = []
        for block in range(n // 2):
            lines += ["old", "new"] if (block % 2 == 0) == (self.first == "old") else ["new", "old"]
        return lines

    def collect(self, ratio, sd_frac, *words, expect=None):
        self.first = "old"
        # Seed whose schedule begins with old, found on a store of its own.
        for seed in range(1, 20):
            self.boots(self.values(1, 0.01))
            self.run_kregress("run", "old", "new", "--boots", "1", "--seed", str(seed), "--store",
                              f"probe{seed}.db")
            lines = self.run_kregress("export", "--store", f"probe{seed}.db").out.splitlines()
            slots = [line["slot"] for line in map(rig.json.loads, lines) if line["type"] == "boot"]
            if slots == [0, 1]:
                break
        self.boots(self.values(ratio, sd_frac))
        return self.run_kregress("ab", "old", "new", "--boots", "auto", "--seed", str(seed), *words,
                                 "--json", "c.json", expect=expect)

    def test_a_large_change_ends_it_early(self):
        result = self.collect(1.5, 0.01, expect=1)
        used = int(self.runs()[0]["boots"])
        self.assertLess(used, 10)
        self.assertIn("level", self.run_kregress("report", "text", "old", "new", expect=1).out)
        series = rig.series_of(rig.json.loads((self.dir / "c.json").read_text()), "fake.op")
        self.assertEqual(series["verdict"], "regressed")
        self.assertIn("after block 3", result.err)

    def test_no_change_ends_as_equivalent(self):
        self.collect(1.0, 0.003, expect=0)
        series = rig.series_of(rig.json.loads((self.dir / "c.json").read_text()), "fake.op")
        self.assertEqual(series["verdict"], "equivalent")
        self.assertLess(int(self.runs()[0]["boots"]), 20)

    def test_noise_ends_at_the_most(self):
        self.collect(1.0, 0.3, "--boots-max", "7", expect=0)
        self.assertEqual(int(self.runs()[0]["boots"]), 7)

    def test_budget_ends_it(self):
        result = self.collect(1.0, 0.3, "--budget", "1ms", expect=0)
        self.assertIn("budget", result.err)
        self.assertLess(int(self.runs()[0]["boots"]), 5)

    def test_later_reports_judge_at_the_level_that_is_left(self):
        self.collect(1.0, 0.3, "--boots-max", "7", expect=0)
        self.assertLess(self.run_kregress("report", "json").json()["alpha"], 0.05)

    def test_wrong_use(self):
        self.boots([1])
        for words in (("run", "old", "--boots", "auto"),
                      ("ab", "old", "new", "--boots", "auto", "--boots-max", "2"),
                      ("ab", "old", "new", "--boots", "3", "--budget", "5m")):
            self.run_kregress(*words, expect=2)


class Methods(FakeMachine):
    NAMES = ["welch", "mann-whitney", "permutation", "brunner-munzel", "ks", "yuen", "signed-rank"]

    def test_each_is_used_and_named(self):
        self.boots([100 + 0.1 * (i * 7 % 5) + (30 if i in (1, 2, 5, 6, 9, 10, 13, 14) else 0)
                    for i in range(16)])
        self.run_kregress("run", "old", "new", "--boots", "8", "--seed", "1")
        for name in self.NAMES:
            result = self.run_kregress("compare", "old", "new", "--method", name, "--json",
                                       expect=None)
            series = rig.series_of(result.json(), "fake.op")
            self.assertEqual(series["method"], name)
            self.assertTrue(0 < series["p"] <= 1, series)

    def test_the_default_says_why(self):
        self.boots([100 + i % 3 for i in range(24)])
        self.run_kregress("run", "old", "new", "--boots", "12", "--seed", "1")
        series = rig.series_of(self.run_kregress("compare", "old", "new", "--json", expect=None).json(),
                               "fake.op")
        self.assertEqual(series["method"], "paired")
        self.assertIn("blocks", series["method_reason"])


class Effects(rig.Case):
    def setUp(self):
        super().setUp()
        self.run_kregress("import", "table", rig.FIXTURES / "tables" / "2013-voluntary-preempt.txt")

    def compare(self, *words, expect=1):
        return self.run_kregress("compare", "voluntary", "preempt", "--json", *words,
                                 expect=expect).json()["series"]

    def test_more_sizes_on_request(self):
        self.assertNotIn("effects", self.compare()[0])
        effects = self.compare("--effects")[0]["effects"]
        for name in ("hedges_g", "cliffs_delta", "ratio_of_medians", "ratio_of_geometric_means",
                     "ratio_bootstrap"):
            self.assertLessEqual(effects[name]["low"], effects[name]["value"])
            self.assertLessEqual(effects[name]["value"], effects[name]["high"])
        self.assertEqual(len(effects["quantiles"]), 9)
        # The same seed, the same resamples.
        self.assertEqual(effects, self.compare("--effects")[0]["effects"])

    def test_adjustments_are_ordered(self):
        plain, dependent, holm = ([series["q"] for series in self.compare("--adjust", how, expect=None)]
                                  for how in ("bh", "by", "holm"))
        self.assertEqual(plain, [series["q"] for series in self.compare()])
        self.assertTrue(all(b >= a for a, b in zip(plain, dependent)))
        self.assertTrue(all(b >= a for a, b in zip(plain, holm)))
        self.assertNotEqual(plain, holm)
        self.run_kregress("compare", "voluntary", "preempt", "--adjust", "none", expect=2)


class Cost(FakeMachine):
    def test_an_open_verdict_says_what_it_would_cost(self):
        self.boots([100, 100, 120, 120] * 2)
        self.run_kregress("run", "old", "new", "--boots", "4", "--seed", "1")
        series = rig.series_of(self.run_kregress("compare", "old", "new", "--json").json(), "fake.op")
        self.assertEqual(series["verdict"], "inconclusive")
        self.assertRegex(series["explanation"], r"more than now, about \d+ (s|min)")


class Hygiene(FakeMachine):
    def compare(self, values):
        self.boots(values)
        self.run_kregress("run", "old", "new", "--boots", str(len(values) // 2), "--seed", "1")
        return self.run_kregress("compare", "old", "new", "--json", expect=None).json()

    def test_levels(self):
        wild = [[100 + 10 * ((i * 5) % 7), 101 + 10 * ((i * 5) % 7), 99 + 10 * ((i * 5) % 7)]
                for i in range(12)]
        quality = rig.series_of(self.compare(wild), "fake.op")["base"]["quality"]
        self.assertGreater(quality["levels"]["boot"]["share"], 0.9)

    def test_drift_is_named(self):
        self.compare([[100 + i, 100.5 + i] for i in range(20)])
        self.assertIn("drift up", self.run_kregress("report", "text", "old", "new", expect=None).out)

    def test_modes_are_compared_by_themselves(self):
        """Both modes stay where they are; the new kernel takes the slow one more often."""
        order = [0, 1, 1, 0] * 5  # whichever side begins
        boots = [[100 + (i * 3 + j) % 3 + (60 if j % (2 if side else 5) == 0 else 0)
                  for j in range(20)] for i, side in enumerate(order)]
        series = rig.series_of(self.compare(boots), "fake.op")
        by_mode = series["by_mode"]
        self.assertAlmostEqual(by_mode["low"]["value"], 1, places=1)
        self.assertAlmostEqual(by_mode["high"]["value"], 1, places=1)
        self.assertEqual({round(by_mode["high_share_base"], 1), round(by_mode["high_share_new"], 1)},
                         {0.2, 0.5})
        self.assertLess(by_mode["high_share_p"], 0.01)
        self.assertIn("by mode", self.run_kregress("report", "text", "old", "new", expect=None).out)

    def test_warm_up_is_left_out_and_said(self):
        warm = [[200, 180, 160] + [100 + 0.1 * ((i + j) % 4) for j in range(20)] for i in range(8)]
        result = self.compare(warm)
        series = rig.series_of(result, "fake.op")
        self.assertGreater(series["base"]["quality"]["warm_up_samples"], 0)
        self.assertIn("warm-up", self.run_kregress("report", "text", "old", "new", expect=None).out)


class Calibration(FakeMachine):
    def test_noise_floor_stands_beside_later_effects(self):
        self.boots([100 + (i * 7) % 5 for i in range(100)])
        rows = self.run_kregress("calibrate", "old", "--boots", "6", "--json").json()
        self.assertEqual([row["benchmark"] for row in rows], ["fake.op"])
        floor = float(rows[0]["noise floor"].rstrip("%"))
        self.assertTrue(0 < floor < 5, rows)
        self.run_kregress("run", "old", "new", "--boots", "4", "--seed", "1")
        result = self.run_kregress("compare", "old", "new", "--json", expect=None)
        series = rig.series_of(result.json(), "fake.op")
        self.assertAlmostEqual(100 * series["noise_floor"], floor, places=1)
        self.assertIn("noise floor", series["explanation"])

    def test_too_little(self):
        self.boots([100, 101, 102, 103])
        self.assert_says(self.run_kregress("calibrate", "old", "--boots", "2", expect=4), "--boots")


class Planning(FakeMachine):
    def test_more_noise_needs_more_boots(self):
        needed = []
        for sd in (0.5, 5):
            self.boots([[100 + sd * ((i * 3) % 5 - 2) + 0.1 * j for j in range(5)] for i in range(8)])
            self.run_kregress("run", "old", "--boots", "8", "--fresh")
            rows = self.run_kregress("plan", "old", "--boot-cost", "20s", "--json").json()
            needed.append(int(rows[0]["boots a side"]))
        self.assertGreater(needed[1], needed[0])

    def test_a_budget_bounds_it(self):
        self.boots([[100 + 5 * ((i * 3) % 5 - 2)] for i in range(8)])
        self.run_kregress("run", "old", "--boots", "8")
        row = self.run_kregress("plan", "old", "--boot-cost", "20s", "--budget", "4m",
                                "--json").json()[0]
        self.assertLessEqual(int(row["boots a side"]), 6)
        self.assertGreater(float(row["finds"].rstrip("%")), 2)

    def test_one_boot_cannot_be_planned_from(self):
        self.boots([[100, 101]])
        self.run_kregress("run", "old", "--boots", "1")
        self.assertIn("at least two boots", self.run_kregress("plan", "old").out)

    def test_wrong_values(self):
        self.boots([[100, 101]])
        for option in ("--change=0", "--change=200%", "--power=1%", "--alpha=0"):
            self.run_kregress("plan", "old", option, expect=2)


rig.main()
