# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole road on the local target, and what happens when something on it breaks."""
import os
import signal
import stat
import subprocess

import rig

FAST = ("--bench", "syscall.null", "--bench", "mm.page_fault", "--repetitions", "3",
        "--sample-time", "100us", "--boots", "2")


class Road(rig.Case):
    def test_ab_of_the_same_kernel(self):
        # A timed benchmark may come out either way on a shared machine; the road must not fail.
        result = self.run_kregress("ab", "local", "local", *FAST, "--seed", "7", "--junit", "j.xml",
                                   "--json", "c.json", expect=None)
        self.assertIn(result.code, (0, 1), result)
        self.assertIn("schedule seed 7", result.err)
        self.assertIn("syscall.null", result.out)
        names = [row["run set"].split("@")[0] for row in self.runs()]
        self.assertEqual(names, ["local", "local#2"])
        self.assertTrue((self.dir / "j.xml").exists())
        self.assert_nothing_left()

    def test_export_import_round_trip(self):
        self.run_kregress("run", "local", *FAST)
        first = self.run_kregress("export", "local").out
        self.write("results.jsonl", first)
        self.run_kregress("import", "auto", "results.jsonl", "--store", "other.db")
        self.assertEqual(first, self.run_kregress("export", "--store", "other.db").out)
        self.assertIn("kernel.release", first)
        self.assertIn(os.uname().release, first)

    def test_same_seed_same_order(self):
        orders = []
        for store in ("a.db", "b.db"):
            self.run_kregress("run", "local", "local", *FAST, "--seed", "11", "--store", store)
            lines = self.run_kregress("export", "--store", store).out.splitlines()
            orders.append([line["slot"] for line in map(rig.json.loads, lines)
                           if line.get("type") == "boot"])
        self.assertEqual(orders[0], orders[1])
        self.assertEqual(sorted(orders[0]), [0, 1, 2, 3])

    def test_kernel_image_on_the_local_target(self):
        self.write("kregress.conf", '[variant "x"]\n target = local\n kernel = /boot/vmlinuz\n')
        self.assert_says(self.run_kregress("run", "x", expect=2), "local", "qemu")

    def test_kdir_that_is_none(self):
        self.write("kregress.conf", '[variant "x"]\n target = local\n kdir = /usr\n')
        self.assert_says(self.run_kregress("run", "x", expect=2), "/usr", "headers")

    def test_benchmark_that_does_not_exist(self):
        result = self.run_kregress("run", "local", "--bench", "no.such", "--boots", "1", expect=None)
        self.assertIn(result.code, (0, 4), result)
        self.assertIn("no.such", self.run_kregress("export").out)


class Progress(rig.Case):
    def test_a_line_on_a_terminal_only(self):
        words = [rig.KREGRESS, "run", "local", *FAST]
        quiet = subprocess.run(words, cwd=self.dir, env=self.env, capture_output=True, text=True,
                               check=True)
        self.assertNotIn("boot 1 of", quiet.stderr)
        leader, follower = os.openpty()
        process = subprocess.Popen(words, cwd=self.dir, env=self.env, stderr=follower,
                                   stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        os.close(follower)
        out, _ = process.communicate(timeout=60)
        shown = os.read(leader, 65536).decode()
        os.close(leader)
        self.assertEqual(process.returncode, 0)
        self.assertIn("boot 1 of 2: local", shown)
        self.assertTrue(shown.endswith("\r\033[K"), repr(shown))
        self.assertTrue(out.startswith(b"local@"), out)


class Faults(rig.Case):
    """The real agent, with something between it and kregress that breaks."""

    def agent(self, script):
        path = self.write("agent", "#!/bin/sh\n" + script.replace("AGENT", rig.AGENT))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        self.write("kregress.conf", '[target "local"]\n agent = agent\n timeout = 5\n')

    def boots(self):
        lines = map(rig.json.loads, self.run_kregress("export").out.splitlines())
        return [line for line in lines if line.get("type") == "boot"]

    def samples(self):
        return self.run_kregress("export").out.count('"values"')

    def test_agent_killed_in_mid_run(self):
        self.agent('"AGENT" "$@" & pid=$!; sleep 1; kill -9 $pid; wait $pid; kill -9 $$\n')
        result = self.run_kregress("run", "local", "--bench", "ipc.*", "--sample-time", "100ms",
                                   "--repetitions", "200", "--boots", "3", expect=4)
        self.assert_says(result, "signal 9", "during ipc.", "hint")
        self.assertEqual(len(self.boots()), 2)
        self.assert_nothing_left()

    def test_record_line_corrupted(self):
        self.agent('"AGENT" "$@" | sed "s/\\"metric\\":/\\"met/"\n')
        result = self.run_kregress("run", "local", *FAST, expect=4)
        self.assert_says(result, "damaged", "not a JSON object")
        self.assertEqual({boot["status"] for boot in self.boots()}, {"failed"})
        self.assert_nothing_left()

    def test_record_line_lost(self):
        self.agent('"AGENT" "$@" | sed 3d\n')
        self.assert_says(self.run_kregress("run", "local", *FAST, expect=4), "damaged", "sequence")

    def test_damage_keeps_what_came_before(self):
        self.agent('"AGENT" "$@" | sed "/page_fault/s/\\"type\\":\\"sample\\"/\\"type\\":sample/"\n')
        result = self.run_kregress("run", "local", *FAST, expect=4)
        self.assert_says(result, "warning", "damaged")
        self.assertEqual(self.samples(), 2)
        self.assertEqual({boot["status"] for boot in self.boots()}, {"failed"})

    def test_end_missing(self):
        self.agent('"AGENT" "$@" | sed "/\\"type\\":\\"end\\"/d"\n')
        result = self.run_kregress("run", "local", *FAST, expect=4)
        self.assert_says(result, "kregress-agent")

    def test_agent_that_hangs(self):
        self.agent('"AGENT" "$@" | head -n 5; sleep 1000\n')
        result = self.run_kregress("run", "local", *FAST, expect=4)
        self.assert_says(result, "no record for 5 s", "timeout")
        self.assert_nothing_left()

    def test_agent_that_says_nothing_sensible(self):
        self.agent("echo hello world\n")
        self.assert_says(self.run_kregress("run", "local", *FAST, expect=4), "not a JSON object",
                         "hello world")

    def test_agent_that_cannot_be_started(self):
        self.write("kregress.conf", '[target "local"]\n agent = nothing-here\n')
        self.assert_says(self.run_kregress("run", "local", *FAST, expect=2), "nothing-here")
        self.write("not-a-program", "x")
        self.write("kregress.conf", '[target "local"]\n agent = not-a-program\n')
        self.assert_says(self.run_kregress("run", "local", *FAST, expect=4), "not-a-program",
                         "cannot start")
        self.assert_nothing_left()

    def test_failed_variant_is_an_error_in_junit(self):
        self.agent("exit 3\n")
        result = self.run_kregress("ab", "local", "local", *FAST, "--junit", "j.xml", expect=4)
        self.assert_says(result, "exited with status 3")
        self.assertIn('type="benchmark-crash"', (self.dir / "j.xml").read_text())


class Interruption(rig.Case):
    SLOW = ("--bench", "syscall.null", "--repetitions", "20", "--sample-time", "20ms", "--boots", "8")

    def stored_boots(self):
        return sum(int(row["boots"]) for row in self.runs())

    def interrupt(self, number):
        process = self.start("ab", "local", "local", *self.SLOW)
        self.wait_for(lambda: self.stored_boots() >= 3, "three stored boots")
        process.send_signal(number)
        return self.finish(process, timeout=30)

    def check_resume(self, before):
        result = self.run_kregress("ab", "local", "local", *self.SLOW, expect=None)
        self.assertIn(result.code, (0, 1), result)
        self.assertIn("resuming", result.err)
        self.assertGreaterEqual(before, 3)
        self.assertEqual(self.stored_boots(), 16)
        self.assertEqual(len(self.runs()), 2)

    def test_ctrl_c(self):
        result = self.interrupt(signal.SIGINT)
        self.assertEqual(result.code, 130, result)
        self.assert_says(result, "interrupted", "same command goes on")
        self.assert_nothing_left()
        self.check_resume(self.stored_boots())

    def test_sigterm(self):
        self.assertEqual(self.interrupt(signal.SIGTERM).code, 143)
        self.assert_nothing_left()

    def test_sigkill_leaves_no_process_and_loses_nothing(self):
        self.interrupt(signal.SIGKILL)
        self.wait_for(lambda: self.processes() == [], "no process left", timeout=10)
        self.check_resume(self.stored_boots())

    def test_fresh_does_not_resume(self):
        self.interrupt(signal.SIGINT)
        before = self.stored_boots()
        self.run_kregress("run", "local", "local", *self.SLOW, "--fresh")
        self.assertEqual(self.stored_boots(), before + 16)


class FullDisk(rig.Case):
    def test_full_disk_while_storing(self):
        """The store on a small file system of its own that something else fills up."""
        disk = self.dir / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", disk],
                                 capture_output=True, check=False)
        if mounted.returncode:
            self.skipTest("a tmpfs cannot be mounted here: " + mounted.stderr.decode().strip())
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        self.run_kregress("run", "local", *FAST, "--store", "disk/store.db")
        before = self.run_kregress("export", "--store", "disk/store.db").out
        filler = os.open(disk / "filler", os.O_WRONLY | os.O_CREAT)
        with self.assertRaises(OSError):
            while True:
                os.write(filler, b"x" * 4096)
        os.close(filler)
        result = self.run_kregress("run", "local", *FAST, "--store", "disk/store.db", expect=4)
        self.assert_says(result, "disk/store.db", "full", "hint")
        (disk / "filler").unlink()
        after = self.run_kregress("export", "--store", "disk/store.db").out
        self.assertTrue(set(before.splitlines()[1:-1]) <= set(after.splitlines()))
        self.run_kregress("run", "local", *FAST, "--store", "disk/store.db")
        self.assert_nothing_left()


rig.main()
