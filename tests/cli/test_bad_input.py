# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad input ends with a message that names file and line, the right exit code, and nothing stored."""
import json

import rig

HEADER = '{"type":"header","format":"kregress-1","generator":"test"}\n'


class BadTables(rig.Case):
    def refuse(self, text, *says, format="table"):
        self.write("input", text)
        result = self.run_kregress("import", format, "input", expect=4)
        self.assert_says(result, "input", *says)
        self.assertEqual(result.out, "")
        self.assertEqual(self.runs(), [])

    def test_nan(self):
        self.refuse("lat [ns]\n a 1 nan 3\n b 1 2 3\n", "input:2", "nan")

    def test_infinity(self):
        self.refuse("lat [ns]\n a 1 2 3\n b 1 inf 3\n", "input:3", "inf")

    def test_empty(self):
        self.refuse("")

    def test_only_comments(self):
        self.refuse("# nothing\n\n")

    def test_huge(self):
        self.refuse("lat [ns]\n a 1 2 3\n b 1 2 1e999\n", "input:3", "1e999")

    def test_negative_time(self):
        self.refuse("lat [ns]\n a 1 2 -3\n b 1 2 3\n", "input:2", "negative")

    def test_bad_utf8(self):
        self.refuse(b"lat [ns]\n a 1 2 3\n b\xff 1 2 3\n", "input:3", "UTF-8")

    def test_nul_byte(self):
        self.refuse(b"lat [ns]\n a 1\0 2 3\n", "input:2")

    def test_same_variant_twice(self):
        self.refuse("lat [ns]\n a 1 2 3\n a 1 2 3\n", "input:3", "a")

    def test_direction_unknown(self):
        self.refuse("blorb\n a 1 2 3\n b 1 2 3\n", "input:2", "blorb")

    def test_missing_value(self):
        self.refuse("benchmark [ns] a b\nfork 1\n", "input:2")


class BadDocuments(rig.Case):
    def refuse(self, text, line, *says):
        self.write("input.jsonl", text)
        for format in ("kregress-1", "auto"):
            result = self.run_kregress("import", format, "input.jsonl", expect=4)
            self.assert_says(result, *says)
            if line:
                self.assert_says(result, f"input.jsonl:{line}:")
            self.assertEqual(self.runs(), [])

    def good(self):
        self.write("table", "lat [ns]\n a 1 2 3\n b 1 2 3\n")
        self.run_kregress("--version")
        self.run_kregress("import", "table", "table", "--store", "other.db")
        return self.run_kregress("export", "--store", "other.db").out

    def test_good_document_is_good(self):
        self.write("input.jsonl", self.good())
        self.run_kregress("import", "auto", "input.jsonl")
        self.assertEqual(len(self.runs()), 2)

    def test_not_json(self):
        self.refuse(HEADER + "nonsense\n", 2)

    def test_duplicate_keys(self):
        self.refuse(HEADER + '{"type":"run_set","type":"run_set"}\n', 2, "duplicate")

    def test_nan(self):
        text = self.good()
        lines = text.splitlines()
        at = next(i for i, line in enumerate(lines) if '"values"' in line)
        record = json.loads(lines[at])
        record["values"][0] = float("nan")
        lines[at] = json.dumps(record)
        self.refuse("\n".join(lines) + "\n", at + 1)

    def test_truncated(self):
        lines = self.good().splitlines()
        self.refuse("\n".join(lines[:-1]) + "\n", None)

    def test_line_lost(self):
        lines = self.good().splitlines()
        at = next(i for i, line in enumerate(lines) if '"values"' in line)
        del lines[at]
        self.refuse("\n".join(lines) + "\n", len(lines))

    def test_unknown_version(self):
        self.refuse(HEADER.replace("kregress-1", "kregress-9"), 1, "kregress-9")

    def test_bad_utf8(self):
        self.refuse(HEADER.encode() + b'{"type":"run_set","variant":"\xff"}\n', 2, "UTF-8")

    def test_one_bad_file_of_two_stores_nothing(self):
        self.write("good.jsonl", self.good())
        self.write("bad.jsonl", "nonsense\n")
        self.run_kregress("import", "auto", "good.jsonl", "bad.jsonl", expect=4)
        self.assertEqual(self.runs(), [])

    def test_same_set_twice(self):
        self.write("input.jsonl", self.good())
        self.run_kregress("import", "auto", "input.jsonl")
        before = self.runs()
        self.run_kregress("import", "auto", "input.jsonl", expect=4)
        self.assertEqual(self.runs(), before)

    def test_unknown_keys_are_kept(self):
        lines = self.good().splitlines()
        record = json.loads(lines[1])
        record["x-lab"] = {"rack": 7}
        lines[1] = json.dumps(record)
        self.write("input.jsonl", "\n".join(lines) + "\n")
        self.run_kregress("import", "auto", "input.jsonl")
        self.assertIn('"rack"', self.run_kregress("export").out)


class BadFiles(rig.Case):
    def test_missing_file(self):
        self.assert_says(self.run_kregress("import", "table", "nowhere", expect=4), "nowhere")

    def test_unknown_format(self):
        self.write("x", "x")
        result = self.run_kregress("import", "csvv", "x", expect=2)
        self.assert_says(result, "csvv", "table")

    def test_unrecognised(self):
        self.write("x", "Lorem ipsum\n")
        self.assert_says(self.run_kregress("import", "auto", "x", expect=4), "x", "table")

    def test_store_is_no_database(self):
        self.write("store.db", "this is text, and long enough to be looked at as a database header\n" * 40)
        result = self.run_kregress("list", "runs", "--store", "store.db", expect=4)
        self.assert_says(result, "store.db")
        self.assertIn("this is text", (self.dir / "store.db").read_text())

    def test_full_disk_while_exporting(self):
        self.write("table", "lat [ns]\n a 1 2 3\n b 1 2 3\n")
        self.run_kregress("import", "table", "table")
        result = self.run_kregress("export", "--output", "/dev/full", expect=4)
        self.assert_says(result, "/dev/full", "space")
        with open("/dev/full", "w", encoding="ascii") as full:
            process = rig.subprocess.run([rig.KREGRESS, "compare", "a", "b"], cwd=self.dir,
                                         env=self.env, stdout=full, stderr=rig.subprocess.PIPE,
                                         text=True, check=False)
        self.assertEqual(process.returncode, 4, process.stderr)
        self.assertIn("standard output", process.stderr)

    def test_failed_report_leaves_the_old_file(self):
        self.write("table", "lat [ns]\n a 1 2 3\n b 1 2 3\n")
        self.run_kregress("import", "table", "table")
        result = self.run_kregress("compare", "a", "b", "--junit", "no/such/folder/j.xml", expect=4)
        self.assert_says(result, "no/such/folder/j.xml")


rig.main()
