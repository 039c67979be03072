# SPDX-License-Identifier: GPL-3.0-or-later
"""A git repository to bisect, and the installed git to compare with."""
import hashlib
import os
import re
import shutil
import subprocess

import rig

FIRST_BAD = re.compile(r"^([0-9a-f]{40}) is the first (\S+) commit", re.M)


class BisectCase(rig.Case):
    def setUp(self):
        super().setUp()
        self.env.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1", LC_ALL="C",
                        GIT_AUTHOR_NAME="A U Thor", GIT_AUTHOR_EMAIL="author@example.org",
                        GIT_COMMITTER_NAME="C O Mitter", GIT_COMMITTER_EMAIL="c@example.org",
                        GIT_AUTHOR_DATE="2026-01-02 03:04:05 +0200",
                        GIT_COMMITTER_DATE="2026-01-02 03:04:05 +0200")
        self.git("init", "-q", "-b", "main")

    def git(self, *words, cwd=None, check=True):
        done = subprocess.run(["git", *map(str, words)], cwd=cwd or self.dir, env=self.env,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if check:
            self.assertEqual(done.returncode, 0, f"git {words}: {done.stdout}{done.stderr}")
        return done if not check else done.stdout.strip()

    def commit(self, subject, **files):
        """A commit that writes each file; returns its id."""
        for name, text in (files or {subject.replace(" ", "_"): subject}).items():
            (self.dir / name.replace("__", "/")).parent.mkdir(exist_ok=True)
            (self.dir / name.replace("__", "/")).write_text(text)
        self.git("add", "-A", ":!.kregress")
        self.git("commit", "-q", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")

    def linear(self, count, culprit=None):
        """H1 .. Hn; from the culprit on there is a file "slow". Returns the ids, [0] unused."""
        ids = [None]
        for i in range(1, count + 1):
            files = {"number": f"{i}\n"}
            if i == culprit:
                files["slow"] = "slow\n"
            ids.append(self.commit(f"H{i}", **files))
        return ids

    def bisect(self, *words, expect=0, **options):
        return self.run_kregress("bisect", *words, expect=expect, **options)

    def twin(self):
        """A copy of the repository for the installed git."""
        path = self.root / "twin"
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(self.dir, path, symlinks=True,
                        ignore=shutil.ignore_patterns(".kregress"))
        return path

    def first_bad(self, text):
        found = FIRST_BAD.search(text)
        self.assertIsNotNone(found, text)
        return found.group(1)

    def candidates(self, text):
        """The commits that an answer without a single culprit names."""
        ours = re.findall(r"^  \* ([0-9a-f]{12}) ", text, re.M)
        theirs = [line[:12] for line in re.findall(r"^[0-9a-f]{40}$", text, re.M)]
        return sorted(ours or theirs)

    def both_run(self, start, command, same_answer=True):
        """Runs the bisection with kregress and with git: (our result, git's)."""
        twin = self.twin()
        started = self.git("bisect", "start", *start, cwd=twin, check=False)
        theirs = self.git("bisect", "run", *command, cwd=twin, check=False)
        self.bisect("start", *start)
        ours = self.bisect("run", "--", *command, expect=None)
        if same_answer:
            self.assertEqual(started.returncode, 0, started)
            self.assertEqual(theirs.returncode, ours.code, f"{ours}\n{theirs}")
            self.assertEqual(self.first_bad(theirs.stdout), self.first_bad(ours.out))
        return ours, theirs

    def fingerprint(self, path=None):
        """Every file of the checkout and of .git, by content, mode and time."""
        found = {}
        root = path or self.dir
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(f for f in folders if f != ".kregress")
            for name in sorted(names):
                file = os.path.join(folder, name)
                stat = os.lstat(file)
                with open(file, "rb") as stream:
                    digest = hashlib.sha256(stream.read()).hexdigest()
                found[os.path.relpath(file, root)] = (digest, stat.st_mode, stat.st_mtime_ns)
        return found

    def journal(self):
        path = self.dir / ".kregress" / "bisect" / "journal"
        return path.read_bytes() if path.exists() else None

    def status(self):
        return self.bisect("status", "--json").json()

    def state(self):
        """What the state amounts to, without what times and places differ in."""
        found = self.status()
        for key in ("started_at", "repository"):
            del found[key]
        return found
