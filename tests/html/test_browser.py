# SPDX-License-Identifier: GPL-3.0-or-later
"""HTML reports opened in headless Chromium: no console message, no request, readable at 360 and
1600 pixels in light and dark, usable without script and from the keyboard, and nothing that
axe-core objects to. Skipped where the browser or the npm registry is missing."""
import json
import os
import pathlib
import random
import shutil
import subprocess

import rig

HERE = pathlib.Path(__file__).parent
ARTIFACTS = pathlib.Path(os.environ["KREGRESS_ARTIFACTS"])
BOOTS = 6

# Names as no page should have to show them.
HOSTILE = ["</script><script>alert(1)</script>", "]]><!-- x", "\u202egnp.exe", "\u0007\u001b[31mred",
           "x" * 300, "'\"><img src=x onerror=alert(1)>", "\ufffe\uffff", "עברית", "&lt;&#0;"]


class Sets:
    """A kregress-1 document, built line by line."""

    def __init__(self):
        self.lines = [{"type": "header", "format": "kregress-1"}]
        self.random = random.Random(7)

    def begin(self, number, variant, environment, failed=False):
        self.count = 0
        self.lines.append({"type": "run_set", "id": f"{number:032x}", "collection": "c0ffee",
                           "variant": variant, "target": "vm", "machine": "test",
                           "created_at": "2026-11-30T20:33:07Z", "seed": "42", "level": "boot"})
        for boot in range(BOOTS + failed):
            line = {"type": "boot", "boot": boot, "block": boot, "slot": 2 * boot + number % 2,
                    "status": "ok", "duration_s": 11.5, "environment": environment}
            if boot == BOOTS:
                line.update(status="failed", reason=f"kernel panic: {HOSTILE[0]}",
                            console_tail="[ 1.0] BUG\n" + "\n".join(HOSTILE))
            self.lines.append(line)

    def series(self, name, params, level, spread, samples=10, drift=0.0):
        number = self.count
        self.count += 1
        self.lines.append({"type": "series", "series": number, "benchmark": name, "params": params,
                           "metric": "time", "unit": "ns/op", "better": "lower"})
        for boot in range(BOOTS):
            centre = level * (1 + self.random.gauss(0, spread) + drift * boot)
            values = [centre * (1 + abs(self.random.gauss(0, spread))) for _ in range(samples)]
            self.lines.append({"type": "samples", "series": number, "boot": boot, "invocation": 0,
                               "iteration": 0, "values": values})

    def text(self):
        lines = self.lines + [{"type": "end", "lines": len(self.lines)}]
        return "\n".join(json.dumps(line) for line in lines) + "\n"


def run(*words, cwd=None, timeout=600):
    return subprocess.run(list(map(str, words)), cwd=cwd, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=timeout)


def find_browser():
    browser = shutil.which("chromium")
    if not browser or not shutil.which("node") or not shutil.which("npm"):
        rig.skip("chromium, node or npm is not installed")
    return browser


def install_modules():
    """The packages, installed once per build folder."""
    folder = ARTIFACTS / "node"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = (HERE / "package.json").read_text()
    mark = folder / "installed.json"
    if mark.exists() and mark.read_text() == wanted:
        return folder / "node_modules"
    (folder / "package.json").write_text(wanted)
    result = run("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", cwd=folder)
    if result.returncode:
        rig.skip(f"npm cannot install the packages: {result.stderr.strip()[-300:]}")
    mark.write_text(wanted)
    return folder / "node_modules"


class Page(rig.Case):
    """Writes pages into the build folder and looks at them."""

    def page(self, name, sets, *variants):
        self.write("sets.jsonl", sets.text())
        self.run_kregress("import", "auto", "sets.jsonl")
        path = ARTIFACTS / f"{name}.html"
        self.run_kregress("compare", *variants, "--html", path, expect=None)
        self.assertTrue(path.exists())
        return path

    def inspect(self, path, *look):
        result = run("node", HERE / "browser.mjs", MODULES, BROWSER, path,
                     path.with_suffix(""), *look)
        self.assertEqual(result.returncode, 0, result.stderr)
        found = json.loads(result.stdout)
        self.assertEqual(found["problems"], [])
        for look, seen in found["seen"].items():
            self.assertGreater(seen["rules"], 20, look)
        return found

    def assert_samples_come_back(self, path):
        before = self.run_kregress("export").out
        self.run_kregress("import", "auto", path, "--store", "second.db")
        after = self.run_kregress("export", "--store", "second.db").out
        self.assertEqual(before, after)


class Comparison(Page):
    def test_usual_page(self):
        sets = Sets()
        settings = {"kernel.release": "6.1.0-57-amd64", "cpu.model": "QEMU TCG", "thp": "madvise"}
        effects = (1.07, 1.0, 0.93, 1.01)
        for number, variant in enumerate(("voluntary", "full")):
            sets.begin(number, variant, dict(settings, **{"kernel.preemption": variant}))
            for index, effect in enumerate(effects):
                sets.series(f"lock.bench_{index}", "" if index else "size=64",
                            100 * 10 ** index * (effect if number else 1), 0.01,
                            drift=0.004 if index == 3 else 0)
        path = self.page("usual", sets, "voluntary", "full")
        found = self.inspect(path)
        self.assertEqual(found["rows"], len(effects))
        self.assertEqual(found["seen"]["1600-light"]["plots"], 4 * len(effects))
        self.assert_samples_come_back(path)

    def test_hostile_page(self):
        """Three variants, names from outside at their worst, a boot that failed."""
        sets = Sets()
        for number, variant in enumerate(("base", HOSTILE[0], HOSTILE[2])):
            sets.begin(number, variant, {"evil " + HOSTILE[1]: HOSTILE[5] + str(number)},
                       failed=number == 1)
            for index, name in enumerate(HOSTILE):
                if number and index == 3:
                    continue
                sets.series(name, name, 100 + 9 * number * (index % 2), 0.01, samples=2)
        path = self.page("hostile", sets, "base", HOSTILE[0], HOSTILE[2])
        found = self.inspect(path)
        self.assertEqual(found["rows"], 2 * len(HOSTILE))
        self.assert_samples_come_back(path)


class Bisection(Page):
    """The page of a finished bisection, of a command that prints a value."""

    def commit(self, number):
        self.write("value", "107\n" if number >= 9 else "100\n")
        self.write("number", f"{number}\n")
        for words in (["add", "value", "number"],
                      ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm",
                       f"mm: </h1> {number}"]):
            result = run("git", *words, cwd=self.dir)
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_bisect_page(self):
        self.assertEqual(run("git", "init", "-q", self.dir).returncode, 0)
        for number in range(16):
            self.commit(number)
        # Noise that follows from the process alone, about half a percent.
        self.write("measure", "#!/bin/sh\necho \"$(cat value).$(($$ % 9))\"\n").chmod(0o755)
        self.run_kregress("bisect", "start", "HEAD", "HEAD~15")
        self.run_kregress("bisect", "run", "--value", "--", self.dir / "measure", expect=None)
        path = ARTIFACTS / "bisect.html"
        self.run_kregress("bisect", "visualize", "--html", path, expect=None)
        found = self.inspect(path)
        self.assertGreaterEqual(found["seen"]["1600-light"]["plots"], 2)


class History(Page):
    """Pages of histories with every kind of change."""

    def history(self, kind, *look):
        path = ARTIFACTS / f"history-{kind}.html"
        result = run(os.environ["HISTORY_PAGES"], kind, path)
        self.assertEqual(result.returncode, 0, result.stderr)
        return path, self.inspect(path, *look)

    def test_usual_page(self):
        _, found = self.history("usual")
        self.assertEqual(found["rows"], 9)
        # Ten series, each drawn for wide and for narrow screens.
        self.assertEqual(found["seen"]["1600-light"]["plots"], 20)

    def test_hostile_page(self):
        self.assertEqual(self.history("hostile", "360-light")[1]["rows"], 9)

    def test_large_page(self):
        """50 series of 3,000 points: 17 of them regressed. Minutes in every look, so in one."""
        path, found = self.history("large", "1600-light")
        self.assertGreaterEqual(found["rows"], 17)
        self.assertLess(path.stat().st_size, 4_000_000)

    def test_empty_page(self):
        self.assertEqual(self.history("empty", "360-dark")[1]["rows"], 0)


BROWSER = find_browser()
MODULES = install_modules()
rig.main()
