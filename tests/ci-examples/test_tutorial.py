# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs docs/tutorial.md from top to bottom: every command, in one folder, and the lines it shows
but for what differs from run to run. With --kernels the step that boots kernels, too."""
import subprocess
import sys

import rig
import tutorial

WITH_KERNELS = "--kernels" in sys.argv


class Tutorial(rig.Case):
    def setUp(self):
        super().setUp()
        bin_folder = self.root / "bin"
        bin_folder.mkdir()
        (bin_folder / "kregress").symlink_to(rig.KREGRESS)
        self.env.update(PATH=f"{bin_folder}:{self.env['PATH']}", GIT_CONFIG_GLOBAL="/dev/null")
        self.folder = str(self.dir)

    def run_command(self, command):
        """Output, with what the shell says; a `cd` holds for the next command."""
        note = self.root / "folder"
        done = subprocess.run(["bash", "-c", f"{command}\ncode=$?\npwd >'{note}'\nexit $code"],
                              cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                              check=False)
        self.folder = note.read_text().strip()
        return done.returncode, done.stdout

    def check_command(self, command, shown):
        code, output = self.run_command(command)
        # `ab` and `compare` end with 1 after a regression, which the tutorial has.
        self.assertIn(code, (0, 1), output)
        self.assertNotIn("kregress: error", output)
        there = [tutorial.shape(line) for line in output.splitlines()]
        for line in filter(None, map(tutorial.shape, shown)):
            self.assertIn(line, there, f"$ {command}\n{output}")
        if not shown:
            self.assertEqual((code, output), (0, ""), command)

    def test_every_command_and_what_it_shows(self):
        if WITH_KERNELS:
            self.env.update(KERNEL_IMAGE=kernels.AMD64.image, KERNEL_HEADERS=kernels.AMD64.kdir)
        done = 0
        for needs_kernel, block in tutorial.blocks(tutorial.DOCUMENT.read_text()):
            if needs_kernel and not WITH_KERNELS:
                continue
            for command, shown in tutorial.commands(block):
                self.check_command(command, shown)
                done += 1
        self.assertGreaterEqual(done, 13)


if __name__ == "__main__":
    if WITH_KERNELS:
        import kernels
        sys.argv.remove("--kernels")
        kernels.require(kernels.AMD64)
    rig.main()
