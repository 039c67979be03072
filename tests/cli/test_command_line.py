# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands, options, help, configuration: what a user can type wrong, and what is said then."""
import re

import rig

COMMANDS = ["list", "run", "ab", "import", "compare", "report", "plan", "calibrate", "export", "help", "version"]


class Help(rig.Case):
    def test_overview_names_every_command_and_exit_code(self):
        out = self.run_kregress("help").out
        for command in COMMANDS:
            self.assertRegex(out, rf"(?m)^  {command} ")
        for code in ("0", "1", "2", "3", "4", "130"):
            self.assertRegex(out, rf"(?m)^  {code} ")
        self.assertEqual(out, self.run_kregress("--help").out)
        self.assertEqual(out, self.run_kregress().out)

    def test_every_command_explains_itself(self):
        for command in COMMANDS:
            out = self.run_kregress("help", command).out
            self.assertIn(f"usage: kregress {command}", out)
            self.assertEqual(out, self.run_kregress(command, "--help").out)
            self.assertLessEqual(max(len(line) for line in out.splitlines()), 100)

    def test_man_pages_hold_every_option(self):
        for command in COMMANDS:
            page = self.run_kregress("help", "--man", command).out.replace("\\-", "-")
            self.assertTrue(page.startswith(f".TH kregress-{command} 1"))
            for option in re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+)", self.run_kregress("help", command).out):
                self.assertIn(option, page)

    def test_version(self):
        out = self.run_kregress("--version").out
        self.assertRegex(out, r"^kregress \d+\.\d+\.\d+\n")
        self.assertEqual(out, self.run_kregress("version").out)


class WrongUse(rig.Case):
    def refuse(self, *words, says=()):
        result = self.run_kregress(*words, expect=2)
        self.assertEqual(result.out, "")
        self.assert_says(result, "kregress: ", *says)
        return result

    def test_unknown_command(self):
        self.refuse("comparr", says=("comparr", "hint:"))

    def test_unknown_option(self):
        self.refuse("compare", "a", "b", "--junti", "x", says=("--junti",))

    def test_option_without_argument(self):
        self.refuse("compare", "a", "b", "--junit", says=("--junit", "FILE"))

    def test_flag_with_argument(self):
        self.refuse("compare", "a", "b", "--strict=yes", says=("--strict",))

    def test_too_few_words(self):
        self.refuse("compare", "a", says=("usage: kregress compare",))
        self.refuse("import", "table", says=("usage",))
        self.refuse("ab", "local", says=("usage",))
        self.refuse("run", says=("usage",))

    def test_too_many_words(self):
        self.refuse("version", "please", says=("too many",))

    def test_values_of_the_wrong_kind(self):
        self.refuse("ab", "local", "local", "--boots", "many", says=("--boots", "many"))
        self.refuse("ab", "local", "local", "--boots", "-3", says=("--boots",))
        self.refuse("ab", "local", "local", "--sample-time", "soon", says=("--sample-time", "soon"))
        self.refuse("ab", "local", "local", "--seed", "x", says=("--seed",))
        self.refuse("run", "local", "--boots", "100000", says=("100000",))

    def test_judge_options(self):
        self.write("table", "lat [ns]\n a 1 2 3\n b 1 2 3\n")
        self.run_kregress("import", "table", "table")
        self.refuse("compare", "a", "b", "--limit", "lots", says=("--limit", "lots"))
        self.refuse("compare", "a", "b", "--limit=-2%", says=("--limit",))
        self.refuse("compare", "a", "b", "--limit", "nan", says=("--limit",))
        self.refuse("compare", "a", "b", "--alpha", "0", says=("--alpha",))
        self.refuse("compare", "a", "b", "--alpha", "0.7", says=("--alpha",))
        self.refuse("compare", "a", "b", "--method", "guess", says=("guess", "welch"))
        self.refuse("report", "pdf", says=("pdf", "junit"))
        self.refuse("report", "text", "a", says=("base",))

    def test_unknown_run_set_lists_what_there_is(self):
        self.write("table", "lat [ns]\n first 1 2 3\n second 1 2 3\n")
        self.run_kregress("import", "table", "table")
        self.refuse("compare", "first", "third", says=("third", "first", "second"))

    def test_unknown_list(self):
        self.refuse("list", "everything", says=("everything", "benchmarks"))

    def test_double_dash_ends_options(self):
        self.refuse("compare", "--", "--strict", "b", says=("--strict",))


class Configuration(rig.Case):
    def refuse(self, text, *says):
        self.write("kregress.conf", text)
        self.assert_says(self.run_kregress("list", "variants", expect=2), "kregress.conf", *says)

    def test_unknown_key(self):
        self.refuse('[variant "x"]\n kernal = y\n target = local\n', "kernal", "kernel")

    def test_unknown_section(self):
        self.refuse("[speed]\n of = light\n", "speed", "variant")

    def test_section_without_name(self):
        self.refuse("[variant]\n target = local\n", "variant", "NAME")

    def test_syntax(self):
        self.refuse("[variant \n", "")

    def test_variant_without_target(self):
        self.refuse('[variant "x"]\n kernel = y\n', "x", "target")

    def test_target_that_is_not_there(self):
        self.refuse('[variant "x"]\n target = moon\n', "moon", "local")

    def test_kind_of_target(self):
        self.refuse('[target "x"]\n kind = docker\n', "docker", "qemu")

    def test_icount_needs_tcg_on_one_cpu(self):
        self.refuse('[target "x"]\n kind = qemu\n icount = true\n cpus = 2\n', "icount")
        self.refuse('[target "x"]\n kind = qemu\n icount = true\n accel = kvm\n', "icount")

    def test_wrong_values(self):
        self.refuse('[suite "x"]\n boots = some\n', "boots", "some")
        self.refuse('[target "x"]\n icount = perhaps\n', "icount", "perhaps")
        self.refuse('[limit "x"]\n change = much\n', "change", "much")

    def test_named_file_must_exist(self):
        self.assert_says(self.run_kregress("list", "variants", "--config", "no.conf", expect=2),
                         "no.conf")

    def test_unknown_variant_and_suite(self):
        self.assert_says(self.run_kregress("run", "nothing", expect=2), "nothing", "local")
        self.assert_says(self.run_kregress("run", "local", "--suite", "none", expect=2), "none", "core")

    def test_git_config_reads_and_writes_it(self):
        rig.subprocess.run(["git", "config", "-f", "kregress.conf", "variant.mine.target", "local"],
                           cwd=self.dir, check=True)
        names = [row["variant"] for row in self.run_kregress("list", "variants", "--json").json()]
        self.assertEqual(sorted(names), ["local", "mine"])

    def test_limit_by_pattern(self):
        self.write("table", "lat [ns]\n a 100 101 100 101\n b 110 111 110 111\n"
                            "mem [ns]\n a 100 101 100 101\n b 110 111 110 111\n")
        self.write("kregress.conf", '[limit "lat*"]\n change = 20%\n')
        self.run_kregress("import", "table", "table")
        result = self.run_kregress("compare", "a", "b", "--json", expect=1).json()
        self.assertEqual(rig.series_of(result, "lat")["verdict"], "equivalent")
        self.assertEqual(rig.series_of(result, "mem")["verdict"], "regressed")


class Lists(rig.Case):
    def test_benchmarks(self):
        rows = {row["benchmark"]: row for row in self.run_kregress("list", "--json").json()}
        for name in ("lock.spin", "lock.spin_irqsave", "sched.cond_resched", "mm.kmalloc [size=256]"):
            self.assertEqual(rows[name]["where"], "kernel")
        for name in ("syscall.null", "mm.fork", "ipc.pipe"):
            self.assertEqual(rows[name]["where"], "userland")
            self.assertEqual(rows[name]["better"], "lower")
        text = self.run_kregress("list").out
        self.assertIn("lock.spin_irqsave", text)


rig.main()
