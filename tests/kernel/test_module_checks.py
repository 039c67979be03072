# SPDX-License-Identifier: GPL-3.0-or-later
"""kregress.ko on further kernels, under sparse and checkpatch, through its Makefile and DKMS. These
tests only build."""
import os
import pathlib
import re
import shutil
import subprocess

import kernels
import rig

KMOD = pathlib.Path(os.environ["KREGRESS_SOURCE"]) / "kmod"


class Checks(rig.Case):
    def run_clean(self, *words):
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        text = done.stdout + done.stderr
        self.assertEqual(done.returncode, 0, text)
        self.assertEqual([line for line in text.splitlines()
                          if re.search("warning|error", line, re.I) and "BTF" not in line], [], text)
        return text

    def make(self, kdir, *words):
        """Through kmod/Makefile, in a folder of its own; sparse looks at every file where it is there."""
        before = sorted(KMOD.iterdir())
        sparse = ("C=2", "CHECK=sparse") if shutil.which("sparse") else ()
        text = self.run_clean("make", "-C", str(KMOD), f"KDIR={kdir}", f"BUILDDIR={self.dir}/kmod",
                              "W=1", *sparse, *words)
        self.assertTrue((self.dir / "kmod" / "kregress.ko").exists())
        self.assertEqual(sorted(KMOD.iterdir()), before)
        return text

    def build_named(self, name):
        kdir = os.environ.get(f"KREGRESS_KDIR_{name}", "")
        if not os.path.isdir(kdir):
            self.skipTest(f"no headers of {name}: ./check fetches them where apt offers them")
        self.make(kdir)

    def test_amd64_under_sparse(self):
        if not shutil.which("sparse"):
            self.skipTest("no sparse here: ./check installs it")
        text = self.make(kernels.AMD64.kdir)
        self.assertIn("CHECK", text)

    def test_cloud(self):
        self.build_named("6_1_CLOUD_AMD64")

    def test_backports(self):
        self.build_named("6_12_AMD64")

    def test_backports_cloud(self):
        self.build_named("6_12_CLOUD_AMD64")

    def test_backports_rt(self):
        self.build_named("6_12_RT_AMD64")

    def test_sparse_finds_what_is_wrong(self):
        """The check can fail: an address of user space that is read directly."""
        if not shutil.which("sparse"):
            self.skipTest("no sparse here: ./check installs it")
        folder = self.dir / "source"
        shutil.copytree(KMOD, folder)
        source = folder / "bench_copy.c"
        source.write_text(source.read_text() + "\nint read_user(struct bench_ctx *ctx);\n"
                          "int read_user(struct bench_ctx *ctx)\n{\n\treturn *(int __user *)ctx->user;\n}\n")
        done = subprocess.run(["make", "-C", kernels.AMD64.kdir, f"M={folder}", "C=2", "CHECK=sparse",
                               "modules"], capture_output=True, text=True, check=False)
        self.assertRegex(done.stdout + done.stderr, "bench_copy.c:[0-9:]+ warning: dereference of noderef")

    def test_checkpatch(self):
        script = os.environ.get("KREGRESS_CHECKPATCH", "")
        if not os.path.exists(script) or not shutil.which("perl"):
            self.skipTest("no checkpatch.pl here: ./check fetches it with the kernel's source")
        def faults(*files):
            # Macros that hold statements are how every loop gets the same shape.
            done = subprocess.run(["perl", script, "--no-tree", "--terse", "--file",
                                   "--max-line-length=100", "--ignore",
                                   "COMPLEX_MACRO,MACRO_WITH_FLOW_CONTROL", *map(str, files)],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.stderr, "")
            return done.stdout

        self.assertEqual(faults(*sorted(KMOD.glob("*.[ch]"))), "")
        wrong = self.dir / "wrong.c"
        wrong.write_text("// SPDX-License-Identifier: GPL-2.0-or-later\nint f(void) { if(1) return 0; }\n")
        self.assertIn("ERROR: space required before the open parenthesis", faults(wrong))

    def test_dkms(self):
        if not shutil.which("dkms"):
            self.skipTest("no dkms here: ./check installs it")
        version = re.search('PACKAGE_VERSION="(.*)"', (KMOD / "dkms.conf").read_text())[1]
        self.assertIn(f'MODULE_VERSION("{version}")', (KMOD / "main.c").read_text())
        release = pathlib.Path(kernels.AMD64.kdir).name.removeprefix("linux-headers-")
        for folder in ("tree", "source", "install"):
            (self.dir / folder).mkdir()
        shutil.copytree(KMOD, self.dir / "source" / f"kregress-{version}")
        for action in ("add", "build"):
            self.run_clean("dkms", action, "-m", "kregress", "-v", version, "-k", release, "-a", "x86_64",
                           "--kernelsourcedir", kernels.AMD64.kdir, "--dkmstree", f"{self.dir}/tree",
                           "--sourcetree", f"{self.dir}/source", "--installtree", f"{self.dir}/install")
        self.assertEqual(len(list((self.dir / "tree").rglob(f"{release}/x86_64/module/kregress.ko*"))), 1)


kernels.require(kernels.AMD64)
rig.main()
