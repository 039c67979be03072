# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs one case file of sessions/: what users of git bisect do, with kregress and the installed git.

    commit NAME PARENT... [touch=PATH]   the graph; a merge has at each path what was written last
    culprit NAME             from there on commits hold the file "slow"
    sh COMMAND               in the repository; $NAME is a commit's id
    > WORDS                  a step: "kregress bisect WORDS", and "git bisect WORDS" in a copy
    kregress> WORDS          for one of them only
    git> WORDS

Names of commits stand for their ids, also in A..B. "run SCRIPT" is run by sh; "@FILE" is a file kept
by `save`. Without git (a line "git none") `>` is a step of kregress alone. Behind a step:

    exit CODE                of kregress (0 when the line is missing)
    git CODE|fails           of git (as kregress's when the line is missing)
    says TEXT                kregress prints it
    silent TEXT              ... does not print it
    found NAME [TERM]        both say that it is the first bad, or TERM, commit
    among NAME...            both name these, and no others
    next NAME                both want it tested next
    away NAME COUNT          what kregress wants tested next is so many commits away from NAME
    visits NAME...           kregress has tested these
    never NAME...            kregress has not tested these
    state kept|none          kregress's journal is as before the step; there is none
    save FILE [crlf]         keeps what the step printed

At the end, and after every step, the user's checkout, HEAD, index and references must be as they were
at the first one.
"""
import os
import re
import shlex
import sys

import rig
from bisect_case import BisectCase

STEP = re.compile(r"^(git|kregress|)> *(.*)$")


class Session(BisectCase):
    """One case file."""

    path = None

    def setUp(self):
        super().setUp()
        self.ids, self.content, self.order = {}, {}, []
        self.culprit, self.with_git, self.steps = None, True, 0
        self.ours = self.theirs = self.before = self.fingerprint_before = None

    def runTest(self):
        with open(self.path, encoding="utf-8") as stream:
            lines = stream.read().splitlines()
        self.culprit = next((l.split()[1] for l in lines if l.startswith("culprit ")), None)
        for number, line in enumerate(lines, 1):
            if line.strip() and not line.startswith("#"):
                with self.subTest(f"{os.path.basename(self.path)}:{number}: {line}"):
                    self.take(line)
        self.check_step()
        self.assertGreater(self.steps, 0, "no step")

    def take(self, line):
        step = STEP.match(line)
        if step:
            self.check_step()
            self.step(*step.groups())
            return
        word, _, rest = line.partition(" ")
        getattr(self, "do_" + word)(rest.strip())

    # The repository.

    def do_commit(self, rest):
        name, *words = rest.split()
        touched = [w[6:] for w in words if w.startswith("touch=")] or [f"all/{name}"]
        parents = [w for w in words if not w.startswith("touch=")]
        merged = {}
        for parent in parents:
            for path, writer in self.content[parent].items():
                if path not in merged or self.order.index(writer) > self.order.index(merged[path]):
                    merged[path] = writer
        self.order.append(name)
        self.content[name] = {**merged, **{path: name for path in touched}}
        if name == self.culprit:
            self.content[name]["slow"] = name
        self.import_commit(name, parents)
        self.ids[name] = self.env[name] = self.git("rev-parse", "main")
        self.git("reset", "-q", "--hard")

    def import_commit(self, name, parents):
        """Makes it the tip of main."""
        who = "A U Thor <author@example.org> 1767315845 +0200"
        lines = ["commit refs/heads/main", f"author {who}", f"committer {who}", f"data {len(name)}",
                 name]
        for word, parent in zip(["from", *["merge"] * len(parents)], parents):
            lines.append(f"{word} {self.ids[parent]}")
        lines.append("deleteall")
        for path, writer in self.content[name].items():
            lines += [f"M 100644 inline {path}", f"data {len(writer) + 1}", writer, ""]
        done = rig.subprocess.run(["git", "fast-import", "--quiet", "--force"], cwd=self.dir,
                                  env=self.env, input="\n".join(lines) + "\n", text=True,
                                  capture_output=True)
        self.assertEqual(done.returncode, 0, done)

    def do_culprit(self, rest):
        self.assertIn(rest, self.ids)

    def do_sh(self, rest):
        done = rig.subprocess.run(["sh", "-ec", rest], cwd=self.dir, env=self.env, capture_output=True,
                                  text=True)
        self.assertEqual(done.returncode, 0, done)

    # Steps.

    def words(self, text):
        found = [self.replace(word) for word in shlex.split(text)]
        if found and found[0] == "run":
            script = text.strip()[3:].strip()
            return ["run", "sh", "-c", script]
        return found

    def replace(self, word):
        if word.startswith("@"):
            return str(self.root / word[1:])
        ends = word.split("..")
        if len(ends) <= 2 and all(end in self.ids for end in ends):
            return "..".join(self.ids[end] for end in ends)
        return word

    def step(self, who, text):
        if not self.steps:
            self.twin_path = self.twin() if self.with_git else None
            self.fingerprint_before = self.look()
        self.steps += 1
        self.expected = {"exit": 0, "git": None}
        words = self.words(text)
        self.ours = self.theirs = None
        self.before = self.journal()
        if who != "git":
            ours = ["run", "--", *words[1:]] if words[:1] == ["run"] else words
            self.ours = self.bisect(*ours, expect=None)
        if who != "kregress" and self.with_git:
            self.theirs = self.git("bisect", *words, cwd=self.twin_path, check=False)

    def look(self):
        return self.fingerprint(), self.git("for-each-ref"), self.git("symbolic-ref", "-q", "HEAD",
                                                                      check=False).stdout

    def check_step(self):
        if not self.steps or self.expected is None:
            return
        code, wanted = self.expected["exit"], self.expected["git"]
        if self.ours:
            self.assertEqual(self.ours.code, code, self.ours)
        if self.theirs and wanted == "fails":
            self.assertNotEqual(self.theirs.returncode, 0, self.theirs)
        elif self.theirs:
            self.assertEqual(self.theirs.returncode, code if wanted is None else int(wanted),
                             self.theirs)
        self.assertEqual(self.look(), self.fingerprint_before, "the user's repository was touched")
        self.expected = None

    def do_exit(self, rest):
        self.expected["exit"] = int(rest)

    def do_git(self, rest):
        if rest == "none":
            self.assertFalse(self.steps)
            self.with_git = False
        else:
            self.expected["git"] = rest

    def text(self):
        return self.ours.out + self.ours.err

    def do_says(self, rest):
        for name, commit in self.ids.items():
            rest = re.sub(rf"\b{name}\b", commit, rest)
        self.assertIn(rest, self.text(), self.ours)

    def do_silent(self, rest):
        self.assertNotIn(rest, self.text(), self.ours)

    def do_found(self, rest):
        name, *term = rest.split()
        sentence = f"{self.ids[name]} is the first {term[0] if term else 'bad'} commit"
        if self.ours:
            self.assertIn(sentence, self.ours.out, self.ours)
        if self.theirs:
            self.assertIn(sentence, self.theirs.stdout, self.theirs)

    def do_among(self, rest):
        wanted = sorted(self.ids[name][:12] for name in rest.split())
        self.assertEqual(self.candidates(self.ours.out), wanted, self.ours)
        if self.theirs:
            self.assertEqual(self.candidates(self.theirs.stdout), wanted, self.theirs)

    def do_next(self, rest):
        self.assertEqual(self.status()["next"], self.ids[rest])
        if self.theirs:
            self.assertEqual(self.git("rev-parse", "HEAD", cwd=self.twin_path), self.ids[rest])

    def do_away(self, rest):
        name, count = rest.split()
        between = self.git("rev-list", "--count", f"{self.ids[name]}...{self.status()['next']}")
        self.assertGreaterEqual(int(between), int(count))

    def tested(self):
        return set(self.status()["path"])

    def do_visits(self, rest):
        self.assertLessEqual({self.ids[name] for name in rest.split()}, self.tested())

    def do_never(self, rest):
        self.assertFalse({self.ids[name] for name in rest.split()} & self.tested())

    def do_state(self, rest):
        self.assertEqual(self.journal(), None if rest == "none" else self.before)
        if rest == "none":
            self.assertFalse((self.dir / ".kregress" / "bisect").exists())

    def do_save(self, rest):
        name, *crlf = rest.split()
        text = self.ours.out if self.ours else self.theirs.stdout + "\n"
        self.write(f"../{name}", text.replace("\n", "\r\n") if crlf else text)


def main():
    Session.path = sys.argv[1]
    suite = rig.unittest.TestSuite([Session()])
    result = rig.unittest.TextTestRunner(verbosity=2).run(suite)
    sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)


if __name__ == "__main__":
    main()
