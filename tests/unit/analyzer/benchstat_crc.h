/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What benchstat prints for crc-old.txt and crc-new.txt: golang/perf, cmd/benchstat/testdata,
 * crcOldNew.stdout.
 */
#ifndef KREGRESS_TESTS_UNIT_ANALYZER_BENCHSTAT_CRC_H
#define KREGRESS_TESTS_UNIT_ANALYZER_BENCHSTAT_CRC_H

struct crc_side {
	double median_ns;
	double time_percent; /* behind the plus-minus sign, of the time and of the rate */
	double rate_percent;
};

struct crc_row {
	const char *name; /* between "CRC32/poly=" and the suffix */
	struct crc_side sides[2];
};

static const struct crc_row crc_rows[] = {
	{"IEEE/size=15/align=0", {{46.55, 9, 8}, {44.4, 2, 2}}},
	{"IEEE/size=15/align=1", {{44.35, 3, 3}, {44.35, 1, 1}}},
	{"IEEE/size=40/align=0", {{41.05, 3, 3}, {42.45, 3, 3}}},
	{"IEEE/size=40/align=1", {{41.05, 1, 1}, {41.9, 2, 2}}},
	{"IEEE/size=512/align=0", {{237.5, 4, 4}, {56.75, 3, 3}}},
	{"IEEE/size=512/align=1", {{235.5, 2, 2}, {57.15, 2, 2}}},
	{"IEEE/size=1kB/align=0", {{452.5, 2, 2}, {94.9, 5, 6}}},
	{"IEEE/size=1kB/align=1", {{444, 2, 2}, {93.2, 9, 9}}},
	{"IEEE/size=4kB/align=0", {{1701, 7, 7}, {298, 1, 1}}},
	{"IEEE/size=4kB/align=1", {{1776, 5, 6}, {298, 2, 2}}},
	{"IEEE/size=32kB/align=0", {{15010, 5, 5}, {2145, 4, 4}}},
	{"IEEE/size=32kB/align=1", {{14450, 6, 7}, {2163, 3, 3}}},
	{"Castagnoli/size=15/align=0", {{16.5, 3, 3}, {16.3, 2, 2}}},
	{"Castagnoli/size=15/align=1", {{17.2, 2, 2}, {17.35, 3, 2}}},
	{"Castagnoli/size=40/align=0", {{17.45, 1, 1}, {17.45, 3, 2}}},
	{"Castagnoli/size=40/align=1", {{19.75, 2, 2}, {19.35, 2, 1}}},
	{"Castagnoli/size=512/align=0", {{40.15, 2, 2}, {39.85, 2, 2}}},
	{"Castagnoli/size=512/align=1", {{41.9, 3, 3}, {41.95, 2, 1}}},
	{"Castagnoli/size=1kB/align=0", {{65.5, 1, 1}, {66.3, 3, 3}}},
	{"Castagnoli/size=1kB/align=1", {{70.1, 4, 4}, {68.55, 2, 2}}},
	{"Castagnoli/size=4kB/align=0", {{162, 3, 3}, {157, 4, 4}}},
	{"Castagnoli/size=4kB/align=1", {{169.5, 4, 5}, {161, 2, 2}}},
	{"Castagnoli/size=32kB/align=0", {{1220, 4, 4}, {1218, 2, 2}}},
	{"Castagnoli/size=32kB/align=1", {{1268, 3, 3}, {1220, 2, 2}}},
	{"Koopman/size=15/align=0", {{36.4, 6, 6}, {35.6, 1, 1}}},
	{"Koopman/size=15/align=1", {{34.8, 5, 5}, {35.55, 1, 1}}},
	{"Koopman/size=40/align=0", {{90.35, 5, 5}, {87.55, 2, 2}}},
	{"Koopman/size=40/align=1", {{91.4, 5, 5}, {87.65, 2, 2}}},
	{"Koopman/size=512/align=0", {{1129, 4, 5}, {1073, 3, 2}}},
	{"Koopman/size=512/align=1", {{1127, 4, 4}, {1183, 7, 7}}},
	{"Koopman/size=1kB/align=0", {{2256, 5, 5}, {2347, 4, 4}}},
	{"Koopman/size=1kB/align=1", {{2155, 2, 2}, {2361, 3, 3}}},
	{"Koopman/size=4kB/align=0", {{9033, 5, 5}, {8964, 4, 4}}},
	{"Koopman/size=4kB/align=1", {{8858, 6, 6}, {8986, 8, 8}}},
	{"Koopman/size=32kB/align=0", {{73130, 7, 8}, {73210, 4, 4}}},
	{"Koopman/size=32kB/align=1", {{70030, 8, 7}, {73800, 3, 3}}},
};

#endif
