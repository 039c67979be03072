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


class Loads(rig.Case):
    """A load beside the benchmarks, and nothing of it afterwards."""

    def params(self):
        lines = map(rig.json.loads, self.run_kregress("export").out.splitlines())
        return {line["params"] for line in lines if line["type"] == "series"}

    def test_each_load_is_in_the_parameters(self):
        for load in ("messaging", "net", "timer"):
            self.run_kregress("run", "local", *FAST, "--load", load, "--load-cpus", "same",
                              "--store", load + ".db")
            text = self.run_kregress("export", "--store", load + ".db").out
            self.assertIn(f'"params":"load={load},load-cpus=same"', text)
            self.assert_nothing_left()

    def test_on_the_other_cpus(self):
        result = self.run_kregress("run", "local", *FAST, "--load", "timer", expect=None)
        if len(os.sched_getaffinity(0)) > 1:
            self.assertEqual(result.code, 0, result)
            self.assertEqual(self.params(), {"load=timer"})
        else:
            self.assertEqual(result.code, 4, result)
            self.assert_says(result, "no CPU is left")

    def test_suite_key_and_none(self):
        self.write("kregress.conf", '[suite "core"]\n load = messaging\n load-cpus = same\n')
        self.run_kregress("run", "local", *FAST)
        self.run_kregress("run", "local", *FAST, "--load", "none")
        self.assertEqual(self.params(), {"load=messaging,load-cpus=same", ""})

    def test_wrong_words(self):
        self.assert_says(self.run_kregress("run", "local", *FAST, "--load", "cpu", expect=2), "'cpu'",
                         "messaging")
        self.assert_says(self.run_kregress("run", "local", *FAST, "--load", "net", "--load-cpus",
                                           "all", expect=2), "'all'")

    def test_disk_in_memory_is_refused(self):
        memory = self.dir / "memory"
        memory.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", memory], capture_output=True,
                                 check=False)
        if mounted.returncode:
            self.skipTest("a tmpfs cannot be mounted here: " + mounted.stderr.decode().strip())
        self.addCleanup(subprocess.run, ["umount", "-l", memory], check=True)
        self.env["TMPDIR"] = str(memory)
        result = self.run_kregress("run", "local", *FAST, "--load", "disk", expect=4)
        self.assert_says(result, "in memory, not on a disk")
        self.assertEqual(list(memory.iterdir()), [])

    def test_interrupted(self):
        process = self.start("run", "local", "--bench", "ipc.pipe", "--sample-time", "1s",
                             "--repetitions", "20", "--boots", "1", "--load", "messaging",
                             "--load-cpus", "same")
        self.wait_for(lambda: len(self.processes()) > 8, "a load at work", timeout=30)
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process, timeout=30).code, 130)
        self.assert_nothing_left()


class Tools(rig.Case):
    """Other programs as benchmarks, in a PATH that holds what the test puts there."""

    def setUp(self):
        super().setUp()
        self.bin = self.dir / "bin"
        self.bin.mkdir()

    def program(self, name, script):
        path = self.bin / name
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(0o755)
        self.env["PATH"] = f"{self.bin}:/usr/bin:/bin"

    def series(self):
        lines = list(map(rig.json.loads, self.run_kregress("export").out.splitlines()))
        names = {line["series"]: line for line in lines if line["type"] == "series"}
        return [(names[line["series"]], line["values"]) for line in lines
                if line["type"] == "samples"]

    def failures(self):
        lines = map(rig.json.loads, self.run_kregress("export").out.splitlines())
        return [failure for line in lines if line["type"] == "boot"
                for failure in line.get("failures", [])]

    OUTPUT = """cat <<END
Running in process mode with 4 groups using 40 file descriptors each (== 160 tasks)
Each sender will pass 100 messages of 100 bytes
Time: 1.250
END
"""
    ONE = ("run", "local", "--boots", "1", "--bench", "tool.hackbench[groups=4,loops=100]")

    def test_installed_tools(self):
        wanted = {"hackbench": ("tool.hackbench", "time", "s"),
                  "perf": ("tool.perf_bench[test=syscall_basic]", "rate", "ops/s"),
                  "stress-ng": ("tool.stress_ng[stressor=switch]", "rate", "bogo-ops/s"),
                  "cyclictest": ("tool.cyclictest", "latency-avg", "us"),
                  "tbench": ("tool.tbench[clients=2]", "rate", "MB/s")}
        there = {name: row for name, row in wanted.items() if rig.shutil.which(name)}
        if not there:
            self.skipTest("none of the tools is here: ./check installs some")
        words = [word for row in there.values() for word in ("--bench", row[0])]
        self.run_kregress("run", "local", "--boots", "1", *words)
        self.assertEqual(self.failures(), [])
        found = {(line["benchmark"], line["metric"], line["unit"]) for line, _ in self.series()}
        for pattern, metric, unit in there.values():
            self.assertIn((pattern.split("[")[0], metric, unit), found)
        self.assertTrue(all(value > 0 for _, values in self.series() for value in values))
        self.assert_nothing_left()

    def test_values_and_invocations(self):
        self.program("hackbench", self.OUTPUT + "touch left-behind; sleep 1000 &\n")
        self.run_kregress(*self.ONE, "--invocations", "3")
        [*rows] = self.series()
        self.assertEqual([values for _, values in rows], [[1.25]] * 3)
        self.assertTrue(rows[0][0]["params"].startswith("groups=4,loops=100"))
        self.assert_nothing_left()

    def test_tools_are_asked_for_by_name(self):
        self.program("hackbench", "exit 1\n")
        self.run_kregress("run", "local", *FAST, "--bench", "*.hackbench*", expect=None)
        self.assertNotIn("tool.hackbench", [f["benchmark"] for f in self.failures()])

    def test_missing(self):
        self.env["PATH"] = str(self.bin)
        self.run_kregress(*self.ONE)
        [failure] = self.failures()
        self.assertTrue(failure["unavailable"])
        self.assertIn("no program hackbench in PATH (Debian: package rt-tests)", failure["reason"])

    def check_failure(self, script, *parts, words=()):
        self.program("hackbench", script)
        self.run_kregress(*self.ONE, *words, expect=None)
        [failure] = self.failures()
        self.assertFalse(failure["unavailable"])
        for part in parts:
            self.assertIn(part, failure["reason"])
        self.assertEqual(self.series(), [])
        self.assert_nothing_left()

    def test_exit_code_and_last_words(self):
        self.check_failure("echo 'no such thing' >&2; exit 3\n", "exit code 3", "no such thing")

    def test_output_that_is_no_result(self):
        self.check_failure("echo 'Time: many'\n", "tool.hackbench:1")

    def test_too_much_output(self):
        self.check_failure("head -c 600000 /dev/zero\n", "wrote more than")

    def test_too_long(self):
        self.write("kregress.conf", '[suite "core"]\n timeout = 1\n')
        self.check_failure("sleep 1000 & sleep 1000\n", "took longer than 1 s")

    def test_kbuild(self):
        tree = self.dir / "tree"
        tree.mkdir()
        (tree / "Makefile").write_text("all:\n\tsleep 0.2; echo x >>built\n"
                                       "clean:\n\techo x >>cleaned\n")
        self.write("kregress.conf", '[suite "core"]\n kbuild-tree = tree\n')
        self.run_kregress("run", "local", "--boots", "1", "--bench", "tool.kbuild", "--invocations",
                          "2")
        [*rows] = self.series()
        self.assertEqual([line["metric"] for line, _ in rows], ["time"] * 2)
        self.assertTrue(all(0.2 <= values[0] < 30 for _, values in rows), rows)
        self.assertEqual((tree / "built").read_text(), "x\n" * 2)
        self.assertEqual((tree / "cleaned").read_text(), "x\n" * 2)

    def test_kbuild_without_a_tree(self):
        self.run_kregress("run", "local", "--boots", "1", "--bench", "tool.kbuild")
        [failure] = self.failures()
        self.assertTrue(failure["unavailable"])
        self.assertIn("kbuild-tree", failure["reason"])


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
