# SPDX-License-Identifier: GPL-3.0-or-later
"""Report formats, what dashboards make of them, and the text on a terminal."""
import json
import os
import pty
import re
import struct
import subprocess
import fcntl
import termios

import rig


class Reports(rig.Case):
    def setUp(self):
        super().setUp()
        self.run_kregress("import", "table", rig.FIXTURES / "tables" / "2013-voluntary-preempt.txt")

    def formats(self):
        error = self.run_kregress("report", "nonsense", expect=2).err
        return re.search(r"known formats: (.*)", error).group(1).split()

    def test_every_format_is_written(self):
        formats = self.formats()
        self.assertLessEqual({"text", "junit", "json", "markdown", "mail", "kcidb", "squad-metrics",
                              "github-smaller", "bencher", "benchfmt", "prometheus"}, set(formats))
        for format in formats:
            out = self.run_kregress("report", format, "voluntary", "preempt", expect=1).out
            self.assertGreater(len(out), 50, format)

    def test_several_at_once(self):
        self.run_kregress("compare", "voluntary", "preempt", "--write",
                          "kcidb=k.json,prometheus=p.prom,mail=m.txt", "--junit", "j.xml",
                          "--junit-flavour", "ant", expect=1)
        self.assertEqual(json.loads((self.dir / "k.json").read_text())["version"]["major"], 5)
        self.assertNotIn("<testsuites ", (self.dir / "j.xml").read_text())
        self.assertTrue((self.dir / "p.prom").read_text().startswith("# HELP "))
        self.assertTrue((self.dir / "m.txt").read_text().startswith("Subject: [REGRESSION] "))

    def test_left_out_findings_are_said(self):
        result = self.run_kregress("report", "github-bigger", "voluntary", "preempt", expect=1)
        self.assert_says(result, "github-bigger: 2 findings that the format has no place for")

    def test_wrong_options(self):
        for words, says in ((["--junit-flavour", "maven"], "maven"), (["--inconclusive", "red"], "red"),
                            (["--improvement", "x"], "x"), (["--attach", "a[0].svg"], "a[0].svg"),
                            (["--origin", "My CI"], "My CI"), (["--build-id", "abc"], "abc"),
                            (["--culprit", "HEAD"], "HEAD"), (["--culprit-probability", "120%"], "120%"),
                            (["--write", "kcidb"], "FORMAT=FILE"), (["--write", "pdf=x"], "pdf")):
            result = self.run_kregress("compare", "voluntary", "preempt", *words, expect=2)
            self.assert_says(result, says)

    def test_inconclusive_can_fail_the_case_but_not_the_job(self):
        self.run_kregress("import", "table", self.write("t", "noisy [s]\n a 1 9 5\n b 2 9 6\n"))
        self.run_kregress("report", "junit", "a", "b", "--inconclusive", "fail", "-o", "j.xml")
        self.assertIn('type="performance-inconclusive"', (self.dir / "j.xml").read_text())


class Check(rig.Case):
    def junit(self, *words):
        self.run_kregress("import", "table", rig.FIXTURES / "tables" / "2013-voluntary-preempt.txt")
        self.run_kregress("report", "junit", "voluntary", "preempt", *words, "-o", "j.xml", expect=1)

    def test_own_file_suits_all(self):
        self.junit()
        out = self.run_kregress("report", "check", "j.xml").out
        for consumer in ("jenkins", "gitlab", "dorny", "azure", "allure", "circleci", "xunit-viewer"):
            self.assertIn(f"  {consumer} (", out)
        self.assertIn("shows 4 of 4 cases: 2 failed", out)
        self.assertNotIn("error:", out)

    def test_rich_is_refused_by_the_strict_one_only(self):
        self.junit("--junit-flavour", "rich")
        self.run_kregress("report", "check", "j.xml", "--consumer", "gitlab")
        result = self.run_kregress("report", "check", "j.xml", "--consumer", "jenkins", expect=4)
        self.assertIn("error: 4 cases with properties", result.out)

    def test_json(self):
        self.write("j.xml", "<testsuite name='s'><testsuite name='t'><testcase name='n'>"
                            "<failure/></testcase></testsuite></testsuite>")
        found = self.run_kregress("report", "check", "j.xml", "--json", expect=4).json()
        self.assertEqual((found[0]["format"], found[0]["level"]), ("junit", "error"))
        self.assertIn("dorny", {r["consumer"] for r in found[0]["remarks"] if r["level"] == "error"})

    def test_what_cannot_be_checked(self):
        self.write("x", "hello\n")
        self.assert_says(self.run_kregress("report", "check", "x", expect=4), "x", "hint:")
        self.assert_says(self.run_kregress("report", "check", "gone", expect=4), "gone")
        self.assert_says(self.run_kregress("report", "check", "x", "--consumer", "y", expect=2), "gitlab")
        self.assert_says(self.run_kregress("report", "check", expect=2), "too few")


class Terminal(rig.Case):
    def show(self, columns, **env):
        """The comparison as it comes out on a terminal of that width."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        clean = {k: v for k, v in self.env.items() if k not in ("NO_COLOR", "COLUMNS")}
        process = subprocess.Popen([rig.KREGRESS, "compare", "voluntary", "preempt"], cwd=self.dir,
                                   env=dict(clean, TERM="xterm", **env), stdin=subprocess.DEVNULL,
                                   stdout=slave, stderr=subprocess.DEVNULL)
        os.close(slave)
        out = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:
                break
            if not part:
                break
            out += part
        os.close(master)
        self.assertEqual(process.wait(60), 1)
        return out.decode().replace("\r\n", "\n")

    def setUp(self):
        super().setUp()
        self.run_kregress("import", "table", rig.FIXTURES / "tables" / "2013-voluntary-preempt.txt")

    def widest(self, text):
        return max(len(re.sub("\033\\[[0-9;]*m", "", line)) for line in text.splitlines())

    def test_width_and_colour(self):
        for columns in (80, 100, 160):
            text = self.show(columns)
            self.assertLessEqual(self.widest(text), columns)
            self.assertIn("\033[1;31mregressed\033[0m", text)
        self.assertLessEqual(self.widest(self.show(160, COLUMNS="80")), 80)
        self.assertNotIn("\033", self.show(80, NO_COLOR="1"))

    def test_a_pipe_gets_all_and_plain(self):
        text = self.run_kregress("compare", "voluntary", "preempt", expect=1).out
        self.assertNotIn("\033", text)
        self.assertIn("ratio", text)
        self.assertIn("1027.96 1028.76 1044.60", text)


rig.main()
