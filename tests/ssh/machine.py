# SPDX-License-Identifier: GPL-3.0-or-later
"""A machine under test for the tests of target ssh: an sshd of its own on a random port of the
loopback interface, in a mount namespace where boot id, command line and users can be set."""
import os
import pathlib
import shutil
import socket
import subprocess
import time

import rig

SSHD = "/usr/sbin/sshd"
INNER = """
set -e
mount --make-rprivate /
mount --bind "$1/boot_id" /proc/sys/kernel/random/boot_id
mount --bind "$1/cmdline" /proc/cmdline
mount --bind "$1/passwd" /etc/passwd
exec %s -D -e -f "$1/sshd_config"
""" % SSHD


def require():
    if os.geteuid() or not os.path.exists(SSHD) or not shutil.which("ssh"):
        rig.skip("needs root, openssh-server and openssh-client: run ./check, which installs them")
    if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode:
        rig.skip("no mount namespaces here")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def keygen(path):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)


class Machine:
    """The sshd, its keys, and what it says it is."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.port = free_port()
        self.process = None
        self.boots = 0
        self.place = self.folder / "there"
        self.place.mkdir(parents=True)
        self.folder.chmod(0o755)
        self.place.chmod(0o1777)
        keygen(self.folder / "host")
        keygen(self.folder / "login")
        (self.folder / "authorized").write_bytes((self.folder / "login.pub").read_bytes())
        (self.folder / "authorized").chmod(0o644)
        (self.folder / "passwd").write_text(
            pathlib.Path("/etc/passwd").read_text() + "tester:x:12345:12345::/:/bin/sh\n")
        self.know((self.folder / "host.pub").read_text())
        (self.folder / "ssh_config").write_text(
            f"UserKnownHostsFile {self.folder}/known\nGlobalKnownHostsFile none\n"
            "StrictHostKeyChecking yes\n")
        (self.folder / "sshd_config").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {self.folder}/host\n"
            f"AuthorizedKeysFile {self.folder}/authorized\nStrictModes no\nUsePAM no\n"
            "PidFile none\nPermitRootLogin yes\nPasswordAuthentication yes\n")
        self.cmdline = "root=/dev/vda quiet"

    def know(self, key):
        (self.folder / "known").write_text(f"[127.0.0.1]:{self.port} {key}")

    def write_state(self):
        """What a boot changes."""
        self.boots += 1
        (self.folder / "boot_id").write_text(f"00000000-0000-4000-8000-{self.boots:012d}\n")
        (self.folder / "cmdline").write_text(self.cmdline + "\n")

    def start(self):
        os.makedirs("/run/sshd", exist_ok=True)
        self.write_state()
        log = open(self.folder / "log", "ab")
        with log:
            self.process = subprocess.Popen(
                ["unshare", "-m", "sh", "-c", INNER, "sh", str(self.folder)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                time.sleep(0.05)
        raise AssertionError("sshd does not answer: " + (self.folder / "log").read_text())

    def sessions(self):
        """Ids of the processes that serve connections."""
        path = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        return [int(word) for word in pathlib.Path(path).read_text().split()]

    def stop(self):
        if not self.process:
            return
        pids = self.sessions() if self.process.poll() is None else []
        self.process.kill()
        self.process.wait()
        for pid in pids:
            try:
                os.kill(pid, 9)
            except ProcessLookupError:
                pass
        self.process = None

    def keys(self, **more):
        values = {"kind": "ssh", "host": "127.0.0.1", "port": self.port, "user": "root",
                  "identity": self.folder / "login", "ssh-config": self.folder / "ssh_config",
                  "folder": self.place, "reboot": "false", **more}
        return "[target \"box\"]\n" + "".join(
            f"\t{key.replace('_', '-')} = {value}\n" for key, value in values.items())

    def left(self):
        return sorted(path.name for path in self.place.glob("kregress-ssh.*"))
