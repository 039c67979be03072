# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the command line share: a folder of their own and ways to run kregress in it.

A test program is a unittest module that ends in rig.main(). Exit code 77 means skipped, and is
used only for what a developer's machine may lack; CI has everything.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

KREGRESS = os.environ.get("KREGRESS", "kregress")
AGENT = os.environ.get("KREGRESS_TEST_AGENT", "")
FIXTURES = pathlib.Path(os.environ.get("KREGRESS_FIXTURES", "."))
SHARED = pathlib.Path(os.environ.get("KREGRESS_SOURCE", ".")).parent / "shared" / "data"


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __repr__(self):
        return f"exit code {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"

    def json(self):
        return json.loads(self.out)


class Case(unittest.TestCase):
    """A test in a folder of its own, with TMPDIR in it, so that what is left behind shows."""

    maxDiff = None

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="kregress-test."))
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.dir = self.root / "work"
        self.tmp = self.root / "tmp"
        self.dir.mkdir()
        self.tmp.mkdir()
        self.env = dict(os.environ, TMPDIR=str(self.tmp), HOME=str(self.root))
        self.env.setdefault("XDG_CACHE_HOME", str(self.root / "cache"))

    def write(self, name, text):
        path = self.dir / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def start(self, *words, **options):
        return subprocess.Popen([KREGRESS, *map(str, words)], cwd=self.dir, env=self.env,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **options)

    def finish(self, process, timeout=600):
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            self.fail(f"kregress did not end within {timeout} s\n{out}\n{err}")
        return Result(process.returncode, out, err)

    def run_kregress(self, *words, expect=0, timeout=600, **options):
        result = self.finish(self.start(*words, **options), timeout)
        if expect is not None:
            self.assertEqual(result.code, expect, result)
        return result

    def assert_says(self, result, *parts):
        for part in parts:
            self.assertIn(part, result.err, result)

    def assert_nothing_left(self):
        """No temporary file, and no process of this test's."""
        self.assertEqual(sorted(p.name for p in self.tmp.iterdir()), [])
        self.wait_for(lambda: self.processes() == [], "the end of every process", timeout=10)

    def processes(self):
        """Command lines of living processes that have our TMPDIR in their environment."""
        found = []
        mark = f"TMPDIR={self.tmp}".encode()
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append((entry / "cmdline").read_bytes())
            except OSError:
                continue
        return found

    def wait_for(self, condition, what, timeout=120):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.05)
        self.fail(f"not within {timeout} s: {what}")

    def runs(self):
        return self.run_kregress("list", "runs", "--json").json()


def series_of(comparison, benchmark, params="", metric=None, variant=None):
    """The one entry of a kregress-comparison-1 document."""
    found = [s for s in comparison["series"]
             if s["benchmark"] == benchmark and (params is None or s["params"] == params)
             and (metric is None or s["metric"] == metric)
             and (variant is None or s["variant"] == variant)]
    if len(found) != 1:
        raise AssertionError(f"{len(found)} series {benchmark} [{params}] {metric}")
    return found[0]


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def main():
    program = unittest.main(exit=False, verbosity=2)
    sys.exit(0 if program.result.wasSuccessful() and program.result.testsRun else 1)
