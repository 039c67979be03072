# SPDX-License-Identifier: GPL-3.0-or-later
"""`kregress history` every night for most of a year: what a team that reads it sees."""
import history_case
import rig

POSTGRES = history_case.POSTGRES


class Nights(history_case.StoredCase):
    def test_three_hundred_nights(self):
        """Night by night: a finding comes once, keeps its id, and no state goes back and forth."""
        states, appeared = {}, {}
        first = 20
        self.load([self.night(i, self.levels(i)) for i in range(first)])
        for night in range(first, 300, 4 if POSTGRES else 1):
            width = 4 if POSTGRES else 1
            self.load([self.night(night + k, self.levels(night + k)) for k in range(width)])
            shown = self.history("--json", expect=None).json()
            for found in self.reported(shown):
                trail = states.setdefault(found["id"], [])
                appeared.setdefault(found["id"], night)
                if not trail or trail[-1] != found["state"]:
                    trail.append(found["state"])
        self.check_nights(states, appeared)

    @staticmethod
    def reported(document):
        return [change["finding"] for series in document["series"] for change in series["change_points"]
                if change["finding"]]

    @staticmethod
    def levels(night):
        return {"mm.fork": 103 if night >= 100 else 100, "mm.mmap": 103 if 150 <= night < 220 else 100,
                "lock.spin": 50, "lock.rw": 97 if night >= 200 else 100, "sched.pipe": 200}

    def check_nights(self, states, appeared):
        named = {f["finding"]: f for f in self.findings()}
        self.assertEqual(set(named), set(states))
        for name, trail in states.items():
            self.assertIn(trail, (["new"], ["new", "fixed"]), named[name])
        places = sorted((f["benchmark"], f["direction"]) for f in named.values())
        self.assertEqual(places, [("lock.rw", "improvement"), ("mm.fork", "regression"),
                                  ("mm.mmap", "improvement"), ("mm.mmap", "regression")])
        truth = {("lock.rw", "improvement"): 200, ("mm.fork", "regression"): 100,
                 ("mm.mmap", "improvement"): 220, ("mm.mmap", "regression"): 150}
        for name, found in named.items():
            delay = appeared[name] - truth[found["benchmark"], found["direction"]]
            self.assertTrue(0 <= delay <= 10, (found, delay))


if __name__ == "__main__":
    rig.main()
