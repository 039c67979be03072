# SPDX-License-Identifier: GPL-3.0-or-later
"""The same commands on a PostgreSQL store and on a file; run by tests/support/with-postgres."""
import os
import urllib.parse

import rig

URL = os.environ["KREGRESS_TEST_POSTGRES"]
TABLE = "lat [ns]\n a 100 101 102 99 100 101\n b 120 121 122 119 120 121\n"


class Fleet(rig.Case):
    def results_in(self, store):
        """What import, compare and export give with that store."""
        store = f"--store={store}"
        self.write("input", TABLE)
        self.run_kregress("import", store, "table", "input")
        compared = self.run_kregress("compare", store, "a", "b", "--json", expect=1).json()
        exported = self.run_kregress("export", store, "a", "b").out.splitlines()
        return compared["series"], [line for line in exported if '"samples"' in line]

    def test_same_answers(self):
        fleet = self.results_in(URL)
        file = self.results_in("here.db")
        self.assertEqual(fleet[0][0]["verdict"], "regressed")
        self.assertEqual(fleet, file)
        self.assertTrue(fleet[1])

    def test_url_in_the_configuration(self):
        self.write("kregress.conf", f'[kregress]\n\tstore = "{URL}"\n')
        self.write("input", TABLE.replace(" a ", " conf-a ").replace(" b ", " conf-b "))
        self.run_kregress("import", "table", "input", expect=0)
        self.run_kregress("compare", "conf-a", "conf-b", expect=1)
        self.assertFalse((self.dir / ".kregress").exists())

    def test_unreachable_names_no_password(self):
        folder = urllib.parse.parse_qs(urllib.parse.urlsplit(URL).query)["host"][0]
        store = f"--store=postgresql://me:sesame@/nowhere?host={folder}/none"
        result = self.run_kregress("compare", store, "a", "b", expect=4)
        self.assert_says(result, "no connection", "pg_isready")
        self.assertNotIn("sesame", result.err)


if __name__ == "__main__":
    rig.main()
