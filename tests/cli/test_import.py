# SPDX-License-Identifier: GPL-3.0-or-later
"""Other tools' output from the command line: one variant of several files, folders, and damage."""
import rig

OUTPUT = """Running in process mode with 2 groups using 40 file descriptors each (== 80 tasks)
Each sender will pass 1000 messages of 100 bytes
Time: %.3f
"""
SERIES = ("hackbench", "groups=2,mode=process,messages=1000,bytes=100")


class Tools(rig.Case):
    def write_runs(self, variant, times):
        names = []
        for i, time in enumerate(times):
            names.append("%s-%d.txt" % (variant, i))
            self.write(names[-1], OUTPUT % time)
        return names

    def test_two_variants_of_several_files(self):
        old = self.write_runs("old", [2.000, 2.001, 2.002, 2.003, 2.004, 2.005])
        new = self.write_runs("new", [2.500, 2.501, 2.502, 2.503, 2.504, 2.505])
        self.run_kregress("import", "auto", "--variant", "old", *old)
        self.run_kregress("import", "hackbench", "--variant", "new", *new)
        comparison = self.run_kregress("compare", "old", "new", "--json", expect=1).json()
        series = rig.series_of(comparison, *SERIES)
        self.assertEqual(series["verdict"], "regressed")
        self.assertEqual(series["base"]["n"], 6)
        self.assertAlmostEqual(series["ratio"]["value"], 2.5025 / 2.0025, places=6)

    def test_file_names_the_variant(self):
        self.write("voluntary.txt", OUTPUT % 1.5)
        result = self.run_kregress("import", "auto", "voluntary.txt")
        self.assertIn("imported voluntary@", result.out)

    def test_folder(self):
        (self.dir / "result").mkdir()
        self.write("result/hackbench", OUTPUT % 1.5)
        self.write("result/job.yaml", "suite: hackbench\n")
        result = self.run_kregress("import", "auto", "result")
        self.assertIn("imported result@", result.out)
        self.assertIn("1 series, 1 samples", result.out)

    def test_damage_names_file_and_line(self):
        self.write("cut.txt", (OUTPUT % 1.5)[:-8])
        result = self.run_kregress("import", "auto", "cut.txt", expect=4)
        self.assert_says(result, "cut.txt:")
        self.assertEqual(self.runs(), [])

    def test_one_bad_file_stores_nothing(self):
        self.write("good.txt", OUTPUT % 1.5)
        self.write("bad.txt", "Time: 1.5x0\n")
        result = self.run_kregress("import", "hackbench", "good.txt", "bad.txt", expect=4)
        self.assert_says(result, "bad.txt:1:", "cannot be read")
        self.assertEqual(self.runs(), [])

    def test_variant_of_a_table(self):
        self.write("table.txt", "benchmark [us] a b\nfork 1 2\n")
        self.run_kregress("import", "auto", "--variant", "x", "table.txt", expect=2)

    def test_bad_variant(self):
        self.write("good.txt", OUTPUT % 1.5)
        self.run_kregress("import", "auto", "--variant", "a@b", "good.txt", expect=2)

    def test_help_names_every_format(self):
        self.write("none.txt", "no format\n")
        hint = self.run_kregress("import", "no-such-format", "none.txt", expect=2).err
        text = self.run_kregress("import", "--help").out
        names = hint.split("formats: auto, ")[1].split("\n")[0].split(", ")
        self.assertGreater(len(names), 30)
        for name in names:
            self.assertIn(name, text)


rig.main()
