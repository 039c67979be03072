# SPDX-License-Identifier: GPL-3.0-or-later
"""Nights of run sets, imported one by one or all at once."""
import datetime
import hashlib
import json
import os
import random

import bisect_case
import rig

POSTGRES = os.environ.get("KREGRESS_TEST_POSTGRES")
START = datetime.datetime(2026, 1, 1)


class HistoryCase(bisect_case.BisectCase):
    """The folder is a git repository, which matters only where run sets name commits."""

    store = ()  # options that name the store

    def setUp(self):
        super().setUp()
        self.random = random.Random(7)
        self.documents = 0

    def noise(self, mean, sd=1.0):
        return self.random.gauss(mean, sd)

    def night(self, number, values, environment=None, variant="nightly", machine="lab x4",
              boots=3, metric="time", better="lower"):
        """Lines of a run set; `values` maps benchmarks to means, drawn anew for each boot."""
        made = (START + datetime.timedelta(days=number)).strftime("%Y-%m-%dT%H:%M:%SZ")
        name = hashlib.md5(f"{number} {variant} {machine}".encode()).hexdigest()
        lines = [{"type": "run_set", "id": name, "collection": name, "variant": variant, "target": "vm",
                  "machine": machine, "created_at": made, "seed": "1", "level": "boot"}]
        for boot in range(boots):
            lines.append({"type": "boot", "boot": boot, "block": boot, "slot": boot, "status": "ok",
                          "duration_s": 1.0, "environment": environment or {"kernel.release": "6.1"}})
        for index, name in enumerate(sorted(values)):
            lines.append({"type": "series", "series": index, "benchmark": name, "params": "",
                          "metric": metric, "unit": "ns/op", "better": better})
            for boot in range(boots):
                lines.append({"type": "samples", "series": index, "boot": boot, "invocation": 0,
                              "iteration": 0, "values": [self.noise(values[name])]})
        return lines

    def load(self, nights):
        lines = [{"type": "header", "format": "kregress-1", "generator": "test"}]
        for night in nights:
            lines += night
        lines.append({"type": "end", "lines": len(lines)})
        self.documents += 1
        name = f"{self.root}/nights-{self.documents}.jsonl"
        with open(name, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
        self.run_kregress("import", *self.store, "kregress-1", name)

    def history(self, *words, expect=0):
        return self.run_kregress("history", *self.store, *words, expect=expect)

    def findings(self, *words):
        return self.run_kregress("findings", "list", *self.store, "--state", "all", "--json",
                                 *words).json()["findings"]

    def step(self, nights, at, series=("mm.fork",), steady=("lock.spin",), by=10.0, **options):
        """Nights of which the series step up at one."""
        self.load([self.night(i, {**{name: 100 + (by if i >= at else 0) for name in series},
                                  **{name: 50 for name in steady}}, **options)
                   for i in range(nights)])


class StoredCase(HistoryCase):
    """The store is a file, or a schema of its own on PostgreSQL."""

    def setUp(self):
        super().setUp()
        if POSTGRES:
            self.store = (f"--store={self.schema()}",)

    def schema(self):
        name = f"t{os.getpid()}_{self.id().rsplit('.', 1)[1]}"
        rig.subprocess.run(["psql", "-q", POSTGRES, "-c", f"CREATE SCHEMA {name}"], check=True)
        return f"{POSTGRES}&options=-csearch_path%3D{name}"
