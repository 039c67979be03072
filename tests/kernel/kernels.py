# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels under test for the tests: Debian's, fetched by ./check, named by environment variables."""
import json
import os
import pathlib
import shutil
import subprocess

import rig

QEMU = "qemu-system-x86_64"


class Kernel:
    def __init__(self, flavour):
        prefix = "KREGRESS_KERNEL_" + flavour.upper().replace("-", "_")
        self.image = os.environ.get(prefix + "_IMAGE", "")
        self.kdir = os.environ.get(prefix + "_KDIR", "")

    def there(self):
        return os.path.exists(self.image) and os.path.exists(self.kdir)


AMD64 = Kernel("amd64")
RT = Kernel("rt-amd64")


def require(*kernels):
    """./check fetches the kernels; a bare `meson test` may be without them."""
    if not all(kernel.there() for kernel in kernels) or not shutil.which(QEMU):
        rig.skip("no Debian kernels or no QEMU: run ./check, which fetches them")


class KernelCase(rig.Case):
    """Tests that boot. Modules are built once for all of them, in a cache beside the kernels."""

    def setUp(self):
        super().setUp()
        cache = os.environ.get("KREGRESS_TEST_CACHE", "")
        if cache:
            self.env["XDG_CACHE_HOME"] = cache
        self.sections = []

    def section(self, section, title, /, **values):
        lines = [f'[{section} "{title}"]']
        lines += [f"\t{key.replace('_', '-')} = {value}" for key, value in values.items()]
        self.sections.append("\n".join(lines))
        self.write("kregress.conf", "\n".join(self.sections) + "\n")

    def target(self, name="vm", **values):
        self.section("target", name, kind="qemu", **{"icount": "true", **values})

    def variant(self, name, under_test=AMD64, append="", target="vm", **values):
        given = {"target": target, "kernel": under_test.image, "kdir": under_test.kdir,
                 "append": append}
        given.update(values)
        self.section("variant", name, **{key: value for key, value in given.items() if value != ""})

    def modes(self):
        self.target()
        self.variant("voluntary", append="preempt=voluntary")
        self.variant("full", append="preempt=full")

    def boots(self, store=None):
        words = ("export", "--store", store) if store else ("export",)
        lines = map(json.loads, self.run_kregress(*words).out.splitlines())
        return [line for line in lines if line.get("type") == "boot"]


def build_fault_modules(folder):
    """fault.ko and lacking.ko for the amd64 kernel; returns their paths."""
    source = pathlib.Path(os.environ["KREGRESS_SOURCE"]) / "tests" / "kmod"
    for name in ("Kbuild", "fault.c", "lacking.c"):
        shutil.copy(source / name, folder / name)
    # A missing symbol is what lacking.ko is for: modpost must only warn of it.
    subprocess.run(["make", "-C", AMD64.kdir, f"M={folder}", "KBUILD_MODPOST_WARN=1", "modules"],
                   check=True, capture_output=True)
    return folder / "fault.ko", folder / "lacking.ko"
