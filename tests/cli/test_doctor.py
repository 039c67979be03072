# SPDX-License-Identifier: GPL-3.0-or-later
"""kregress doctor, and settings that are put back whatever happens, on a machine made of files."""
import os
import pathlib
import signal
import time

import rig

ASLR = "proc/sys/kernel/randomize_va_space"
THP = "sys/kernel/mm/transparent_hugepage/enabled"
NOTE = "run/kregress/restore"


class Doctor(rig.Case):
    def setUp(self):
        super().setUp()
        self.machine = self.root / "machine"
        self.env["KREGRESS_ROOT"] = str(self.machine)
        self.env.setdefault("KREGRESS_AGENT", rig.AGENT)
        self.put(ASLR, "2\n")
        self.put(THP, "[always] madvise never\n")
        self.put("proc/loadavg", "3.25 1 1 1/2 3\n")

    def put(self, name, text):
        path = self.machine / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def get(self, name):
        return (self.machine / name).read_text().strip()

    def rows(self, *words):
        rows = self.run_kregress("doctor", "--json", *words).json()
        return {row["source"]: row for row in rows}

    def assert_loud(self):
        self.assertEqual(self.get(ASLR), "2")
        self.assertIn("always", self.get(THP))
        self.assertFalse((self.machine / NOTE).exists())

    def wait_for(self, condition):
        for _ in range(1000):
            if condition():
                return
            time.sleep(0.02)
        self.fail("it did not happen within 20 s")

    def start_sleeper(self):
        """A command under --fix that has begun; its own process group's number is in `pid`."""
        process = self.start("doctor", "--fix", "--", "sh", "-c", "echo $$ > pid; exec sleep 60")
        self.wait_for(lambda: (self.dir / "pid").exists() and (self.dir / "pid").read_text())
        self.assertEqual(self.get(ASLR), "0")
        return process

    def test_table(self):
        rows = self.rows()
        self.assertEqual(rows["aslr"]["state"], "noisy")
        self.assertEqual(rows["aslr"]["now"], "2")
        self.assertEqual(rows["aslr"]["remedy"], "--fix sets 0")
        self.assertEqual(rows["thp"]["now"], "always")
        self.assertEqual(rows["load"]["state"], "noisy")
        self.assertEqual(rows["governor"]["state"], "-")
        for row in rows.values():
            self.assertGreater(len(row["cost"]), 20, row)
        text = self.run_kregress("doctor").out
        for name in rows:
            self.assertIn(name, text)
        self.assert_loud()

    def test_of_this_machine(self):
        del self.env["KREGRESS_ROOT"]
        rows = self.rows()
        self.assertIn(rows["kvm"]["state"], ("quiet", "missing"))
        self.assertIn(rows["pmu"]["state"], ("quiet", "missing"))
        with open("/proc/sys/kernel/randomize_va_space") as aslr:
            self.assertEqual(rows["aslr"]["now"], aslr.read().strip())

    def test_command_runs_quietly(self):
        result = self.run_kregress("doctor", "--fix", "--", "sh", "-c",
                                   f"cat $KREGRESS_ROOT/{ASLR} $KREGRESS_ROOT/{THP}; exit 7",
                                   expect=7)
        self.assertEqual(result.out, "0madvise")
        self.assert_says(result, "aslr: set to 0", "thp: set to madvise", "put back 2 settings")
        self.assert_loud()

    def test_command_that_is_none(self):
        self.assert_says(self.run_kregress("doctor", "--fix", "--", "/no/such", expect=4), "/no/such")
        self.assert_loud()

    def test_nested(self):
        result = self.run_kregress("doctor", "--fix", "--", rig.KREGRESS, "doctor", "--fix", "--",
                                   "cat", str(self.machine / ASLR))
        self.assertEqual(result.out, "0")
        self.assertEqual(result.err.count("put back"), 1, result)
        self.assert_loud()

    def test_beside_another(self):
        process = self.start_sleeper()
        self.put(ASLR, "1\n")
        result = self.run_kregress("doctor", "--fix", "--", "cat", str(self.machine / ASLR))
        self.assertEqual(result.out, "1\n")
        self.assert_says(result, "keeps the machine quiet already")
        process.send_signal(signal.SIGTERM)
        # What somebody else has changed meanwhile is theirs.
        self.assert_says(self.finish(process), "left at 1", "put back 1 setting")
        self.assertEqual(self.get(THP), "always")

    def test_interrupt(self):
        process = self.start_sleeper()
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, 130)
        self.assert_loud()

    def test_guard_after_sigkill(self):
        process = self.start_sleeper()
        process.kill()
        process.wait()
        self.wait_for(lambda: not (self.machine / NOTE).exists())
        self.assert_loud()
        self.finish(process)

    def guard_of(self, process):
        task = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        for child in task.read_text().split():
            if pathlib.Path(f"/proc/{child}/comm").read_text().strip() == "kregress-guard":
                return int(child)
        return self.fail("no guard")

    def test_next_start_after_both_are_killed(self):
        process = self.start_sleeper()
        os.kill(self.guard_of(process), signal.SIGKILL)
        process.kill()
        self.finish(process)
        self.assertEqual(self.get(ASLR), "0")
        self.assertTrue((self.machine / NOTE).exists())
        self.assert_says(self.run_kregress("list"), "put back 2 settings")
        self.assert_loud()

    def test_kept_until_restore(self):
        rows = self.rows("--fix")
        self.assertEqual(rows["aslr"]["remedy"], "set to 0")
        self.assertEqual(self.get(ASLR), "0")
        self.run_kregress("list")
        self.assertEqual(self.get(ASLR), "0")
        self.assert_says(self.run_kregress("doctor", "--restore"), "put back 2 settings")
        self.assert_loud()

    def test_damaged_note_does_not_stop_a_command(self):
        self.put(NOTE, "kregress-restore 1 held\n")
        self.assert_says(self.run_kregress("list"), "not put back", "restore")
        self.assert_says(self.run_kregress("doctor", "--restore", expect=4), "by hand")

    def test_collection(self):
        result = self.run_kregress("run", "local", "--fix", "--bench", "syscall.null", "--boots", "1",
                                   "--repetitions", "2", "--sample-time", "100us")
        self.assert_says(result, "aslr: set to 0", "put back 2 settings")
        self.assert_loud()

    def test_usage(self):
        self.assert_says(self.run_kregress("doctor", "--", "true", expect=2), "--fix")
        self.assert_says(self.run_kregress("doctor", "--fix", "--restore", expect=2), "--restore")
        self.assert_loud()


if __name__ == "__main__":
    rig.main()
