# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/tutorial.md as commands with the output that it shows."""
import os
import pathlib
import re

DOCUMENT = pathlib.Path(os.environ["KREGRESS_SOURCE"]) / "docs" / "tutorial.md"
NEEDS_KERNEL = "<!-- needs a kernel -->\n"


def blocks(text):
    """(whether it needs a kernel, the block's text) for each block of commands."""
    for found in re.finditer(rf"({re.escape(NEEDS_KERNEL)})?```console\n(.*?)```\n", text, re.S):
        yield bool(found.group(1)), found.group(2)


def commands(block):
    """(command, lines of output shown) for each "$ " line, with the "> " lines that go on."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.startswith("> "):
            found[-1] = (found[-1][0] + "\n" + line[2:], found[-1][1])
        else:
            found[-1][1].append(line)
    return found


def shape(line):
    """A line without what differs from run to run: numbers, ids, times, the machine's name."""
    line = re.sub(r"'[^']*x\d+'|(?<=\s)\S+(?: \S+)* x\d+(?=\s)", "MACHINE", line)
    line = re.sub(r"\b[0-9a-f]{8,40}\b", "N", line)
    line = re.sub(r"[-+±]?\d[\dTZ:.,/%e-]*", "N", line)
    return re.sub(r"[-\s]+", " ", line).strip()
