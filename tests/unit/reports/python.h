/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Python programs that judge what a test wrote. */
#ifndef KREGRESS_TESTS_UNIT_REPORTS_PYTHON_H
#define KREGRESS_TESTS_UNIT_REPORTS_PYTHON_H

/* Runs python3 -c PROGRAM with two arguments; its exit code, 127 when there is no python3. */
int run_python(const char *program, const char *first, const char *second);

#endif
