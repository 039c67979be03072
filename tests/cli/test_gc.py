# SPDX-License-Identifier: GPL-3.0-or-later
"""`kregress gc`: what goes, what stays and why; beside a collection, killed, refused.

With KREGRESS_TEST_POSTGRES (tests/support/with-postgres) the store is a database.
"""
import json
import os
import signal
import sqlite3
import subprocess
import time
import unittest

import rig
import timed_program

URL = os.environ.get("KREGRESS_TEST_POSTGRES")
DAY_S = 86400


def ago(days):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - days * DAY_S))


class GcCase(rig.Case):
    schemas = 0

    def setUp(self):
        super().setUp()
        self.store = str(self.dir / "store.db")
        if URL:
            GcCase.schemas += 1
            schema = f"gc_{GcCase.schemas}"
            subprocess.run(["psql", "-q", URL, "-c", f"CREATE SCHEMA {schema}"], check=True)
            self.store = f"{URL}&options=-csearch_path%3D{schema}"
        self.write("kregress.conf", f'[kregress]\n store = "{self.store}"\n')

    def document(self, variant, days, samples=4, first=0):
        """Run sets of `variant` in kregress-1, one for each age in `days`; ids count from `first`."""
        lines = [{"type": "header", "format": "kregress-1", "generator": "test"}]
        for number, age in enumerate(days, first):
            name = f"{number:08}{variant.encode().hex()}".ljust(32, "0")
            lines.append({"type": "run_set", "id": name, "collection": name, "variant": variant,
                          "target": "lab", "machine": "lab x4", "created_at": ago(age), "seed": "0",
                          "level": "boot"})
            lines.append({"type": "boot", "boot": 0, "block": 0, "slot": 0, "status": "ok",
                          "duration_s": 1})
            lines.append({"type": "series", "series": 0, "benchmark": "mm.fork", "params": "",
                          "metric": "time", "unit": "ns/op", "better": "lower"})
            lines.append({"type": "samples", "series": 0, "boot": 0, "invocation": 0, "iteration": 0,
                          "values": [100 + i for i in range(samples)]})
        lines.append({"type": "end", "lines": len(lines)})
        return "".join(json.dumps(line) + "\n" for line in lines)

    def add(self, variant, days, **options):
        self.write("input", self.document(variant, days, **options))
        self.run_kregress("import", "kregress-1", "input")

    def gc(self, *words, expect=0):
        return self.run_kregress("gc", *words, expect=expect)

    def ids(self):
        return sorted(row["run set"] for row in self.runs())

    def whole(self):
        """Every set is loaded with all its samples."""
        return [row["samples"] for row in self.runs()]


class Policy(GcCase):
    def test_something_must_be_said(self):
        self.add("full", [3, 2, 1])
        self.assert_says(self.gc(expect=2), "what is to be kept", "--keep-days")
        self.assert_says(self.gc("--keep-sets", "1", "--vacuum", "now", expect=2), "'now'", "always")
        self.assert_says(self.gc("--keep-days", "100001", expect=2), "--keep-days")
        self.assert_says(self.gc("--keep-sets", "1", "word", expect=2), "too many")
        self.assertEqual(len(self.ids()), 3)

    def test_dry_run_removes_nothing(self):
        self.add("full", [40, 30, 20, 10])
        before = self.run_kregress("export").out
        result = self.gc("--keep-days", "25", "--dry-run")
        self.assertIn("would remove 2 of 4 run sets; would keep 2: 1 among the newest, 1 recent",
                      result.out)
        self.assertEqual(result.out.count("would go"), 2)
        self.assertEqual(self.run_kregress("export").out, before)

    def test_days_and_sets(self):
        self.add("full", [400, 300, 200, 100, 10])
        self.add("none", [500], first=50)
        document = self.gc("--keep-days", "150", "--keep-sets", "1", "--json").json()
        self.assertEqual((document["old"], document["removed"]), (3, 3))
        self.assertEqual(document["kept"], {"unfinished": 0, "newest": 2, "recent": 1,
                                            "baseline": 0, "finding": 0, "around": 0})
        self.assertFalse(document["dry_run"])
        kept = [s["created_at"] for s in document["sets"] if s["kept"]]
        self.assertEqual(len(kept), 3)
        self.assertEqual(len(document["sets"]), 6)
        self.assertEqual(len(self.ids()), 3)
        again = self.gc("--keep-days", "150", "--keep-sets", "1", "--json").json()
        self.assertEqual((again["old"], again["removed"]), (0, 0))

    def test_baseline_stays_and_says_so(self):
        self.add("full", [400, 300, 200])
        oldest = self.ids()[0]
        self.run_kregress("baseline", "set", oldest, "--baseline", "main")
        result = self.gc("--keep-sets", "1")
        self.assertIn("kept", [line for line in result.out.splitlines() if "baseline 'main'" in line][0])
        self.assertIn("removed 1 of 3 run sets", result.out)
        self.assertEqual(len(self.ids()), 2)
        [shown] = self.run_kregress("baseline", "show", "main", "--json").json()
        self.assertEqual(shown["boots"], "1")

    def test_last_one_stays(self):
        self.add("full", [4000])
        self.gc("--keep-days", "1")
        self.assertEqual(len(self.ids()), 1)

    def test_empty_store(self):
        self.assertIn("removed 0 of 0 run sets", self.gc("--keep-days", "1").out)


class Room(GcCase):
    def test_room_is_given_back(self):
        self.add("full", [50, 40, 30, 20, 10], samples=20000)
        document = self.gc("--keep-sets", "1", "--vacuum", "always", "--json").json()
        self.assertEqual((document["removed"], document["vacuum"]), (4, "done"))
        self.assertLess(document["bytes_after"], document["bytes_before"] / 3)
        self.assertEqual(self.whole(), ["20000"])
        if not URL:
            self.assertEqual((self.dir / "store.db").stat().st_size, document["bytes_after"])
            self.assertFalse((self.dir / "store.db-wal").exists())

    def test_never(self):
        self.add("full", [50, 40, 30], samples=20000)
        document = self.gc("--keep-sets", "1", "--vacuum", "never", "--json").json()
        self.assertEqual((document["removed"], document["vacuum"]), (2, "never"))
        self.assertEqual(document["bytes_after"], document["bytes_before"])


@unittest.skipIf(URL, "the tables are written directly")
class Findings(GcCase):
    def test_both_sides_stay(self):
        self.add("full", list(range(30, 0, -1)))
        ids = [s["id"] for s in self.gc("--keep-sets", "1", "-n", "--json").json()["sets"]][::-1]
        database = sqlite3.connect(self.store)
        columns = [row[1] for row in database.execute("PRAGMA table_info(findings)")]
        texts = dict.fromkeys(columns, "x")
        texts.update(id="0123456789abcdef", better="lower", regression=1, state="acknowledged",
                     contradictions=0, before_set=ids[9], after_set=ids[10], low_set=ids[8],
                     high_set=ids[12], before_value=1.0, after_value=2.0, ratio_low=1.5,
                     ratio_high=2.5, p=0.001, q=0.001)
        database.execute(f"INSERT INTO findings ({', '.join(columns)}) VALUES "
                         f"({', '.join('?' * len(columns))})", [texts[c] for c in columns])
        database.commit()
        database.close()
        document = self.gc("--keep-sets", "2", "--keep-around", "3", "--json").json()
        self.assertEqual(document["kept"], {"unfinished": 0, "newest": 2, "recent": 0,
                                            "baseline": 0, "finding": 4, "around": 7})
        self.assertEqual([s["id"] for s in document["sets"] if s["kept"]][::-1], ids[5:16] + ids[28:])
        self.assertEqual({s["referrer"] for s in document["sets"] if s["reason"] == "around"},
                         {"0123456789abcdef"})
        self.assertIn("near finding 0123456789abcdef", self.gc("--keep-sets", "2", "--keep-around",
                                                              "1", "-n").out)


class Beside(GcCase):
    def hold_benchmark(self):
        """The benchmark's tenth start and all later ones wait for the file "go"."""
        program = self.root / "bin" / "hackbench"
        timed_program.install(program.parent, "1.2")
        count, go = self.root / "count", self.root / "go"
        program.write_text(program.read_text().replace(
            "#!/bin/sh\n", f"#!/bin/sh\necho start >>{count}\n"
            f"[ $(wc -l <{count}) -lt 10 ] || while [ ! -e {go} ]; do sleep 0.05; done\n"))
        self.env["PATH"] = f"{program.parent}:{self.env['PATH']}"
        self.addCleanup(go.touch)
        return go

    def test_a_running_collection_is_untouched(self):
        go = self.hold_benchmark()
        self.add("local", [30, 20, 10], samples=20000)
        process = self.start("run", "local", "--bench", timed_program.BENCH, "--boots", "12")
        self.wait_for(lambda: any(row["target"] == "local" and row["boots"] != "0"
                                  for row in self.runs()), "the first boot")
        document = self.gc("--keep-days", "0", "--json").json()
        self.assertEqual((document["removed"], document["kept"]["unfinished"]), (2, 1))
        self.assertEqual(document["vacuum"], "done" if URL else "busy")
        go.touch()
        self.assertEqual(self.finish(process).code, 0)
        boots = {row["target"]: row["boots"] for row in self.runs()}
        self.assertEqual(boots["local"], "12")
        document = self.gc("--keep-days", "0", "--json").json()
        self.assertEqual(document["vacuum"], "done")

    def test_killed_at_any_time(self):
        self.add("full", list(range(60, 0, -1)), samples=500)
        for pause in (0.005, 0.01, 0.02, 0.03, 0.05, 0.1):
            process = self.start("gc", "--keep-sets", "2", "--vacuum", "always")
            time.sleep(pause)
            process.kill()
            process.communicate()
            self.assertEqual(set(self.whole()), {"500"})
        self.gc("--keep-sets", "2")
        self.assertEqual(self.whole(), ["500", "500"])

    def test_interrupted(self):
        self.add("full", list(range(300, 0, -1)), samples=200)
        process = self.start("gc", "--keep-sets", "1")
        time.sleep(0.03)
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertIn(result.code, (0, 128 + signal.SIGINT, -signal.SIGINT))
        if result.code > 0:
            self.assert_says(result, "interrupted: ", " old run sets are removed")
        self.assertEqual(set(self.whole()), {"200"})

    def test_two_at_once(self):
        self.add("full", list(range(100, 0, -1)), samples=200)
        both = [self.start("gc", "--keep-sets", "3", "--vacuum", "never", "--json") for _ in "ab"]
        results = [self.finish(process) for process in both]
        self.assertEqual([result.code for result in results], [0, 0], results)
        self.assertEqual(sum(result.json()["removed"] for result in results), 97)
        self.assertEqual(len(self.whole()), 3)


@unittest.skipIf(URL, "about files")
class Refused(GcCase):
    def test_read_only_store(self):
        self.add("full", [3, 2, 1])
        before = (self.dir / "store.db").read_bytes()
        self.dir.chmod(0o555)
        (self.dir / "store.db").chmod(0o444)
        self.addCleanup(self.dir.chmod, 0o755)
        self.root.chmod(0o755)
        words = [rig.KREGRESS, "gc", "--keep-sets", "1"]
        if os.geteuid() == 0:
            words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--", *words]
        done = subprocess.run(words, cwd=self.dir, env=self.env, capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, 4, done)
        self.assertIn("cannot be opened for writing", done.stderr)
        self.assertIn("must be writable", done.stderr)
        self.assertEqual((self.dir / "store.db").read_bytes(), before)

    def test_not_a_store(self):
        self.write("store.db", "no database\n" * 100)
        self.assert_says(self.gc("--keep-sets", "1", expect=4), "not a kregress store")


if __name__ == "__main__":
    rig.main()
