# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of docs/ci as what a CI system makes of them: shell scripts, one per job or step."""
import pathlib
import re

import rig
import yaml

SOURCE = pathlib.Path(rig.os.environ["KREGRESS_SOURCE"])
DOCS = SOURCE / "docs" / "ci"

# What stands in for a kernel's tree: its make targets, with an image that is there already.
MAKEFILE = """olddefconfig:
\ttouch .config
bzImage: .config
\tmkdir -p arch/x86/boot
\tcp {image} arch/x86/boot/bzImage
modules_prepare: .config
"""


def gitlab():
    """GitLab joins before_script and script of a job, in one shell that stops at an error."""
    document = yaml.safe_load((DOCS / "gitlab-ci.yml").read_text())
    jobs = [job for name, job in document.items() if isinstance(job, dict) and "script" in job]
    jobs.sort(key=lambda job: document["stages"].index(job["stage"]))
    return [("bash", "set -eo pipefail\n" + "\n".join(job["script"])) for job in jobs]


def github():
    """`if: always()` steps run after a failure, too."""
    document = yaml.safe_load((DOCS / "github-actions.yml").read_text())
    steps = document["jobs"]["regressions"]["steps"]
    return [("bash", "set -e\n" + step["run"]) for step in steps if "run" in step]


def jenkins():
    """The texts of sh steps, which Jenkins runs with sh -xe."""
    text = (DOCS / "Jenkinsfile").read_text()
    return [("sh", "set -xe\n" + script) for script in re.findall(r"'''(.*?)'''", text, re.S)]


def nightly():
    return [("sh", f'"{DOCS / "nightly"}" "$PWD"\n')]


class ExampleCase(rig.Case):
    """A tree with kregress.conf, a branch `main` that has an origin, and kregress in PATH."""

    def make_tree(self, image, conf):
        bin_folder = self.root / "bin"
        bin_folder.mkdir(exist_ok=True)
        (bin_folder / "kregress").symlink_to(rig.KREGRESS)
        self.env.update(PATH=f"{bin_folder}:{self.env['PATH']}", GIT_CONFIG_GLOBAL="/dev/null",
                        KREGRESS_STORE=str(self.root / "store.db"), CI_DEFAULT_BRANCH="main",
                        CI_COMMIT_BRANCH="main", GITHUB_REF_NAME="main", BRANCH_NAME="main",
                        GITHUB_STEP_SUMMARY=str(self.root / "summary.md"))
        self.write("Makefile", MAKEFILE.format(image=image))
        self.write("kregress.conf", conf)
        who = ("-c", "user.name=A U Thor", "-c", "user.email=author@example.org")
        origin = self.root / "origin.git"
        for words in (("init", "-q", "-b", "main"), ("add", "."), (*who, "commit", "-qm", "tree"),
                      ("clone", "-q", "--bare", ".", origin), ("remote", "add", "origin", origin),
                      ("fetch", "-q", "origin"), ("branch", "-q", "-u", "origin/main")):
            done = self.shell("git", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
        commit = self.shell("git", "rev-parse", "HEAD").stdout.strip()
        self.env.update(CI_COMMIT_SHA=commit, GITHUB_SHA=commit, GIT_COMMIT=commit)

    def shell(self, *words):
        return rig.subprocess.run(list(map(str, words)), cwd=self.dir, env=self.env, text=True,
                                  stdin=rig.subprocess.DEVNULL, capture_output=True, timeout=300,
                                  check=False)

    def branch(self, name):
        self.env.update(CI_COMMIT_BRANCH=name, GITHUB_REF_NAME=name, BRANCH_NAME=name)

    def run_steps(self, steps):
        """Exit code of the first step that failed, or 0; and what all have printed."""
        code, text = 0, ""
        for shell, script in steps:
            done = self.shell(shell, "-c", script)
            text += done.stdout + done.stderr
            code = code or done.returncode
        return code, text

    def baselines(self):
        return self.run_kregress("baseline", "list", "--json", "--store",
                                 self.env["KREGRESS_STORE"]).json()
