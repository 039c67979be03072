# SPDX-License-Identifier: GPL-3.0-or-later
"""`kregress history`, `findings`, and bisections that begin with a finding."""
import json
import os
import signal
import time
import unittest
import xml.etree.ElementTree as xml

import history_case
import rig
import timed_program

CHANGE_KEYS = ["after", "before", "high", "index", "low", "p"]


class Column(history_case.HistoryCase):
    """--csv: a column of numbers."""

    def changes(self, text, *words):
        self.write("column.csv", text)
        document = self.history("--csv", "column.csv", "--json", *words).json()
        self.assertEqual(list(document), ["series"])
        [series] = document["series"]
        self.assertEqual(list(series), ["change_points"])
        return series["change_points"]

    def values(self, count, at, by=10.0):
        return [self.noise(100 + (by if i >= at else 0)) for i in range(count)]

    def test_a_step(self):
        [found] = self.changes("".join(f"{v}\n" for v in self.values(60, 30)))
        self.assertEqual(sorted(found), CHANGE_KEYS)
        self.assertEqual(found["index"], 30)
        self.assertLessEqual(found["low"], 30)
        self.assertGreaterEqual(found["high"], 30)
        self.assertAlmostEqual(found["before"], 100, delta=1)
        self.assertAlmostEqual(found["after"], 110, delta=1)
        self.assertTrue(0 < found["p"] < 1e-4)

    def test_heading_blanks_and_line_ends(self):
        values = self.values(60, 30)
        plain = self.changes("".join(f"{v}\n" for v in values))
        self.assertEqual(self.changes("time ns\r\n" + "".join(f" {v}\r\n" for v in values) + "\n\n"), plain)
        self.assertEqual(self.changes("\n".join(str(v) for v in values)), plain)

    def test_steady_and_short(self):
        self.assertEqual(self.changes("".join(f"{self.noise(100)}\n" for _ in range(100))), [])
        self.assertEqual(self.changes("1\n2\n"), [])
        self.assertEqual(self.changes("5\n" * 40), [])

    def test_exact_values(self):
        [found] = self.changes("1000\n" * 12 + "1001\n" * 12)
        self.assertEqual((found["index"], found["before"], found["after"]), (12, 1000, 1001))

    def test_a_change_of_spread_says_so(self):
        values = [self.noise(100, 1 if i < 200 else 4) for i in range(400)]
        found = self.changes("".join(f"{v}\n" for v in values))
        spread = [change for change in found if change.get("kind") == "spread"]
        self.assertEqual(len(spread), 1, found)
        self.assertAlmostEqual(spread[0]["index"], 200, delta=15)
        self.assertAlmostEqual(spread[0]["after"] / spread[0]["before"], 4, delta=1)

    def test_standard_input_and_other_formats(self):
        self.write("c", "".join(f"{v}\n" for v in self.values(60, 30)))
        with open(self.dir / "c", encoding="utf-8") as file:
            process = rig.subprocess.Popen([rig.KREGRESS, "history", "--csv", "-"], stdin=file,
                                           cwd=self.dir, env=self.env, text=True,
                                           stdout=rig.subprocess.PIPE, stderr=rig.subprocess.PIPE)
            result = self.finish(process)
        self.assertEqual(result.code, 0, result)
        self.assertIn("standard input", result.out)
        self.history("--csv", "c", "--html", "c.html", "--junit", "c.xml", "--write", "markdown=c.md")
        self.assertIn("<svg", (self.dir / "c.html").read_text())
        self.assertEqual(xml.parse(self.dir / "c.xml").getroot().findall(".//failure"), [])
        self.assertFalse((self.dir / ".kregress").exists())

    def refused(self, text, *parts, code=4):
        self.write("bad.csv", text)
        result = self.history("--csv", "bad.csv", "--json", expect=code)
        self.assert_says(result, *parts)
        self.assertEqual(result.out, "")

    def test_refusals(self):
        self.refused("", "bad.csv", "no numbers")
        self.refused("time\n", "bad.csv", "no numbers")
        self.refused("1\n2\nx\n", "bad.csv:3", "'x'", "one number a line")
        self.refused("1,2\n3,4\n", "bad.csv:1", "'1,2'")
        self.refused("nan\n1\n", "bad.csv:1", "nan")
        self.refused("1\n\n2\n", "bad.csv:2", "blank line")
        self.refused("1\n" * 8 + "1e200\n", "bad.csv", "1e150")
        self.refused(b"1\n\xff\n", "bad.csv", "UTF-8")
        self.assert_says(self.history("--csv", "none.csv", expect=4), "none.csv")


class Arguments(history_case.HistoryCase):
    def refused(self, *words, says, command="history"):
        self.assert_says(self.run_kregress(command, *words, expect=2), *says)

    def test_history(self):
        self.refused(says=["the store holds no finished run sets", "kregress import"])
        self.step(12, 6)
        self.refused("a", "b", says=["too many arguments", "[SERIES]"])
        self.refused("nothing.*", says=["no series fits nothing.*", "nightly on 'lab x4'"])
        self.refused("--variant", "moon", says=["no series fits --variant moon", "list runs"])
        self.refused("--metric", "insn", says=["--metric insn"])
        self.refused("--order", "size", says=["--order", "'size'", "commits"])
        self.refused("--order", "commits", says=["kernel.commit", "12 of 12 run sets"])
        self.refused("--since", "v9", says=["--since", "v9", "2026-11-30"])
        self.refused("--since", "HEAD", "--order", "time", says=["'HEAD' is a revision"])
        self.refused("--repository", "/nowhere", says=["/nowhere"])
        self.refused("--alpha", "0", says=["--alpha", "'0'"])
        self.refused("--alpha", "x", says=["--alpha", "'x'"])
        self.refused("--method", "pelt", says=["--method", "'pelt'", "rank"])
        self.refused("--min-segment", "1", says=["--min-segment"])
        self.refused("--write", "pdf=x", says=["'pdf'", "text json junit html markdown"])
        self.refused("--write", "json", says=["FORMAT=FILE"])
        self.refused("--junit-flavour", "x", says=["jenkins, rich, ant"])
        self.refused("--better", "lower", says=["--csv"])
        self.refused("--csv", "x", "lock.*", says=["SERIES does not go with --csv"])
        self.refused("--csv", "x", "--since", "v1", says=["--since does not go with --csv"])
        self.assertEqual(self.findings(), [])

    def test_findings(self):
        for words, says in (((), ["a command is missing", "list show ack known fixed reopen"]),
                            (("frob",), ["'frob'", "list show"]),
                            (("show",), ["too few arguments", "ID"]),
                            (("ack",), ["too few arguments"]),
                            (("ack", "1", "2"), ["too many arguments"]),
                            (("ack", ""), ["id of a finding is empty"]),
                            (("show", "beef"), ["no finding begins with 'beef'", "findings list"]),
                            (("list", "--state", "odd"), ["'odd'", "acknowledged"]),
                            (("list", "x"), ["too many arguments"])):
            self.refused(*words, says=says, command="findings")


class Stored(history_case.StoredCase):
    """Findings over nights; runs on PostgreSQL as well."""

    def act(self, *words, expect=0):
        return self.run_kregress("findings", *words, *self.store, expect=expect)

    def test_life(self):
        self.step(40, 20)
        result = self.history("--json", "h.json", "--junit", "h.xml", "--html", "h.html", expect=1)
        [found] = self.findings()
        self.assertEqual((found["state"], found["direction"], found["benchmark"], found["kind"]),
                         ("new", "regression", "mm.fork", "level"))
        self.assertAlmostEqual(found["before"], 100, delta=1)
        self.assertAlmostEqual(found["after"], 110, delta=1)
        self.assertTrue(1.08 < found["ratio"]["low"] < 1.1 < found["ratio"]["high"] < 1.12)
        self.assertIn(found["finding"], (self.dir / "h.json").read_text())
        self.assertIn(found["finding"], (self.dir / "h.xml").read_text())
        self.assertIn(found["finding"], (self.dir / "h.html").read_text())
        self.assertIn("mm.fork", result.out)
        self.assertEqual(len(xml.parse(self.dir / "h.xml").getroot().findall(".//failure")), 1)
        self.act("ack", found["finding"][:6], "--note", "a patch is under way")
        self.history("--junit", "h.xml")
        self.assertEqual(xml.parse(self.dir / "h.xml").getroot().findall(".//failure"), [])
        self.act("ack", found["finding"], "--note", "merged")
        [found] = self.findings()
        self.assertEqual((found["state"], found["note"]),
                         ("acknowledged", "a patch is under way\nmerged"))
        self.act("reopen", found["finding"])
        self.history(expect=1)
        self.act("known", found["finding"])
        self.history()
        self.act("fixed", found["finding"])
        self.history()
        shown = self.act("show", found["finding"]).out
        self.assertIn("regression of the level of mm.fork time", shown)
        self.assertIn("fixed since", shown)
        self.assertIn("merged", shown)

    def test_the_same_night_twice_changes_nothing(self):
        self.step(40, 20)
        self.history(expect=1)
        before = self.findings()
        for _ in range(12):
            self.history(expect=1)
        self.assertEqual(self.findings(), before)

    def test_dry_run_remembers_nothing(self):
        self.step(40, 20)
        self.assertIn("mm.fork", self.history("--dry-run", expect=1).out)
        self.assertEqual(self.findings(), [])

    def test_a_fix_and_its_rejection(self):
        self.load([self.night(i, {"mm.fork": 110 if 20 <= i < 40 else 100}) for i in range(60)])
        self.history()
        states = {f["direction"]: f for f in self.findings()}
        self.assertEqual(states["regression"]["state"], "fixed")
        self.assertEqual(states["regression"]["fixed_by"], states["improvement"]["finding"])
        self.act("reopen", states["regression"]["finding"])
        self.history(expect=1)
        states = {f["direction"]: f for f in self.findings()}
        self.assertEqual(states["regression"]["state"], "reopened")

    def test_one_change_of_many_series_is_one_finding(self):
        names = [f"mm.b{i}" for i in range(6)]
        self.step(40, 20, series=names, steady=["lock.spin", "lock.rw"])
        self.history(expect=1)
        found = self.findings()
        self.assertEqual(len(found), 6)
        self.assertEqual(len({f["group"] for f in found}), 1)
        lines = self.act("list").out.splitlines()
        self.assertEqual(len(lines), 2, lines)
        self.assertIn("and 5 more", lines[1])
        self.assertIn(found[0]["group"], lines[1])
        self.act("ack", found[3]["finding"])
        self.history(expect=1)
        self.act("ack", found[0]["group"])
        self.history()
        self.assertEqual({f["state"] for f in self.findings()}, {"acknowledged"})

    def test_changes_apart_are_not_grouped(self):
        self.load([self.night(i, {"mm.a": 110 if i >= 15 else 100, "mm.b": 110 if i >= 30 else 100,
                                  "mm.c": 90 if i >= 15 else 100}) for i in range(45)])
        self.history(expect=1)
        self.assertEqual(len({f["group"] for f in self.findings()}), 3)

    def test_variants_and_machines_are_apart(self):
        self.step(40, 20)
        self.load([self.night(i, {"mm.fork": 100}, variant="other") for i in range(40)])
        self.load([self.night(i, {"mm.fork": 110 if i >= 10 else 100}, machine="desk x2")
                   for i in range(40)])
        self.history("--variant", "other")
        self.history("--machine", "lab*", expect=1)
        self.assertEqual([f["machine"] for f in self.findings()], ["lab x4"])
        self.history("mm.fork", expect=1)
        self.assertEqual(sorted((f["variant"], f["machine"]) for f in self.findings()),
                         [("nightly", "desk x2"), ("nightly", "lab x4")])

    def test_the_machine_is_named_as_the_cause(self):
        def environment(i):
            return {"kernel.release": f"6.1.{i}", "system.load": f"0.{i}", "machine.id": f"{i}",
                    "cpu.microcode": "0xa1" if i < 20 else "0xb2", "cpu.model": "EPYC"}
        self.load([self.night(i, {"mm.fork": 110 if i >= 20 else 100}, environment(i))
                   for i in range(40)])
        self.assertIn("cpu.microcode", self.history(expect=1).out)
        [found] = self.findings()
        self.assertEqual(found["cause"], "cpu.microcode: 0xa1 -> 0xb2")

    def test_the_empty_loop_is_background(self):
        self.step(40, 20, series=["loop.empty"])
        self.history()
        self.assertEqual(self.findings(), [])
        self.history("loop.empty", expect=1)

    def test_many_steady_series_give_no_finding(self):
        names = {f"mm.b{i}": 100 for i in range(60)}
        self.load([self.night(i, names) for i in range(40)])
        self.history()
        self.assertEqual(self.findings(), [])

    def test_killed_in_between(self):
        killed = 0
        self.step(40, 20, series=[f"mm.b{i}" for i in range(30)])
        for delay_ms in range(0, 120, 8):
            process = self.start("history", *self.store)
            time.sleep(delay_ms / 1000)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            killed += process.returncode == -signal.SIGKILL
            self.assertIn(len(self.findings()), (0, 30))
        self.assertTrue(killed)
        self.history(expect=1)
        once = self.findings()
        self.history(expect=1)
        self.assertEqual(self.findings(), once)
        self.assertEqual(len(once), 30)


class Order(history_case.HistoryCase):
    """By the commits of a repository, or by time."""

    def setUp(self):
        super().setUp()
        self.commits = self.linear(30)[1:]

    def shuffled(self, step_at):
        """Run sets made in another order than their commits."""
        order = list(range(30))
        self.random.shuffle(order)
        self.load([self.night(when, {"mm.fork": 110 if i >= step_at else 100},
                              {"kernel.commit": self.commits[i]}) for when, i in enumerate(order)])

    def test_by_commits(self):
        self.shuffled(17)
        document = self.history("--json", expect=1).json()
        [found] = self.findings()
        position = self.commits.index
        self.assertLessEqual(position(found["good_commit"]), 16)
        self.assertGreaterEqual(position(found["bad_commit"]), 17)
        self.assertLessEqual(position(found["bad_commit"]) - position(found["good_commit"]), 4)
        self.assertIn("ordered by the commits of", json.dumps(document))
        self.history("--since", self.commits[20], expect=0)
        self.history("--since", "HEAD~25", expect=1)

    def test_since_holds_the_revision_itself(self):
        self.shuffled(17)
        [series] = self.history("--since", self.commits[20], "--json", "--dry-run").json()["series"]
        self.assertEqual([p["commit"] for p in series["points"]], self.commits[20:])

    def test_order_changes_and_the_finding_stays(self):
        self.load([self.night(i, {"mm.fork": 110 if i >= 17 else 100}, {"kernel.commit": self.commits[i]})
                   for i in range(30)])
        self.history("--order", "time", expect=1)
        by_time = self.findings()
        self.assertEqual(len(by_time), 1)
        self.history("--order", "commits", expect=1)
        self.assertEqual(self.findings(), by_time)
        self.assertIn("by time, as asked for", self.history("--order", "time", expect=1).out)

    def test_reordering_does_not_double_a_finding(self):
        self.shuffled(17)
        self.history("--order", "commits", expect=1)
        before = self.findings()
        self.history("--order", "time", expect=None)
        self.history("--order", "commits", expect=1)
        self.assertEqual([f["finding"] for f in self.findings()], [f["finding"] for f in before])

    def test_two_branches(self):
        self.git("checkout", "-q", "-b", "side", self.commits[9])
        side = [self.commit(f"S{i}", side=f"{i}\n") for i in range(10)]
        chosen = self.commits[:20] + side
        self.load([self.night(i, {"mm.fork": 100}, {"kernel.commit": commit})
                   for i, commit in enumerate(reversed(chosen))])
        [series] = self.history("--json").json()["series"]
        got = [p["commit"] for p in series["points"]]
        self.assertEqual(sorted(got), sorted(chosen))
        for line in (self.commits[:20], self.commits[:10] + side):
            self.assertEqual([c for c in got if c in line], line)

    def test_time_where_a_commit_is_not_known(self):
        self.load([self.night(i, {"mm.fork": 100}, {"kernel.commit": self.commits[i] if i else "f" * 40})
                   for i in range(20)])
        self.assertIn("does not know commit ffffffff", self.history().out)
        self.assert_says(self.history("--order", "commits", expect=2), "ffffffff", "--order time")

    def test_commits_are_recorded(self):
        timed_program.install(self.root / "bin", "1.2")
        self.env["PATH"] = f"{self.root}/bin:{self.env['PATH']}"
        self.write("kregress.conf", f'[variant "mine"]\n target = local\n commit = {self.commits[3]}\n')
        self.run_kregress("run", "mine", "--bench", timed_program.BENCH, "--boots", "1")
        self.write("table", "lat [ns]\n mine 100 101 102\n")
        self.run_kregress("import", "--commit", self.commits[4], "table", "table")
        for series in self.history("--json").json()["series"]:
            self.assertEqual(series["order"], "commits")
            known = self.commits[4 if series["benchmark"] == "lat" else 3]
            self.assertEqual([p["commit"] for p in series["points"]], [known])

    def test_since_a_time(self):
        self.step(40, 20)
        [one, two] = self.history("--since", "2026-01-26", "--json").json()["series"]
        self.assertEqual((len(one["points"]), len(two["points"])), (15, 15))


class Bisect(history_case.HistoryCase):
    def setUp(self):
        super().setUp()
        self.commits = self.linear(30, culprit=18)[1:]

    def nights(self, every, environment=None):
        self.load([self.night(i, {"mm.fork": 110 if i >= 17 else 100},
                              {"kernel.commit": self.commits[i], **(environment or {})})
                   for i in range(0, 30, every)])
        self.history(expect=1)
        [found] = self.findings()
        return found

    def test_a_finding_begins_a_bisection(self):
        found = self.nights(2)
        result = self.bisect("start", "--finding", found["finding"][:8])
        self.assert_says(result, found["finding"], "mm.fork time", found["good_commit"][:12],
                         found["bad_commit"][:12])
        state = self.status()
        self.assertEqual(state["benchmark"], "mm.fork")
        self.write("measure", "#!/bin/sh\nif [ -e slow ]; then echo 11$(($$ % 3)); else "
                   "echo 10$(($$ % 3)); fi\n")
        os.chmod(self.dir / "measure", 0o755)
        result = self.bisect("run", "--value", "--", f"{self.dir}/measure")
        self.assertEqual(self.first_bad(result.out), self.commits[17])

    def test_refusals(self):
        found = self.nights(1)
        start = ("start", "--finding", found["finding"])
        self.assert_says(self.bisect(*start, "HEAD", expect=2), "good and bad already", "HEAD")
        self.assert_says(self.bisect("start", "--finding", "beef", expect=2), "'beef'", "findings list")
        self.assertEqual(self.journal(), None)

    def test_no_commits(self):
        self.step(40, 20)
        self.history(expect=1)
        [found] = self.findings()
        self.assert_says(self.bisect("start", "--finding", found["finding"], expect=2),
                         "does not say which commit", "bisect start BAD GOOD")

    def test_one_commit_on_both_sides(self):
        self.load([self.night(i, {"mm.fork": 110 if i >= 20 else 100},
                              {"kernel.commit": self.commits[0], "cpu.microcode": str(i // 20)})
                   for i in range(40)])
        self.history(expect=1)
        [found] = self.findings()
        self.assert_says(self.bisect("start", "--finding", found["finding"], expect=2),
                         "both sides ran commit", "cpu.microcode: 0 -> 1")


if __name__ == "__main__":
    if history_case.POSTGRES:
        program = unittest.main(exit=False, verbosity=2, defaultTest="Stored")
        rig.sys.exit(0 if program.result.wasSuccessful() and program.result.testsRun else 1)
    rig.main()
