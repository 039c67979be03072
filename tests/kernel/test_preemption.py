# SPDX-License-Identifier: GPL-3.0-or-later
"""preempt=voluntary against preempt=full on Debian's kernel, instructions counted exactly."""
import kernels
import rig

# Operations whose instruction counts do not depend on what else the guest does.
EXACT = ["lock.spin", "lock.spin_irqsave", "lock.spin_irqsave_manual", "lock.spin_irq_disable",
         "irq.save_restore", "sched.preempt", "time.ktime_get", "rcu.read_lock"]


class Preemption(kernels.KernelCase):
    def test_modes_and_the_same_mode_twice(self):
        self.modes()
        result = self.run_kregress(
            "ab", "voluntary", "full", "voluntary", "--boots", "4", "--seed", "1",
            "--bench", "lock.*", "--bench", "irq.*", "--bench", "sched.cond_resched",
            "--bench", "sched.preempt", "--bench", "mm.kmalloc*", "--bench", "mm.alloc_page",
            "--bench", "mm.vmalloc", "--bench", "mm.vmap", "--bench", "mm.kmem_cache",
            "--bench", "text.static_key", "--bench", "time.ktime_get", "--bench", "rcu.read_lock",
            "--bench", "sched.complete", "--bench", "mm.fork", "--bench", "ipc.pipe",
            "--junit", "j.xml", "--json", "c.json", expect=None)
        self.assertIn(result.code, (0, 1), result)
        comparison = rig.json.loads((self.dir / "c.json").read_text())
        judged = [s for s in comparison["series"] if s["verdict"] is not None]
        self.assertGreater(len(judged), 50)

        cond_resched = rig.series_of(comparison, "sched.cond_resched", metric="insn", variant="full")
        self.assertEqual(cond_resched["verdict"], "improved")
        # Counted by hand: 9 and 3. What the loop's ends cost is shared by all of its turns.
        self.assertAlmostEqual(cond_resched["base"]["mean"], 9, places=2)
        self.assertAlmostEqual(cond_resched["new"]["mean"], 3, places=2)
        self.assertEqual(cond_resched["base"]["sd"], 0)
        spin = rig.series_of(comparison, "lock.spin", metric="insn", variant="full")
        self.assertAlmostEqual(spin["base"]["mean"], 19, places=2)
        self.assertEqual(spin["base"]["mean"], spin["new"]["mean"])
        for name in EXACT:
            same = rig.series_of(comparison, name, metric="insn", variant="voluntary#2")
            self.assertEqual(same["base"]["mean"], same["new"]["mean"], name)
            self.assertEqual(same["method"], "exact", name)

        again = [s for s in judged if s["variant"] == "voluntary#2" and s["benchmark"] != "loop.empty"]
        self.assertGreater(len(again), 25)
        self.assertEqual([(s["benchmark"], s["params"], s["verdict"]) for s in again
                          if s["verdict"] != "equivalent"], [])

        # Nothing but instructions is recorded where the clock counts instructions.
        self.assertEqual({s["metric"] for s in comparison["series"]}, {"insn"})
        environments = [boot["environment"] for boot in self.boots()]
        self.assertEqual({e["kernel.preempt"] for e in environments}, {"voluntary", "full"})
        for environment in environments:
            self.assertIn("preempt=", environment["kernel.cmdline"])
            self.assertEqual(environment["target.accel"], "tcg")
            self.assertRegex(environment["kernel.config_digest"], "^[0-9a-f]{40}$")
        self.assert_nothing_left()


class Times(kernels.KernelCase):
    def test_plain_tcg_measures_time_and_cycles(self):
        """Without icount; accel = auto tries KVM and says what it uses."""
        self.target(icount="false", cpus=2)
        self.variant("voluntary", append="preempt=voluntary")
        result = self.run_kregress("run", "voluntary", "--boots", "1", "--bench", "lock.spin",
                                   "--bench", "ipi.*", "--bench", "syscall.null")
        document = self.run_kregress("export").out
        for metric in ('"time"', '"cycles"'):
            self.assertIn(metric, document)
        accel = self.boots()[0]["environment"]["target.accel"]
        self.assertIn(accel, ("kvm", "tcg"))
        if accel == "tcg":
            self.assertIn("KVM does not work here", result.err)
        self.assert_nothing_left()


kernels.require(kernels.AMD64)
rig.main()
