# SPDX-License-Identifier: GPL-3.0-or-later
"""Bisection by values: noise, direction, formats, proof, revert, past results, reports, kills."""
import json
import os
import random
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree

import rig
from bisect_case import BisectCase

# Prints level + noise of standard deviation 1, both times 256; "slow" adds $SLOW to the level of 100.
# The noise is the sum of twelve random bytes: mean 1530, standard deviation 256.
NOISY = r'''
level=100; test -f slow && level=$((100 + ${SLOW:-4}))
noise=-1530
for byte in $(od -An -N12 -tu1 /dev/urandom); do noise=$((noise + byte)); done
echo $((256 * level + noise))
'''


class ValueCase(BisectCase):
    def begin(self, count=16, culprit=10):
        ids = [None]
        for i in range(1, count + 1):
            files = {f"file{i}": "x\n"}
            if i == culprit:
                files["slow"] = "slow\n"
            ids.append(self.commit(f"H{i}", **files))
        self.bisect("start", ids[count], ids[1])
        return ids

    def script(self, text=NOISY):
        path = self.root / "measure"
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return str(path)


class Values(ValueCase):
    def test_found_with_proof_and_revert(self):
        ids = self.begin()
        before = self.fingerprint()
        result = self.bisect("run", "--value", "--", self.script())
        self.assertEqual(self.first_bad(result.out), ids[10])
        status = self.status()
        self.assertEqual(status["state"], "found")
        self.assertEqual(status["evidence"], "values")
        self.assertTrue(status["proof"]["confirmed"], status["proof"])
        self.assertEqual(status["proof"]["n"], 6)
        self.assertTrue(status["revert"]["confirmed"], status["revert"])
        self.assertEqual(status["revert"]["verdict"], "improved")
        # 4% within a wide margin: one interval in twenty does not hold it.
        self.assertGreater(status["effect"]["ratio_interval"]["low"], 1.02)
        self.assertLess(status["effect"]["ratio_interval"]["high"], 1.06)
        self.assertGreaterEqual(status["probability_set"], 0.99)
        self.assertEqual(self.fingerprint(), before)

    def test_revert_that_does_not_apply(self):
        ids = self.linear(12, culprit=7)
        self.bisect("start", ids[12], ids[1])
        self.bisect("run", "--value", "--", self.script())
        status = self.status()
        self.assertEqual(status["first_bad"], ids[7])
        self.assertTrue(status["proof"]["confirmed"])
        self.assertFalse(status["revert"]["done"])
        self.assertIn("does not apply", status["revert"]["reason"])
        self.assertIn("\nrevert on the tip: not tried: it does not apply cleanly to the bad commit\n",
                      self.bisect("status").out)

    def test_higher_is_better(self):
        ids = self.begin()
        self.env["SLOW"] = "-5"
        result = self.bisect("run", "--value", "--better", "higher", "--", self.script())
        self.assertEqual(self.first_bad(result.out), ids[10])
        self.assertLess(self.status()["effect"]["ratio"], 1)

    def test_not_reproduced(self):
        self.begin()
        self.env["SLOW"] = "0"
        self.bisect("start", "--prior-nothing", "0.9", "HEAD", "HEAD~15")
        result = self.bisect("run", "--value", "--", self.script(), expect=5)
        self.assertIn("does not reproduce", result.out)

    def test_exact_values(self):
        ids = self.begin()
        self.bisect("start", "--metric", "insn", "--bench", "x.y", ids[16], ids[1])
        text = "if test -f slow; then echo 1015; else echo 1000; fi\n"
        result = self.bisect("run", "--value", "--", self.script(text))
        self.assertEqual(self.first_bad(result.out), ids[10])
        status = self.status()
        self.assertLessEqual(len(set(status["path"])), 8 + 1)
        self.assertEqual(status["proof"]["n"], 1)
        self.assertTrue(status["proof"]["confirmed"] and status["revert"]["confirmed"])

    def test_identical_trees_cost_nothing(self):
        good = self.commit("good")
        slow = self.commit("slow", slow="x")
        empty = [self.commit(f"empty {i}") for i in range(6)]
        for commit in empty:
            self.git("commit", "-q", "--allow-empty", "-m", "nothing")
        tip = self.git("rev-parse", "HEAD")
        self.bisect("start", tip, good)
        self.bisect("run", "--value", "--", self.script())
        status = self.status()
        self.assertEqual(status["first_bad"], slow)

    def test_import(self):
        ids = self.begin()
        text = ("l=100; test -f slow && l=105\n"
                "printf 'hackbench [ms]\\nhere %s %s %s\\n' $l.1 $l.3 $l.$(od -An -N1 -tu1 "
                "/dev/urandom | tr -d ' ')\n")
        result = self.bisect("run", "--import", "table", "--better", "lower", "--",
                             self.script(text))
        self.assertEqual(self.first_bad(result.out), ids[10])
        self.assertGreater(self.status()["effect"]["difference"], 4)

    def test_import_of_two_series_needs_a_choice(self):
        self.begin()
        text = "printf 'one [ms]\\nhere 1 2 3\\n\\ntwo [ms]\\nhere 4 5 6\\n'\n"
        result = self.bisect("run", "--import", "table", "--", self.script(text), expect=4)
        self.assert_says(result, "more than one", "one time", "two time")

    def test_what_is_no_value(self):
        self.begin()
        for text, message in (("echo hello", "no number"), ("echo nan", "no number"),
                              ("echo 1; echo 2 3", "several numbers"), (":", "no number")):
            result = self.bisect("run", "--value", "--", self.script(text + "\n"), expect=4)
            self.assert_says(result, message)
        self.assertEqual(self.status()["measurements"], 0)

    def test_end_that_cannot_be_measured(self):
        self.begin()
        result = self.bisect("run", "--value", "--", self.script("exit 1\n"), expect=4)
        self.assert_says(result, "cannot be measured", "start again")

    def test_kinds_of_evidence_do_not_mix(self):
        ids = self.begin()
        self.bisect("run", "--budget", "1ms", "--value", "--", self.script(), expect=3)
        self.assert_says(self.bisect("run", "--", "true", expect=2), "values")
        self.bisect("start", ids[16], ids[1])
        self.bisect("run", "--", "sh", "-c", "test ! -f slow")
        self.assert_says(self.bisect("run", "--value", "--", self.script(), expect=2),
                         "pass and fail")

    def test_values_by_hand(self):
        ids = self.begin(4, 3)
        for commit, level in ((ids[1], 100), (ids[4], 120), (ids[2], 100), (ids[3], 120)):
            values = [f"{level + k / 10:.1f}" for k in range(6)]
            self.bisect("value", commit, *values)
        self.assertEqual(self.status()["first_bad"], ids[3])
        self.bisect("value", ids[1], "12x", expect=2)

    def test_past_results_are_evidence(self):
        ids = self.begin()
        lines = ["# table"]
        for number, level in ((1, 100), (9, 100), (10, 110), (16, 110)):
            values = " ".join(f"{level + k / 10:.1f}" for k in range(8))
            lines.append(f"{ids[number]} {values}")
        text = "hackbench [ms]\n" + "\n".join(lines[1:]) + "\n"
        self.run_kregress("import", "table", self.write("../t.txt", text), "--machine",
                          json.loads(self.machine()))
        metric, bench = self.series()
        self.bisect("start", "--bench", bench, "--metric", metric, "--better", "lower", ids[16],
                    ids[1])
        result = self.bisect("run", "--value", "--proof", "0", "--", "false")
        self.assertEqual(self.first_bad(result.out), ids[10])
        self.assert_says(result, "32 past results")
        again = self.bisect("run", "--value", "--proof", "0", "--", "false")
        self.assertNotIn("past results", again.err)
        self.assertEqual(self.status()["measurements"], 32)

    def test_past_results_of_another_machine_are_none(self):
        ids = self.begin()
        lines = "".join(f"{ids[n]} {level}.1 {level}.2 {level}.3 {level}.4\n"
                        for n, level in ((1, 100), (9, 100), (10, 110), (16, 110)))
        self.run_kregress("import", "table", self.write("../t.txt", "hackbench [ms]\n" + lines),
                          "--machine", "another one")
        metric, bench = self.series()
        self.bisect("start", "--bench", bench, "--metric", metric, "--better", "lower", ids[16],
                    ids[1])
        result = self.bisect("run", "--value", "--proof", "0", "--", "false", expect=4)
        self.assertNotIn("past results", result.err)
        self.assertEqual(self.status()["measurements"], 0)

    def machine(self):
        """The machine class of this host, from a run of its own."""
        self.run_kregress("run", "local", "--bench", "syscall.null", "--repetitions", "1",
                          "--sample-time", "10us", "--boots", "1", "--store", "../own.db")
        for line in self.run_kregress("export", "--store", "../own.db").out.splitlines():
            if "machine" in json.loads(line):
                return json.dumps(json.loads(line)["machine"])
        self.fail("no machine class")

    def series(self):
        for line in self.run_kregress("export", self.runs()[0]["run set"].split("@")[0]
                                      ).out.splitlines():
            found = json.loads(line)
            if found.get("type") == "series":
                return found["metric"], found["benchmark"]
        self.fail("no series")

    def test_merge_base_by_values(self):
        base = self.linear(2)[2]
        self.git("checkout", "-q", "-b", "side")
        side = self.commit("side", side="x")
        self.git("checkout", "-q", "main")
        inner = self.commit("inner", inner="x")
        bad = self.commit("tip", slow="x")
        self.env["SLOW"] = "20"
        self.bisect("start", bad, side)
        result = self.bisect("run", "--value", "--", self.script())
        self.assertEqual(self.first_bad(result.out), bad)
        self.assertIn(base, self.status()["path"])
        # A side that is fast where the base is slow: fixed there.
        text = "test -f side && echo 100.$RANDOM || echo 120.$(date +%N)\n"
        self.bisect("start", bad, side)
        result = self.bisect("run", "--value", "--", self.script(text), expect=3)
        self.assertIn("fix lies between", result.out)
        self.assertIn(inner[:8] and "merge base", result.out)

    def test_flaky_command(self):
        ids = self.linear(16, culprit=10)
        self.bisect("start", "--flaky", ids[16], ids[1])
        text = ("test -f slow || exit 0\n"
                "test $(od -An -N1 -tu1 /dev/urandom) -gt 128\n")
        result = self.bisect("run", "--", self.script(text))
        self.assertEqual(self.first_bad(result.out), ids[10])
        self.assertGreater(self.status()["measurements"], 8)

    def two_changes(self, second):
        """A history whose 8th and 17th commits change the level by 8 and by `second`."""
        ids = [None]
        for i in range(1, 25):
            names = {8: "first", 17: "second"}
            ids.append(self.commit(f"H{i}", **{names.get(i, f"file{i}"): "x\n"}))
        text = NOISY.replace("level=100; test -f slow && level=$((100 + ${SLOW:-4}))", """
level=100
test -f first && level=$((level + 8))
test -f second && level=$((level + %d))""" % second)
        self.bisect("start", "--steps", "2", ids[24], ids[1])
        return ids, self.bisect("run", "--value", "--junit", "j.xml", "--html", "b.html", "--",
                                self.script(text))

    def assert_both_are_told(self, ids, label):
        status = self.status()
        self.assertEqual((status["first_bad"], status["second"]), (ids[8], ids[17]))
        for proof in ("proof", "revert", "second_proof", "second_revert"):
            self.assertTrue(status[proof]["confirmed"], proof)
            self.assertEqual(status[proof]["n"], 6, proof)
        root = ElementTree.parse(self.dir / "j.xml").getroot()
        page = (self.dir / "b.html").read_text()
        junit = root.find(".//failure[@type='regression']").text
        for text in (self.bisect("status").out, junit, page):
            self.assertEqual(text.count("proof: confirmed"), 2, text)
            self.assertEqual(text.count("revert on the tip: "), 2, text)
            self.assertIn(f"{label}: {ids[17]}", text)
        self.assertIn(ids[17][:12], self.bisect("visualize").out)
        return status

    def test_two_changes(self):
        ids, result = self.two_changes(8)
        self.assertIn("a second change came with", result.out)
        status = self.assert_both_are_told(ids, "second change")
        self.assertFalse(status["second_is_fix"])
        self.assertGreater(status["second_effect"]["ratio"], 1.03)
        states = {c["commit"]: c["state"] for c in status["commits"]}
        self.assertEqual((states[ids[7]], states[ids[8]]), ("fast", "slow"))

    def test_a_fix_in_between(self):
        ids, result = self.two_changes(-8)
        self.assertIn("a fix came with", result.out)
        status = self.assert_both_are_told(ids, "fix")
        self.assertTrue(status["second_is_fix"])
        self.assertLess(status["second_effect"]["ratio"], 0.97)
        self.assertEqual(status["second_revert"]["verdict"], "regressed")
        states = {c["commit"]: c["state"] for c in status["commits"]}
        self.assertEqual([states[ids[i]] for i in (7, 8, 16, 17, 24)],
                         ["fast", "slow", "slow", "fast", "fast"])

    def test_two_changes_need_values(self):
        ids = self.linear(6)
        self.bisect("start", "--steps", "2", ids[6], ids[1])
        self.assert_says(self.bisect("run", "--", "true", expect=2), "--steps 2", "--value")
        self.assert_says(self.bisect("start", "--steps", "2", "--flaky", ids[6], ids[1], expect=2),
                         "--steps 2", "--flaky")

    def test_budget(self):
        self.begin()
        result = self.bisect("run", "--value", "--budget", "300ms", "--",
                             self.script("sleep 0.1\n" + NOISY), expect=3)
        self.assertIn("15 commits between", result.out)
        self.assertGreater(self.status()["measurements"], 0)


class Reports(ValueCase):
    def test_files(self):
        ids = self.begin()
        self.bisect("run", "--value", "--junit", "j.xml", "--json", "b.json", "--text", "t.txt",
                    "--", self.script())
        written = json.loads((self.dir / "b.json").read_text())
        self.assertEqual(written["format"], "kregress-bisect-1")
        self.assertEqual(written, self.status())
        root = ElementTree.parse(self.dir / "j.xml").getroot()
        cases = {case.get("name"): case for case in root.iter("testcase")}
        answer = cases["first bad commit"].find("failure")
        self.assertIn(ids[10], answer.get("message"))
        for part in ("probability", "H10", "A U Thor", "2026-01-02 03:04:05 +0200", "change +",
                     "proof: confirmed", "revert on the tip: restores the speed"):
            self.assertIn(part, answer.text)
        self.assertIsNotNone(cases[ids[16]].find("failure"))
        self.assertIsNone(cases[ids[1]].find("failure"))
        self.assertIn("n = ", cases[ids[1]].find("system-out").text)
        self.assertEqual(int(root.get("tests")), len(cases))
        text = (self.dir / "t.txt").read_text()
        self.assertIn(f"{ids[10]} is the first bad commit", text)

    def test_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        schema = json.loads((rig.pathlib.Path(os.environ["KREGRESS_SOURCE"]) / "docs" /
                             "bisect.schema.json").read_text())
        ids = self.begin()
        jsonschema.Draft202012Validator.check_schema(schema)
        check = jsonschema.Draft202012Validator(schema).validate
        check(self.status())
        self.bisect("run", "--value", "--budget", "1ms", "--", self.script(), expect=None)
        check(self.status())
        self.bisect("run", "--value", "--", self.script())
        check(self.status())
        self.bisect("start", ids[16], ids[1])
        self.bisect("run", "--", "sh", "-c", "exit 125", expect=2)
        check(self.status())

    def test_skipped_cases(self):
        ids = self.begin()
        script = (f"test $KREGRESS_COMMIT != {ids[9]} || exit 125\n" + NOISY)
        self.bisect("run", "--value", "--junit", "j.xml", "--", self.script(script), expect=None)
        root = ElementTree.parse(self.dir / "j.xml").getroot()
        skipped = [case.get("name") for case in root.iter("testcase")
                   if case.find("skipped") is not None]
        self.assertEqual(skipped, [ids[9]])

    def test_visualize(self):
        ids = self.begin()
        self.bisect("run", "--value", "--", self.script())
        out = self.bisect("visualize").out
        bars = [line for line in out.splitlines() if line.startswith("* ")]
        self.assertEqual(len(bars), 1, out)
        self.assertIn("#" * 30, bars[0])
        self.assertIn(ids[10][:12], bars[0])
        self.assertIn("path: ", out)
        self.assertEqual(self.bisect("visualize", "--json").json(), self.status())


# Prints the value and a nonce behind its decimals, and writes the nonce beside: every measurement
# in the journal can be told from every other.
COUNTED = r'''
n=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
echo $n >> "$SIDE"
if test -f slow; then echo 11$(($n % 10)).$n; else echo 10$(($n % 10)).$n; fi
'''


class Kills(ValueCase):
    KILLS = 50

    def nonces(self):
        log = [json.loads(line) for line in self.bisect("log").out.splitlines()]
        return [repr(record["value"]).split(".")[1] for record in log
                if record["type"] == "evidence"]

    def kill_at_random(self, generator, command):
        """Starts a run, kills it without warning; False when it ended before."""
        process = self.start("bisect", *command, start_new_session=True)
        time.sleep(generator.uniform(0.002, 0.06))
        if process.poll() is not None:
            process.communicate()
            return False
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        return True

    def test_kill_minus_9(self):
        seed = int(os.environ.get("KREGRESS_SEED") or random.SystemRandom().randrange(2 ** 32))
        print(f"seed {seed}", flush=True)
        generator = random.Random(seed)
        side = self.root / "side"
        self.env["SIDE"] = str(side)
        ids = self.begin(24, 17)
        command = ("run", "--value", "--proof", "40", "--", self.script(COUNTED))
        kills = restarts = 0
        while kills < self.KILLS:
            if not self.kill_at_random(generator, command):
                # It was done before the kills were: another one, judged like the first.
                self.check_counts(ids, side, kills)
                restarts += 1
                self.assertLess(restarts, 30)
                side.write_text("")
                self.bisect("start", ids[24], ids[1])
            else:
                kills += 1
        self.bisect(*command)
        self.check_counts(ids, side, kills)

    def check_counts(self, ids, side, kills):
        """The answer is right, and journal and side file tell the same measurements."""
        if self.status()["state"] != "found":
            self.bisect("run", "--value", "--proof", "40", "--", self.script(COUNTED))
        self.assertEqual(self.status()["first_bad"], ids[17])
        made = side.read_text().split()
        noted = [nonce.rstrip("0") for nonce in self.nonces()]
        self.assertEqual(len(noted), len(set(noted)), "a measurement was counted twice")
        self.assertLessEqual(set(noted), {nonce.rstrip("0") for nonce in made})
        # A measurement can be under way at a kill, and only then.
        self.assertLessEqual(len(made) - len(noted), kills)

    def test_stopped_by_ctrl_c(self):
        side = self.root / "side"
        self.env["SIDE"] = str(side)
        ids = self.begin(24, 17)
        script = self.script(COUNTED + "sleep 0.05\n")
        process = self.start("bisect", "run", "--value", "--", script)
        self.wait_for(lambda: side.exists() and len(side.read_text().split()) >= 5, "five values")
        process.send_signal(signal.SIGINT)
        result = self.finish(process, timeout=20)
        self.assertEqual(result.code, 130, result)
        kept = self.nonces()
        self.assertGreaterEqual(len(kept), 4)
        self.assertEqual(self.first_bad(self.bisect("run", "--value", "--", script).out), ids[17])
        self.assertEqual(self.nonces()[:len(kept)], kept)
        self.assert_nothing_left()

    def test_one_at_a_time(self):
        self.begin()
        script = self.script(f"touch {self.root}/begun; sleep 3\n" + NOISY)
        process = self.start("bisect", "run", "--value", "--", script)
        self.wait_for((self.root / "begun").exists, "the first measurement")
        before = self.journal()
        for words in (("run", "--", "true"), ("start", "HEAD", "HEAD~15"), ("reset",)):
            self.assert_says(self.bisect(*words, expect=2), "another kregress")
        self.bisect("status")
        self.assertEqual(self.journal(), before)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.finish(process, timeout=20).code, 143)


if __name__ == "__main__":
    rig.main()
