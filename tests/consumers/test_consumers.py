# SPDX-License-Identifier: GPL-3.0-or-later
"""Real readers of reports see what was written: the same cases, outcomes, messages and times.

usage: test_consumers.py CONSUMER
"""
import importlib.util
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

import rig

HERE = pathlib.Path(__file__).parent
OUTCOMES = {"failure": "failed", "error": "error", "skipped": "skipped"}
OUTCOME_OF = {"regressed": "failed", "failed": "error", "inconclusive": "skipped",
              "equivalent": "passed", "improved": "passed"}


def cache_folder():
    home = os.environ.get("XDG_CACHE_HOME") or pathlib.Path(os.environ.get("HOME", "/var/tmp")) / ".cache"
    return pathlib.Path(os.environ.get("KREGRESS_CACHE", pathlib.Path(home) / "kregress"))


FOLDER = pathlib.Path(os.environ.get("KREGRESS_CONSUMERS", cache_folder() / "consumers"))
MODULES = FOLDER / "node_modules"


def skip_without(*programs, modules=False):
    """Ends the whole program as skipped, with the reason."""
    for program in programs:
        if not shutil.which(program):
            print(f"skipped: {program} is not installed")
            sys.exit(77)
    if modules and not (FOLDER / "installed.json").exists():
        print(f"skipped: no npm packages in {FOLDER}: tests/consumers/setup {FOLDER} installs them")
        sys.exit(77)


def skip_before_node(major):
    version = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout
    if int(re.match(r"v(\d+)", version).group(1)) < major:
        print(f"skipped: needs node {major}, this one is {version.strip()}")
        sys.exit(77)


def lines_of_set(variant, all_series, boots, failed=()):
    """A run set's lines in the exchange format."""
    yield {"type": "run_set", "id": f"0123456789abcdef{variant}", "collection": "c1",
           "variant": variant, "target": "vm", "machine": "x86_64-lab",
           "created_at": "2026-11-30T20:33:07Z", "seed": "7", "level": "boot"}
    failures = [{"benchmark": name, "reason": "exited with status 137\x1b[31m ]]> <&>"} for name in failed]
    for boot in range(boots):
        yield {"type": "boot", "boot": boot, "block": boot, "slot": 2 * boot, "status": "ok",
               "duration_s": 12.345, "failures": failures}
    for number, ((benchmark, params, metric, unit, better), values) in enumerate(all_series.items()):
        yield {"type": "series", "series": number, "benchmark": benchmark, "params": params,
               "metric": metric, "unit": unit, "better": better}
        for boot, value in enumerate(values):
            yield {"type": "samples", "series": number, "boot": boot, "invocation": 0, "iteration": 0,
                   "values": [value]}


def document_of(*sets):
    lines = [{"type": "header", "format": "kregress-1"}]
    for lines_of in sets:
        lines += lines_of
    lines.append({"type": "end", "lines": len(lines)})
    return "".join(json.dumps(line) + "\n" for line in lines)


BASE = {
    ("sched.hackbench", "groups=4,pipe", "time", "s", "lower"): [23.1, 23.2, 23.15, 23.12, 23.18],
    ("lock.spin", "", "time", "ns/op", "lower"): [20.0, 20.1, 20.05, 20.02, 20.08],
    ("net.tbench", "8", "rate", "MB/s", "higher"): [1000, 1010, 1005, 1002, 1008],
    ("fs.fio", "randread", "rate", "1/s", "higher"): [500, 900, 700, 400, 800],
    ("mm.gone", "", "time", "ns/op", "lower"): [5, 5.1, 5.05, 5.02, 5.08],
    ("mm.dies", "", "time", "ns/op", "lower"): [5, 5.1, 5.05, 5.02, 5.08],
    ("odd.a/b", "x=<&\">']]>", "time", "ns/op", "lower"): [10, 10.1, 10.05, 10.02, 10.08],
    ("odd.a b", "x=<&\">']]>", "time", "ns/op", "lower"): [10, 10.1, 10.05, 10.02, 10.08],
    ("odd.\u03b1\u001b[2J", "\u00e4=\u0001", "time", "ns/op", "lower"): [10, 10.1, 10.05, 10.02, 10.08],
}
FACTORS = {"sched.hackbench": 1.08, "lock.spin": 1.0, "net.tbench": 1.05, "fs.fio": 1.1}
NEW = {key: [value * FACTORS.get(key[0], 1.2) for value in values]
       for key, values in BASE.items() if key[0] not in ("mm.gone", "mm.dies")}


class Consumer(rig.Case):
    def setUp(self):
        super().setUp()
        self.write("sets.jsonl", document_of(lines_of_set("base", BASE, 5),
                                             lines_of_set("new", NEW, 5, failed=["mm.dies"])))
        self.run_kregress("import", "kregress-1", "sets.jsonl")

    def write_report(self, format, *words):
        path = self.dir / f"report.{format}"
        self.run_kregress("report", format, "base", "new", *words, "-o", path, expect=1)
        return path

    def comparison(self):
        return json.loads(self.write_report("json").read_text())

    def cases(self, path):
        """The cases as a plain XML parser sees them, once they agree with the JSON report."""
        cases = []
        for case in ElementTree.parse(path).getroot().iter("testcase"):
            child = next((c for c in case if c.tag in OUTCOMES), None)
            cases.append({
                "classname": case.get("classname"), "name": case.get("name"),
                "time": float(case.get("time")),
                "outcome": "passed" if child is None else OUTCOMES[child.tag],
                "message": None if child is None else child.get("message"),
                "body": None if child is None else child.text})
        expected = sorted(OUTCOME_OF[series["verdict"]] for series in self.comparison()["series"])
        self.assertEqual(sorted(case["outcome"] for case in cases), expected)
        self.assertEqual({case["outcome"] for case in cases}, {"passed", "failed", "error", "skipped"})
        self.assertTrue(any(case["time"] > 0 for case in cases))
        return cases

    def run_tool(self, *words, timeout=240):
        done = subprocess.run([*map(str, words)], cwd=self.dir, env=self.env, timeout=timeout,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def assert_same(self, cases, seen, *keys):
        def pick(case):
            return tuple(f"{case[key]:.3f}" if key == "time" else case[key] for key in keys)

        self.assertEqual(sorted(map(pick, seen), key=repr), sorted(map(pick, cases), key=repr))


class XunitViewer(Consumer):
    def test_cases(self):
        for flavour in ("jenkins", "rich", "ant"):
            path = self.write_report("junit", "--junit-flavour", flavour)
            suites = json.loads(self.run_tool("node", HERE / "xunit_viewer.mjs", MODULES, path))["suites"]
            cases = self.cases(path)
            seen = []
            for test in suites[next(iter(suites))]["tests"].values():
                status = {"failure": "failed"}.get(test["status"], test["status"])
                seen.append({"classname": test["classname"], "name": test["name"],
                             "time": float(test["time"]), "outcome": status,
                             "messages": test["messages"]})
            self.assert_same(cases, seen, "classname", "name", "time", "outcome")
            by_name = {(test["classname"], test["name"]): test["messages"] for test in seen}
            for case in cases:
                if case["message"]:
                    self.assertIn(case["message"], by_name[case["classname"], case["name"]])

    def test_page(self):
        path = self.write_report("junit")
        self.run_tool("node", MODULES / ".bin/xunit-viewer", "-r", path, "-o", "page.html")
        self.assertGreater((self.dir / "page.html").stat().st_size, 10000)


class Junit2json(Consumer):
    def test_cases(self):
        for flavour in ("jenkins", "rich", "ant"):
            path = self.write_report("junit", "--junit-flavour", flavour)
            document = json.loads(self.run_tool("node", MODULES / ".bin/junit2json", path))
            cases = self.cases(path)
            seen = []
            for test in document["testsuite"][0]["testcase"]:
                key = next((k for k in OUTCOMES if k in test), None)
                child = test[key][0] if key else {}
                seen.append({"classname": test["classname"], "name": str(test["name"]),
                             "time": test["time"], "outcome": OUTCOMES.get(key, "passed"),
                             "message": child.get("message")})
            self.assert_same(cases, seen, "classname", "name", "time", "outcome", "message")
            suite = document["testsuite"][0]
            self.assertEqual(suite["tests"], len(cases))
            self.assertEqual(suite["failures"], sum(c["outcome"] == "failed" for c in cases))
            self.assertEqual(suite["errors"], sum(c["outcome"] == "error" for c in cases))
            self.assertEqual(suite["skipped"], sum(c["outcome"] == "skipped" for c in cases))


class JunitToCtrf(Consumer):
    def test_cases(self):
        for flavour in ("jenkins", "rich", "ant"):
            path = self.write_report("junit", "--junit-flavour", flavour)
            self.run_tool("node", MODULES / ".bin/junit-to-ctrf", path, "-o", "ctrf.json", "-u", "false")
            results = json.loads((self.dir / "ctrf.json").read_text())["results"]
            # CTRF has no classname, counts errors as failures and milliseconds.
            cases = [dict(case, outcome="failed" if case["outcome"] == "error" else case["outcome"])
                     for case in self.cases(path)]
            seen = [{"name": re.sub(r"^kregress\.[^:]*: ", "", test["name"]),
                     "time": test["duration"] / 1000, "outcome": test["status"],
                     "message": test.get("message")} for test in results["tests"]]
            self.assert_same(cases, seen, "name", "time", "outcome")
            failed = [case for case in cases if case["outcome"] == "failed"]
            self.assert_same(failed, [s for s in seen if s["outcome"] == "failed"], "name", "message")
            self.assertEqual(results["summary"]["tests"], len(cases))
            self.assertEqual(results["summary"]["failed"], len(failed))


class Allure(Consumer):
    def test_cases(self):
        path = self.write_report("junit")
        (self.dir / "results").mkdir()
        shutil.copy(path, self.dir / "results" / "junit.xml")
        allure = MODULES / "allure-commandline/dist/bin/allure"
        self.run_tool("sh", allure, "generate", "results", "-o", "page", "--clean")
        status = {"broken": "error"}
        seen = []
        for file in (self.dir / "page/data/test-cases").glob("*.json"):
            test = json.loads(file.read_text())
            classname = next(x["value"] for x in test["labels"] if x["name"] == "testClass")
            seen.append({"classname": classname, "name": test["name"],
                         "time": test["time"]["duration"] / 1000,
                         "outcome": status.get(test["status"], test["status"]),
                         "message": test.get("statusMessage")})
        self.assert_same(self.cases(path), seen, "classname", "name", "time", "outcome", "message")


class Junitparser(Consumer):
    def test_cases(self):
        import junitparser

        kinds = {junitparser.Failure: "failed", junitparser.Error: "error",
                 junitparser.Skipped: "skipped"}
        for flavour in ("jenkins", "rich", "ant"):
            path = self.write_report("junit", "--junit-flavour", flavour)
            seen = []
            for suite in junitparser.JUnitXml.fromfile(str(path)):
                self.assertEqual(suite.tests, len(list(suite)))
                for case in suite:
                    result = case.result[0] if case.result else None
                    seen.append({"classname": case.classname, "name": case.name, "time": case.time,
                                 "outcome": kinds.get(type(result), "passed"),
                                 "message": result.message if result else None,
                                 "body": result.text if result else None})
            self.assert_same(self.cases(path), seen, "classname", "name", "time", "outcome",
                             "message", "body")


class Gitlab(Consumer):
    def test_cases(self):
        for flavour in ("jenkins", "rich", "ant"):
            path = self.write_report("junit", "--junit-flavour", flavour, "--attach", "plots/{finding}.svg")
            cases = self.cases(path)
            seen = json.loads(self.run_tool("ruby", HERE / "gitlab.rb", path))
            for test in seen:
                test["time"] = float(test["time"])
                test["outcome"] = OUTCOMES.get(test["outcome"], "passed")
                # GitLab drops the message: the text has to begin with it.
                test["body"] = test["text"]
            self.assert_same(cases, seen, "classname", "name", "time", "outcome", "body")
            for case in cases:
                if case["message"]:
                    self.assertTrue(case["body"].startswith(case["message"] + "\n"))
            if flavour != "ant":
                failing = [t["output"] for t in seen if t["outcome"] in ("failed", "error")]
                ids = {series["finding"] for series in self.comparison()["series"]}
                for output in failing:
                    found = re.fullmatch(r"\[\[ATTACHMENT\|plots/([0-9a-f]{16})\.svg\]\]", output.strip())
                    self.assertIn(found.group(1), ids)


class Kcidb(Consumer):
    SCHEMA = rig.SHARED / "kcidb" / "kcidb-io.schema.v5.3.json"

    def documents(self):
        yield self.write_report("kcidb")
        yield self.write_report("kcidb", "--origin", "my_ci", "--build-id", "maestro:abc",
                                "--culprit", "85e511df3cec46021024176672a748008ed135bf",
                                "--culprit-subject", "sched: x", "--culprit-probability", "97%")

    def setUp(self):
        super().setUp()
        if not self.SCHEMA.exists():
            print(f"skipped: no reference data at {self.SCHEMA}")
            sys.exit(77)

    def test_python_jsonschema(self):
        import jsonschema

        schema = json.loads(self.SCHEMA.read_text())
        for path in self.documents():
            document = json.loads(path.read_text(), parse_constant=lambda name: self.fail(name))
            jsonschema.validate(document, schema)
            for test in document["tests"]:
                if "number" in test:
                    self.assertTrue(math.isfinite(test["number"]["value"]))
            document["tests"][0]["path"] = "not a path"
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate(document, schema)

    def test_ajv(self):
        for path in self.documents():
            self.run_tool("node", HERE / "validate.mjs", MODULES, self.SCHEMA, path)
        document = json.loads(path.read_text())
        document["tests"][0]["status"] = "SLOW"
        wrong = self.write("wrong.json", json.dumps(document))
        with self.assertRaises(AssertionError):
            self.run_tool("node", HERE / "validate.mjs", MODULES, self.SCHEMA, wrong)


class Promtool(Consumer):
    def check(self, text):
        return subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True,
                              text=True, timeout=60)

    def test_accepts(self):
        text = self.write_report("prometheus").read_text()
        done = self.check(text)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotEqual(self.check(text + "kregress_verdict{x=1} 2\n").returncode, 0)


class Findings(Consumer):
    """The id of a finding is the same everywhere."""

    FORMATS = ("text", "mail", "markdown", "junit", "kcidb", "squad-metadata", "benchfmt", "prometheus")

    def test_ids(self):
        ids = {series["finding"] for series in self.comparison()["series"]}
        self.assertEqual(len(ids), len(BASE))
        everywhere = {}
        for format in self.FORMATS:
            found = set(re.findall(r"\b[0-9a-f]{16}\b", self.write_report(format).read_text()))
            everywhere[format] = found & ids
        for format in ("mail", "junit", "kcidb", "squad-metadata", "benchfmt", "prometheus"):
            self.assertEqual(everywhere[format], ids, format)
        smaller = json.loads(self.write_report("github-smaller").read_text())
        bigger = json.loads(self.write_report("github-bigger").read_text())
        numbers = {series["finding"] for series in self.comparison()["series"] if series["new"]["n"]}
        self.assertEqual({re.search("finding: (.*)", e["extra"]).group(1) for e in smaller + bigger}, numbers)

    def test_exports_hold_the_same_numbers(self):
        means = sorted(s["new"]["mean"] for s in self.comparison()["series"] if s["new"]["n"])
        entries = (json.loads(self.write_report("github-smaller").read_text()) +
                   json.loads(self.write_report("github-bigger").read_text()))
        bencher = json.loads(self.write_report("bencher").read_text())
        squad = json.loads(self.write_report("squad-metrics").read_text())
        kcidb = json.loads(self.write_report("kcidb").read_text())
        self.assertEqual(sorted(e["value"] for e in entries), means)
        measures = [m for b in bencher.values() for m in b.values()]
        self.assertEqual(sorted(m["value"] for m in measures), means)
        self.assertTrue(all(m["lower_value"] <= m["value"] <= m["upper_value"] for m in measures))
        self.assertEqual(len(squad), len(means))
        self.assertEqual(sorted(t["number"]["value"] for t in kcidb["tests"] if "number" in t), means)
        tests = json.loads(self.write_report("squad-tests").read_text())
        self.assertEqual(len(tests), len(BASE))
        self.assertLessEqual(set(squad), set(tests))


CONSUMERS = {
    "xunit-viewer": (XunitViewer, ["node"], True),
    "junit2json": (Junit2json, ["node"], True),
    "junit-to-ctrf": (JunitToCtrf, ["node"], True),
    "allure": (Allure, ["java"], True),
    "junitparser": (Junitparser, [], False),
    "gitlab": (Gitlab, ["ruby"], False),
    "kcidb": (Kcidb, ["node"], True),
    "promtool": (Promtool, ["promtool"], False),
    "findings": (Findings, [], False),
}


def main():
    name = sys.argv.pop(1)
    case, programs, modules = CONSUMERS[name]
    skip_without(*programs, modules=modules)
    if name in ("junit2json", "junit-to-ctrf"):
        skip_before_node(20)
    if name == "gitlab" and subprocess.run(["ruby", "-e", "require 'active_support'; require 'nokogiri'"],
                                           capture_output=True).returncode:
        print("skipped: ruby-activesupport or ruby-nokogiri is not installed")
        sys.exit(77)
    for package, users in (("junitparser", ["junitparser"]), ("jsonschema", ["kcidb"])):
        if name in users and not importlib.util.find_spec(package):
            print(f"skipped: python3-{package} is not installed")
            sys.exit(77)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
