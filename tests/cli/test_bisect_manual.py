# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps by hand: the commit to be tested is put into a working tree of the bisection's own."""
import os
import pathlib
import re
import subprocess

import rig
from bisect_case import BisectCase

FILES = re.compile(r"^its files are in (/.*)$", re.M)


class Manual(BisectCase):
    def files(self, result):
        """The folder that the output names."""
        found = FILES.search(result.out)
        self.assertIsNotNone(found, result)
        return pathlib.Path(found.group(1))

    def assert_is_next(self, folder):
        """What lies there is the commit that is to be tested."""
        commit = self.status()["next"]
        self.assertEqual(self.git("rev-parse", "HEAD", cwd=folder), commit)
        self.assertEqual(self.git("status", "--porcelain", cwd=folder), "")
        self.assertEqual((folder / "number").read_text(),
                         self.git("show", f"{commit}:number") + "\n")

    def test_found_by_hand_without_touching_the_checkout(self):
        ids = self.linear(16, culprit=11)
        self.write("number", "not committed\n")
        before = self.fingerprint()
        self.bisect("start", ids[16], ids[1])
        result = self.bisect("next")
        folder = self.files(result)
        self.assertEqual(folder, self.dir / ".kregress" / "bisect" / "worktree")
        for _ in range(8):
            if "first bad" in result.out:
                break
            self.assertEqual(self.files(result), folder)
            self.assert_is_next(folder)
            result = self.bisect("bad" if (folder / "slow").exists() else "good")
        self.assertEqual(self.first_bad(result.out), ids[11])
        self.assertIsNone(FILES.search(result.out))
        self.assertEqual(self.fingerprint(), before)
        self.bisect("reset")
        self.assertFalse(folder.exists())
        self.assertEqual(self.fingerprint(), before)

    def test_skips_and_values_move_it_too(self):
        ids = self.linear(16)
        self.bisect("start", ids[16], ids[1])
        folder = self.files(self.bisect("next"))
        first = self.git("rev-parse", "HEAD", cwd=folder)
        self.files(self.bisect("skip"))
        self.assertNotEqual(self.git("rev-parse", "HEAD", cwd=folder), first)
        self.assert_is_next(folder)
        self.bisect("start", ids[16], ids[1])
        folder = self.files(self.bisect("next"))
        self.bisect("value", ids[1], "100", "101", "102")
        self.assert_is_next(folder)

    def test_a_mark_alone_makes_none(self):
        ids = self.linear(16)
        self.bisect("start", ids[16], ids[1])
        result = self.bisect("good", ids[4])
        self.assertIsNone(FILES.search(result.out))
        self.assert_says(result, "kregress bisect next")
        self.assertFalse((self.dir / ".kregress" / "bisect" / "worktree").exists())
        self.assertNotIn("bisect next", self.bisect("good", ids[5], "--quiet").err)

    def test_a_new_start_removes_it(self):
        ids = self.linear(8)
        self.bisect("start", ids[8], ids[1])
        folder = self.files(self.bisect("next"))
        self.bisect("start", ids[8], ids[2])
        self.assertFalse(folder.exists())

    def test_build_products_stay_and_changes_do_not(self):
        ids = self.linear(16)
        self.bisect("start", ids[16], ids[1])
        folder = self.files(self.bisect("next"))
        (folder / "built").write_text("x")
        (folder / "number").write_text("hacked")
        self.bisect("good")
        self.assertEqual((folder / "built").read_text(), "x")
        self.assertNotEqual((folder / "number").read_text(), "hacked")

    def test_ends_that_are_not_known(self):
        ids = self.linear(8)
        self.bisect("start")
        self.assertIn("waiting for a bad commit", self.bisect("next").out)
        self.bisect("bad", ids[8])
        self.assertIn("waiting for a good commit", self.bisect("next").out)
        self.bisect("good", ids[1])
        self.files(self.bisect("next"))

    def test_merge_base_first(self):
        base = self.linear(2)[2]
        self.git("checkout", "-q", "-b", "side")
        side = self.commit("side", side="x")
        self.git("checkout", "-q", "main")
        self.commit("inner", inner="x")
        bad = self.commit("tip", slow="x")
        self.bisect("start", bad, side)
        folder = self.files(self.bisect("next"))
        self.assertEqual(self.git("rev-parse", "HEAD", cwd=folder), base)

    def test_bare_repository_gets_files_on_request(self):
        ids = self.linear(8)
        bare = self.root / "bare.git"
        self.git("clone", "-q", "--bare", self.dir, bare)
        before = self.fingerprint(bare)
        self.bisect("start", "-R", bare, ids[8], ids[1])
        self.assertNotIn("bisect next", self.bisect("good", ids[2]).err)
        self.assert_is_next(self.files(self.bisect("next")))
        self.assertEqual(self.fingerprint(bare), before)

    def test_two_bisections_of_one_repository(self):
        """Each beside its own store, with a working tree of its own; git's is a third."""
        ids = self.linear(16, culprit=11)
        self.git("bisect", "start", ids[16], ids[1])
        stores = [("--store", str(self.root / name / "store.db")) for name in ("one", "two")]
        folders = []
        for store, last in zip(stores, (ids[16], ids[12])):
            self.bisect("start", *store, last, ids[1])
            folders.append(self.files(self.bisect("next", *store)))
        self.assertNotEqual(*folders)
        heads = [self.git("rev-parse", "HEAD", cwd=folder) for folder in folders]
        self.assertNotEqual(*heads)
        for store in stores:
            result = self.bisect("run", *store, "--", "sh", "-c", "test ! -f slow")
            self.assertEqual(self.first_bad(result.out), ids[11])
        self.bisect("reset", *stores[0])
        self.assertTrue(folders[1].exists())
        self.assertEqual(self.git("worktree", "list").count("\n"), 0)

    def test_a_disk_that_is_full(self):
        ids = self.linear(8)
        disk = self.root / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "none", str(disk)],
                          capture_output=True).returncode:
            self.skipTest("mounting a tmpfs is not permitted here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(disk)], check=True)
        (self.dir / "big").write_bytes(os.urandom(600 * 1024))
        self.git("add", "big")
        self.git("commit", "-q", "-m", "big")
        store = ("--store", str(disk / "store.db"))
        last = self.commit("last", last="x")
        self.bisect("start", *store, last, ids[8])
        result = self.bisect("next", *store, expect=4)
        self.assert_says(result, "No space left", str(disk), "Make room and do it again")
        self.bisect("status", *store)


if __name__ == "__main__":
    rig.main()
