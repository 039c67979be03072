# SPDX-License-Identifier: GPL-3.0-or-later
"""Completion scripts run in their shells, and man pages go through groff's checks."""
import pathlib
import re
import shutil
import subprocess
import unittest

import rig

# zsh's own functions take the place of a terminal: what they would offer is printed.
ZSH_STAND_INS = """
_describe() { print -rl -- "${(@P)@[-1]}"; }
_arguments() { print -rl -- "$@"; }
words=(%s)
CURRENT=$#words
source ./script
"""


class Completion(rig.Case):
    def script(self, shell):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed: ./check installs it")
        text = self.run_kregress("help", "--completion", shell).out
        self.write("script", text)
        self.check(shell, "-n", "script")
        return text

    def check(self, *words):
        done = subprocess.run(words, cwd=self.dir, env=self.env, stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout.splitlines()

    def commands(self):
        listed = self.run_kregress("help").out.split("Commands:\n")[1].split("\nExit codes")[0]
        return re.findall(r"(?m)^  (\w+) ", listed)

    def bash(self, *words):
        typed = " ".join(f"'{word}'" for word in ("kregress", *words))
        return self.check("bash", "-c", f"source ./script; COMP_WORDS=({typed}); "
                          f"COMP_CWORD={len(words)}; _kregress; printf '%s\\n' \"${{COMPREPLY[@]}}\"")

    def fish(self, line):
        rows = self.check("fish", "-c", f"source script; complete -C '{line}'")
        return [row.split("\t")[0] for row in rows]

    def zsh(self, *words):
        typed = " ".join(f"'{word}'" for word in ("kregress", *words))
        return self.check("zsh", "-fc", ZSH_STAND_INS % typed)

    def test_bash(self):
        self.script("bash")
        self.assertEqual(sorted(self.bash("")), sorted(self.commands()))
        self.assertIn("--remeasure", self.bash("ci", "--"))
        self.assertEqual(self.bash("compare", "--juni"), ["--junit", "--junit-flavour"])
        self.assertEqual(self.bash("bisect", "ru"), ["run"])
        self.assertIn("--proof", self.bash("bisect", "run", "--p"))
        self.assertEqual(self.bash("compare", "scr"), ["script"])

    def test_fish(self):
        self.script("fish")
        self.assertEqual(sorted(self.fish("kregress ")), sorted(self.commands()))
        self.assertEqual(self.fish("kregress compare --juni"), ["--junit", "--junit-flavour"])
        self.assertEqual(self.fish("kregress baseline se"), ["set"])
        self.assertIn("--commit", self.fish("kregress baseline set --"))
        self.assertNotIn("--commit", self.fish("kregress baseline remove --"))

    def test_zsh(self):
        self.script("zsh")
        names = [line.split(":")[0] for line in self.zsh("")]
        self.assertEqual(sorted(names), sorted(self.commands()))
        self.assertIn("show", [line.split(":")[0] for line in self.zsh("baseline", "")])
        specs = "\n".join(self.zsh("compare", "--"))
        shown = self.run_kregress("help", "compare").out
        for option in re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+)", shown):
            self.assertRegex(specs, rf"(?m)^\*{option}=?\[.*\]")
        self.assertIn("*--proof=[", "\n".join(self.zsh("bisect", "run", "--")))

    def test_unknown_shell(self):
        self.assert_says(self.run_kregress("help", "--completion", "tcsh", expect=2), "'tcsh'", "fish")


class ManPages(rig.Case):
    def lint(self, page):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed: ./check installs it")
        done = subprocess.run(["groff", "-ww", "-man", "-Tutf8", "-z", page], env=self.env,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), page)

    def test_no_warnings(self):
        listed = self.run_kregress("help").out.split("Commands:\n")[1].split("\nExit codes")[0]
        for name in ["", *re.findall(r"(?m)^  (\w+) ", listed)]:
            words = ("help", "--man", name) if name else ("help", "--man")
            self.lint(self.write(f"kregress-{name}.1", self.run_kregress(*words).out))

    def test_configuration_page(self):
        self.lint(pathlib.Path(rig.os.environ["KREGRESS_SOURCE"]) / "man" / "kregress.conf.5")

    def test_lint_sees_a_mistake(self):
        if shutil.which("groff"):
            with self.assertRaises(AssertionError):
                self.lint(self.write("wrong.1", ".TH x 1\n.SH NAME\n.NOSUCHMACRO y\n"))


if __name__ == "__main__":
    rig.main()
