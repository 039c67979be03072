# SPDX-License-Identifier: GPL-3.0-or-later
"""A machine under test that can really be rebooted: a QEMU guest with Debian's kernel, dropbear and
kexec in an initramfs made from the installed packages, reached through a forwarded port."""
import gzip
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import time

import kernels
import machine
import rig

PROGRAMS = ("/usr/bin/busybox", "/usr/sbin/dropbear", "/usr/sbin/kexec")
INIT = """#!/bin/sh
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
mount -t debugfs debugfs /sys/kernel/debug
insmod /modules/$(uname -r)/e1000.ko
ip link set lo up
ip address add 10.0.2.15/24 dev eth0
ip link set eth0 up
echo "guest is up: $(uname -r)" >/dev/console
while :; do
	dropbear -F -E -s -r /etc/dropbear/key -p 22 2>/dev/console
	sleep 1
done
"""


def require():
    kernels.require(kernels.AMD64, kernels.RT)
    missing = [path for path in (*PROGRAMS, "/usr/bin/ssh", "/usr/bin/dropbearkey")
               if not os.path.exists(path)]
    if missing:
        rig.skip(f"not installed: {' '.join(missing)}: run ./check, which installs them")


class Archive:
    """A cpio archive in the format that kernels unpack (newc)."""

    def __init__(self):
        self.parts = []
        self.names = set()

    def add(self, name, mode, data=b""):
        name = name.lstrip("/")
        if name in self.names:
            return
        parent = os.path.dirname(name)
        if parent:
            self.add(parent, stat.S_IFDIR | 0o755)
        self.names.add(name)
        self.append(name, mode, data)

    def append(self, name, mode, data):
        fields = (len(self.parts) + 1, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields)
        head += name.encode() + b"\0"
        self.parts.append(head + b"\0" * (-len(head) % 4) + data + b"\0" * (-len(data) % 4))

    def add_program(self, path):
        """The program and the shared libraries it needs."""
        self.add(path, stat.S_IFREG | 0o755, pathlib.Path(path).read_bytes())
        listed = subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout
        for library in re.findall(r"(/\S+) \(0x", listed):
            self.add(library, stat.S_IFREG | 0o755, pathlib.Path(library).read_bytes())

    def add_text(self, name, text, mode=0o644):
        self.add(name, stat.S_IFREG | mode, text if isinstance(text, bytes) else text.encode())

    def write(self, path):
        self.append("TRAILER!!!", 0, b"")
        path.write_bytes(gzip.compress(b"".join(self.parts), 1))


def release(kernel):
    return os.path.basename(kernel.image)[len("vmlinuz-"):]


def network_driver(kernel):
    """e1000.ko out of the kernel's package, which ./check keeps beside the unpacked image."""
    package = pathlib.Path(kernel.image).parents[3] / f"linux-image-{release(kernel)}.deb"
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package],
                          stdout=subprocess.PIPE) as unpack:
        with tarfile.open(fileobj=unpack.stdout, mode="r|") as archive:
            for member in archive:
                if member.name.endswith("/e1000.ko"):
                    data = archive.extractfile(member).read()
                    unpack.kill()
                    return data
    raise AssertionError(f"no e1000.ko in {package}")


def write_initramfs(folder):
    archive = Archive()
    for path in PROGRAMS:
        archive.add_program(path)
    for applet in subprocess.run(["busybox", "--list"], capture_output=True, text=True,
                                 check=True).stdout.split():
        if applet != "busybox":
            archive.add(f"bin/{applet}", stat.S_IFLNK | 0o777, b"/usr/bin/busybox")
    for name in ("proc", "sys", "dev", "tmp"):
        archive.add(name, stat.S_IFDIR | 0o755)
    for kernel in (kernels.AMD64, kernels.RT):
        archive.add_text(f"modules/{release(kernel)}/e1000.ko", network_driver(kernel))
    archive.add_text("etc/passwd", "root:x:0:0:root:/root:/bin/sh\n")
    archive.add("root", stat.S_IFDIR | 0o700)
    archive.add("root/.ssh", stat.S_IFDIR | 0o700)
    archive.add_text("root/.ssh/authorized_keys", (folder / "login.pub").read_bytes(), 0o600)
    archive.add_text("etc/dropbear/key", (folder / "host").read_bytes(), 0o600)
    archive.add_text("init", INIT, 0o755)
    archive.write(folder / "initrd")


class Guest:
    def __init__(self, folder):
        self.folder = folder
        self.port = machine.free_port()
        self.initrd = folder / "initrd"
        self.monitor = folder / "monitor"
        machine.keygen(folder / "login")
        subprocess.run(["dropbearkey", "-t", "ed25519", "-f", folder / "host"], check=True,
                       capture_output=True)
        shown = subprocess.run(["dropbearkey", "-y", "-f", folder / "host"], check=True,
                               capture_output=True, text=True).stdout
        key = next(line for line in shown.splitlines() if line.startswith("ssh-ed25519"))
        (folder / "known").write_text(f"[127.0.0.1]:{self.port} {key}\n")
        (folder / "ssh_config").write_text(
            f"UserKnownHostsFile {folder}/known\nGlobalKnownHostsFile none\n"
            "StrictHostKeyChecking yes\n")
        write_initramfs(folder)
        self.process = subprocess.Popen(
            [kernels.QEMU, "-accel", "tcg", "-m", "768", "-smp", "1", "-nodefaults",
             "-no-user-config", "-display", "none", "-serial", f"file:{folder}/console",
             "-monitor", f"unix:{self.monitor},server,nowait",
             "-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{self.port}-:22",
             "-device", "e1000,netdev=net,romfile=", "-kernel", kernels.AMD64.image,
             "-initrd", self.initrd, "-append", "console=ttyS0 panic=1 loglevel=4"],
            stdin=subprocess.DEVNULL)

    def stop(self):
        self.process.kill()
        self.process.wait()

    def console(self):
        path = self.folder / "console"
        return path.read_text(errors="replace") if path.exists() else ""

    def ups(self):
        """Releases of the kernels that came up, in order."""
        return re.findall(r"guest is up: (\S+)", self.console())

    def run(self, script):
        return subprocess.run(
            ["ssh", "-F", self.folder / "ssh_config", "-o", "BatchMode=yes", "-i",
             self.folder / "login", "-p", str(self.port), "root@127.0.0.1", script],
            capture_output=True, text=True, timeout=120, check=True).stdout

    def wait_up(self, count=1):
        end = time.monotonic() + 180
        while time.monotonic() < end:
            if len(self.ups()) >= count:
                return
            time.sleep(0.5)
        raise AssertionError("the guest does not come up:\n" + self.console()[-3000:])

    def answers(self):
        try:
            return self.run("echo here").strip() == "here"
        except (subprocess.SubprocessError, OSError):
            return False

    def ensure_up(self):
        """Whatever the test before left: a guest that answers."""
        if not self.answers():
            before = len(self.ups())
            subprocess.run([self.power_command()], check=True)
            self.wait_up(before + 1)

    def power_command(self):
        """Presses the guest's reset button."""
        script = self.folder / "power"
        script.write_text(
            f"#!{sys.executable}\nimport socket\ns = socket.socket(socket.AF_UNIX)\n"
            f"s.settimeout(20)\ns.connect('{self.monitor}')\n"
            "def prompt():\n    text = b''\n    while b'(qemu) ' not in text:\n"
            "        text += s.recv(100)\n"
            # The second prompt says that the command is done: hanging up earlier may lose it.
            "prompt()\ns.sendall(b'system_reset\\n')\n"
            "text = b''\nwhile text.count(b'(qemu) ') < 1 or not text.endswith(b'(qemu) '):\n"
            "    text += s.recv(100)\n")
        script.chmod(0o755)
        return script

    def keys(self, **more):
        return {"kind": "ssh", "host": "127.0.0.1", "port": self.port, "user": "root",
                "identity": self.folder / "login", "ssh-config": self.folder / "ssh_config",
                "reboot-command": "reboot -f", **more}


def make(folder):
    path = pathlib.Path(folder)
    if path.exists():
        shutil.rmtree(path)
    path.mkdir(parents=True)
    return Guest(path)
