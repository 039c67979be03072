# SPDX-License-Identifier: GPL-3.0-or-later
"""kregress.ko builds without a warning, by itself, for both kernels, and leaves the source clean."""
import os
import pathlib
import re
import shutil
import subprocess

import kernels
import rig

KMOD = pathlib.Path(os.environ["KREGRESS_SOURCE"]) / "kmod"


class ModuleBuild(rig.Case):
    def build(self, kernel):
        folder = self.dir / "kmod"
        shutil.copytree(KMOD, folder)
        made = subprocess.run(["make", "-C", kernel.kdir, f"M={folder}", "W=1", "modules"],
                              capture_output=True, text=True, check=False)
        text = made.stdout + made.stderr
        self.assertEqual(made.returncode, 0, text)
        # Without vmlinux there is no BTF to be made: not about the module's code.
        noted = [line for line in text.splitlines()
                 if re.search("warning|error", line, re.I) and "BTF" not in line]
        self.assertEqual(noted, [], text)
        self.assertTrue((folder / "kregress.ko").exists())

    def test_amd64(self):
        self.build(kernels.AMD64)

    def test_rt(self):
        self.build(kernels.RT)

    def test_versions_only_in_compat_h(self):
        for path in sorted(KMOD.glob("*.[ch]")):
            if path.name != "compat.h":
                self.assertNotRegex(path.read_text(), "LINUX_VERSION_CODE|KERNEL_VERSION", path)


kernels.require(kernels.AMD64, kernels.RT)
rig.main()
