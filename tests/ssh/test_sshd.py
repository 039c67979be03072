# SPDX-License-Identifier: GPL-3.0-or-later
"""Target ssh against an sshd on the loopback interface: the plain path, and what goes wrong."""
import os
import pathlib
import signal
import subprocess
import time

import machine
import rig

FAST = ("--bench", "syscall.null", "--repetitions", "3", "--sample-time", "100us", "--boots", "2")
LONG = ("--bench", "ipc.pipe", "--sample-time", "1s", "--repetitions", "60", "--boots", "2")


class SshCase(rig.Case):
    def setUp(self):
        super().setUp()
        self.root.chmod(0o755)
        self.machine = machine.Machine(self.root / "machine").start()
        self.addCleanup(self.machine.stop)
        self.configure()

    def configure(self, variant="", **target):
        self.write("kregress.conf", self.machine.keys(**target) +
                   '[variant "remote"]\n\ttarget = box\n' + variant)

    def boots(self):
        lines = map(rig.json.loads, self.run_kregress("export").out.splitlines())
        return [line for line in lines if line.get("type") == "boot"]

    def refuse(self, *says, code=4, words=FAST):
        result = self.run_kregress("run", "remote", *words, expect=code)
        self.assert_says(result, *says)
        self.assert_nothing_left()
        return result

    def wait_clean(self):
        self.wait_for(lambda: self.machine.left() == [], "an empty folder there", timeout=20)
        self.wait_for(lambda: self.agents() == [], "the end of the agent there", timeout=20)

    def agents(self):
        """Agents that run in our machine's folder."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and \
                        os.readlink(entry / "cwd").startswith(str(self.machine.place)):
                    found.append(int(entry.name))
            except OSError:
                continue
        return found

    def start_long(self):
        process = self.start("run", "remote", *LONG)
        self.wait_for(lambda: self.agents() != [] and
                      list(self.machine.place.glob("kregress-ssh.*/agent")) != [],
                      "an agent at work", timeout=30)
        time.sleep(0.5)
        return process


class Plain(SshCase):
    def test_runs_are_measured_and_said_to_be_no_boots(self):
        result = self.run_kregress("run", "remote", *FAST)
        self.assert_says(result, "is not rebooted", "runs within one boot")
        self.assertEqual([boot["status"] for boot in self.boots()], ["ok", "ok"])
        text = self.run_kregress("export").out
        self.assertIn('"level":"invocation"', text)
        self.assertIn('"syscall.null"', text)
        self.assertIn('"target.boot":"none: runs within one boot"', text)
        self.wait_clean()
        self.assert_nothing_left()

    def test_switches_by_turns_there(self):
        knob = self.write("knob", "0\n")
        self.configure(f'\tswitch = file:{knob}=1\n[variant "other"]\n\ttarget = box\n'
                       f'\tswitch = file:{knob}=2\n')
        result = self.run_kregress("run", "remote", "other", *FAST)
        self.assert_says(result, "remote + other: share their boots")
        boots = self.boots()
        self.assertEqual([boot["slot"] for boot in boots], [0, 1, 0, 1])
        self.assertEqual([boot["environment"][f"switch.file:{knob}"] for boot in boots],
                         ["1", "1", "2", "2"])
        self.assertEqual(knob.read_text().strip(), "0")
        self.wait_clean()
        self.assert_nothing_left()

    def test_runs_within_one_boot_are_said_to_be_so_in_reports(self):
        self.run_kregress("run", "remote", "remote", *FAST)
        shown = self.run_kregress("compare", "remote", "remote#2", expect=None).out
        self.assertIn("they are invocations within one boot", " ".join(shown.split()))

    def test_a_user_who_is_not_root_measures_userland(self):
        self.configure(user="tester")
        self.run_kregress("run", "remote", *FAST)
        self.wait_clean()

    def test_many_jobs_still_run_one_at_a_time(self):
        self.run_kregress("run", "remote", "remote", *FAST, "--jobs", "4")
        self.assertEqual([boot["status"] for boot in self.boots()], ["ok"] * 4)
        self.wait_clean()

    def test_what_was_left_by_a_boot_that_is_over_is_removed(self):
        (self.machine.place / "kregress-ssh.old").mkdir()
        (self.machine.place / "kregress-ssh.old" / "pid").write_text("999999999\n")
        self.run_kregress("run", "remote", *FAST)
        self.wait_clean()

    def test_another_measurement_is_not_disturbed(self):
        other = self.machine.place / "kregress-ssh.other"
        other.mkdir()
        (other / "pid").write_text(f"{os.getpid()}\n")
        (other / "owner").write_text("elsewhere:1\n")
        self.refuse("another measurement runs there", "elsewhere:1")
        self.assertTrue(other.is_dir())


class Logins(SshCase):
    def test_unknown_host_key(self):
        self.machine.know("")
        self.refuse("host key is not known here", "Host key verification failed", "fingerprint")

    def test_changed_host_key(self):
        machine.keygen(self.machine.folder / "other")
        self.machine.know((self.machine.folder / "other.pub").read_text())
        self.refuse("host key is not the one that is known", "ssh-keygen -R")

    def test_wrong_key(self):
        machine.keygen(self.machine.folder / "other")
        self.configure(identity=self.machine.folder / "other")
        self.refuse("the login is refused", "Permission denied", "authorized_keys")

    def test_password_is_not_asked_for(self):
        (self.machine.folder / "authorized").write_text("")
        started = time.monotonic()
        self.refuse("the login is refused", "password", "never asks")
        self.assertLess(time.monotonic() - started, 30)

    def test_no_server(self):
        self.machine.stop()
        self.refuse("127.0.0.1", "nothing answers", "Connection refused", "target box")

    def test_unknown_host(self):
        self.configure(host="no-such-host.invalid")
        self.refuse("the host name is unknown")

    def test_no_ssh_client(self):
        self.env["PATH"] = str(self.dir)
        self.refuse("ssh: cannot start", "openssh-client")


class Rights(SshCase):
    def test_module_without_root(self):
        self.write("kregress.ko", "")
        self.configure("\tmodule = kregress.ko\n", user="tester")
        self.refuse("not root's", "12345", "user = root", code=2)

    def test_reboot_without_root(self):
        self.configure(user="tester", reboot="true")
        self.refuse("cannot reboot", "reboot = false", code=2)

    def test_folder_that_may_not_be_written(self):
        closed = self.machine.folder / "closed"
        closed.mkdir(mode=0o700)
        self.configure(user="tester", folder=closed)
        self.refuse("Permission denied", str(closed))

    def test_folder_without_execute_permission(self):
        self.mount_there("noexec")
        self.refuse("Permission denied", "kregress-agent")

    def test_full_disk(self):
        self.mount_there("size=256k")
        self.refuse("the disk is full there", "target box")
        self.assertEqual(self.machine.left(), [])

    def mount_there(self, options):
        place = self.machine.folder / "small"
        place.mkdir()
        self.machine.stop()
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", place], check=False)
        self.machine.place = place
        self.machine.start()
        self.configure()


class Losses(SshCase):
    def test_ctrl_c_ends_the_agent_there(self):
        process = self.start_long()
        process.send_signal(signal.SIGINT)
        result = self.finish(process, timeout=30)
        self.assertEqual(result.code, 130, result)
        self.wait_clean()
        self.assert_nothing_left()

    def test_ctrl_c_while_copying(self):
        """The agent to be copied is endless: a pipe that nobody writes to."""
        os.mkfifo(self.dir / "agent")
        filler = os.open(self.dir / "agent", os.O_RDWR)
        self.addCleanup(os.close, filler)
        self.configure(agent="agent")
        process = self.start("run", "remote", *FAST)
        self.wait_for(lambda: list(self.machine.place.glob("kregress-ssh.*/kregress-agent")) != [],
                      "a copy under way", timeout=30)
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process, timeout=30).code, 130)
        self.wait_clean()
        self.assert_nothing_left()

    def test_sigkill_ends_the_agent_there(self):
        process = self.start_long()
        process.send_signal(signal.SIGKILL)
        self.finish(process, timeout=30)
        self.wait_clean()

    def test_connection_loss_costs_one_boot(self):
        process = self.start("run", "remote", "--bench", "syscall.null", "--bench", "ipc.pipe",
                             "--sample-time", "300ms", "--repetitions", "6", "--boots", "2")
        self.wait_for(lambda: list(self.machine.place.glob("kregress-ssh.*/agent")) != [],
                      "an agent at work", timeout=30)
        time.sleep(3)
        for pid in self.machine.sessions():
            os.kill(pid, signal.SIGKILL)
        result = self.finish(process, timeout=120)
        boots = self.boots()
        self.assertEqual([boot["status"] for boot in boots], ["failed", "ok"], result)
        self.assertIn("ssh exited with status 255", boots[0]["reason"])
        self.assertIn("syscall.null", self.run_kregress("export").out)
        self.wait_clean()

    def test_agent_that_is_killed_there(self):
        process = self.start_long()
        pid = int(next(self.machine.place.glob("kregress-ssh.*/agent")).read_text())
        os.kill(pid, signal.SIGKILL)
        self.wait_for(lambda: "137" in str(self.boots_so_far()), "a failed boot", timeout=30)
        process.send_signal(signal.SIGINT)
        self.finish(process, timeout=30)
        self.wait_clean()

    def boots_so_far(self):
        result = self.run_kregress("export", expect=None)
        return [line for line in result.out.splitlines() if '"reason"' in line]


class Configuration(SshCase):
    def test_wrong_values(self):
        for says, target in (("host", {"host": "-oProxyCommand=false"}), ("port", {"port": 70000}),
                             ("neither kexec nor command", {"install": "magic"}),
                             ("boot-command", {"install": "command"}),
                             ("not an absolute path", {"folder": "here"}),
                             ("not an absolute path", {"folder": "/tmp/$x"})):
            self.configure(**target)
            self.refuse(says, code=2)

    def test_kernel_that_is_missing(self):
        self.configure("\tkernel = /nowhere/vmlinuz\n")
        self.refuse("/nowhere/vmlinuz", code=2)

    def test_command_line_without_a_kernel(self):
        self.configure("\tappend = quiet\n")
        self.refuse("no kernel to boot", code=2)


machine.require()
rig.main()
