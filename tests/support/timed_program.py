# SPDX-License-Identifier: GPL-3.0-or-later
"""A program in the place of hackbench whose times a test chooses, for the real way from a program
that runs to a verdict."""

BENCH = "tool.hackbench[groups=4,loops=100]"

PROGRAM = """#!/bin/sh
noise=$(date +%N)
echo Running in process mode with 4 groups using 40 file descriptors each '(== 160 tasks)'
echo Each sender will pass 100 messages of 100 bytes
echo Time: {}${{noise#???????}}
"""


def install(folder, time_s):
    """`time_s` has one decimal, as text; up to 0.1 s of noise come behind it."""
    folder.mkdir(exist_ok=True)
    path = folder / "hackbench"
    path.write_text(PROGRAM.format(time_s))
    path.chmod(0o755)
