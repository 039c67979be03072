# SPDX-License-Identifier: GPL-3.0-or-later
"""kregress bisect over a history of a real kernel: built, booted, measured, found.

The history comes from scripts/linux-fixture. It and the objects of the last build are kept in
$KREGRESS_TEST_CACHE; the finished kernels are not, so that every run builds what it needs.
"""
import json
import os
import pathlib
import shutil
import subprocess
import time

import rig

SOURCE = os.environ.get("KREGRESS_LINUX_SOURCE", "")
CACHE = pathlib.Path(os.environ.get("KREGRESS_TEST_CACHE", "")) / "kernel-slow"
SCRIPT = pathlib.Path(os.environ.get("KREGRESS_SOURCE", ".")) / "scripts" / "linux-fixture"
BENCH = "mm.kmem_cache_bulk [n=16]"
LIMIT_S = 15 * 60
MOST_KERNELS = 8


class KernelBisection(rig.Case):
    @classmethod
    def setUpClass(cls):
        CACHE.mkdir(parents=True, exist_ok=True)
        cls.fixture = CACHE / "fixture"
        subprocess.run([SCRIPT, SOURCE, cls.fixture], check=True)
        cls.builds = CACHE / "builds"
        for entry in cls.builds.glob("bisect/*/kernels"):
            shutil.rmtree(entry)

    def setUp(self):
        super().setUp()
        self.repository = self.fixture / "linux"
        self.write("kregress.conf", f"""
[kregress]
\tcache = {self.builds}
[target "exact"]
\tkind = qemu
\ticount = true
\tmemory-mb = 128
\ttimeout = 60s
[target "noisy"]
\tkind = qemu
\taccel = tcg
\tmemory-mb = 128
\ttimeout = 60s
[variant "counted"]
\ttarget = exact
\tconfig = {self.fixture}/config
[variant "timed"]
\ttarget = noisy
\tconfig = {self.fixture}/config
[suite "core"]
\tbench = *
\trepetitions = 15
""")

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.repository, check=True,
                              capture_output=True, text=True).stdout.strip()

    def kernels(self):
        return len(list(self.builds.glob("bisect/*/kernels/*/manifest")))

    def look(self):
        """What the user of the repository would notice."""
        return [self.git(*words.split()) for words in (
            "status --porcelain", "for-each-ref", "worktree list", "rev-parse --symbolic-full-name HEAD")]

    def bisect(self, variant, metric, good, bad, *options):
        before, look = self.kernels(), self.look()
        self.run_kregress("bisect", "start", "--repository", self.repository, "--variant", variant,
                          "--bench", BENCH, "--metric", metric, "--seed", "1", bad, good)
        started = time.monotonic()
        result = self.run_kregress("bisect", "run", "--json", "b.json", *options,
                                   timeout=LIMIT_S + 60)
        seconds = time.monotonic() - started
        built = self.kernels() - before
        print(f"{variant}: {built} kernels built, {seconds:.0f} s\n{result.out}")
        self.assertEqual(self.look(), look)
        self.assert_nothing_left()
        return result, built, seconds

    def assert_found(self, result, tag):
        commit = self.git("rev-parse", f"{tag}^{{commit}}")
        self.assertIn(commit, result.out, result)
        self.assertIn(commit, (self.dir / "b.json").read_text())

    def boots(self):
        lines = map(json.loads, self.run_kregress("export").out.splitlines())
        return [line for line in lines if line.get("type") == "boot"]

    def test_1_small_slowdown_counted(self):
        result, built, seconds = self.bisect("counted", "insn", "good", "bad", "--no-revert")
        self.assert_found(result, "culprit")
        self.assertLessEqual(built, MOST_KERNELS, result)
        self.assertLess(seconds, LIMIT_S, result)
        commits = {boot["environment"]["kernel.commit"] for boot in self.boots()}
        self.assertIn(self.git("rev-parse", "culprit^{commit}"), commits)

    def test_2_large_slowdown_timed(self):
        result, built, seconds = self.bisect("timed", "time", "good", "time-bad", "--no-revert",
                                             "--limit", "5%")
        self.assert_found(result, "time-culprit")
        self.assertLessEqual(built, MOST_KERNELS, result)
        self.assertLess(seconds, LIMIT_S, result)

    def test_3_commits_that_do_not_build_or_boot(self):
        """Between the unbuildable and the unbootable commit nothing can be told: both are named."""
        result = self.run_kregress(
            "bisect", "start", "--repository", self.repository, "--variant", "counted", "--bench",
            BENCH, "--metric", "insn", "unbootable", "unbuildable~1")
        result = self.run_kregress("bisect", "run", "--no-revert", expect=None, timeout=LIMIT_S)
        self.assertNotEqual(result.code, 0, result)
        log = self.run_kregress("bisect", "log").out
        self.assertIn("panic", (log + result.out + result.err).lower())


if not SOURCE or not os.path.exists(SOURCE) or not os.environ.get("KREGRESS_TEST_CACHE") or \
        not shutil.which("qemu-system-x86_64"):
    rig.skip("no kernel source or no QEMU: run ./check, which fetches them")
rig.main()
