# SPDX-License-Identifier: GPL-3.0-or-later
"""What users of git bisect rely on, with kregress and, where git has it, with the installed git."""
import os
import shutil
import subprocess

import rig
from bisect_case import BisectCase

SLOW = ("sh", "-c", "test ! -f slow")


class Start(BisectCase):
    def test_bad_only_is_allowed_with_a_warning(self):
        self.linear(4)
        self.assert_says(self.bisect("start", "HEAD"), "warning", "only a bad commit")
        self.assertEqual(self.git("bisect", "start", "HEAD", cwd=self.twin(), check=False).returncode,
                         0)
        self.assert_says(self.bisect("run", "--", "true", expect=2), "a good commit is needed")

    def test_good_only_is_refused(self):
        self.linear(4)
        self.bisect("start")
        self.bisect("good", "HEAD~2")
        self.assert_says(self.bisect("run", "--", "true", expect=2), "a bad commit is needed")
        twin = self.twin()
        self.git("bisect", "start", cwd=twin)
        self.git("bisect", "good", "HEAD~2", cwd=twin)
        self.assertNotEqual(self.git("bisect", "run", "true", cwd=twin, check=False).returncode, 0)

    def test_junk_revision_writes_no_state(self):
        self.linear(4)
        result = self.bisect("start", "HEAD", "no-such-thing", expect=2)
        self.assert_says(result, "no-such-thing")
        self.assertFalse((self.dir / ".kregress").exists())
        self.assertNotEqual(self.git("bisect", "start", "HEAD", "no-such-thing", "--",
                                     cwd=self.twin(), check=False).returncode, 0)

    def test_junk_revision_leaves_an_earlier_session(self):
        ids = self.linear(6)
        self.bisect("start", ids[6], ids[1])
        before = self.journal()
        self.bisect("start", "junk", ids[1], expect=2)
        self.bisect("start", ids[6], "junk", expect=2)
        self.bisect("good", "junk", expect=2)
        self.assertEqual(self.journal(), before)

    def test_swapped_ends(self):
        ids = self.linear(4)
        before = self.fingerprint()
        self.assert_says(self.bisect("start", ids[1], ids[4], expect=2), "mistook")
        self.assertIsNone(self.journal())
        self.assertEqual(self.fingerprint(), before)
        self.assertNotEqual(self.git("bisect", "start", ids[1], ids[4], cwd=self.twin(),
                                     check=False).returncode, 0)

    def test_swapped_by_a_later_mark(self):
        ids = self.linear(4)
        self.bisect("start", ids[2])
        before = self.journal()
        self.assert_says(self.bisect("good", ids[4], expect=2), "mistook")
        self.assertEqual(self.journal(), before)

    def test_path_that_nothing_touches(self):
        ids = self.linear(4)
        result = self.bisect("start", ids[4], ids[1], "--", "no/such/path", expect=2)
        self.assert_says(result, "no testable commit")
        self.assertIsNone(self.journal())
        self.assertNotEqual(self.git("bisect", "start", ids[4], ids[1], "--", "no/such/path",
                                     cwd=self.twin(), check=False).returncode, 0)

    def test_annotated_tags_are_peeled(self):
        ids = self.linear(6, culprit=4)
        self.git("tag", "-a", "-m", "a tag", "v1", ids[1])
        self.git("tag", "-a", "-m", "a tag", "v2", ids[6])
        ours, _ = self.both_run(("v2", "v1"), SLOW)
        self.assertEqual(self.first_bad(ours.out), ids[4])

    def test_head_in_the_place_of_a_revision(self):
        ids = self.linear(4)
        self.bisect("start")
        self.bisect("bad")
        self.bisect("good", ids[1])
        self.assertEqual(self.git("rev-parse", "HEAD"), ids[4])
        commits = {c["commit"]: c["state"] for c in self.status()["commits"]}
        self.assertEqual((commits[ids[4]], commits[ids[1]]), ("slow", "fast"))

    def test_a_second_start_takes_the_place_of_the_first(self):
        ids = self.linear(6, culprit=4)
        self.bisect("start", ids[6], ids[1])
        self.bisect("run", "--", *SLOW)
        self.bisect("start", ids[3], ids[1])
        self.assertEqual(self.status()["measurements"], 0)

    def test_not_bisecting(self):
        self.linear(2)
        for words in (("status",), ("good",), ("log",), ("run", "--", "true"), ("visualize",)):
            self.assert_says(self.bisect(*words, expect=2), "no bisection is going on")
        self.bisect("reset")
        self.assertEqual(self.git("bisect", "reset", cwd=self.twin(), check=False).returncode, 0)

    def test_reset_removes_everything(self):
        ids = self.linear(6, culprit=3)
        self.bisect("start", ids[6], ids[1])
        self.bisect("run", "--", *SLOW)
        self.bisect("reset")
        self.assertFalse((self.dir / ".kregress" / "bisect").exists())
        self.bisect("reset")

    def test_no_repository(self):
        shutil.rmtree(self.dir / ".git")
        self.assert_says(self.bisect("start", "HEAD", expect=2), "no git repository")


class Untouched(BisectCase):
    """Checkout, index, references and the state of git's own bisect stay byte for byte."""

    def check(self, start, command=SLOW, **options):
        before = self.fingerprint()
        self.bisect("start", *start)
        self.bisect("run", "--", *command, **options)
        self.bisect("skip", start[1], expect=None)
        self.bisect("reset")
        self.assertEqual(self.fingerprint(), before)

    def test_plain(self):
        ids = self.linear(8, culprit=5)
        self.check((ids[8], ids[1]))

    def test_dirty_tree_in_the_way(self):
        ids = self.linear(8, culprit=5)
        self.write("number", "not committed\n")
        self.write("untracked", "x\n")
        self.git("add", "untracked")
        self.check((ids[8], ids[1]))
        self.assertEqual((self.dir / "number").read_text(), "not committed\n")

    def test_detached_head(self):
        ids = self.linear(8, culprit=5)
        self.git("checkout", "-q", ids[3])
        self.check((ids[8], ids[1]))
        self.assertEqual(self.git("rev-parse", "HEAD"), ids[3])

    def test_branch_in_another_worktree_and_packed_refs(self):
        ids = self.linear(8, culprit=5)
        self.git("branch", "other", ids[4])
        self.git("worktree", "add", "-q", self.root / "other", "other")
        self.git("pack-refs", "--all")
        self.check((ids[8], ids[1]))

    def test_branch_named_bisect(self):
        ids = self.linear(8, culprit=5)
        self.git("branch", "bisect", ids[2])
        self.check((ids[8], "bisect"))
        self.assertEqual(self.git("rev-parse", "bisect"), ids[2])

    def test_a_bisection_of_git_under_way(self):
        ids = self.linear(8, culprit=5)
        self.git("bisect", "start", ids[8], ids[1])
        self.check((ids[8], ids[1]))
        self.assertEqual(self.first_bad(self.git("bisect", "run", *SLOW)), ids[5])

    def test_git_status_does_not_show_the_state(self):
        ids = self.linear(4, culprit=3)
        self.bisect("start", ids[4], ids[1])
        self.assertEqual(self.git("status", "--porcelain"), "")


class Skips(BisectCase):
    def test_skip_then_found(self):
        ids = self.linear(4)
        self.bisect("start", ids[4], ids[1])
        self.bisect("skip", ids[3])
        result = self.bisect("bad", ids[2])
        self.assertEqual(self.first_bad(result.out), ids[2])

    def manual(self, *marks):
        """The same marks for kregress and git; the last answers."""
        twin = self.twin()
        self.git("bisect", "start", cwd=twin)
        self.bisect("start")
        for word, commit in marks:
            theirs = self.git("bisect", word, commit, cwd=twin, check=False)
            ours = self.bisect(word, commit, expect=None)
        return ours, theirs

    def test_skipped_between(self):
        ids = self.linear(4)
        ours, theirs = self.manual(("bad", ids[4]), ("good", ids[1]), ("skip", ids[3]),
                                   ("good", ids[2]))
        self.assertEqual((ours.code, theirs.returncode), (2, 2), f"{ours}{theirs}")
        self.assertEqual(self.candidates(ours.out), self.candidates(theirs.stdout))
        self.assertEqual(self.candidates(ours.out), sorted(i[:12] for i in ids[3:]))

    def test_all_skipped(self):
        ids = self.linear(4)
        ours, theirs = self.manual(("bad", ids[4]), ("good", ids[1]), ("skip", ids[3]),
                                   ("skip", ids[2]))
        self.assertEqual((ours.code, theirs.returncode), (2, 2), f"{ours}{theirs}")
        self.assertEqual(self.candidates(ours.out), self.candidates(theirs.stdout))
        self.assertEqual(len(self.candidates(ours.out)), 3)

    def test_range(self):
        ids = self.linear(12)
        self.bisect("start", ids[12], ids[1])
        self.bisect("skip", f"{ids[4]}..{ids[9]}")
        states = {c["commit"]: c["state"] for c in self.status()["commits"]}
        self.assertEqual([i for i in ids[1:] if states.get(i) == "skipped"], ids[5:10])

    def test_next_is_away_from_skips(self):
        ids = self.linear(42)
        self.bisect("start", ids[42], ids[1])
        middle = ids.index(self.status()["next"])
        self.bisect("skip")
        self.assertGreater(abs(ids.index(self.status()["next"]) - middle), 3)

    def test_found_despite_skips_is_named(self):
        ids = self.linear(9, culprit=6)
        self.bisect("start", ids[9], ids[1])
        script = f"test $KREGRESS_COMMIT != {ids[3]} || exit 125; test ! -f slow"
        self.bisect("skip", ids[3])
        result = self.bisect("run", "--", "sh", "-c", script)
        self.assertIn("found despite 1 skipped", result.out)
        self.bisect("start", ids[9], ids[1])
        self.assertNotIn("despite", self.bisect("run", "--", *SLOW).out)


class Graphs(BisectCase):
    def siblings(self):
        """base - side (good), base - main (bad)."""
        base = self.linear(2)
        self.git("checkout", "-q", "-b", "side")
        side = self.commit("side", side="x")
        self.git("checkout", "-q", "main")
        inner = self.commit("inner", inner="x")
        bad = self.commit("tip", slow="x")
        return base[2], side, inner, bad

    def test_merge_base_is_tested_and_good(self):
        base, side, _, bad = self.siblings()
        self.bisect("start", bad, side)
        self.assertEqual(self.status()["next"], base)
        ours, _ = self.both_run((bad, side), SLOW)
        self.assertEqual(self.first_bad(ours.out), bad)
        self.assertIn(base, self.status()["path"])

    def test_bad_merge_base_means_a_fix(self):
        base, side, _, bad = self.siblings()
        self.bisect("start", bad, side)
        result = self.bisect("bad", base, expect=3)
        self.assertIn("fix lies between", result.out)
        twin = self.twin()
        self.git("bisect", "start", bad, side, cwd=twin)
        self.assertEqual(self.git("bisect", "bad", base, cwd=twin, check=False).returncode, 3)

    def test_bad_merge_base_in_a_run(self):
        _, side, _, bad = self.siblings()
        ours, theirs = self.both_run((bad, side), ("false",), same_answer=False)
        self.assertEqual(ours.code, 3)
        self.assertNotEqual(theirs.returncode, 0)

    def test_skipped_merge_base_warns(self):
        base, side, _, bad = self.siblings()
        self.bisect("start", bad, side)
        self.assert_says(self.bisect("skip", base), "warning", base, "skipped")
        twin = self.twin()
        self.git("bisect", "start", bad, side, cwd=twin)
        done = self.git("bisect", "skip", base, cwd=twin, check=False)
        self.assertEqual(done.returncode, 0)

    def merged(self):
        """main: H1 H2 M H4; side commits S1 S2 come in with M."""
        ids = self.linear(2)
        self.git("checkout", "-q", "-b", "side")
        sides = [self.commit("S1", s1="x"), self.commit("S2", slow="x")]
        self.git("checkout", "-q", "main")
        main = self.commit("H3", h3="x")
        self.git("merge", "-q", "--no-ff", "-m", "M", "side")
        merge = self.git("rev-parse", "HEAD")
        tip = self.commit("H4", h4="x")
        return ids[1], sides, main, merge, tip

    def test_culprit_on_a_side_branch(self):
        good, sides, _, _, tip = self.merged()
        ours, _ = self.both_run((tip, good), SLOW)
        self.assertEqual(self.first_bad(ours.out), sides[1])

    def test_first_parent_never_visits_the_side(self):
        good, sides, _, merge, tip = self.merged()
        ours, _ = self.both_run(("--first-parent", tip, good), SLOW)
        self.assertEqual(self.first_bad(ours.out), merge)
        self.assertFalse(set(sides) & set(self.status()["path"]))

    def test_paths(self):
        ids = self.linear(3)
        wanted = []
        for i in range(6):
            self.commit(f"other {i}", other=str(i))
            wanted.append(self.commit(f"wanted {i}", dir__file=str(i)))
        script = ("sh", "-c", "test $(cat dir/file 2>/dev/null || echo 0) -lt 4")
        ours, _ = self.both_run((wanted[-1], ids[1], "--", "dir"), script)
        self.assertEqual(self.first_bad(ours.out), wanted[4])
        self.assertLessEqual(set(self.status()["path"]), set(wanted))

    def test_bare_repository(self):
        ids = self.linear(8, culprit=5)
        bare = self.root / "bare.git"
        self.git("clone", "-q", "--bare", self.dir, bare)
        before = self.fingerprint(bare)
        self.bisect("start", "-R", bare, ids[8], ids[1])
        script = f'git --git-dir={bare} cat-file -e "$KREGRESS_COMMIT:slow" 2>/dev/null && exit 1; :'
        result = self.bisect("run", "--", "sh", "-c", script)
        self.assertEqual(self.first_bad(result.out), ids[5])
        self.assertEqual(self.fingerprint(bare), before)

    def test_shallow_clone_is_refused(self):
        self.linear(4)
        self.git("clone", "-q", "--depth", "2", f"file://{self.dir}", self.root / "shallow")
        self.assert_says(self.bisect("start", "-R", self.root / "shallow", "HEAD", "HEAD~1",
                                     expect=2), "shallow", "git fetch --unshallow")


class Run(BisectCase):
    def test_exit_codes_mean_bad(self):
        ids = self.linear(8, culprit=5)
        for code in (1, 2, 100, 124):
            ours, _ = self.both_run((ids[8], ids[1]),
                                    ("sh", "-c", f"test ! -f slow || exit {code}"))
            self.assertEqual(self.first_bad(ours.out), ids[5], code)

    def test_126_and_127_only_where_good_is_not_the_same(self):
        ids = self.linear(8, culprit=5)
        for code in (126, 127):
            ours, _ = self.both_run((ids[8], ids[1]),
                                    ("sh", "-c", f"test ! -f slow || exit {code}"))
            self.assertEqual(self.first_bad(ours.out), ids[5], code)

    def test_command_that_does_not_exist(self):
        ids = self.linear(8, culprit=5)
        ours, theirs = self.both_run((ids[8], ids[1]), ("./no-such-script",), same_answer=False)
        self.assertEqual(ours.code, 2)
        self.assert_says(ours, "127", "good commit")
        self.assertNotEqual(theirs.returncode, 0)
        self.assertEqual(self.status()["measurements"], 0)

    def test_command_that_is_not_executable(self):
        ids = self.linear(8, culprit=5)
        self.write("script", "exit 0\n")
        ours, theirs = self.both_run((ids[8], ids[1]), ("./script",), same_answer=False)
        self.assertEqual(ours.code, 2)
        self.assert_says(ours, "126", "good commit")
        self.assertNotEqual(theirs.returncode, 0)

    def test_128_and_above_stop(self):
        ids = self.linear(8, culprit=5)
        for code in (128, 255):
            ours, theirs = self.both_run((ids[8], ids[1]), ("sh", "-c", f"exit {code}"),
                                         same_answer=False)
            self.assertEqual(ours.code, 4)
            self.assertNotEqual(theirs.returncode, 0)
            self.assertEqual(self.status()["measurements"], 0)
        self.bisect("start", ids[8], ids[1])
        self.assert_says(self.bisect("run", "--", "sh", "-c", "kill -SEGV $$", expect=4), "signal 11")

    def test_125_skips(self):
        ids = self.linear(9, culprit=6)
        script = ("sh", "-c", "test $(cat number) != 5 || { echo why >&2; exit 125; }; test ! -f slow")
        ours, theirs = self.both_run((ids[9], ids[1]), script, same_answer=False)
        self.assertEqual((ours.code, theirs.returncode), (2, 2))
        self.assertEqual(self.candidates(ours.out), self.candidates(theirs.stdout))
        self.assertEqual(self.candidates(ours.out), sorted(i[:12] for i in ids[5:7]))
        self.assertIn("why", [c["reason"] or "" for c in self.status()["commits"]
                              if c["commit"] == ids[5]][0])

    def test_all_skipped_is_2(self):
        ids = self.linear(6)
        ours, theirs = self.both_run((ids[6], ids[1]), ("sh", "-c", "exit 125"), same_answer=False)
        self.assertEqual((ours.code, theirs.returncode), (2, 2))
        self.assertEqual(self.candidates(ours.out), self.candidates(theirs.stdout))

    def test_arguments_are_verbatim(self):
        ids = self.linear(8, culprit=5)
        words = ("a b", "", "*", "$HOME", "--jobs", "-x", "'", '"', "\\", "a\nb", "--help")
        expected = "".join(f"<{word}>" for word in words)
        script = self.root / "arguments"
        script.write_text('#!/bin/sh\nfor word; do printf "<%s>" "$word"; done >> "$OUT"\n'
                          'echo >> "$OUT"\ntest ! -f slow\n')
        script.chmod(0o755)
        self.env["OUT"] = str(self.root / "out")
        self.bisect("start", ids[8], ids[1])
        result = self.bisect("run", "--", str(script), *words)
        self.assertEqual(self.first_bad(result.out), ids[5])
        self.assertIn(expected, (self.root / "out").read_text())

    def test_script_outside_git_is_found(self):
        ids = self.linear(8, culprit=5)
        self.write("test.sh", "#!/bin/sh\ntest ! -f slow\n").chmod(0o755)
        ours, _ = self.both_run((ids[8], ids[1]), ("./test.sh",))
        self.assertEqual(self.first_bad(ours.out), ids[5])

    def test_script_that_deletes_the_state(self):
        ids = self.linear(8, culprit=5)
        self.bisect("start", ids[8], ids[1])
        result = self.bisect("run", "--", "sh", "-c", f"rm -rf {self.dir}/.kregress; test ! -f slow",
                             expect=4)
        self.assertNotIn("first bad", result.out)

    def test_script_that_runs_kregress(self):
        ids = self.linear(8, culprit=5)
        self.bisect("start", ids[8], ids[1])
        script = (f"cd {self.dir}; {rig.KREGRESS} bisect good {ids[7]} 2>&1 | grep -q another && "
                  f"{rig.KREGRESS} bisect status --json | grep -q kregress-bisect-1 || exit 128; "
                  'test "$(git merge-base $KREGRESS_COMMIT ' + ids[5] + ')" != ' + ids[5])
        self.assertEqual(self.first_bad(self.bisect("run", "--", "sh", "-c", script).out), ids[5])

    def test_build_products_stay_from_commit_to_commit(self):
        ids = self.linear(8, culprit=5)
        self.bisect("start", ids[8], ids[1])
        self.bisect("run", "--", "sh", "-c", "echo x >> built; echo y > number; test ! -f slow")
        built = self.dir / ".kregress" / "bisect" / "worktree" / "built"
        self.assertEqual(len(built.read_text().split()), self.status()["measurements"])

    def test_head_of_the_working_tree_is_the_commit(self):
        ids = self.linear(8, culprit=5)
        self.bisect("start", ids[8], ids[1])
        script = 'test "$(git rev-parse HEAD)" = $KREGRESS_COMMIT || exit 128; test ! -f slow'
        self.assertEqual(self.first_bad(self.bisect("run", "--", "sh", "-c", script).out), ids[5])

    def test_verify(self):
        ids = self.linear(8, culprit=5)
        self.bisect("start", ids[8], ids[1])
        self.assert_says(self.bisect("run", "--verify", "--", "true", expect=5), "bad commit passes")
        self.assert_says(self.bisect("run", "--verify", "--", "false", expect=5), "good commit fails")
        self.assertEqual(self.first_bad(self.bisect("run", "--verify", "--", *SLOW).out), ids[5])

    def test_no_command(self):
        ids = self.linear(3)
        self.bisect("start", ids[3], ids[1])
        self.bisect("run", "--", expect=2)
        self.assert_says(self.bisect("run", "./x", expect=2), "stands behind --")

    def test_full_disk(self):
        ids = self.linear(8, culprit=5)
        disk = self.root / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(disk)],
                                 capture_output=True)
        if mounted.returncode:
            self.skipTest("mounting a tmpfs is not permitted here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(disk)], check=True)
        store = ("--store", str(disk / "store.db"))
        self.bisect("start", "--no-checkout", *store, ids[8], ids[1])
        # The next record must need a page of its own.
        journal = disk / "bisect" / "journal"
        small = journal.stat().st_size
        self.bisect("skip", *store, ids[2], "--reason", "x")
        record = journal.stat().st_size - small
        room = 4096 - (journal.stat().st_size + record) % 4096
        self.bisect("skip", *store, ids[2], "--reason", "x" * ((room - record - 7) % 4096))
        script = (f"git -C {self.dir} cat-file -e $KREGRESS_COMMIT:slow 2>/dev/null && r=1; "
                  f"dd if=/dev/zero of={disk}/fill bs=1k 2>/dev/null; exit ${{r:-0}}")
        result = self.bisect("run", *store, "--", "sh", "-c", script, expect=4)
        self.assertIn("No space left", result.err)
        (disk / "fill").unlink()
        script = f"git -C {self.dir} cat-file -e $KREGRESS_COMMIT:slow 2>/dev/null && exit 1; exit 0"
        result = self.bisect("run", *store, "--", "sh", "-c", script)
        self.assertEqual(self.first_bad(result.out), ids[5])


class Terms(BisectCase):
    def test_terms_of_ones_own(self):
        ids = self.linear(6)
        twin = self.twin()
        for words in (("start", "--term-new", "slow", "--term-old", "fast"), ("slow", ids[6]),
                      ("fast", ids[1]), ("fast", ids[3]), ("slow", ids[4])):
            theirs = self.git("bisect", *words, cwd=twin, check=False)
            ours = self.bisect(*words)
        self.assertIn(f"{ids[4]} is the first slow commit", ours.out)
        self.assertIn(f"{ids[4]} is the first slow commit", theirs.stdout)

    def test_no_mixing(self):
        ids = self.linear(6)
        self.bisect("start", "--term-bad=slow", "--term-good=fast")
        before = self.journal()
        for word in ("good", "bad", "old", "new"):
            self.assert_says(self.bisect(word, ids[6], expect=2), "slow and fast")
        self.assertEqual(self.journal(), before)

    def test_old_and_new_do_not_mix_with_good_and_bad(self):
        ids = self.linear(6)
        self.bisect("start")
        self.bisect("new", ids[6])
        self.assert_says(self.bisect("good", ids[1], expect=2), "new and old")
        result = self.bisect("old", ids[5])
        self.assertIn(f"{ids[6]} is the first new commit", result.out)
        self.bisect("start", ids[6], ids[1])
        self.bisect("bad", ids[4])
        self.assert_says(self.bisect("old", ids[2], expect=2), "bad and good")

    def test_refused(self):
        self.linear(2)
        twin = self.twin()
        for words in (("--term-new=start",), ("--term-old=skip",), ("--term-new=good",),
                      ("--term-old=bad",), ("--term-new=a", "--term-old=a"), ("--term-new=a b",),
                      ("--term-new=",)):
            self.bisect("start", *words, expect=2)
            self.assertIsNone(self.journal())
            self.assertNotEqual(self.git("bisect", "start", *words, cwd=twin, check=False).returncode,
                                0, words)

    def test_unknown_word(self):
        ids = self.linear(2)
        self.bisect("start", ids[2], ids[1])
        self.assert_says(self.bisect("frobnicate", expect=2), "frobnicate")
        self.bisect(expect=2)


class Replay(BisectCase):
    def searched(self):
        ids = self.linear(9, culprit=6)
        self.bisect("start", ids[9], ids[1])
        self.bisect("skip", ids[3])
        self.bisect("run", "--", *SLOW)
        return ids

    def test_own_log(self):
        self.searched()
        before = self.state()
        log = self.write("../log", self.bisect("log").out)
        self.bisect("reset")
        self.bisect("replay", log)
        self.assertEqual(self.state(), before)

    def test_own_log_with_carriage_returns(self):
        self.searched()
        before = self.state()
        log = self.write("../log", self.bisect("log").out.replace("\n", "\r\n"))
        self.bisect("replay", log)
        self.assertEqual(self.state(), before)

    def test_git_takes_our_log(self):
        ids = self.searched()
        log = self.write("../log", self.bisect("log", "--git").out)
        twin = self.twin()
        done = self.git("bisect", "replay", log, cwd=twin, check=False)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(self.git("rev-parse", "refs/bisect/bad", cwd=twin), ids[6])
        self.assertIn(f"# first bad commit: [{ids[6]}]", self.git("bisect", "log", cwd=twin))

    def test_we_take_gits_log(self):
        ids = self.linear(9, culprit=6)
        twin = self.twin()
        self.git("bisect", "start", ids[9], ids[1], cwd=twin)
        self.git("bisect", "skip", ids[3], cwd=twin)
        self.git("bisect", "run", *SLOW, cwd=twin)
        text = self.git("bisect", "log", cwd=twin)
        for ending in ("\n", "\r\n"):
            log = self.write("../log", ending.join(text.split("\n")) + ending)
            self.assertEqual(self.first_bad(self.bisect("replay", log).out), ids[6])
        self.assertEqual(self.state()["skipped"], 1)

    def test_gits_log_with_terms_and_paths(self):
        ids = self.linear(6)
        twin = self.twin()
        self.git("bisect", "start", "--term-new=slow", "--term-old=fast", "--", "number", cwd=twin)
        for word, number in (("slow", 6), ("fast", 1), ("fast", 3), ("slow", 4)):
            self.git("bisect", word, ids[number], cwd=twin)
        log = self.write("../log", self.git("bisect", "log", cwd=twin) + "\n")
        self.assertIn(f"{ids[4]} is the first slow commit", self.bisect("replay", log).out)

    def test_damaged_logs_change_nothing(self):
        ids = self.searched()
        before = self.journal()
        log = self.bisect("log").out.splitlines()
        bad = {
            "damage": "\n".join([*log[:3], log[3].replace("mark", "mork"), *log[4:], ""]),
            "gap": "\n".join([*log[:3], *log[4:], ""]),
            "torn": "\n".join(log)[:-20],
            "words": "git bisect start\ngit bisect frobnicate\n",
            "quote": "git bisect start 'x\n",
            "junk": "git bisect start\ngit bisect bad 0123456789\n",
            "other": "hello\nworld\n",
            "empty": "",
            "no start": f"git bisect bad {ids[9]}\ngit-bisect good nope\n",
        }
        for name, text in bad.items():
            result = self.bisect("replay", self.write("../log", text), expect=None)
            self.assertIn(result.code, (2, 4), name)
            self.assertEqual(self.journal(), before, name)

    def test_torn_journal_is_cut_off_with_a_note(self):
        self.searched()
        path = self.dir / ".kregress" / "bisect" / "journal"
        whole = path.read_bytes()
        lines = whole.splitlines(keepends=True)
        for length in (1, 20, len(lines[-1]) - 1):
            path.write_bytes(b"".join(lines[:-1]) + lines[-1][:length])
            result = self.bisect("run", "--", *SLOW)
            self.assert_says(result, "not written to its end")
            self.assertEqual(self.status()["state"], "found")

    def test_damaged_journal_is_an_error_that_names_the_line(self):
        self.searched()
        path = self.dir / ".kregress" / "bisect" / "journal"
        lines = path.read_bytes().splitlines(keepends=True)
        lines[2] = lines[2].replace(b'"kind":"good"', b'"kind":"bad"')
        path.write_bytes(b"".join(lines))
        for words in (("status",), ("run", "--", "true"), ("log",)):
            self.assert_says(self.bisect(*words, expect=4), "journal:3: damaged")
        self.bisect("reset")


if __name__ == "__main__":
    rig.main()
