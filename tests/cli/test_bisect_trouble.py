# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes wrong around a bisection: wrong words, signals, permissions, owners, exit codes."""
import os
import pwd
import re
import shlex
import shutil
import signal
import subprocess
import unittest

import rig
from bisect_case import BisectCase

SLOW = ("sh", "-c", "test ! -f slow")
STOPS = re.compile(r"status (\d+) at commit ([0-9a-f]{40}): the bisection stops")
AS_ROOT = unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"),
                              "only root can act as another user")


class WrongWords(BisectCase):
    def refuse(self, *words, says):
        before = self.journal()
        self.assert_says(self.bisect(*words, expect=2), *says)
        self.assertEqual(self.journal(), before, words)

    def test_start(self):
        ids = self.linear(6)
        ends = (ids[6], ids[1])
        for words, says in (
                (("--seed", "x"), ("--seed", "'x'")),
                (("--prior-nothing", "x"), ("--prior-nothing", "'x'")),
                (("--prior-nothing", "2"), ("--prior-nothing 2", "below 1")),
                (("--steps", "3"), ("--steps 3", "one change or two")),
                (("--better", "up"), ("--better up", "lower or higher")),
                (("--variant", "moon"), ("'moon'", "local")),
                (("-R", "/no/such/place"), ("/no/such/place", "no git repository"))):
            self.refuse("start", *words, *ends, says=says)
        self.refuse(says=("a command is missing", "help bisect"))
        self.refuse("strat", says=("'strat'", "start run status"))

    def test_run(self):
        ids = self.linear(6)
        self.bisect("start", ids[6], ids[1])
        for words, says in (
                ((), ("neither a command nor", "-- COMMAND")),
                (("--variant", "moon", "--bench", "x"), ("'moon'", "local")),
                (("--variant", "local", "--bench", "x"), ("local", "qemu")),
                (("--value", "--"), ("need a command",)),
                (("./x",), ("'./x'", "stands behind --")),
                (("--budget", "soon", "--", "true"), ("--budget", "'soon'")),
                (("--jobs", "many", "--", "true"), ("--jobs", "'many'")),
                (("--proof", "-1", "--value", "--", "true"), ("--proof", "'-1'")),
                (("--limit", "x", "--value", "--", "true"), ("--limit", "'x'")),
                (("--import", "nothing", "--", "true"), ("--import", "'nothing'", "help import")),
                (("--value", "--import", "table", "--", "true"), ("exclude each other",)),
                (("--value", "--better", "up", "--", "true"), ("--better up",)),
                (("--", "no-such-command"), ("no-such-command", "127", "good commit", ids[1]))):
            self.refuse("run", *words, says=says)
        # None of them has made it a search by values.
        self.assertEqual(self.first_bad(self.bisect("run", "--", "true").out), ids[6])

    def test_marks(self):
        ids = self.linear(6)
        self.bisect("start", ids[6], ids[1])
        for words, says in (
                (("good", "moon"), ("'moon'", "no commit")),
                (("good", ids[2], "moon"), ("'moon'",)),
                (("bad", ids[3], ids[4]), ("only one commit",)),
                (("skip", f"{ids[4]}..{ids[2]}"), (f"{ids[4]}..{ids[2]}", "swapped")),
                (("value", ids[2]), ("too few", "REVISION VALUE")),
                (("value", ids[2], "12x"), ("'12x'",)),
                (("value", ids[2], "inf"), ("'inf'",)),
                (("next", "x"), ("too many",)),
                (("status", "x"), ("too many",)),
                (("replay",), ("too few", "FILE"))):
            self.refuse(*words, says=says)

    def test_one_is_one(self):
        ids = self.linear(6)
        self.assertIn("5 commits between, about 3 measurements left",
                      self.bisect("start", ids[6], ids[1]).out)
        self.assertIn("2 commits between, about 1 measurement left", self.bisect("bad", ids[3]).out)


class ExitCodes(BisectCase):
    def test_the_same_at_every_commit(self):
        """0 is always good, 1 to 124 always bad; the rest says that nothing can be told."""
        ids = self.linear(6)
        for code in (0, 1, 2, 124):
            ours, _ = self.both_run((ids[6], ids[1]), ("sh", "-c", f"exit {code}"))
            self.assertEqual(self.first_bad(ours.out), ids[2 if code else 6], code)
        for code, expected in ((125, 2), (126, 2), (127, 2), (128, 4), (129, 4), (200, 4), (255, 4)):
            ours, theirs = self.both_run((ids[6], ids[1]), ("sh", "-c", f"exit {code}"),
                                         same_answer=False)
            self.assertEqual(ours.code, expected, ours)
            self.assertNotEqual(theirs.returncode, 0)
            self.assertNotIn("is the first bad commit", ours.out + theirs.stdout)

    def test_at_slow_commits_only(self):
        ids = self.linear(8, culprit=5)
        for code in (1, 2, 124, 126, 127):
            ours, _ = self.both_run((ids[8], ids[1]), ("sh", "-c", f"test ! -f slow || exit {code}"))
            self.assertEqual(self.first_bad(ours.out), ids[5], code)

    def test_what_stops_names_the_commit_and_the_log(self):
        ids = self.linear(8, culprit=5)
        self.bisect("start", ids[8], ids[1])
        script = "test ! -f slow || { echo out of coffee >&2; exit 130; }"
        result = self.bisect("run", "--", "sh", "-c", script, expect=4)
        stopped = STOPS.search(result.err)
        self.assertIsNotNone(stopped, result)
        self.assertEqual(stopped.group(1), "130")
        self.assertIn(stopped.group(2), ids[5:8])
        log = re.search(r"messages are in (\S+);", result.err).group(1)
        with open(log, encoding="utf-8") as stream:
            self.assertIn("out of coffee", stream.read())
        self.assertEqual(self.first_bad(self.bisect("run", "--", *SLOW).out), ids[5])

    def test_no_value_tells_the_last_words(self):
        ids = self.linear(4)
        self.bisect("start", ids[4], ids[1])
        result = self.bisect("run", "--value", "--", "sh", "-c", "echo no license >&2; exit 3", expect=4)
        self.assert_says(result, "exit code 3", "no license", ids[1])


class Signals(BisectCase):
    def setUp(self):
        super().setUp()
        self.ids = self.linear(8, culprit=5)
        self.script = f"touch {self.root}/begun; test -f {self.root}/go || sleep 60; test ! -f slow"

    def begin(self):
        """A run whose first command does not end by itself."""
        (self.root / "begun").unlink(missing_ok=True)
        self.bisect("start", self.ids[8], self.ids[1])
        process = self.start("bisect", "run", "--", "sh", "-c", self.script, start_new_session=True)
        self.wait_for((self.root / "begun").exists, "the command")
        return process

    def go_on(self):
        self.assertEqual(self.status()["measurements"], 0)
        (self.root / "go").touch()
        result = self.bisect("run", "--", "sh", "-c", self.script)
        self.assertEqual(self.first_bad(result.out), self.ids[5])

    def test_ctrl_c_reaches_the_command_too(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            process = self.begin()
            os.killpg(process.pid, number)
            result = self.finish(process, timeout=30)
            self.assertEqual(result.code, 128 + number, result)
            self.assert_says(result, "interrupted", "`kregress bisect run` goes on")
            self.assert_nothing_left()
        self.go_on()

    def test_the_command_is_killed(self):
        process = self.begin()
        children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True)
        os.kill(int(children.stdout.split()[0]), signal.SIGKILL)
        result = self.finish(process, timeout=30)
        self.assertEqual(result.code, 4, result)
        self.assert_says(result, "signal 9", "at commit", "goes on")
        self.go_on()


@AS_ROOT
class Owners(BisectCase):
    def as_nobody(self, *words, cwd, expect=0):
        user = pwd.getpwnam("nobody")
        done = subprocess.run(
            ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups",
             rig.KREGRESS, "bisect", *map(str, words)], cwd=cwd, env={**self.env, "HOME": str(cwd)},
            stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual(done.returncode, expect, f"{words}: {done.stdout}{done.stderr}")
        return done

    def own(self, path, *, write):
        """Gives the folder to nobody."""
        subprocess.run(["chown", "-R", "nobody", path], check=True)
        subprocess.run(["chmod", "-R", "u+rwX" if write else "a-w", path], check=True)

    def setUp(self):
        super().setUp()
        os.chmod(self.root, 0o755)
        if subprocess.run(["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "test", "-x",
                           rig.KREGRESS], check=False).returncode:
            self.skipTest("another user cannot run the program where it was built")

    def test_repository_of_another_user(self):
        ids = self.linear(4)
        subprocess.run(["chown", "-R", "nobody", self.dir], check=True)
        (self.dir / "below").mkdir()
        result = self.bisect("start", "-R", "below", ids[4], ids[1], expect=2)
        self.assert_says(result, "another user", "safe.directory")
        self.assertIsNone(self.journal())
        # What the message tells to do helps.
        command = re.search(r"git (config .*)$", result.err, re.M).group(1)
        self.env["GIT_CONFIG_GLOBAL"] = str(self.root / ".gitconfig")
        self.git(*shlex.split(command))
        self.bisect("start", "-R", "below", ids[4], ids[1])

    def test_repository_that_cannot_be_written(self):
        ids = self.linear(8, culprit=5)
        before = self.fingerprint()
        self.own(self.dir, write=False)
        other = self.root / "other"
        other.mkdir()
        self.own(other, write=True)
        result = self.as_nobody("start", ids[8], ids[1], cwd=self.dir, expect=4)
        for part in (str(self.dir), "Permission denied", "-R", "--store"):
            self.assertIn(part, result.stderr)
        self.as_nobody("start", "-R", self.dir, ids[8], ids[1], cwd=other)
        self.assertIn("its files are in", self.as_nobody("next", cwd=other).stdout)
        result = self.as_nobody("run", "--", *SLOW, cwd=other)
        self.assertEqual(self.first_bad(result.stdout), ids[5])
        self.own(self.dir, write=True)
        subprocess.run(["chown", "-R", "root", self.dir], check=True)
        self.assertEqual({name: (what[0], what[2]) for name, what in self.fingerprint().items()},
                         {name: (what[0], what[2]) for name, what in before.items()})

    def test_state_that_cannot_be_written(self):
        ids = self.linear(8, culprit=5)
        self.own(self.dir, write=True)
        self.as_nobody("start", ids[8], ids[1], cwd=self.dir)
        journal = self.dir / ".kregress" / "bisect" / "journal"
        before = journal.read_bytes()
        journal.chmod(0o444)
        for words in (("run", "--", *SLOW), ("good",), ("next",)):
            result = self.as_nobody(*words, cwd=self.dir, expect=4)
            self.assertIn("bisect/journal", result.stderr)
            self.assertIn("Permission denied", result.stderr)
        self.assertEqual(journal.read_bytes(), before)
        self.as_nobody("status", cwd=self.dir)


if __name__ == "__main__":
    rig.main()
