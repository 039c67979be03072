# SPDX-License-Identifier: GPL-3.0-or-later
"""Target ssh against a guest that kexecs Debian's kernels for one boot each, and falls back."""
import subprocess
import tempfile

import guest
import kernels
import rig

FAST = ("--bench", "lock.spin", "--bench", "syscall.null", "--repetitions", "3")


class Guests(kernels.KernelCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="kregress-guest.")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.guest = guest.make(cls.folder.name + "/guest")
        cls.addClassCleanup(cls.guest.stop)
        cls.guest.wait_up()

    def setUp(self):
        super().setUp()
        self.guest.ensure_up()

    def box(self, **more):
        self.section("target", "box", **self.guest.keys(**more))

    def on_box(self, name, under_test=kernels.AMD64, **more):
        self.variant(name, under_test, target="box", initrd=self.guest.initrd, **more)

    def assert_clean(self):
        self.assertNotIn("kregress", self.guest.run("ls /tmp; lsmod"))
        self.assert_nothing_left()

    def test_two_kernels_and_back(self):
        before = len(self.guest.ups())
        self.box(**{"return": "true"})
        self.on_box("plain", append="preempt=voluntary")
        self.on_box("rt", kernels.RT)
        result = self.run_kregress("run", "plain", "rt", *FAST, "--boots", "2")
        ours, other = guest.release(kernels.AMD64), guest.release(kernels.RT)
        self.assert_says(result, "runs its own kernel again: " + ours)
        booted = self.guest.ups()[before:]
        self.assertEqual(sorted(booted[:4]), sorted([ours, ours, other, other]))
        self.assertEqual(booted[4:], [ours])
        self.assertNotIn("kregress.boot", self.guest.run("cat /proc/cmdline"))
        self.check_boots(self.boots(), ours, other)
        self.check_samples()
        self.assert_clean()

    def check_boots(self, boots, ours, other):
        self.assertEqual([boot["status"] for boot in boots], ["ok"] * 4, boots)
        for boot in boots:
            environment = boot["environment"]
            self.assertEqual(environment["target.boot"], "kexec")
            words = environment["kernel.cmdline"].split()
            self.assertEqual(sum(word.startswith("kregress.boot=") for word in words), 1)
            self.assertIn("console=ttyS0", words)
            self.assertEqual("preempt=voluntary" in words,
                             environment["kernel.release"] == ours)
        self.assertEqual(sorted(boot["environment"]["kernel.release"] for boot in boots),
                         sorted([ours, ours, other, other]))

    def check_samples(self):
        lines = list(map(rig.json.loads, self.run_kregress("export").out.splitlines()))
        series = [line for line in lines if line["type"] == "series"]
        for benchmark in ("lock.spin", "syscall.null"):
            found = [line for line in series if line["benchmark"] == benchmark
                     and line["metric"] == "time"]
            self.assertEqual(len(found), 2, benchmark)
        self.assertEqual({line["level"] for line in lines if line["type"] == "run_set"}, {"boot"})

    def test_kernel_that_panics_falls_back(self):
        self.box()
        self.on_box("broken", append="rdinit=/nothing init=/nothing panic=1")
        result = self.run_kregress("run", "broken", *FAST, "--boots", "3", expect=4)
        self.assert_says(result, "2 boots failed", "not from this boot")
        self.assertEqual([boot["status"] for boot in self.boots()], ["failed", "failed"])
        self.assertNotIn("kregress.boot", self.guest.run("cat /proc/cmdline"))
        self.assert_clean()

    def test_kernel_that_hangs_is_power_cycled(self):
        self.box(boot_timeout="90s", power_command=self.guest.power_command())
        self.on_box("broken", append="rdinit=/nothing init=/nothing panic=0")
        self.on_box("plain")
        result = self.run_kregress("run", "broken", "plain", *FAST, "--boots", "1", expect=4)
        self.assert_says(result, "not back within 90 s", "power-cycled, it runs")
        self.assertEqual([boot["status"] for boot in self.boots()], ["failed", "ok"])
        self.assert_clean()

    def test_image_that_is_no_kernel(self):
        self.write("image", b"\0" * 100000)
        self.box()
        self.on_box("broken", kernel="image")
        result = self.run_kregress("run", "broken", *FAST, "--boots", "2", expect=4)
        self.assert_says(result, "the machine refuses the kernel")
        self.assert_clean()

    def test_boot_command(self):
        self.box(install="command", boot_timeout="90s",
                 boot_command="kexec -l $KREGRESS_KERNEL --initrd=$KREGRESS_INITRD "
                              "--reuse-cmdline && kexec -e")
        self.on_box("rt", kernels.RT)
        self.run_kregress("run", "rt", *FAST, "--boots", "1")
        environment = self.boots()[0]["environment"]
        self.assertEqual(environment["kernel.release"], guest.release(kernels.RT))
        self.assertEqual(environment["target.boot"], "command")
        self.assert_clean()

    def test_running_kernel_is_rebooted(self):
        before = len(self.guest.ups())
        self.box()
        self.section("variant", "own", target="box", kdir=kernels.AMD64.kdir)
        self.run_kregress("run", "own", *FAST, "--boots", "2")
        self.assertEqual(len(self.guest.ups()) - before, 2)
        self.assertEqual({boot["environment"]["target.boot"] for boot in self.boots()}, {"reboot"})
        self.assert_clean()

    def test_kernel_that_hangs_without_a_power_command(self):
        self.box(boot_timeout="20s")
        self.on_box("broken", append="rdinit=/nothing init=/nothing panic=0")
        result = self.run_kregress("run", "broken", *FAST, "--boots", "1", expect=4)
        self.assert_says(result, "not back within 20 s", "switch it on by hand", "power-command")
        self.assert_nothing_left()
        before = len(self.guest.ups())
        subprocess.run([self.guest.power_command()], check=True)
        self.guest.wait_up(before + 1)


guest.require()
rig.main()
