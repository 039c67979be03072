# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels that panic, hang, or refuse the module; QEMU that is missing or dies; Ctrl-C."""
import signal
import tempfile
import pathlib

import kernels
import rig

ONE = ("--bench", "lock.spin", "--repetitions", "2", "--boots", "2")


class BrokenKernels(kernels.KernelCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="kregress-fault.")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.fault, cls.lacking = kernels.build_fault_modules(pathlib.Path(cls.folder.name))

    def expect_failure(self, *says, append="preempt=voluntary", timeout="180s", **variant):
        self.target(timeout=timeout)
        self.variant("broken", append=append, **variant)
        result = self.run_kregress("ab", "broken", "broken", *ONE, "--junit", "j.xml", expect=4)
        self.assert_says(result, "broken", *says)
        self.assert_nothing_left()

    def test_panic(self):
        self.expect_failure("the kernel panicked", "asked to", "console", module=self.fault,
                            module_args="action=panic")
        self.assertEqual({boot["status"] for boot in self.boots()}, {"failed"})
        self.assertIn("Kernel panic", self.boots()[0]["console_tail"])
        junit = (self.dir / "j.xml").read_text()
        self.assertIn('type="benchmark-crash"', junit)
        self.assertIn("panicked", junit)

    def test_hang(self):
        self.expect_failure("no record for 50 s", "timeout", timeout="50s", module=self.fault,
                            module_args="action=hang")

    def test_module_that_refuses(self):
        self.expect_failure("module", "No such device", module=self.fault)

    def test_module_that_lacks_a_symbol(self):
        self.expect_failure("kregress_symbol_that_no_kernel_exports", module=self.lacking)

    def test_kernel_that_does_not_get_to_its_first_process(self):
        self.expect_failure("the kernel panicked", "Unable to mount root fs",
                            append="init=/nothing rdinit=/nothing")

    def test_image_that_is_no_kernel(self):
        self.write("image", b"\0" * 100000)
        self.expect_failure("QEMU", kernel="image", module=self.fault)


class WrongModule(kernels.KernelCase):
    def test_module_of_another_kernel(self):
        self.target()
        self.variant("amd64", append="preempt=voluntary")
        self.run_kregress("run", "amd64", *ONE, "--boots", "1")
        built = list(pathlib.Path(self.env["XDG_CACHE_HOME"]).glob("kregress/module/*/kregress.ko"))
        matching = [path for path in built if kernels.RT.kdir not in path.read_bytes().decode("latin1")]
        self.variant("rt", under_test=kernels.RT, module=matching[0], kdir="")
        result = self.run_kregress("run", "rt", *ONE, expect=4)
        self.assert_says(result, "rt", "kregress.ko")
        self.assert_nothing_left()


class Qemu(kernels.KernelCase):
    def test_missing(self):
        self.target(qemu="/nowhere/qemu")
        self.variant("a")
        result = self.run_kregress("run", "a", *ONE, expect=4)
        self.assert_says(result, "/nowhere/qemu", "No such file", "hint", "target.vm.qemu")
        self.assertEqual(self.runs(), [])
        self.assert_nothing_left()

    def test_that_refuses_its_arguments(self):
        self.target(memory_mb=1)
        self.variant("a")
        result = self.run_kregress("run", "a", *ONE, expect=4)
        self.assert_says(result, "QEMU")
        self.assert_nothing_left()

    def test_kernel_that_is_missing(self):
        self.target()
        self.section("variant", "a", target="vm", kernel="/nowhere/vmlinuz")
        self.assert_says(self.run_kregress("run", "a", *ONE, expect=2), "/nowhere/vmlinuz")


class Interruption(kernels.KernelCase):
    def run_and_signal(self, number):
        self.modes()
        process = self.start("ab", "voluntary", "full", "--bench", "lock.spin", "--boots", "2",
                             "--jobs", "1")
        self.wait_for(lambda: sum(int(row["boots"]) for row in self.runs()) >= 1, "a stored boot")
        self.wait_for(lambda: any(b"qemu" in line for line in self.processes()), "a running QEMU")
        process.send_signal(number)
        return self.finish(process, timeout=30)

    def test_ctrl_c_and_resume(self):
        result = self.run_and_signal(signal.SIGINT)
        self.assertEqual(result.code, 130, result)
        self.assert_says(result, "interrupted", "same command")
        self.assert_nothing_left()
        again = self.run_kregress("ab", "voluntary", "full", "--bench", "lock.spin", "--boots", "2")
        self.assertIn("resuming", again.err)
        self.assertEqual(len(self.boots()), 4)

    def test_sigkill_leaves_no_qemu(self):
        self.run_and_signal(signal.SIGKILL)
        self.wait_for(lambda: self.processes() == [], "no process left", timeout=10)
        self.assertGreaterEqual(len(self.boots()), 1)


kernels.require(kernels.AMD64, kernels.RT)
rig.main()
